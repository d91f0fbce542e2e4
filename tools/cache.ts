/** Where tools that are no npm packages are kept between runs: $XDG_CACHE_HOME/edge-contract, by default ~/.cache/edge-contract. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export function cacheFolder(name: string): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'edge-contract', name);
}

/**
 * The folder of that name, filled once. A name holds the version, so that a new version is another folder. An install that
 * broke off left no mark: it is made anew.
 */
export async function cached(name: string, install: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = cacheFolder(name);
  const mark = join(folder, '.complete');
  if (existsSync(mark)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await install(folder);
  writeFileSync(mark, '');
  return folder;
}
