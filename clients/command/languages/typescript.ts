import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Language, packageFolder } from '../language.ts';

const versionOf = (name: string) =>
  (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { dependencies: Record<string, string> })
    .dependencies[name]!;

/** Not generated: the package exports it. */
export const typescript: Language = {
  name: 'typescript',
  generator: 'openapi-fetch',
  version: versionOf('openapi-fetch'),
  toGenerate: [],
  toRun: ['node'],
  generate: async () => undefined,
  next: 'Nothing is generated: `npm install edge-contract`, then import edge-contract/client.',
  build: () => [
    {
      command: process.execPath,
      args: [join(packageFolder, 'node_modules', 'typescript', 'bin', 'tsc')],
      cwd: packageFolder,
    },
  ],
  example: () => ({
    command: process.execPath,
    args: [join(packageFolder, 'dist', 'clients', 'typescript', 'example.js')],
  }),
};
