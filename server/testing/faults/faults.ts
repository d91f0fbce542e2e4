/** The faults, each of which is done to a store while 32 writers are at work. */
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { startServer } from '../../../tools/reference-server.ts';
import { send } from '../send.ts';
import { type StoreName, type Subject, tornRecords, whileReadOnly } from './subject.ts';
import { type Ledger, Load, WRITERS } from './workload.ts';

export interface Trial {
  subject: Subject;
  /** Problems go there, too. Everything in it is verified on a new server after the fault. */
  ledger: Ledger;
  /** How often to try what is a matter of luck. */
  rounds: number;
}

export interface Fault {
  name: string;
  /** Both when omitted. */
  store?: StoreName;
  smallDisk?: boolean;
  /** A tenth of the rounds when omitted. */
  allRounds?: boolean;
  /** @returns what was seen */
  run(trial: Trial): Promise<string>;
}

const random = (least: number, most: number) => least + Math.floor(Math.random() * (most - least + 1));

/** The error with which a start fails. */
async function failureOf(start: Promise<unknown>): Promise<string> {
  return start.then(
    () => 'it starts',
    (error: Error) => error.message,
  );
}

/** At a random moment of a random round of writes. */
async function killServer({ subject, ledger, rounds }: Trial): Promise<string> {
  for (let round = 0; round < rounds; round++) {
    const server = await subject.start();
    await ledger.verify(server.url, 'changed');
    const load = new Load(server, ledger, { run: `r${round}`, patient: false });
    await load.progress(random(1, 150));
    await pause(random(0, 30));
    await server.end('SIGKILL');
    await load.ended;
    ledger.torn.push(...(await tornRecords(subject)));
  }
  return `${WRITERS} writers, the server killed ${rounds} times`;
}

async function killDatabase({ subject, ledger, rounds }: Trial): Promise<string> {
  const { server: database } = subject.database!;
  const server = await subject.start();
  const load = new Load(server, ledger, { run: 'db', patient: true });
  for (let round = 0; round < rounds; round++) {
    await load.progress(random(50, 200));
    await database.kill();
    const { refused } = ledger;
    while (ledger.refused < refused + WRITERS) await pause(5);
    await database.restart();
  }
  await load.progress(50);
  await load.stop();
  await ledger.verify(server.url);
  if (load.cut.size > 0) ledger.problems.push(`${load.cut.size} connections cut`);
  return 'the server ran on and served again';
}

async function fillDisk({ subject, ledger }: Trial): Promise<string> {
  const { disk, database } = subject;
  const server = await subject.start();
  const load = new Load(server, ledger, { run: 'full', patient: true });
  while (ledger.refused < 10 * WRITERS) await pause(5);
  await load.stop();
  const { bavail, bsize } = await statfs(disk!);
  // A full disk does not keep the embedded store from reading.
  if (!database) await ledger.verify(server.url);
  await rm(join(disk!, 'ballast'));
  if (database && !database.server.running()) await database.server.restart();
  await writesGoOn(new Load(server, ledger, { run: 'room', patient: true }), ledger);
  await ledger.verify(server.url);
  return `${Math.round((bavail * bsize) / 1024)} KB left when it was full; writes again with room`;
}

async function writesGoOn(load: Load, ledger: Ledger): Promise<void> {
  const before = ledger.acknowledged;
  await load.progress(50);
  await load.stop();
  if (ledger.acknowledged === before) ledger.problems.push('no write succeeded afterwards');
}

async function readOnly({ subject, ledger }: Trial): Promise<string> {
  const { folder, database } = subject;
  const server = await subject.start();
  const load = new Load(server, ledger, { run: 'ro', patient: true });
  await load.progress(100);
  const look = async () => {
    // Files that are open are still written: only the database refuses.
    const figure = database ? 'refused' : 'acknowledged';
    const goal = ledger[figure] + 4 * WRITERS;
    while (ledger[figure] < goal) await pause(5);
    if ((await send(server.url, { path: '/readyz' })).status !== 503)
      ledger.problems.push('/readyz does not report it');
    if ((await send(server.url, { path: '/edges/https' })).status !== 200) ledger.problems.push('reading fails');
    if (folder === undefined) return;
    const failure = await failureOf(startServer({ args: ['--data-dir', folder] }));
    if (!failure.endsWith('not writable (EROFS)')) ledger.problems.push(`another start: ${failure}`);
  };
  if (database) {
    const alter = async (setting: string) => {
      await database.server.query(database.url, `ALTER SYSTEM ${setting}`);
      await database.server.query(database.url, 'SELECT pg_reload_conf()');
    };
    await alter('SET default_transaction_read_only = on');
    await look().finally(() => alter('RESET default_transaction_read_only'));
  } else {
    await whileReadOnly(folder!, look);
  }
  await writesGoOn(load, ledger);
  await ledger.verify(server.url);
  return 'reads go on, /readyz reports it, writes go on afterwards';
}

