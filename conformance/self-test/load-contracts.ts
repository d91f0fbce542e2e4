/**
 * Writes a table of other contracts: whether the suite loads each of them, and what that costs.
 *
 *     node tools/run.js conformance/self-test/load-contracts FILE-OR-URL ...
 */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadAnyContract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

/** A module that writes the CPU time in seconds and the memory in MiB of a process at its end. */
const USAGE = `data:text/javascript,process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const seconds = (userCPUTime + systemCPUTime) / 1e6;
  process.stderr.write('\\n' + seconds.toFixed(1) + ' | ' + Math.round(maxRSS / 1024));
})`;

interface Listed {
  /** The number of requirements of the contract, or the reason why it has none. */
  requirements: number | string;
  /** CPU time and memory, as two cells of the table. */
  usage: string;
}

function list(location: string): Listed {
  const args = ['--import', USAGE, MAIN, '--contract', location, '--list'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const [usage = '', ...errors] = stderr.split('\n').toReversed();
  const requirements = status === 0 ? stdout.split('\n').length - 1 : errors.join(' ');
  return { requirements, usage };
}

const HEAD = `\
| contract | OpenAPI | KiB | operations | requirements | CPU s | memory MiB |
|---|---|---|---|---|---|---|
`;

process.stdout.write(HEAD);
for (const location of process.argv.slice(2)) {
  const contract = await loadAnyContract(location);
  const { requirements, usage } = list(location);
  const size = existsSync(location) ? Math.round(statSync(location).size / 1024) : 'fetched';
  const cells = [
    `${contract.title} ${contract.version}`,
    contract.document['openapi'],
    size,
    operationsOf(contract).length,
    requirements,
    usage,
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
