/** `npm run dev` leaves no process behind, and restarts the server. */
import { type ChildProcess, spawn } from 'node:child_process';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import { ROOT } from './build.js';
import { it } from './temporary-folder.ts';

function startDev(folder: string): ChildProcess & { log: Promise<string> } {
  const args = ['run', 'dev', '--', '--port', '0', '--data-dir', join(folder, 'data')];
  // With a separate process group, so that the test leaves nothing behind when it fails.
  const child = spawn('npm', args, { cwd: ROOT, stdio: 'pipe', detached: true });
  onTestFinished(() => endGroup(child.pid!, 'SIGKILL'));
  // It ends with the last process that has it.
  return Object.assign(child, { log: text(child.stdout!) });
}

function endGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // All of them have ended.
  }
}

async function untilListening(child: ChildProcess): Promise<void> {
  for await (const chunk of child.stderr!.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes('Data ')) {
      return;
    }
  }
  throw new Error('it ended before the server listened');
}

it('SIGTERM to npm ends the server, after a restart, too', async ({ folder }) => {
  const npm = startDev(folder);
  await untilListening(npm);
  const now = new Date();
  utimesSync(join(ROOT, 'server/main.ts'), now, now);
  await untilListening(npm);
  npm.kill('SIGTERM');
  const stops = (await npm.log).match(/"msg":"stopped"/g);
  expect(stops).toHaveLength(2);
});

it('Ctrl-C, which each of the processes gets, ends the server in order', async ({ folder }) => {
  const npm = startDev(folder);
  await untilListening(npm);
  endGroup(npm.pid!, 'SIGINT');
  expect(await npm.log).toContain('"msg":"stopped"');
});
