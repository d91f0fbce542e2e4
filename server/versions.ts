/** The versions of the server and of its contract, for `--version`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder, readContract } from './contract.ts';
import { objectIn } from './openapi/document.ts';

export function versions(): string {
  const contract = String(objectIn(readContract().document, 'info')['version']);
  return `edge-server ${packageVersion()}, contract ${contract}`;
}

/** In a package, openapi.yaml is in dist/, and package.json above. */
function packageVersion(): string {
  const folder = packageFolder();
  const beside = join(folder, 'package.json');
  const file = existsSync(beside) ? beside : join(folder, '..', 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
  return version;
}
