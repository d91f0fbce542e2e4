/** A store under fault: how a server is started on it, and how what it really holds is looked at. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFolder } from '../../store/lowdb/load.ts';
import type { PostgresServer } from '../postgres.ts';
import { type ServerProcess, type StartOptions, startServer } from '../server-process.ts';

export interface Subject {
  name: 'lowdb' | 'PostgreSQL';
  /** Where lowdb keeps its data; undefined with a database. */
  folder: string | undefined;
  /** The database; undefined with lowdb. */
  database: { server: PostgresServer; url: string } | undefined;
  start(execArgv?: string[]): Promise<ServerProcess>;
  /** Records that are not whole, read past the server. */
  torn(): Promise<string[]>;
  /** Kills the servers that still run, and removes what it made. */
  close(): Promise<void>;
}

/** Those of one subject. A fault that breaks off leaves them behind. */
class Servers {
  readonly #started: ServerProcess[] = [];

  async start(options: StartOptions): Promise<ServerProcess> {
    const server = await startServer(options);
    this.#started.push(server);
    return server;
  }

  async kill(): Promise<void> {
    await Promise.all(this.#started.map((server) => server.end('SIGKILL')));
  }
}

const QUIET = ['--log-level', 'silent'];

/** @param at an empty folder; a temporary one when omitted */
export async function lowdbSubject(at?: string): Promise<Subject> {
  const folder = at ?? (await mkdtemp(join(tmpdir(), 'edge-contract-fault-')));
  const servers = new Servers();
  return {
    name: 'lowdb',
    folder,
    database: undefined,
    start: (execArgv = []) =>
      servers.start({ args: [...QUIET, '--data-dir', folder], env: { DATABASE_URL: '' }, execArgv }),
    torn: () => tornRecords(folder),
    close: async () => {
      await servers.kill();
      if (at === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function postgresSubject(server: PostgresServer): Promise<Subject> {
  const url = await server.createDatabase();
  const servers = new Servers();
  return {
    name: 'PostgreSQL',
    folder: undefined,
    database: { server, url },
    start: (execArgv = []) => servers.start({ args: QUIET, env: { DATABASE_URL: url, DATA_DIR: '' }, execArgv }),
    torn: async () => {
      const rows = await server.query(
        url,
        'SELECT id, document FROM edge_contract.edges UNION ALL SELECT id, document FROM edge_contract.subscriptions',
      );
      return rows.filter(({ id, document }) => idIn(String(document)) !== id).map(({ id }) => String(id));
    },
    close: () => servers.kill(),
  };
}

/** What is not whole before the last batch of the journal, or is no record. */
async function tornRecords(folder: string): Promise<string[]> {
  try {
    const data = await readFolder(folder);
    return Object.values(data ?? {}).flatMap((records) =>
      [...records.entries()].filter(([id, text]) => typeof text !== 'string' || idIn(text) !== id).map(([id]) => id),
    );
  } catch (error) {
    return [(error as Error).message];
  }
}

function idIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { id?: string }).id;
  } catch {
    return undefined;
  }
}
