/**
 * `node tools/run.js tools/with-database COMMAND [ARGUMENT ...]` runs a command with DATABASE_URL naming an empty
 * PostgreSQL database, removed at the end. The exit code is that of the command, 2 where PostgreSQL is not installed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findPostgres, startPostgres } from './postgres.ts';

const [command, ...rest] = process.argv.slice(2);
const bin = findPostgres();
if (command === undefined || bin === undefined) {
  process.stderr.write(
    `with-database: ${command === undefined ? 'no command' : 'PostgreSQL is not installed'}\n`,
  );
  process.exit(2);
}
const server = await startPostgres({ bin });
try {
  const env = { ...process.env, DATABASE_URL: await server.createDatabase() };
  const [code] = (await once(spawn(command, rest, { stdio: 'inherit', env }), 'close')) as [
    number | null,
  ];
  process.exitCode = code ?? 1;
} finally {
  await server.close();
}
