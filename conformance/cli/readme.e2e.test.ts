/** The commands of README.md, run by a shell with the built program. */
import { chmodSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import type { Service } from '../self-test/service.ts';
import { folderWith } from './testing/folder.ts';
import { MAIN, ROOT, run } from './testing/processes.ts';
import { coreService, implementation } from './testing/services.ts';

const README = readFileSync(`${ROOT}/conformance/README.md`, 'utf8');

function blocksOf(language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm');
  return [...README.matchAll(block)].map(([, text = '']) => text);
}

const [WORKFLOW = '', CONFIG = ''] = blocksOf('yaml');
const [KNOWN_FAILURES = ''] = blocksOf('json');
const STEPS = (load(WORKFLOW) as { run?: string }[]).flatMap((step) => step.run ?? []);
const SECRETS = { MY_TOKEN: 'the-token', MY_READ_ONLY_TOKEN: 'the-reader', MY_KEY: 'the-token' };

/** Media types other than JSON. */
const OTHER_TYPES = /^(text\/plain|application\/(xml|x-www-form-urlencoded)|multipart)/;

/** The service that a script is about: it wants the token, or has the known failures. */
function serviceFor(script: string): Service {
  if (script.includes('TOKEN')) {
    return coreService({ token: 'the-token', readOnlyToken: 'the-reader' });
  }
  if (script.includes('--explain')) {
    return failingToCreate(coreService());
  }
  if (script.includes('--known-failures')) {
    return ignoringMediaTypes(coreService());
  }
  return coreService();
}

function failingToCreate(service: Service): Service {
  return async (request) => {
    const response = await service(request);
    const isCreated = request.method === 'POST' && response.status === 201;
    return isCreated ? { ...response, status: 500 } : response;
  };
}

function ignoringMediaTypes(service: Service): Service {
  return async (request) => {
    const response = await service(request);
    const isOtherType = OTHER_TYPES.test(request.headers['content-type'] ?? '');
    const isIgnored = isOtherType && request.target.startsWith('/edges');
    if (response.status !== 415 || !isIgnored) {
      return response;
    }
    const headers = { ...request.headers, 'content-type': 'application/json' };
    return service({ ...request, headers });
  };
}

/** A folder in which the package is installed. */
function projectFolder(files: Record<string, string>) {
  const program = 'node_modules/.bin/edge-conformance';
  const folder = folderWith({
    'known-failures.json': KNOWN_FAILURES,
    // Any contract will do.
    'petstore.yaml': readFileSync(`${ROOT}/openapi.yaml`, 'utf8'),
    'node_modules/@edge-contract/conformance/package.json': readFileSync(
      `${ROOT}/conformance/package.json`,
      'utf8',
    ),
    [program]: `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`,
    ...files,
  });
  chmodSync(folder.file(program), 0o755);
  return folder;
}

it.each([...blocksOf('sh'), STEPS.join('\n')])('%s', async (script) => {
  await using served = await implementation(serviceFor(script));
  const here = (text: string) => text.replaceAll('http://127.0.0.1:8080', served.url);
  // It would be read by itself, too.
  const isConfigured = script.includes('--config');
  using folder = projectFolder(isConfigured ? { 'conformance.yaml': here(CONFIG) } : {});
  const cwd = script.startsWith('npm run') ? ROOT : folder.path;
  const env = { ...SECRETS, GITHUB_STEP_SUMMARY: folder.file('summary.md') };
  if (script.includes('--explain')) {
    // It explains a finding of an earlier run.
    const earlier = [MAIN, served.url, '--only', 'createEdge.201', '--report', 'reports'];
    expect((await run(process.execPath, earlier, { cwd, env })).code).toBe(1);
  }
  const { code, stdout, stderr } = await run('sh', ['-ec', here(script)], { cwd, env });
  expect(code, `${stdout}\n${stderr}`).toBe(0);
  if (!script.includes('--list')) {
    expect(served.requests.length).toBeGreaterThan(2);
  }
  if (script.includes('summary')) {
    expect(readFileSync(folder.file('summary.md'), 'utf8')).toContain(served.url);
  }
});
