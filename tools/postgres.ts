/** PostgreSQL for tests, in a temporary folder. It is that of the system: npm packages of it run scripts when installed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** The folder with `initdb` and `postgres`, if any. @throws Error without one if REQUIRE_POSTGRES is set, as in CI */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((one) => join(debian, one, 'bin')),
  ];
  const found = folders.find((folder) =>
    ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
  if (found === undefined && process.env['REQUIRE_POSTGRES']) {
    throw new Error('REQUIRE_POSTGRES is set and PostgreSQL is not installed');
  }
  return found;
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** @param options `folder` is made by the caller, else a temporary one; `settings` are such as `fsync=off` */
export async function startPostgres(options: {
  bin: string;
  folder?: string;
  settings?: string[];
}) {
  const { bin, folder, settings = [] } = options;
  const base = folder ?? (await mkdtemp(join(tmpdir(), 'edge-contract-postgres-')));
  const user = unprivileged();
  if (user) {
    chownSync(base, user.uid, user.gid);
  }
  const account = { ...user, cwd: base };
  const data = join(base, 'data');
  const flags = ['-D', data, '-U', 'edge', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(bin, 'initdb'), flags, { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await freePort();
  const allSettings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `port=${port}`,
    ...settings,
  ];

  let guard: ChildProcess | undefined;
  let databases = 0;
  const urlOf = (database: string) => `postgres://edge:hush@127.0.0.1:${port}/${database}`;
  const stop = async () => {
    if (guard === undefined || guard.exitCode !== null || guard.signalCode !== null) {
      return;
    }
    guard.stdin!.end();
    await once(guard, 'exit');
  };
  const server = {
    /** A new empty database, and the URL to reach it. */
    async createDatabase(): Promise<string> {
      const name = `test_${(databases += 1)}`;
      await query(urlOf('postgres'), `CREATE DATABASE ${name} TEMPLATE template0`);
      return urlOf(name);
    },
    query,
    /** False after it ended, by itself or by `kill`. */
    running: () => pidsOf(data).length > 0,
    /** Sends SIGKILL to all of its processes: those of open connections would answer for a moment longer. */
    async kill(): Promise<void> {
      for (const pid of pidsOf(data)) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended meanwhile.
        }
      }
      await stop();
    },
    /** After `kill`: starts with the same data on the same port. */
    async restart(): Promise<void> {
      await stop();
      for (let attempt = 1; attempt <= 50; attempt++) {
        guard = guarded(
          [join(bin, 'postgres'), '-D', data, ...allSettings.flatMap((one) => ['-c', one])],
          account,
        );
        if (await answers(urlOf('postgres'))) {
          return;
        }
        await stop();
        // After a kill, processes of the old server may still be on their way out.
        await pause(200);
      }
      throw new Error('PostgreSQL does not start');
    },
    async close(): Promise<void> {
      await stop();
      if (folder === undefined) {
        await rm(base, { recursive: true, force: true });
      }
    },
  };
  await server.restart();
  return server;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Where the port is taken or the data are held, the server ends at once and its guard waits on: it asks only so long. */
async function answers(url: string): Promise<boolean> {
  for (let n = 0; n < 60; n++) {
    if (await query(url, 'SELECT 1').catch(() => undefined)) {
      return true;
    }
    await pause(100);
  }
  return false;
}

/** The process ids of a server: first its main process, then one for each connection and task. */
function pidsOf(data: string): number[] {
  try {
    const main = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    process.kill(main, 0);
    // On systems without /proc, the children are unknown.
    const list = `/proc/${main}/task/${main}/children`;
    const children = existsSync(list) ? readFileSync(list, 'utf8') : '';
    return [main, ...children.split(' ').filter(Boolean).map(Number)];
  } catch {
    return [];
  }
}

/** A TCP port of the loopback address on which nobody listens at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/** The command ends however this process does: a shell waits for the end of its input, and then has the command quit. */
function guarded(
  command: string[],
  options: { uid?: number; gid?: number; cwd: string },
): ChildProcess {
  const script = '"$@" & child=$!; cat >/dev/null; kill -QUIT $child 2>/dev/null; wait $child';
  return spawn('sh', ['-c', script, 'sh', ...command], {
    ...options,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

/** PostgreSQL refuses to run as root: then it runs as the user that Debian makes for it, or as nobody. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const users = readFileSync('/etc/passwd', 'utf8');
  const [, uid, gid] =
    /^postgres:[^:]*:(\d+):(\d+)/m.exec(users) ?? /^nobody:[^:]*:(\d+):(\d+)/m.exec(users) ?? [];
  if (!uid) {
    throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody');
  }
  return { uid: Number(uid), gid: Number(gid) };
}
