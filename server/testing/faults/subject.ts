/** A store under fault: how a server is started on it, and how what it really holds is looked at. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileNameOf } from '../../store/lowdb/file-name.ts';
import type { PostgresServer } from '../postgres.ts';
import { type ServerProcess, startServer } from '../server-process.ts';

export interface Subject {
  name: 'lowdb' | 'PostgreSQL';
  /** Where lowdb keeps its documents; undefined with a database. */
  folder: string | undefined;
  /** The database; undefined with lowdb. */
  database: { server: PostgresServer; url: string } | undefined;
  start(execArgv?: string[]): Promise<ServerProcess>;
  /** Documents that are not whole, read past the server. */
  torn(): Promise<string[]>;
  close(): Promise<void>;
}

const QUIET = ['--log-level', 'silent'];

/** @param at an empty folder; a temporary one when left out */
export async function lowdbSubject(at?: string): Promise<Subject> {
  const folder = at ?? (await mkdtemp(join(tmpdir(), 'edge-contract-fault-')));
  return {
    name: 'lowdb',
    folder,
    database: undefined,
    start: (execArgv = []) => startServer({ args: [...QUIET, '--data-dir', folder], env: { DATABASE_URL: '' }, execArgv }),
    torn: async () => [...(await tornFiles(join(folder, 'edges'))), ...(await tornFiles(join(folder, 'subscriptions')))],
    close: async () => {
      if (at === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function postgresSubject(server: PostgresServer): Promise<Subject> {
  const url = await server.createDatabase();
  return {
    name: 'PostgreSQL',
    folder: undefined,
    database: { server, url },
    start: (execArgv = []) => startServer({ args: QUIET, env: { DATABASE_URL: url, DATA_DIR: '' }, execArgv }),
    torn: async () => {
      const rows = await server.query(
        url,
        'SELECT id, document FROM edge_contract.edges UNION ALL SELECT id, document FROM edge_contract.subscriptions',
      );
      return rows.filter(({ id, document }) => idIn(String(document)) !== id).map(({ id }) => String(id));
    },
    close: async () => undefined,
  };
}

async function tornFiles(folder: string): Promise<string[]> {
  const torn: string[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.json')) continue;
    const id = idIn(await readFile(join(folder, name), 'utf8'));
    if (id === undefined || `${fileNameOf(id)}.json` !== name) torn.push(name);
  }
  return torn;
}

function idIn(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { id?: string }).id;
  } catch {
    return undefined;
  }
}
