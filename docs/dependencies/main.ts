/**
 * `npm run audit`: asks the registry for known vulnerabilities of all packages in the lock file. Exit codes: 0 there are
 * none, 1 there are some, 2 unknown, since the registry does not answer.
 */
import { spawnSync } from 'node:child_process';
import { packageFolder } from '../../server/contract.ts';
import { readAudit } from './audit.ts';

const { stdout } = spawnSync('npm', ['audit', '--json'], {
  cwd: packageFolder(),
  encoding: 'utf8',
  timeout: 300_000,
  maxBuffer: 64 * 1024 * 1024,
});
const found = readAudit(stdout ?? '');
if (found === undefined) {
  process.stdout.write('known vulnerabilities: unknown, since the registry has no answer\n');
  process.exitCode = 2;
} else {
  for (const { name, severity, range } of found) process.stdout.write(`${severity}  ${name} ${range}\n`);
  process.stdout.write(`known vulnerabilities: ${found.length}\n`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
