/**
 * The command `edge-server` as a function. Each part is loaded when it is needed, so that `--help`
 * is quick.
 */
import { type Environment, HELP, readConfig } from './config.ts';
import type { ServerIo } from './run-server.ts';
import type { TransferIo } from './transfer/command.ts';

/**
 * @returns the exit code: 0, also after a stop by a signal; 1 after an error, which stderr has in
 * one line
 */
export async function main(
  argv: string[],
  env: Environment,
  io: ServerIo & TransferIo,
): Promise<number> {
  try {
    await run(argv, env, io);
    return 0;
  } catch (error) {
    const line = explain(error).replaceAll('\n', ' ');
    io.stderr.write(`edge-server: ${line}\n`);
    return 1;
  }
}

async function run(argv: string[], env: Environment, io: ServerIo & TransferIo): Promise<void> {
  const [command, ...rest] = argv;
  if (command === 'export' || command === 'import' || command === 'salvage') {
    const { transfer } = await import('./transfer/command.ts');
    await transfer(command, rest, env, io);
    return;
  }
  const config = readConfig(argv, env);
  if (config === 'help') {
    io.stdout.write(HELP);
    return;
  }
  if (config === 'version') {
    const { versions } = await import('./versions.ts');
    io.stdout.write(`${versions()}\n`);
    return;
  }
  const { runServer } = await import('./run-server.ts');
  await runServer(config, io);
}

/**
 * Errors with messages for the person who starts the server; by name, so that no part is loaded for
 * it.
 */
const EXPLAINED = [
  'ConfigError',
  'ContractError',
  'CannotOpenStore',
  'SeedError',
  'CannotTransfer',
  'StoreUnavailable',
];

/** An error of `listen` has these properties. */
interface ListenError extends NodeJS.ErrnoException {
  port?: number;
  address?: string;
}

/** An error as that person reads it: one line without a stack. */
function explain(error: unknown): string {
  const { name, code, port, address, message } = error as ListenError;
  if (EXPLAINED.includes(name)) {
    return message;
  }
  if (code === 'EADDRINUSE') {
    return `port ${port} of ${address} is in use`;
  }
  if (code === 'EACCES') {
    return `port ${port} of ${address} needs more permissions`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return '--host is not an address of this machine';
  }
  return `unexpected: ${message}`;
}
