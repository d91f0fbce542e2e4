/** The command `edge-server` as a function. Each part is loaded when it is needed, so that `--help` is quick. */
import type { EventEmitter } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { HELP, readConfig } from './config.ts';

/** What the command has of its process. */
export interface Io {
  stdin: Readable;
  /** Carries the log. */
  stdout: Writable;
  /** For people. */
  stderr: Writable;
  /** Emits SIGTERM and SIGINT. The server listens for them while it serves; without a listener, a process ends at once. */
  signals: EventEmitter;
}

/**
 * @returns the exit code: 0 after all went well, a server that was stopped by a signal included; 1 after an error, of which
 *   stderr has one line
 */
export async function main(argv: string[], env: Record<string, string | undefined>, io: Io): Promise<number> {
  try {
    await runCommand(argv, env, io);
    return 0;
  } catch (error) {
    const { explain } = await import('./explain.ts');
    io.stderr.write(`edge-server: ${explain(error).replaceAll('\n', ' ')}\n`);
    return 1;
  }
}

async function runCommand(argv: string[], env: Record<string, string | undefined>, io: Io): Promise<void> {
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
  const { runServer } = await import('./run-server.ts');
  await runServer(config, io);
}
