/** A service that stops at one request, in five ways: the run finds it, and goes on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { folderWith } from './testing/folder.ts';
import { ROOT } from './testing/processes.ts';
import { reportOf } from './testing/suite.ts';

const TESTING = join(ROOT, 'conformance/cli/testing');

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** The service as a program, and the command that starts it again. */
async function dyingService(way: string) {
  const folder = folderWith({});
  const port = await freePort();
  const pidFile = folder.file('pid');
  const program = join(TESTING, 'dying-service.mjs');
  const restart = `kill -9 $(cat ${pidFile}); node ${program} ${port} '${way}' ${pidFile} &`;
  spawn(process.execPath, [program, String(port), way, pidFile], { stdio: 'ignore' });
  while (!existsSync(pidFile)) {
    await sleep(20);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    restart,
    [Symbol.dispose]: () => {
      killIfThere(Number(readFileSync(pidFile, 'utf8')));
      folder[Symbol.dispose]();
    },
  };
}

/** A run may end while the service is down. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const CONTRACT = `--contract ${join(TESTING, 'contracts/dying.yaml')} --seed 1 --timeout-ms 1000`;

test.each([['exits'], ['throws'], ['hangs'], ['closes all'], ['is killed']])(
  'a service that %s at one request is started again, and the request is found',
  async (way) => {
    using service = await dyingService(way);
    const line = `${service.url} ${CONTRACT} --restart "${service.restart}"`;
    const { code, report } = await reportOf(line);
    const [finding] = report.findings;
    expect([code, finding?.id]).toEqual([1, 'stopped:addItem:service-stops']);
    const shown = report.requirements.find(({ id }) => id === finding?.example)?.failure;
    const { curl = '', exchanges = [] } = finding?.failure ?? shown ?? {};
    // The smallest request that stops it.
    const sent = JSON.parse(exchanges.at(-1)?.request.body ?? '{}');
    expect(sent).toEqual({ name: expect.stringMatching(/^.{10}$/su) });
    expect(curl).toMatch(
      /^# This request stops the service \(addItem\)\.$[^]*-X POST "\$BASE"\/items/m,
    );
    expect(finding?.notes ?? []).toEqual([]);
    // The run went on.
    const byId = new Map(report.requirements.map(({ id, status }) => [id, status]));
    expect([byId.get('listItems.200'), byId.get('removeItem.404')]).toEqual(['pass', 'pass']);
    expect(report.warnings[0]).toMatch(
      /^The service stopped (once|\d+ times), and was brought back/,
    );
  },
);
