/** The faults, each of which is done to a store while 32 writers are at work. */
import { writeFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { send } from '../send.ts';
import { startServer } from '../../../tools/reference-server.ts';
import { Ledger } from './ledger.ts';
import { whileReadOnly } from './mount.ts';
import { outcomeOf, type Seen } from './outcome.ts';
import type { Subject } from './subject.ts';
import { startLoad, WRITERS } from './writers.ts';

export type Result = ReturnType<typeof outcomeOf>;

const random = (least: number, most: number) => least + Math.floor(Math.random() * (most - least + 1));

/** At a random moment of a random round of writes. */
export async function killServer(subject: Subject, rounds: number): Promise<Result> {
  const ledger = new Ledger();
  const seen: Seen = { lost: [], torn: [] };
  for (let round = 0; round < rounds; round++) {
    const server = await subject.start();
    await look(ledger, server.url, 'changed', seen);
    const load = startLoad(server, ledger, { run: `r${round}`, patient: false });
    await load.progress(random(1, 150));
    await pause(random(0, 30));
    await server.end('SIGKILL');
    await load.ended;
    seen.torn.push(...(await subject.torn()));
  }
  await lookAtAll(subject, ledger, seen);
  return outcomeOf(ledger, seen, rounds, `${WRITERS} writers, the server killed ${rounds} times`);
}

export async function killDatabase(subject: Subject, rounds: number): Promise<Result> {
  const { server: database } = subject.database!;
  const ledger = new Ledger();
  const seen: Seen = { lost: [], torn: [] };
  const server = await subject.start();
  const load = startLoad(server, ledger, { run: 'db', patient: true });
  for (let round = 0; round < rounds; round++) {
    await load.progress(random(50, 200));
    await database.kill();
    const refused = ledger.refused;
    while (ledger.refused < refused + WRITERS) await pause(5);
    await database.restart();
  }
  await load.progress(50);
  await load.stop();
  await look(ledger, server.url, 'all', seen);
  seen.torn.push(...(await subject.torn()));
  await server.end('SIGTERM');
  return outcomeOf(
    ledger,
    seen,
    rounds,
    'the server ran on and served again',
    load.cut.size > 0 ? [`${load.cut.size} connections cut`] : [],
  );
}

/** @param disk where the store keeps its data, with `ballast` to make room again; `recover` brings a database back */
export async function fillDisk(subject: Subject, disk: string, recover: () => Promise<void>): Promise<Result> {
  const ledger = new Ledger();
  const seen: Seen = { lost: [], torn: [] };
  const server = await subject.start();
  const load = startLoad(server, ledger, { run: 'full', patient: true });
  while (ledger.refused < 10 * WRITERS) await pause(5);
  await load.stop();
  const free = await statfs(disk);
  const note = `${Math.round((free.bavail * free.bsize) / 1024)} KB left when it was full; writes again with room`;
  // What a full disk answers for what is there, where it still can.
  if (subject.folder !== undefined) await look(ledger, server.url, 'all', seen);
  await rm(join(disk, 'ballast'));
  await recover();
  const before = ledger.acknowledged;
  const after = startLoad(server, ledger, { run: 'room', patient: true });
  await after.progress(50);
  await after.stop();
  await look(ledger, server.url, 'all', seen);
  seen.torn.push(...(await subject.torn()));
  await server.end('SIGTERM');
  return outcomeOf(
    ledger,
    seen,
    1,
    note,
    ledger.acknowledged > before ? [] : ['no write succeeded after there was room'],
  );
}

/** Fills all but so much of a disk. */
export async function ballast(disk: string, leaveKb: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - leaveKb * 1024), 1));
}

export async function readOnly(subject: Subject): Promise<Result> {
  const ledger = new Ledger();
  const seen: Seen = { lost: [], torn: [] };
  const faults: string[] = [];
  const server = await subject.start();
  const load = startLoad(server, ledger, { run: 'ro', patient: true });
  await load.progress(100);
  await whileReadOnlyFor(subject, async () => {
    const { acknowledged, refused } = ledger;
    // Files that are open go on being written: only the database refuses.
    if (subject.folder === undefined) while (ledger.refused < refused + 4 * WRITERS) await pause(5);
    else while (ledger.acknowledged < acknowledged + 4 * WRITERS) await pause(5);
    if ((await send(server.url, { path: '/readyz' })).status !== 503) faults.push('/readyz does not report it');
    if ((await send(server.url, { path: '/edges/https' })).status !== 200) faults.push('reading fails');
    if (subject.folder !== undefined) {
      const { message } = await startServer({ args: ['--data-dir', subject.folder] }).then(
        () => new Error('it starts'),
        (error: Error) => error,
      );
      if (!message.endsWith('not writable (EROFS)')) faults.push(`another start: ${message}`);
    }
  });
  const before = ledger.acknowledged;
  await load.progress(50);
  await load.stop();
  if (ledger.acknowledged === before) faults.push('no write succeeded afterwards');
  await look(ledger, server.url, 'all', seen);
  seen.torn.push(...(await subject.torn()));
  await server.end('SIGTERM');
  return outcomeOf(ledger, seen, 1, 'reads go on, /readyz reports it, writes go on afterwards', faults);
}

