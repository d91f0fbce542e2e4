/**
 * Derives generated/ from openapi.yaml: TypeScript types, and the same contract as OpenAPI 3.0.
 *
 *     npm run generate             writes what differs
 *     npm run generate -- --check  writes nothing, and exits with 1 when a file is stale
 */
import { spawnSync } from 'node:child_process';
import { ROOT } from './build.js';

const check = process.argv.includes('--check') ? ['--check'] : [];
const settings = ['-c', '.openapi-typescript.yaml', '--default-non-nullable=false'];
const commands = [
  ['node_modules/openapi-typescript/bin/cli.js', 'openapi.yaml', '-o', 'generated/openapi.ts', ...settings, ...check],
  ['tools/run.js', 'clients/openapi-3.0/main', ...check],
];
for (const command of commands) {
  const { status } = spawnSync(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) process.exitCode = 1;
}
