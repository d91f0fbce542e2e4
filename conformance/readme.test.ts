/** Every command of README.md, as it stands there but for the URL. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { load as parse } from 'js-yaml';
import { folderWith, MAIN, ROOT, run } from './command/suite.ts';
import { coreService, faulty, type Target, target } from './command/targets.ts';
import type { Service } from './self/service.ts';

const README = readFileSync(new URL('README.md', import.meta.url), 'utf8');
const URL_IN_README = 'http://127.0.0.1:8080';
const TOKEN = 'the-token';
const READ_ONLY_TOKEN = 'the-reader';

function blocks(language: string): string[] {
  return [...README.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text!);
}

/** As in the list of known failures: whatever its media type, a body is read. */
function ignoresMediaType(): Service {
  const inner = coreService();
  return async (request) => {
    const answer = await inner(request);
    if (answer.status !== 415 || !request.target.startsWith('/edges')) return answer;
    return inner({ ...request, headers: { ...request.headers, 'content-type': 'application/json' } });
  };
}

function serviceFor(script: string): Service {
  if (script.includes('--known-failures')) return ignoresMediaType();
  if (script.includes('TOKEN')) return coreService({ token: TOKEN, readOnlyToken: READ_ONLY_TOKEN });
  if (script.includes('X-Api-Key'))
    return faulty((answer, { headers }) =>
      headers['x-api-key'] === 'the-key' ? answer : { status: 401, headers: {}, body: '' },
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
    blocks('yaml')
      .find((text) => text.startsWith('# conformance.yaml'))!
      .replaceAll(URL_IN_README, url),
  );
  writeFileSync(folder.file('known-failures.json'), blocks('json')[0]!);
  return folder;
}

async function execute(script: string, served: Target) {
  using folder = userFolder(served.url);
  // The script of the checkout needs the checkout, everything else a folder with the package.
  const cwd = script.startsWith('npm run') ? ROOT : folder.path;
  const env = {
    MY_TOKEN: TOKEN,
    MY_READ_ONLY_TOKEN: READ_ONLY_TOKEN,
    MY_KEY: 'the-key',
    GITHUB_STEP_SUMMARY: folder.file('summary.md'),
  };
  const finished = await run('sh', ['-ec', script.replaceAll(URL_IN_README, served.url)], { cwd, env });
  const summary = existsSync(folder.file('summary.md')) ? readFileSync(folder.file('summary.md'), 'utf8') : '';
  return { ...finished, summary };
}

/** Without columns, and without the breaks that a long id makes in a line. */
function plain(text: string): string {
  return text
    .replaceAll(/[\s│]+/g, ' ')
    .trim()
    .replaceAll(/https\/[\w-]{12,}/g, 'https/ID');
}

describe('README.md', () => {
  const scripts = blocks('sh');

  it('has commands', () => {
    expect(scripts.length).toBeGreaterThan(8);
    for (const script of scripts) expect(script).toMatch(/edge-conformance|npm run conformance/);
  });

  it.each(scripts)('%s', async (script) => {
    await using served = await target(serviceFor(script));
    const { code, stdout, stderr } = await execute(script, served);
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    if (!script.includes('--list')) expect(served.requests.length).toBeGreaterThan(2);
    if (script.includes('READ_ONLY_TOKEN'))
      expect(served.requests.some(({ headers }) => headers['authorization'] === `Bearer ${READ_ONLY_TOKEN}`)).toBe(
        true,
      );
    if (script.includes('X-Api-Key'))
      expect(served.requests.every(({ headers }) => headers['x-api-key'] === 'the-key')).toBe(true);
  });

  it('has a workflow whose steps work', async () => {
    const steps = parse(blocks('yaml').find((text) => text.startsWith('- run'))!) as { run?: string }[];
    await using served = await target();
    const script = steps.flatMap((step) => step.run ?? []).join('\n');
    const { code, summary } = await execute(script, served);
    expect(code).toBe(0);
    expect(summary).toContain(served.url);
  });

  it('shows what a failure block is made of', async () => {
    const [shown] = blocks('text');
    const forgetful = faulty((answer, { method, target: path }) => {
      if (method !== 'GET' || answer.status !== 200 || !path.startsWith('/edges/https/')) return answer;
      const edge = JSON.parse(String(answer.body)) as { hostports: string[] };
      return { ...answer, body: JSON.stringify({ ...edge, hostports: edge.hostports.slice(0, 1) }) };
    });
    await using served = await target(forgetful);
    const { code, stdout } = await run(process.execPath, [
      MAIN,
      served.url,
      '--only',
      'edges.read-your-write',
      '--seed',
      '42',
    ]);
    expect(code).toBe(1);
    const printed = plain(stdout.replaceAll(served.url, URL_IN_README));
    for (const line of shown!
      .split('\n')
      .map(plain)
      .filter((one) => one !== '' && !/…/.test(one))) {
      expect(printed).toContain(line.replace(/openapi\.yaml:\d+.*/, 'openapi.yaml:').replace(/@0\..*/, '@0.'));
    }
  });

  it('links to what is there', () => {
    for (const [, path] of README.matchAll(/\]\(([^)#:]+)\)/g))
      expect(() => readFileSync(new URL(path!, import.meta.url))).not.toThrow(/ENOENT/);
  });
});