async function whileReadOnlyFor(subject: Subject, work: () => Promise<void>): Promise<void> {
  if (subject.folder !== undefined) return whileReadOnly(subject.folder, work);
  const { server, url } = subject.database!;
  await server.query(url, 'ALTER SYSTEM SET default_transaction_read_only = on');
  await server.query(url, 'SELECT pg_reload_conf()');
  try {
    await work();
  } finally {
    await server.query(url, 'ALTER SYSTEM RESET default_transaction_read_only');
    await server.query(url, 'SELECT pg_reload_conf()');
  }
}

/** Every flush (lowdb), every write of a row (PostgreSQL) takes 250 ms longer; then the server is killed. */
export async function slowDisk(subject: Subject): Promise<Result> {
  const ledger = new Ledger();
  const seen: Seen = { lost: [], torn: [] };
  const preload = pathToFileURL(join(import.meta.dirname, 'slow-sync.js')).href;
  const server = await subject.start(subject.folder === undefined ? [] : ['--import', preload]);
  if (subject.database) {
    await subject.database.server.query(
      subject.database.url,
      `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.25); RETURN NEW; END';
       CREATE TRIGGER slow BEFORE INSERT OR UPDATE ON edge_contract.edges FOR EACH ROW EXECUTE FUNCTION slow();
       CREATE TRIGGER slow BEFORE INSERT OR UPDATE ON edge_contract.subscriptions FOR EACH ROW EXECUTE FUNCTION slow();`,
    );
  }
  const load = startLoad(server, ledger, { run: 'slow', patient: false });
  await load.progress(200);
  await server.end('SIGKILL');
  await load.ended;
  seen.torn.push(...(await subject.torn()));
  await lookAtAll(subject, ledger, seen);
  return outcomeOf(ledger, seen, 1, 'each write 250 ms slower, then kill -9');
}

export async function terminate(subject: Subject, rounds: number): Promise<Result> {
  const ledger = new Ledger();
  const seen: Seen = { lost: [], torn: [] };
  const faults: string[] = [];
  let inFlight = 0;
  for (let round = 0; round < rounds; round++) {
    const server = await subject.start();
    const load = startLoad(server, ledger, { run: `t${round}`, patient: false });
    await load.progress(random(50, 150));
    const before = [...load.inFlight];
    inFlight += before.length;
    const code = await server.end('SIGTERM');
    await load.ended;
    const cut = before.filter((request) => load.cut.has(request));
    if (cut.length > 0) faults.push(`${cut.length} of ${before.length} requests in flight were cut`);
    if (code !== 0) faults.push(`exit code ${code}`);
  }
  await lookAtAll(subject, ledger, seen);
  return outcomeOf(ledger, seen, rounds, `${inFlight} requests in flight at SIGTERM, all answered`, faults);
}

/** 64 adds of one type at once: on two servers where they may share the data, else the second one is refused. */
export async function race(subject: Subject, rounds: number): Promise<Result> {
  const ledger = new Ledger();
  const faults: string[] = [];
  const first = await subject.start();
  const second = subject.database ? await subject.start() : first;
  if (!subject.database) {
    const { message } = await subject.start().then(
      () => new Error('it starts'),
      (error: Error) => error,
    );
    if (!message.endsWith('is held by another process')) faults.push(`a second server: ${message}`);
  }
  for (let round = 0; round < rounds; round++) {
    const type = `race_${round}.v0`;
    const add = (n: number) =>
      send((n % 2 === 0 ? first : second).url, {
        method: 'POST',
        path: '/event_subscriptions/race/sources',
        body: { type },
      });
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => add(n)));
    const won = answers.filter(({ status }) => status === 201);
    const beaten = answers.filter(({ status, json }) => status === 409 && json.code === 'already_exists');
    if (won.length !== 1 || beaten.length !== 63)
      faults.push(`${won.length} returns 201 and ${beaten.length} returns 409`);
    for (const answer of won) ledger.count(answer);
    ledger.sourceIs(`race ${type}`, 'there');
  }
  const seen = await ledger.verify(second.url, 'all');
  await first.end('SIGTERM');
  if (second !== first) await second.end('SIGTERM');
  const note = subject.database
    ? '64 adds of one type on two servers: one 201, 63 409'
    : '64 adds: one 201, 63 409; a second server is refused';
  return outcomeOf(ledger, seen, rounds, note, faults);
}

async function look(ledger: Ledger, url: string, what: 'changed' | 'all', seen: Seen): Promise<void> {
  const { lost, torn } = await ledger.verify(url, what);
  seen.lost.push(...lost);
  seen.torn.push(...torn);
}

async function lookAtAll(subject: Subject, ledger: Ledger, seen: Seen): Promise<void> {
  const server = await subject.start();
  await look(ledger, server.url, 'all', seen);
  await server.end('SIGTERM');
}
