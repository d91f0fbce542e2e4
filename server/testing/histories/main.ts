/**
 * Concurrent histories: clients send random reads and changes to one server, which is killed and
 * started again meanwhile. Then each response must be explained: nothing acknowledged is lost, and
 * for each item some order of the calls, in which none is before one that had ended, gives the
 * responses that were seen.
 *     node tools/run.js server/testing/histories/main [--histories N] [--seconds N] [--clients N]
 *       [--store lowdb|PostgreSQL] [--journal-bytes N] [--planted late-write|stale-read]
 * The exit code is 1 when a history is illegal.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CannotTry, type Subject, type SubjectOptions, withSubject } from '../faults/subject.ts';
import { History } from './history.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

class UsageError extends Error {}

/** @throws UsageError */
function readFlags() {
  const options = {
    histories: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '8' },
    store: { type: 'string', default: 'lowdb' },
    'journal-bytes': { type: 'string' },
    planted: { type: 'string' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    const [reason] = (error as Error).message.split('. ');
    throw new UsageError(reason);
  }
}

/** @throws UsageError */
function whole(name: string, text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) {
    return Number(text);
  }
  throw new UsageError(`--${name} must be an integer from 1, not ${JSON.stringify(text)}`);
}

/** @throws UsageError */
function oneOf<T extends string>(name: string, text: string, all: readonly T[]): T {
  const found = all.find((one) => one === text);
  if (found === undefined) {
    throw new UsageError(`--${name} must be ${all.join(' or ')}, not ${JSON.stringify(text)}`);
  }
  return found;
}

interface Options {
  histories: number;
  seconds: number;
  clients: number;
  subject: SubjectOptions;
}

/** @throws UsageError */
function readOptions(): Options {
  const values = readFlags();
  const store = oneOf('store', values.store, ['lowdb', 'PostgreSQL']);
  const { planted, 'journal-bytes': journalBytes } = values;
  const env: Record<string, string> = {};
  if (journalBytes !== undefined) {
    env['EDGE_JOURNAL_BYTES'] = String(whole('journal-bytes', journalBytes));
  }
  if (planted !== undefined) {
    env['EDGE_PLANTED'] = oneOf('planted', planted, ['late-write', 'stale-read']);
  }
  const subject: SubjectOptions = { store };
  if (Object.keys(env).length > 0) {
    if (store !== 'lowdb') {
      throw new UsageError('--journal-bytes and --planted are for lowdb');
    }
    subject.program = { main: join(import.meta.dirname, 'server.js'), env };
  }
  return {
    histories: whole('histories', values.histories),
    seconds: whole('seconds', values.seconds),
    clients: whole('clients', values.clients),
    subject,
  };
}

/** Between two kills. */
const LEAST_MS = 50;
const MOST_MS = 800;
/** The server of a database may still commit what a killed client has asked for. */
const LATE_MS = { lowdb: 0, PostgreSQL: 1000 };

interface Seen {
  history: History;
  kills: number;
}

async function oneHistory(subject: Subject, options: Options): Promise<Seen> {
  const history = new History();
  const lateMs = LATE_MS[options.subject.store];
  let server = await subject.start();
  let kills = 0;
  const restart = async () => {
    await server.end('SIGKILL');
    history.wait();
    kills += 1;
    server = await subject.start();
    history.use(server.url, lateMs);
  };
  history.use(server.url, lateMs);
  const stop = new AbortController();
  const clients = Promise.all(
    Array.from({ length: options.clients }, () => history.oneClient(stop.signal)),
  );
  // Starts take longer than this on a busy machine, and count for nothing.
  for (let served = 0; served < options.seconds * 1000;) {
    const untilKill = LEAST_MS + Math.random() * (MOST_MS - LEAST_MS);
    await pause(untilKill);
    served += untilKill;
    await restart();
  }
  stop.abort();
  await clients;
  await restart();
  await history.readAll();
  return { history, kills };
}

async function runAll(options: Options): Promise<number> {
  const sum = { calls: 0, unknown: 0, kills: 0, illegal: 0 };
  for (let number = 1; number <= options.histories; number++) {
    const { history, kills } = await withSubject(options.subject, (subject) =>
      oneHistory(subject, options),
    );
    const found = [...history.illegal(), ...history.problems];
    sum.calls += history.calls;
    sum.unknown += history.unknown;
    sum.kills += kills;
    sum.illegal += found.length > 0 ? 1 : 0;
    const figures = `${history.calls} calls, ${kills} kills, ${history.unknown} without a response`;
    say(`${found.length > 0 ? 'FAIL' : 'pass'}  history ${number}: ${figures}`);
    for (const one of found.slice(0, 3)) {
      say(`      ${one}`);
    }
  }
  say(
    `${options.histories} histories, ${sum.calls} calls, ${sum.kills} kills, ` +
      `${sum.unknown} changes without a response: ${sum.illegal} illegal`,
  );
  return sum.illegal === 0 ? 0 : 1;
}

try {
  process.exitCode = await runAll(readOptions());
} catch (error) {
  const isExpected = error instanceof UsageError || error instanceof CannotTry;
  if (!isExpected) {
    throw error;
  }
  process.stderr.write(`histories: ${error.message}\n`);
  process.exitCode = 2;
}
