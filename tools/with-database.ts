/**
 * `node tools/run.js tools/with-database COMMAND [ARGUMENT ...]` runs a command. DATABASE_URL names
 * an empty PostgreSQL database, which is removed at the end. The exit code is that of the command,
 * 2 if PostgreSQL is not installed.
 */
import { spawn } from 'node:child_process';
import { findPostgres, startPostgres } from './postgres.ts';

function fail(reason: string): never {
  process.stderr.write(`with-database: ${reason}\n`);
  process.exit(2);
}

/** @returns the exit code; null if a signal ended the command */
function run(command: string, args: readonly string[], url: string): Promise<number | null> {
  const env = { ...process.env, DATABASE_URL: url };
  const child = spawn(command, args, { stdio: 'inherit', env });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
}

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  fail('no command');
}
const bin = findPostgres();
if (bin === undefined) {
  fail('PostgreSQL is not installed');
}
const server = await startPostgres({ bin });
try {
  const code = await run(command, args, await server.createDatabase());
  process.exitCode = code ?? 1;
} finally {
  await server.close();
}
