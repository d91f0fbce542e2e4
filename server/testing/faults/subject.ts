/**
 * A store under fault: how a server is started on it, and how the records that it holds are read
 * past the server.
 */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres, type PostgresServer, startPostgres } from '../../../tools/postgres.ts';
import {
  type ServerProcess,
  startServer,
  type StartOptions,
} from '../../../tools/reference-server.ts';
import { readFolder } from '../../store/lowdb/load.ts';
import { jsonOf } from '../../store/record-text.ts';

/** One of `folder` and `database` is set. */
export interface Subject {
  folder?: string;
  database?: { server: PostgresServer; url: string };
  /**
   * With `smallDisk`: the folder at which it is mounted. Removing its file `ballast` makes room.
   */
  disk: string;
  start(): Promise<ServerProcess>;
  /** Stops the servers that still run. */
  stop(signal?: NodeJS.Signals): Promise<unknown>;
}

export interface SubjectOptions {
  store: 'lowdb' | 'PostgreSQL';
  /** The data are on a separate disk with 4 MiB left. */
  smallDisk?: boolean;
  /** By default, the server of this repository as it is. */
  program?: Pick<StartOptions, 'main' | 'env'>;
}

/** Only root can mount, and PostgreSQL may not be installed. */
export class CannotTry extends Error {}

/** Runs `work` on a new store, then kills the servers that still run, and removes what was made. */
export async function withSubject<R>(
  options: SubjectOptions,
  work: (subject: Subject) => Promise<R>,
): Promise<R> {
  const { store, smallDisk = false, program } = options;
  const parent = await mkdtemp(join(tmpdir(), 'edge-contract-fault-'));
  const folder = join(parent, 'data');
  const servers: ServerProcess[] = [];
  const stop = (signal: NodeJS.Signals = 'SIGTERM') =>
    Promise.all(servers.map((server) => server.end(signal)));
  const use = async (env: Record<string, string>, more: Pick<Subject, 'folder' | 'database'>) => {
    if (smallDisk) {
      const { bavail, bsize } = await statfs(parent);
      await writeFile(
        join(parent, 'ballast'),
        Buffer.alloc(Math.max(0, bavail * bsize - 4 * 1024 * 1024), 1),
      );
    }
    const start = async () => {
      const args = ['--log-level', 'silent'];
      const all = { ...env, ...program?.env };
      const server = await startServer({ ...program, args, env: all });
      servers.push(server);
      return server;
    };
    return await work({ ...more, disk: parent, start, stop });
  };
  const useStore = async () => {
    if (store === 'lowdb') {
      return await use({ DATA_DIR: folder, DATABASE_URL: '' }, { folder });
    }
    const bin = findPostgres();
    if (bin === undefined) {
      throw new CannotTry('PostgreSQL is not installed');
    }
    const settings = ['max_wal_size=32MB', 'min_wal_size=32MB'];
    if (smallDisk) {
      await mkdir(folder);
    }
    const server = await startPostgres(smallDisk ? { bin, folder, settings } : { bin });
    try {
      const url = await server.createDatabase();
      return await use({ DATABASE_URL: url, DATA_DIR: '' }, { database: { server, url } });
    } finally {
      await server.close();
    }
  };
  try {
    if (smallDisk) {
      return await onTmpfs(store === 'lowdb' ? '6m' : '160m', parent, useStore);
    }
    return await useStore();
  } finally {
    await stop('SIGKILL');
    await rm(parent, { recursive: true, force: true });
  }
}

/** The ids of records that are not whole, read past the server. */
export async function tornRecords({ folder, database }: Subject): Promise<string[]> {
  let records: [string, unknown][];
  if (database) {
    const select = (table: string) => `SELECT id, document FROM edge_contract.${table}`;
    const rows = await database.server.query(
      database.url,
      `${select('edges')} UNION ALL ${select('subscriptions')}`,
    );
    records = rows.map(({ id, document }) => [String(id), document]);
  } else {
    const data = await readFolder(folder!);
    records = Object.values(data ?? {}).flatMap((one) => [...one.entries()]);
  }
  return records
    .filter(([id, text]) => (jsonOf(String(text)) as { id?: unknown } | null)?.id !== id)
    .map(([id]) => id);
}

/** Runs `work` while a file system in memory of that size is mounted. */
async function onTmpfs<R>(size: string, at: string, work: () => Promise<R>): Promise<R> {
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', at];
    execFileSync('mount', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    throw new CannotTry(`mounting needs root: ${(error as Error).message.trim()}`);
  }
  try {
    return await work();
  } finally {
    // A request under way may hold it a moment longer.
    execFileSync('umount', ['--lazy', at]);
  }
}
