/** Small and read-only file systems, which only root can mount. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class CannotMount extends Error {}

/** A file system of that size in memory, gone when the work ends. */
export async function onSmallDisk<R>(megabytes: number, work: (folder: string) => Promise<R>): Promise<R> {
  const folder = await mkdtemp(join(tmpdir(), 'edge-contract-disk-'));
  try {
    mount(['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]);
    try {
      return await work(folder);
    } finally {
      execFileSync('umount', ['--lazy', folder]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whoever opens a path below the folder meanwhile finds it read-only. */
export async function whileReadOnly<R>(folder: string, work: () => Promise<R>): Promise<R> {
  mount(['--bind', folder, folder]);
  try {
    mount(['-o', 'remount,bind,ro', folder]);
    return await work();
  } finally {
    // A request under way may hold it a moment longer; paths lead to what is below at once.
    execFileSync('umount', ['--lazy', folder]);
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
