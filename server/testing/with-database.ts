/**
 * Runs a command with DATABASE_URL naming an empty PostgreSQL database, which is gone when the command ends:
 *
 *     node dist/server/testing/with-database.js COMMAND [ARGUMENT …]
 *
 * The exit code is that of the command.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findPostgres, startPostgres } from './postgres.ts';

const [command, ...rest] = process.argv.slice(2);
const bin = findPostgres();
if (command === undefined || bin === undefined) {
  process.stderr.write(
    command === undefined
      ? 'with-database: no command is given\n'
      : 'with-database: no PostgreSQL server is installed\n',
  );
  process.exit(2);
}
const server = await startPostgres({ bin });
try {
  const child = spawn(command, rest, {
    stdio: 'inherit',
    env: { ...process.env, DATABASE_URL: await server.createDatabase() },
  });
  const [code] = (await once(child, 'close')) as [number | null];
  process.exitCode = code ?? 1;
} finally {
  await server.close();
}
