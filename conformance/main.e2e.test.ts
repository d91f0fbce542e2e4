/** What only a process can show of the built program: signals, a closed pipe, a terminal, its exit code. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pickyService } from './command/picky.ts';
import { MAIN, program, run, start } from './command/process.ts';
import { folderWith } from './command/suite.ts';
import { implementation, wrongDescription } from './command/services.ts';

const ARGS = ['--only', 'edges.location', '--only', 'edges.read-your-write', '--runs', '3', '--seed', '1'];
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

describe('the exit code', () => {
  it('is 0 for a whole run against a conformant service', async () => {
    await using served = await implementation();
    const { code, stdout, stderr } = await program([served.url, '--runs', '3']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Conformant\./m);
  });

  it('is 1 for a service that is not', async () => {
    await using served = await implementation(wrongDescription);
    expect(await program([served.url, ...ARGS])).toMatchObject({ code: 1, signal: null, stderr: '' });
  });

  it('is 2 for an option that is none', async () => {
    const { code, stdout, stderr } = await program(['--tokn']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^edge-conformance: Unknown option '--tokn'.*\n$/);
  });
});

describe('a signal', () => {
  const FOREIGN = { sub_a: ['gamma.v10'], sub_b: ['beta_done.v0'] };
  const LONG = [...Object.keys(FOREIGN).flatMap((id) => ['--subscription-id', id]), '--only', 'sources.'];

  it.each(['SIGINT', 'SIGTERM'] as const)('%s ends the run with its clean-up and its reports', async (signal) => {
    const { service, sources } = await pickyService(FOREIGN);
    const types = ['alpha_created.v0', 'alpha_deleted.v0', 'alpha_updated.v0'];
    await using served = await implementation(service);
    using folder = folderWith();
    const args = [...LONG, ...types.flatMap((type) => ['--event-type', type]), '--runs', '100000'];
    const running = start(process.execPath, [MAIN, served.url, ...args, '--report', folder.path]);
    while (served.requests.filter(({ method }) => method === 'POST').length < 100)
      await new Promise((resolve) => setTimeout(resolve, 20));
    running.kill(signal);
    const { code, signal: endedBy } = await running.ended;
    expect([code, endedBy]).toEqual([2, null]);
    expect(await sources()).toEqual(FOREIGN);
    expect(JSON.parse(readFileSync(folder.file('report.json'), 'utf8'))).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining(`${signal} stopped the run`),
    });
  });

  it('that comes twice ends the process at once', async () => {
    // It answers nothing, so that the run cannot end in order before its time-out.
    await using served = await implementation(() => new Promise(() => {}));
    const running = start(process.execPath, [MAIN, served.url, '--timeout-ms', '3600000']);
    while (served.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    running.kill('SIGINT');
    // The same signal twice at once may reach the process as one.
    const again = setInterval(() => running.kill('SIGINT'), 100);
    const { code, signal } = await running.ended;
    clearInterval(again);
    expect([code, signal]).toEqual([null, 'SIGINT']);
  });
});

it('goes on when nobody reads, cleans up, and keeps its exit code', async () => {
  await using served = await implementation(wrongDescription);
  const command = quoted([process.execPath, MAIN, served.url, ...ARGS]);
  const { stdout, stderr } = await run('bash', ['-c', `${command} | head -n 1; echo "exit \${PIPESTATUS[0]}"`]);
  expect(stdout).toMatch(/\nexit 1\n$/);
  expect(stderr).toBe('');
});

const script = spawnSync('script', ['--version'], { encoding: 'utf8' });
const hasScript = script.status === 0 && script.stdout.includes('util-linux');

it.skipIf(!hasScript)(
  `draws a bar on a terminal${hasScript ? '' : ' (skipped: util-linux script is not here to make one)'}`,
  async () => {
    await using served = await implementation();
    const command = `stty cols 100; ${quoted([process.execPath, MAIN, served.url, ...ARGS])}`;
    const { code, stdout } = await run('script', ['-qec', command, '/dev/null'], { env: { TERM: 'xterm' } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/█{24} 2\/2 {2}/u);
    expect(stdout).toContain('\u001B[32m');
  },
);
