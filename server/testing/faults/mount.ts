/** Small and read-only file systems, which only root can mount. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class CannotMount extends Error {}

/** A file system of that size in memory, gone when the work ends. */
export async function onSmallDisk<R>(megabytes: number, work: (folder: string) => Promise<R>): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), 'edge-contract-disk-'));
  try {
    return await mounted(['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs'], folder, () => work(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Whoever opens a path below the folder meanwhile finds it read-only. What is mounted over it is read-only before: to
 * make it so in place is refused while a writer has a file open through it.
 */
export async function whileReadOnly<R>(folder: string, work: () => Promise<R>): Promise<R> {
  const view = await mkdtemp(join(tmpdir(), 'edge-contract-view-'));
  try {
    return await mounted(['--bind', folder], view, () => {
      mount(['-o', 'remount,bind,ro', view]);
      return mounted(['--bind', view], folder, work);
    });
  } finally {
    // Not what is in it, should it be mounted still.
    await rmdir(view);
  }
}

/** While the work goes on, `at` is what was mounted there. */
async function mounted<R>(what: string[], at: string, work: () => Promise<R>): Promise<R> {
  mount([...what, at]);
  try {
    return await work();
  } finally {
    // A request under way may hold it a moment longer; paths lead to what is below at once.
    execFileSync('umount', ['--lazy', at]);
  }
}

function mount(args: string[]): void {
  try {
    execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    throw new CannotMount(`mounting needs root: ${(stderr?.toString() || message).trim().split('\n')[0]}`);
  }
}
