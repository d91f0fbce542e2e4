/** The server from its settings to its end: store -> application -> port, until a signal stops it. */
import { exec, type ExecException } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { destination, type Logger, pino } from 'pino';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { readContract } from './contract.ts';
import { EVERY_ORIGIN } from './http/security/browsers.ts';
import type { Tokens } from './http/security/tokens.ts';
import { createIds, newestId } from './ids.ts';
import { expressClasses, listen } from './listen.ts';
import { loadSeed, readSeed } from './test-endpoints/seed.ts';
import { eventsIn, openStore, placeOf } from './store/open.ts';
import { openTokens } from './token-file.ts';

/** The parts of its process that the server uses. */
export interface ServerIo {
  /** Carries the log. A stream of the process has a file descriptor. */
  stdout: Writable & { fd?: number };
  stderr: Writable;
  /** Emits SIGTERM and SIGINT. The server listens for them while it serves; without a listener, a process ends at once. */
  signals: EventEmitter;
}

/** How long requests in flight may take to finish after a signal. */
const GRACE_MS = 10_000;

/** How long a line of the log may wait for others, and how much text of them is written at once. */
const GATHERED_MS = 100;
const GATHERED_LENGTH = 32_768;

/** @throws ConfigError, ContractError, SeedError, CannotOpenStore, and errors of `listen`; all is closed then */
export async function runServer(config: Config, io: ServerIo): Promise<void> {
  const log = openLog(config.logLevel, io.stdout);
  warn(config, log);
  const { tokens, stop } = openTokens(config, log);
  try {
    await serve(config, io, log, tokens);
  } finally {
    stop();
  }
  log.info('stopped');
}

/** Lines of JSON, several at once to a file descriptor: a third of the time. Only kill -9 loses those of 0.1 s. */
function openLog(level: string, out: ServerIo['stdout']): Logger {
  if (out.fd === undefined) {
    return pino({ level }, out);
  }
  // Gathered here: pino's own buffer measures all that waits for each line, a tenth of the CPU time of a read.
  let lines: string[] = [];
  let length = 0;
  const pass = () => {
    if (length > 0) {
      file.write(lines.join(''));
    }
    [lines, length] = [[], 0];
  };
  // Before pino adds its own listeners, which write the rest.
  process.on('beforeExit', pass).on('exit', pass);
  setInterval(pass, GATHERED_MS).unref();
  const file = destination({ dest: out.fd, sync: false });
  const write = (line: string) => {
    lines.push(line);
    length += line.length;
    if (length >= GATHERED_LENGTH) {
      pass();
    }
  };
  return pino({ level }, { write });
}

async function serve(
  config: Config,
  io: ServerIo,
  log: Logger,
  tokens: Tokens | undefined,
): Promise<void> {
  const contract = readContract();
  const seed = config.seedFile && (await readSeed(config.seedFile, contract));
  const store = await openStore(config, eventsIn(log));
  try {
    const loadMissing = async () => {
      if (seed) {
        log.info(
          await loadSeed(store, seed),
          'loaded the records of the seed file that were missing',
        );
      }
    };
    await loadMissing();
    let rendering: ReturnType<typeof renderDocs> | undefined;
    const app = await createApp({
      ...config,
      contract,
      store,
      tokens,
      log,
      loadSeed: loadMissing,
      corsOrigins: config.corsOrigin ?? [],
      newId: createIds(await newestId(store.edges)),
      docsReady: async () => rendering?.done,
    });
    const listening = await listen(app, config.port, config.host, {
      classes: expressClasses(app),
      // Connections from proxies are those of many clients.
      connectionsPerAddress: config.trustProxy > 0 ? undefined : config.connectionsPerAddress,
      onRefused: (line) => log.warn(line, 'refused a connection'),
    });
    // The first signal. A second one of the same kind ends a process at once.
    const stopped = new Promise<string>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT']) {
        io.signals.once(signal, () => resolve(signal));
      }
    });
    // Only now: rendering takes seconds, and clients of the API need not wait for it.
    if (config.docsCommand !== undefined) {
      rendering = renderDocs(config.docsCommand, log);
    }
    await announce(config, listening.url, io);
    log.info({ signal: await stopped }, 'stopping');
    rendering?.stop();
    await listening.close(GRACE_MS);
  } finally {
    await store.close();
  }
}

/** Warns of what is allowed, but can harm. */
function warn({ visibleSecrets, corsOrigin, token, tokenFile, faults }: Config, log: Logger): void {
  const advice =
    'process listings show secrets in flags: use the environment variables or --token-file';
  if (visibleSecrets.length > 0) {
    log.warn({ flags: visibleSecrets }, advice);
  }
  const isOpen = token === undefined && tokenFile === undefined;
  if (isOpen && corsOrigin?.includes(EVERY_ORIGIN)) {
    log.warn(
      '--cors-origin is * and no token is required: any page that somebody on this machine opens can read and change all data',
    );
  }
  if (faults) {
    log.warn(
      'faults are on: requests can ask for errors, delays and closed connections with a Prefer header',
    );
  }
}

/** For people, on stderr: stdout carries the log. */
async function announce(config: Config, url: string, { stderr }: ServerIo): Promise<void> {
  const isOpen = config.token === undefined && config.tokenFile === undefined;
  const lines = [
    `API   ${config.publicUrl ?? url} (${isOpen ? 'open, no token needed' : 'bearer token needed'})`,
    `Docs  ${url}/docs`,
    `Data  ${await placeOf(config)}`,
    ...(config.testToken === undefined
      ? []
      : [`Tests ${url}/testing/ can remove all data, with the test token`]),
  ];
  stderr.write(`${lines.join('\n')}\n`);
}

/** How many characters the log has of the output of a command that failed: the last ones. */
const KEPT_OUTPUT = 2000;

/** Renders the docs while the server serves already. @returns `done`, which rejects when the command failed (the log says why), and `stop`, which ends the command */
function renderDocs(command: string, log: Logger) {
  let stopping = false;
  const ended = promisify(exec)(command, { maxBuffer: Infinity });
  const done = ended.then(
    () => undefined,
    ({ code, signal, stdout = '', stderr = '' }: ExecException) => {
      const reason = `it ended with ${code ?? signal}`;
      const output = (stdout + stderr).trim().slice(-KEPT_OUTPUT);
      if (!stopping) {
        log.error({ command, reason, output }, 'the docs cannot be rendered');
      }
      throw new Error(reason);
    },
  );
  done.catch(() => undefined);
  return {
    done,
    stop: () => {
      stopping = true;
      ended.child.kill();
      // Programs that it has started may hold these open, and the server is to end.
      ended.child.stdout?.destroy();
      ended.child.stderr?.destroy();
    },
  };
}
