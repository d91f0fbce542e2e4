/**
 * The command `edge-server` in the process of the test: what a process does, without the seconds
 * that one costs.
 */
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { main } from '../command.ts';

/** The lines that the server writes once it listens: its URL, and the place of its data. */
const STARTED = /^API {3}(\S+).*\n.*\nData .*\n/m;

export type Running = Awaited<ReturnType<typeof startMain>>;

type Environment = Record<string, string>;

/** For a command that ends by itself. */
export const runMain = async (args: string[], stdin = '') => await call(args, {}, stdin).ended;

/**
 * Starts a server that validates responses, until the test ends.
 * @throws Error with its stderr if it does not start
 */
export async function startMain(args: string[], env: Environment = {}) {
  const { ended, signals, written, stderr } = call(['--port', '0', ...args], {
    VALIDATE_RESPONSES: 'on',
    ...env,
  });
  const end = async (signal: NodeJS.Signals) => {
    signals.emit(signal);
    return await ended;
  };
  onTestFinished(async () => void (await end('SIGTERM')));
  const url = await new Promise<string>((resolve, reject) => {
    stderr.on('text', () => {
      // After the last line, the server listens for signals, too.
      const found = STARTED.exec(written.stderr)?.[1];
      if (found) {
        resolve(found);
      }
    });
    void ended.then(({ code, stderr: text }) =>
      reject(new Error(`the server ended with ${code}: ${text.trim()}`)),
    );
  });
  return {
    url,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    end,
  };
}

function call(args: string[], env: Environment, stdin = '') {
  const written = { stdout: '', stderr: '' };
  const keeping = (name: keyof typeof written) =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        written[name] += chunk.toString();
        this.emit('text');
        done();
      },
    });
  const stderr = keeping('stderr');
  const signals = new EventEmitter();
  const io = {
    stdin: Readable.from(Buffer.from(stdin)),
    stdout: keeping('stdout'),
    stderr,
    signals,
  };
  return {
    ended: main(args, env, io).then((code) => ({ code, ...written })),
    signals,
    written,
    stderr,
  };
}
