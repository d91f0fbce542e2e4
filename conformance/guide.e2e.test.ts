/** Every command of README.md is run, as it stands there but for the URL. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { load } from 'js-yaml';
import { MAIN, run } from './command/process.ts';
import { blocksOf, URL_IN_README } from './command/readme.ts';
import { folderWith, ROOT } from './command/suite.ts';
import { coreService, faulty, type Implementation, implementation } from './command/services.ts';
import type { Service } from './self/service.ts';

const TOKEN = 'the-token';
const READ_ONLY_TOKEN = 'the-reader';
const KEY = 'the-key';

/** As in the list of known failures: a new edge is read, although its media type is another one. */
function ignoresMediaType(): Service {
  const inner = coreService();
  return async (request) => {
    const response = await inner(request);
    const others = /^(text\/plain|application\/xml|application\/x-www-form-urlencoded|multipart\/form-data.*)$/;
    if (response.status !== 415 || !request.target.startsWith('/edges')) return response;
    if (!others.test(request.headers['content-type'] ?? '')) return response;
    return inner({ ...request, headers: { ...request.headers, 'content-type': 'application/json' } });
  };
}

function serviceFor(script: string): Service {
  if (script.includes('--known-failures')) return ignoresMediaType();
  if (script.includes('TOKEN="$MY_KEY"')) return coreService({ token: KEY });
  if (script.includes('TOKEN')) return coreService({ token: TOKEN, readOnlyToken: READ_ONLY_TOKEN });
  if (script.includes('X-Api-Key'))
    return faulty((response, { headers }) =>
      headers['x-api-key'] === KEY ? response : { status: 401, headers: {}, body: '' },
    );
  return coreService();
}

/** A folder of a user: with the command, and the files that README.md shows. */
function userFolder(url: string) {
  const folder = folderWith();
  mkdirSync(join(folder.path, 'node_modules/.bin'), { recursive: true });
  writeFileSync(
    join(folder.path, 'node_modules/.bin/edge-conformance'),
    `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`,
    { mode: 0o755 },
  );
  writeFileSync(
    folder.file('conformance.yaml'),
    blocksOf('yaml')
      .find((text) => text.startsWith('# conformance.yaml'))!
      .replaceAll(URL_IN_README, url),
  );
  writeFileSync(folder.file('known-failures.json'), blocksOf('json')[0]!);
  // Any contract will do.
  cpSync(join(ROOT, 'openapi.yaml'), folder.file('petstore.yaml'));
  return folder;
}

async function execute(script: string, served: Implementation) {
  using folder = userFolder(served.url);
  // The script of the checkout needs the checkout, everything else a folder with the package.
  const cwd = script.startsWith('npm run') ? ROOT : folder.path;
  const env = {
    MY_TOKEN: TOKEN,
    MY_READ_ONLY_TOKEN: READ_ONLY_TOKEN,
    MY_KEY: KEY,
    GITHUB_STEP_SUMMARY: folder.file('summary.md'),
  };
  const finished = await run('sh', ['-ec', script.replaceAll(URL_IN_README, served.url)], { cwd, env });
  const summary = existsSync(folder.file('summary.md')) ? readFileSync(folder.file('summary.md'), 'utf8') : '';
  return { ...finished, summary };
}

describe('README.md', () => {
  const scripts = blocksOf('sh');

  it.each(scripts)('%s', async (script) => {
    await using served = await implementation(serviceFor(script));
    const { code, stdout, stderr } = await execute(script, served);
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    if (!script.includes('--list')) expect(served.requests.length).toBeGreaterThan(2);
    if (script.includes('READ_ONLY_TOKEN'))
      expect(served.requests.some(({ headers }) => headers['authorization'] === `Bearer ${READ_ONLY_TOKEN}`)).toBe(
        true,
      );
    if (script.includes('X-Api-Key'))
      expect(served.requests.every(({ headers }) => headers['x-api-key'] === KEY)).toBe(true);
  });

  it('has a workflow whose steps work', async () => {
    const steps = load(blocksOf('yaml').find((text) => text.startsWith('- run'))!) as { run?: string }[];
    await using served = await implementation();
    const script = steps.flatMap((step) => step.run ?? []).join('\n');
    const { code, summary } = await execute(script, served);
    expect(code).toBe(0);
    expect(summary).toContain(served.url);
  });
});
