/**
 * Contracts of others: whether the suite loads each of them, and what that takes. Their files are fetched by hand.
 *     node tools/run.js conformance/self-test/load-contracts FILE-OR-URL ...
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadAnyContract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
/** Says at the end of a process what it has used. */
const USAGE = `data:text/javascript,process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  process.stderr.write('\\n' + ((userCPUTime + systemCPUTime) / 1e6).toFixed(1) + ' | ' + Math.round(maxRSS / 1024));
})`;

process.stdout.write(
  '| contract | OpenAPI | KiB | operations | requirements | CPU s | memory MiB |\n|---|---|---|---|---|---|---|\n',
);
for (const location of process.argv.slice(2)) {
  const contract = await loadAnyContract(location);
  const args = ['--import', USAGE, MAIN, '--contract', location, '--list'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const [used, ...errors] = stderr.split('\n').toReversed();
  const requirements = status === 0 ? stdout.split('\n').length - 1 : errors.join(' ');
  const size = existsSync(location) ? Math.round(statSync(location).size / 1024) : 'fetched';
  const name = `${contract.title} ${contract.version}`;
  const cells = [
    name,
    contract.document['openapi'],
    size,
    operationsOf(contract).length,
    requirements,
    used,
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