/** Each flush (lowdb) and each write of a row (PostgreSQL) takes 250 ms longer; then the server is killed. */
async function slowDisk({ subject, ledger }: Trial): Promise<string> {
  const { database } = subject;
  const preload = pathToFileURL(join(import.meta.dirname, 'slow-sync.js')).href;
  const server = await subject.start(database ? [] : ['--import', preload]);
  if (database) {
    const trigger = (table: string) =>
      `CREATE TRIGGER slow BEFORE INSERT OR UPDATE ON edge_contract.${table} FOR EACH ROW EXECUTE FUNCTION slow();`;
    const body = "'BEGIN PERFORM pg_sleep(0.25); RETURN NEW; END'";
    const create = `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS ${body};`;
    await database.server.query(database.url, create + trigger('edges') + trigger('subscriptions'));
  }
  const load = new Load(server, ledger, { run: 'slow', patient: false });
  await load.progress(200);
  await server.end('SIGKILL');
  await load.ended;
  return 'each write 250 ms slower, then kill -9';
}

async function terminate({ subject, ledger, rounds }: Trial): Promise<string> {
  let inFlight = 0;
  for (let round = 0; round < rounds; round++) {
    const server = await subject.start();
    const load = new Load(server, ledger, { run: `t${round}`, patient: false });
    await load.progress(random(50, 150));
    const before = [...load.inFlight];
    inFlight += before.length;
    const code = await server.end('SIGTERM');
    await load.ended;
    const cut = before.filter((request) => load.cut.has(request));
    if (cut.length > 0) ledger.problems.push(`${cut.length} of ${before.length} requests in flight were cut`);
    if (code !== 0) ledger.problems.push(`exit code ${code}`);
  }
  return `${inFlight} requests in flight at SIGTERM, all answered`;
}

/** 64 adds of one type at once: on two servers where they may share the data; otherwise a second server is refused. */
async function race({ subject, ledger, rounds }: Trial): Promise<string> {
  const first = await subject.start();
  const second = subject.database ? await subject.start() : first;
  if (!subject.database) {
    const failure = await failureOf(subject.start());
    if (!failure.endsWith('is held by another process')) ledger.problems.push(`a second server: ${failure}`);
  }
  const path = '/event_subscriptions/race/sources';
  for (let round = 0; round < rounds; round++) {
    const type = `race_${round}.v0`;
    const add = (n: number) => send((n % 2 ? first : second).url, { method: 'POST', path, body: { type } });
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => add(n)));
    const won = answers.filter(({ status }) => status === 201);
    const beaten = answers.filter(({ status, json }) => status === 409 && json.code === 'already_exists');
    if (won.length !== 1 || beaten.length !== 63)
      ledger.problems.push(`${won.length} of 64 adds return 201, ${beaten.length} return 409`);
    for (const answer of won) ledger.count(answer);
    ledger.is(`${path}/${type}`, 'there');
  }
  await ledger.verify(second.url);
  await second.end('SIGTERM');
  return `64 adds of one type: one 201, 63 409${subject.database ? '; on two servers' : '; a second server is refused'}`;
}

export const FAULTS: readonly Fault[] = [
  { name: 'kill -9 of the server', allRounds: true, run: killServer },
  { name: 'kill -9 of PostgreSQL', store: 'PostgreSQL', run: killDatabase },
  { name: 'full disk', smallDisk: true, run: fillDisk },
  { name: 'read-only data', run: readOnly },
  { name: 'slow disk', run: slowDisk },
  { name: 'SIGTERM under load', run: terminate },
  { name: 'racing adds', run: race },
];
