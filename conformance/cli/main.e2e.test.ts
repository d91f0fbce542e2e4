/** The built program as a process: signals, a closed pipe, the commands of README.md; and scripts and runs that are long. */
import { chmodSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { known, pickyService, subscriptions } from './picky.ts';
import { folderWith, MAIN, reportOf, ROOT, run, start } from './suite.ts';
import { coreService, implementation, wrongDescription } from './services.ts';
import type { Report } from '../engine/run/result.ts';
import type { Service } from '../self-test/service.ts';

const FOREIGN = { sub_a: [], sub_b: ['beta_done.v0', 'foreign_only.v3'], sub_c: ['gamma.v10'] };
const FEW = [
  '--only',
  'edges.location',
  '--only',
  'edges.read-your-write',
  '--runs',
  '3',
  '--seed',
  '1',
];

describe('a signal', () => {
  const some = [['SIGINT', 1] as const, ['SIGTERM', 2] as const];
  it.each(some)(
    '%s ends the run with its clean-up and its reports, with --jobs %i',
    async (signal, jobs) => {
      const { service, sources } = await pickyService(FOREIGN);
      await using served = await implementation(service);
      using folder = folderWith();
      const line = `${MAIN} ${served.url} ${subscriptions(FOREIGN)} ${known()} --only sources. --runs 100000 --report ${folder.path} --jobs ${jobs}`;
      const running = start(process.execPath, line.split(' '));
      while (served.requests.length < 300) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      running.kill(signal);
      expect(await running.ended).toMatchObject({ code: 2, signal: null });
      expect(await sources()).toEqual(FOREIGN);
      const reason = expect.stringContaining(`${signal} stopped the run`);
      expect(JSON.parse(readFileSync(folder.file('report.json'), 'utf8'))).toMatchObject({
        reason,
      });
    },
  );

  it('that comes twice ends the process at once', async () => {
    // It never responds, so that the run cannot end in order before its time-out.
    await using served = await implementation(() => new Promise(() => {}));
    const running = start(process.execPath, [MAIN, served.url, '--timeout-ms', '3600000']);
    while (served.requests.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // The same signal twice at once may reach the process as one.
    const again = setInterval(() => running.kill('SIGINT'), 100);
    expect(await running.ended).toMatchObject({ code: null, signal: 'SIGINT' });
    clearInterval(again);
  });
});

/** What one job and two jobs find in the same run. */
async function withJobs(service: Service, line: string) {
  await using served = await implementation(service);
  const found = [];
  for (const jobs of [1, 2]) {
    const args = `${MAIN} ${served.url} --seed 1 --format json --jobs ${jobs} ${line}`.split(' ');
    const { code, stdout } = await run(process.execPath, args);
    const { requirements, requests, summary, reason } = JSON.parse(stdout) as Report;
    const results = requirements.map(({ id, status, cases, failure }) => [
      id,
      status,
      cases,
      failure?.message,
    ]);
    found.push({
      code,
      results,
      reason,
      summary,
      unseen: requests - served.requests.splice(0).length,
    });
  }
  return found;
}

it('two jobs find what one finds in a whole run, and leave a shared service as it was', async () => {
  const { service, sources } = await pickyService(FOREIGN);
  const [one, two] = await withJobs(service, `${subscriptions(FOREIGN)} ${known()}`);
  expect(one).toMatchObject({ code: 0, summary: { fail: 0, flaky: 0, error: 0 } });
  expect([two!.results, await sources()]).toEqual([one!.results, FOREIGN]);
});

it('two jobs find what one finds in a service with an error', async () => {
  const [one, two] = await withJobs(wrongDescription, '--only edges. --runs 2');
  expect([one!.code, two!.unseen, two]).toEqual([1, 0, one]);
});

it('two jobs have no verdict where one ends, and the results that there are', async () => {
  const ends = '() => { if (!isMainThread && Math.random() < 0.1) process.exit(3); }';
  const hooks = `import { isMainThread } from 'node:worker_threads'; export default { checkResponse: ${ends} }`;
  using folder = folderWith({ 'hooks.mjs': hooks });
  const [one, two] = await withJobs(
    coreService(),
    `--hooks ${folder.file('hooks.mjs')} --only edges. --runs 1`,
  );
  expect([one!.code, two!.code, two!.reason]).toEqual([
    0,
    2,
    expect.stringMatching(/^a worker failed .*exit code 3/),
  ]);
  expect(two!.summary.pass).toBeGreaterThan(0);
});

it('goes on when nobody reads, cleans up, and keeps its exit code', async () => {
  await using served = await implementation(wrongDescription);
  const command = [process.execPath, MAIN, served.url, ...FEW].map((word) => `'${word}'`).join(' ');
  const { stdout, stderr } = await run('bash', [
    '-c',
    `${command} | head -n 1; echo "exit \${PIPESTATUS[0]}"`,
  ]);
  expect([stdout, stderr]).toEqual([expect.stringMatching(/\nexit 1\n$/), '']);
});

it.each([200, 500])(
  'a whole run ends early against a service that always responds %i',
  async (status) => {
    const headers = { 'content-type': 'application/json' };
    await using served = await implementation(() =>
      Promise.resolve({ status, headers, body: '{}' }),
    );
    expect((await reportOf(`${served.url} --runs 1`)).code).toBe(1);
    expect(served.requests.length).toBeLessThan(20_000);
  },
);

describe('README.md', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const blocksOf = (language: string) =>
    [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(
      ([, text]) => text!,
    );
  const [workflow = '', config = ''] = blocksOf('yaml');
  const steps = (load(workflow) as { run?: string }[]).flatMap((step) => step.run ?? []);
  const SECRETS = { MY_TOKEN: 'the-token', MY_READ_ONLY_TOKEN: 'the-reader', MY_KEY: 'the-token' };

  /** It wants the token, or ignores the media type, where the script says so. */
  function serviceFor(script: string): Service {
    if (script.includes('TOKEN')) {
      return coreService({ token: 'the-token', readOnlyToken: 'the-reader' });
    }
    const inner = coreService();
    if (!script.includes('--known-failures')) {
      return inner;
    }
    const others = /^(text\/plain|application\/(xml|x-www-form-urlencoded)|multipart)/;
    return async (request) => {
      const response = await inner(request);
      const isIgnored =
        others.test(request.headers['content-type'] ?? '') && request.target.startsWith('/edges');
      if (response.status !== 415 || !isIgnored) {
        return response;
      }
      return inner({
        ...request,
        headers: { ...request.headers, 'content-type': 'application/json' },
      });
    };
  }

  it.each([...blocksOf('sh'), steps.join('\n')])('%s', async (script) => {
    await using served = await implementation(serviceFor(script));
    const here = (text: string) => text.replaceAll('http://127.0.0.1:8080', served.url);
    using folder = folderWith({
      ...(script.includes('--config') ? { 'conformance.yaml': here(config) } : {}),
      'known-failures.json': blocksOf('json')[0]!,
      // Any contract will do.
      'petstore.yaml': readFileSync(`${ROOT}/openapi.yaml`, 'utf8'),
      'node_modules/@edge-contract/conformance/package.json': readFileSync(
        `${ROOT}/conformance/package.json`,
        'utf8',
      ),
      'node_modules/.bin/edge-conformance': `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`,
    });
    chmodSync(folder.file('node_modules/.bin/edge-conformance'), 0o755);
    const cwd = script.startsWith('npm run') ? ROOT : folder.path;
    const env = { ...SECRETS, GITHUB_STEP_SUMMARY: folder.file('summary.md') };
    const { code, stdout, stderr } = await run('sh', ['-ec', here(script)], { cwd, env });
    expect(code, `${stdout}\n${stderr}`).toBe(0);
    if (!script.includes('--list')) {
      expect(served.requests.length).toBeGreaterThan(2);
    }
    if (script.includes('summary')) {
      expect(readFileSync(folder.file('summary.md'), 'utf8')).toContain(served.url);
    }
  });
});
