/** Tools that are not npm packages, kept between runs in $XDG_CACHE_HOME/edge-contract, by default ~/.cache/edge-contract. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export function cacheFolder(name: string): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'edge-contract', name);
}

/**
 * The folder of that name, filled once. The name has the version of the tool. An interrupted install leaves no mark and is
 * repeated.
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
