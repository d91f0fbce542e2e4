/** The built program as a process: signals, threads, a closed pipe; and runs that are long. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { known, sharedService, subscriptions } from './testing/shared-service.ts';
import { folderWith } from './testing/folder.ts';
import { MAIN, run, start } from './testing/processes.ts';
import { only, reportOf } from './testing/suite.ts';
import { coreService, implementation, wrongDescription } from './testing/services.ts';
import type { Report } from '../engine/run/result.ts';
import type { Service } from '../self-test/service.ts';

const FOREIGN = { sub_a: [], sub_b: ['beta_done.v0', 'foreign_only.v3'], sub_c: ['gamma.v10'] };
const FEW = `${only('edges.location', 'edges.read-your-write')} --runs 3 --seed 1`;

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

describe('a signal', () => {
  it.each([
    ['SIGINT', 1],
    ['SIGTERM', 2],
    ['SIGHUP', 1],
  ] as const)(
    '%s ends the run with its clean-up and its reports, with --jobs %i',
    async (signal, jobs) => {
      const { service, sources } = await sharedService(FOREIGN);
      await using served = await implementation(service);
      using folder = folderWith();
      const line = `${subscriptions(FOREIGN)} ${known()} --only sources. --runs 100000`;
      const output = `--report ${folder.path} --jobs ${jobs}`;
      const args = `${MAIN} ${served.url} ${line} ${output}`.split(' ');
      const running = start(process.execPath, args);
      while (served.requests.length < 300) {
        await pause(20);
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
      await pause(20);
    }
    // The same signal twice at once may reach the process as one.
    const again = setInterval(() => running.kill('SIGINT'), 100);
    expect(await running.ended).toMatchObject({ code: null, signal: 'SIGINT' });
    clearInterval(again);
  });
});

/** The results of the same run with one job and with two jobs. */
async function withJobs(service: Service, line: string) {
  await using served = await implementation(service);
  const runWith = async (jobs: number) => {
    const options = `--seed 1 --format json --jobs ${jobs} ${line}`;
    const args = `${MAIN} ${served.url} ${options}`.split(' ');
    const { code, stdout } = await run(process.execPath, args);
    const { requirements, requests, summary, reason } = JSON.parse(stdout) as Report;
    const results = requirements.map(({ id, status, cases, failure }) => {
      return [id, status, cases, failure?.message];
    });
    /** The number of requests that the report has, and the service has not. */
    const unseen = requests - served.requests.splice(0).length;
    return { code, results, reason, summary, unseen };
  };
  return { one: await runWith(1), two: await runWith(2) };
}

it('two jobs find in a whole run what one finds, and leave nothing behind', async () => {
  const { service, sources } = await sharedService(FOREIGN);
  const { one, two } = await withJobs(service, `${subscriptions(FOREIGN)} ${known()}`);
  expect(one).toMatchObject({ code: 0, summary: { fail: 0, flaky: 0, error: 0 } });
  expect([two.results, await sources()]).toEqual([one.results, FOREIGN]);
});

it('two jobs find what one finds in a service with an error', async () => {
  const { one, two } = await withJobs(wrongDescription, '--only edges. --runs 2');
  expect([one.code, two.unseen, two]).toEqual([1, 0, one]);
});

const ENDING_THREAD = `
import { isMainThread } from 'node:worker_threads';

export default {
  checkResponse() {
    if (!isMainThread && Math.random() < 0.1) {
      process.exit(3);
    }
  },
};
`;

it('two jobs have no verdict if one ends, and the results that there are', async () => {
  using folder = folderWith({ 'hooks.mjs': ENDING_THREAD });
  const line = `--hooks ${folder.file('hooks.mjs')} --only edges. --runs 1`;
  const { one, two } = await withJobs(coreService(), line);
  const reason = expect.stringMatching(/^a worker failed .*exit code 3/);
  expect([one.code, two.code, two.reason]).toEqual([0, 2, reason]);
  expect(two.summary.pass).toBeGreaterThan(0);
});

it('goes on when nobody reads, cleans up, and keeps its exit code', async () => {
  await using served = await implementation(wrongDescription);
  const command = `'${process.execPath}' '${MAIN}' ${served.url} ${FEW}`;
  const script = `${command} | head -n 1; echo "exit \${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await run('bash', ['-c', script]);
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
