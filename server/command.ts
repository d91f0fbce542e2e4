/** The command `edge-server` as a function. Each part is loaded when it is needed, so that `--help` is quick. */
import { type Environment, HELP, readConfig } from './config.ts';
import type { ServerIo } from './run-server.ts';
import type { TransferIo } from './transfer/command.ts';

/** @returns the exit code: 0 also after a stop by a signal; 1 after an error, which stderr has in one line */
export async function main(
  argv: string[],
  env: Environment,
  io: ServerIo & TransferIo,
): Promise<number> {
  const [command, ...rest] = argv;
  try {
    if (command === 'export' || command === 'import' || command === 'salvage') {
      const { transfer } = await import('./transfer/command.ts');
      await transfer(command, rest, env, io);
    } else {
      const config = readConfig(argv, env);
      if (config === 'help') {
        io.stdout.write(HELP);
      } else {
        await (await import('./run-server.ts')).runServer(config, io);
      }
    }
    return 0;
  } catch (error) {
    io.stderr.write(`edge-server: ${explain(error).replaceAll('\n', ' ')}\n`);
    return 1;
  }
}

/** Errors with messages for the person who starts the server; by name, so that no part is loaded for it. */
const EXPLAINED =
  /^(ConfigError|ContractError|CannotOpenStore|SeedError|CannotTransfer|StoreUnavailable)$/;

/** An error as that person reads it: one line without a stack. */
function explain(error: unknown): string {
  const { name, code, port, address, message } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  if (EXPLAINED.test(name)) {
    return message;
  }
  if (code === 'EADDRINUSE') {
    return `port ${port} of ${address} is in use`;
  }
  if (code === 'EACCES') {
    return `port ${port} of ${address} needs more permissions`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `--host is not an address of this machine`;
  }
  return `unexpected: ${message}`;
}
