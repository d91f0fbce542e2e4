/** The command `edge-server` in the process of the test: what a process does, without the seconds that one costs. */
import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { main } from '../command.ts';

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Running {
  url: string;
  /** The log so far. */
  stdout(): string;
  stderr(): string;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Ended>;
}

type Environment = Record<string, string>;

/** For a command that ends by itself. */
export async function runMain(args: string[], env: Environment = {}): Promise<Ended> {
  return await call(args, env).ended;
}

/**
 * Starts a server on a free port that validates its responses, and stops it when the test ends.
 * @throws Error with what it wrote to stderr, when it ends before it listens
 */
export async function startMain(args: string[], env: Environment = {}): Promise<Running> {
  const { ended, signals, stdout, stderr } = call(['--port', '0', ...args], { VALIDATE_RESPONSES: 'on', ...env });
  const end = async (signal: NodeJS.Signals): Promise<Ended> => {
    signals.emit(signal);
    return await ended;
  };
  onTestFinished(async () => void (await end('SIGTERM')));
  const url = await new Promise<string>((resolve, reject) => {
    stderr.onText = (text) => {
      // Its last line: then the server listens for signals, too.
      const found = /^API {3}(\S+).*\n.*\nData .*\n/m.exec(text)?.[1];
      if (found) resolve(found);
    };
    void ended.then(({ code, stderr: text }) => reject(new Error(`the server ended with ${code}: ${text.trim()}`)));
  });
  return { url, stdout: () => stdout.text, stderr: () => stderr.text, end };
}

function call(args: string[], env: Environment) {
  const [stdout, stderr, signals] = [new Text(), new Text(), new EventEmitter()];
  const stdin = new PassThrough().end();
  const ended = main(args, env, { stdin, stdout, stderr, signals }).then((code): Ended => ({
    code,
    stdout: stdout.text,
    stderr: stderr.text,
  }));
  return { ended, signals, stdout, stderr };
}

/** Keeps what is written. */
class Text extends Writable {
  text = '';
  onText: (text: string) => void = () => undefined;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    this.onText(this.text);
    done();
  }
}
