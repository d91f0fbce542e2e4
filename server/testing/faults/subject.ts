/** A store under fault: how a server is started on it, and how the records that it holds are read past the server. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, rmdir, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '../../../tools/postgres.ts';
import { type ServerProcess, startServer } from '../../../tools/reference-server.ts';
import { readFolder } from '../../store/lowdb/backup.ts';

export type StoreName = 'lowdb' | 'PostgreSQL';

/** One of `folder` and `database` is set. */
export interface Subject {
  /** Where lowdb keeps its data. */
  folder?: string;
  database?: { server: PostgresServer; url: string };
  /** The small disk on which the data are, nearly full: removing its file `ballast` makes room. */
  disk: string | undefined;
  start(execArgv?: string[]): Promise<ServerProcess>;
}

export interface SubjectOptions {
  store: StoreName;
  /** Where PostgreSQL is installed. */
  bin: string | undefined;
  /** The data are on a disk of their own with 4 MiB left. */
  smallDisk: boolean;
}

/** Runs `work` on a new store. It kills the servers that still run, and removes what it made. */
export async function withSubject<R>(options: SubjectOptions, work: (subject: Subject) => Promise<R>): Promise<R> {
  const { store, bin, smallDisk } = options;
  const parent = await mkdtemp(join(tmpdir(), 'edge-contract-fault-'));
  const servers: ServerProcess[] = [];
  const starter =
    (args: string[], env: Record<string, string>) =>
    async (execArgv: string[] = []) => {
      const server = await startServer({ args: ['--log-level', 'silent', ...args], env, execArgv });
      servers.push(server);
      return server;
    };
  const use = async () => {
    const disk = smallDisk ? parent : undefined;
    const folder = join(parent, 'data');
    await mkdir(folder);
    if (store === 'lowdb') {
      if (disk !== undefined) await fillUp(disk);
      return await work({ folder, disk, start: starter(['--data-dir', folder], { DATABASE_URL: '' }) });
    }
    const settings = smallDisk ? ['max_wal_size=32MB', 'min_wal_size=32MB'] : [];
    const server = await startPostgres({ bin: bin!, folder, settings });
    try {
      const url = await server.createDatabase();
      if (disk !== undefined) await fillUp(disk);
      return await work({ database: { server, url }, disk, start: starter([], { DATABASE_URL: url, DATA_DIR: '' }) });
    } finally {
      await server.close();
    }
  };
  try {
    const megabytes = store === 'lowdb' ? 6 : 160;
    const tmpfs = ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs'];
    return smallDisk ? await mounted(tmpfs, parent, use) : await use();
  } finally {
    await Promise.all(servers.map((server) => server.end('SIGKILL')));
    await rm(parent, { recursive: true, force: true });
  }
}

async function fillUp(disk: string): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(join(disk, 'ballast'), Buffer.alloc(Math.max(0, bavail * bsize - 4 * 1024 * 1024), 1));
}

/** Records that are not whole, read past the server. */
export async function tornRecords({ folder, database }: Subject): Promise<string[]> {
  if (database) {
    const sql =
      'SELECT id, document FROM edge_contract.edges UNION ALL SELECT id, document FROM edge_contract.subscriptions';
    const rows = await database.server.query(database.url, sql);
    return rows.filter(({ id, document }) => idIn(document) !== id).map(({ id }) => String(id));
  }
  try {
    const records = Object.values((await readFolder(folder!)) ?? {}).flatMap((one) => [...one.entries()]);
    return records.filter(([id, text]) => idIn(text) !== id).map(([id]) => id);
  } catch (error) {
    return [(error as Error).message];
  }
}

function idIn(text: unknown): unknown {
  try {
    return (JSON.parse(String(text)) as { id?: string }).id;
  } catch {
    return undefined;
  }
}

/** Only root can mount. */
export class CannotMount extends Error {}

/**
 * Whoever opens a path below the folder meanwhile finds it read-only. A read-only view is mounted over it: to make the
 * folder itself read-only is refused while a writer has a file open through it.
 */
export async function whileReadOnly(folder: string, work: () => Promise<void>): Promise<void> {
  const view = await mkdtemp(join(tmpdir(), 'edge-contract-view-'));
  try {
    await mounted(['--bind', folder], view, () => {
      mount(['-o', 'remount,bind,ro', view]);
      return mounted(['--bind', view], folder, work);
    });
  } finally {
    // Without its content, should it still be mounted.
    await rmdir(view);
  }
}

async function mounted<R>(what: string[], at: string, work: () => Promise<R>): Promise<R> {
  mount([...what, at]);
  try {
    return await work();
  } finally {
    // A request under way may hold it a moment longer; paths lead to what is below at once.
    execFileSync('umount', ['--lazy', at]);
  }
}

function mount(args: string[]): void {
  try {
    execFileSync('mount', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string };
    throw new CannotMount(`mounting needs root: ${(stderr?.toString() || message).trim().split('\n')[0]}`);
  }
}
