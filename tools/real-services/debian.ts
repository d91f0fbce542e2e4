/** Packages of Debian, unpacked into a folder of their own. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../shell.ts';

/**
 * Unpacks the packages, and those that they need and the system lacks: nothing is installed, and
 * nobody has to be root.
 */
export async function unpackPackages(to: string, packages: readonly string[]): Promise<void> {
  const archives = join(to, 'archives');
  mkdirSync(join(archives, 'partial'), { recursive: true });
  const folders = ['-o', `Dir::Cache::archives=${archives}`, '-o', 'Debug::NoLocking=1'];
  const flags = ['--download-only', '--reinstall', '--no-install-recommends', '-qq', '-y'];
  await run({ command: 'apt-get', args: ['install', ...flags, ...folders, ...packages] });
  for (const file of readdirSync(archives)) {
    if (file.endsWith('.deb')) {
      await run({ command: 'dpkg-deb', args: ['-x', join(archives, file), to] });
    }
  }
}

/** Its name has the machine, such as x86_64-linux-gnu. */
export function libraryFolder(installed: string): string {
  const libraries = join(installed, 'usr/lib');
  const machine = readdirSync(libraries).find((name) => name.endsWith('-linux-gnu'));
  return join(libraries, machine ?? '');
}
