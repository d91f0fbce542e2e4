/**
 * A real PostgreSQL server for tests, from the binaries that the system has: a cluster of its own in a temporary folder,
 * on a free port of the loopback address, gone with the test.
 *
 * npm packages that carry the binaries were tried and rejected: they run scripts while they are installed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** The folder with `initdb` and `postgres`; undefined where there is none. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...versions.map((one) => join(debian, one, 'bin'))];
  const found = folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))));
  if (found === undefined && process.env['REQUIRE_POSTGRES'])
    throw new Error('REQUIRE_POSTGRES is set and there is no PostgreSQL');
  return found;
}

export interface PostgresServer {
  /** A new empty database, and the URL to reach it. */
  createDatabase(): Promise<string>;
  query(url: string, sql: string): Promise<Record<string, unknown>[]>;
  /** SIGKILL, to all of its processes: those of open connections would answer for a moment longer. */
  kill(): Promise<void>;
  /** After `kill`: with the same data, on the same port. */
  restart(): Promise<void>;
  /** False after it ended, of itself or by `kill`. */
  running(): boolean;
  close(): Promise<void>;
}

export interface PostgresOptions {
  bin: string;
  /** Made by the caller; a temporary folder when omitted. */
  folder?: string;
  /** Settings of the server, such as `fsync=off`. */
  settings?: string[];
}

export async function startPostgres({ bin, folder, settings = [] }: PostgresOptions): Promise<PostgresServer> {
  const base = folder ?? (await mkdtemp(join(tmpdir(), 'edge-contract-postgres-')));
  const user = unprivileged();
  if (user) chownSync(base, user.uid, user.gid);
  const data = join(base, 'data');
  execFileSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'edge', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    {
      ...user,
      cwd: base,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const port = await freePort();
  const urlOf = (database: string) => `postgres://edge:hush@127.0.0.1:${port}/${database}`;
  const query = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows;
    } finally {
      await client.end();
    }
  };

  let guard: ChildProcess;
  const start = async () => {
    const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings].flatMap((one) => [
      '-c',
      one,
    ]);
    for (let attempt = 1; ; attempt++) {
      guard = guarded([join(bin, 'postgres'), '-D', data, '-p', String(port), ...options], { ...user, cwd: base });
      if (await answers(() => query(urlOf('postgres'), 'SELECT 1'), guard)) return;
      // After a kill, processes of the old server may still be on their way out.
      if (attempt === 50) throw new Error('PostgreSQL does not start');
      await pause(200);
    }
  };
  await start();

  let databases = 0;
  const running = () => {
    try {
      return process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 0);
    } catch {
      return false;
    }
  };
  const leave = async () => {
    if (guard.exitCode !== null || guard.signalCode !== null) return;
    guard.stdin!.end();
    await once(guard, 'exit');
  };
  return {
    createDatabase: async () => {
      const name = `test_${(databases += 1)}`;
      await query(urlOf('postgres'), `CREATE DATABASE ${name} TEMPLATE template0`);
      return urlOf(name);
    },
    query,
    running,
    kill: async () => {
      const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
      // On systems that do not tell, they notice by themselves.
      const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
      for (const one of [pid, ...children.split(' ').filter(Boolean).map(Number)]) killIfThere(one);
      await leave();
    },
    restart: async () => {
      await leave();
      await start();
    },
    close: async () => {
      await leave();
      if (folder === undefined) await rm(base, { recursive: true, force: true });
    },
  };
}

/**
 * Runs a command that ends when this process does, however that ends: a shell waits for the end of its input, which the
 * kernel closes, and then tells the command to quit.
 */
function guarded(command: string[], options: { uid?: number; gid?: number; cwd: string }): ChildProcess {
  const script = '"$@" & child=$!; cat >/dev/null; kill -QUIT $child 2>/dev/null; wait $child';
  return spawn('sh', ['-c', script, 'sh', ...command], { ...options, stdio: ['pipe', 'ignore', 'ignore'] });
}

async function answers(ask: () => Promise<unknown>, guard: ChildProcess): Promise<boolean> {
  // Where the port is taken or the data are held, the server ends at once and the guard waits on: ask only so long.
  for (let n = 0; n < 60; n++) {
    try {
      await ask();
      return true;
    } catch {
      await pause(100);
    }
  }
  guard.stdin!.end();
  await once(guard, 'exit');
  return false;
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** PostgreSQL refuses to run as root: then it runs as the user that Debian makes for it, or as nobody. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody');
  if (!user) throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody');
  return { uid: Number(user[2]), gid: Number(user[3]) };
}
