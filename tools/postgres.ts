/**
 * PostgreSQL for tests, in a temporary folder. It is that of the system: npm packages of it run
 * scripts when installed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Debian has a folder for each version here. */
const DEBIAN_VERSIONS = '/usr/lib/postgresql';

/**
 * The folder that has `initdb` and `postgres`, if any.
 * @throws Error if there is none and REQUIRE_POSTGRES is set, as in CI
 */
export function findPostgres(): string | undefined {
  const path = process.env['PATH'] ?? '';
  const folders = [...path.split(delimiter), ...debianFolders()];
  const found = folders.find(hasPostgres);
  if (found === undefined && process.env['REQUIRE_POSTGRES']) {
    throw new Error('REQUIRE_POSTGRES is set and PostgreSQL is not installed');
  }
  return found;
}

/** The newest version first. */
function debianFolders(): string[] {
  if (!existsSync(DEBIAN_VERSIONS)) {
    return [];
  }
  const versions = readdirSync(DEBIAN_VERSIONS).toSorted((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(DEBIAN_VERSIONS, version, 'bin'));
}

function hasPostgres(folder: string): boolean {
  return existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'));
}

interface StartOptions {
  /** The folder with the programs, as `findPostgres` finds it. */
  bin: string;
  /** The caller makes it and removes it; by default, a temporary one that `close` removes. */
  folder?: string;
  /** Such as `fsync=off`. */
  settings?: string[];
}

/** Makes a new cluster of databases, and serves it on a free port of 127.0.0.1. */
export async function startPostgres(options: StartOptions): Promise<PostgresServer> {
  const { bin, folder, settings = [] } = options;
  const base = folder ?? (await mkdtemp(join(tmpdir(), 'edge-contract-postgres-')));
  const user = unprivilegedUser();
  if (user) {
    chownSync(base, user.uid, user.gid);
  }
  const data = join(base, 'data');
  const account = { ...user, cwd: base };
  initialize(bin, data, account);
  const port = await freePort();
  const server = new PostgresServer({
    bin,
    data,
    account,
    port,
    settings,
    temporary: folder === undefined ? base : undefined,
  });
  await server.restart();
  return server;
}

/** The user and the folder of the server's processes. */
interface Account {
  uid?: number;
  gid?: number;
  cwd: string;
}

function initialize(bin: string, data: string, account: Account): void {
  const args = ['-D', data, '-U', 'edge', '--auth=trust'];
  args.push('-E', 'UTF8', '--locale=C', '--no-sync');
  execFileSync(join(bin, 'initdb'), args, { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
}

interface ServerOptions {
  bin: string;
  data: string;
  account: Account;
  port: number;
  settings: string[];
  /** A folder that `close` removes. */
  temporary: string | undefined;
}

/** After a kill, processes of the old server may take this often to end. */
const START_ATTEMPTS = 50;
const BETWEEN_ATTEMPTS_MS = 200;

export class PostgresServer {
  readonly #options: ServerOptions;
  /** The shell that runs the server. */
  #guard: ChildProcess | undefined;
  #databases = 0;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Makes an empty database. @returns its URL */
  async createDatabase(): Promise<string> {
    this.#databases++;
    const name = `test_${this.#databases}`;
    await this.query(this.#urlOf('postgres'), `CREATE DATABASE ${name} TEMPLATE template0`);
    return this.#urlOf(name);
  }

  /** @returns the rows */
  async query(url: string, sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(sql);
      return rows;
    } finally {
      await client.end();
    }
  }

  /** False after it ended, by itself or by `kill`. */
  running(): boolean {
    return pidsOf(this.#options.data).length > 0;
  }

  /**
   * Sends SIGKILL to all of its processes: those of open connections would respond for a moment
   * longer.
   */
  async kill(): Promise<void> {
    for (const pid of pidsOf(this.#options.data)) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
    }
    await this.#stop();
  }

  /** Starts it again with the same data on the same port, also after `kill`. */
  async restart(): Promise<void> {
    await this.#stop();
    for (let attempt = 1; attempt <= START_ATTEMPTS; attempt++) {
      this.#start();
      if (await this.#responds()) {
        return;
      }
      await this.#stop();
      await pause(BETWEEN_ATTEMPTS_MS);
    }
    throw new Error('PostgreSQL does not start');
  }

  async close(): Promise<void> {
    await this.#stop();
    const { temporary } = this.#options;
    if (temporary !== undefined) {
      await rm(temporary, { recursive: true, force: true });
    }
  }

  #urlOf(database: string): string {
    return `postgres://edge:hush@127.0.0.1:${this.#options.port}/${database}`;
  }

  #start(): void {
    const { bin, data, account, port, settings } = this.#options;
    const args = ['-D', data];
    const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `port=${port}`];
    for (const setting of [...own, ...settings]) {
      args.push('-c', setting);
    }
    this.#guard = spawnGuarded([join(bin, 'postgres'), ...args], account);
  }

  async #stop(): Promise<void> {
    const guard = this.#guard;
    if (guard === undefined || guard.exitCode !== null || guard.signalCode !== null) {
      return;
    }
    guard.stdin?.end();
    await once(guard, 'exit');
  }

  /**
   * Whether it responds within six seconds. If its port or its data are in use, the server ends at
   * once, but its guard does not.
   */
  async #responds(): Promise<boolean> {
    for (let attempt = 1; attempt <= 60; attempt++) {
      try {
        await this.query(this.#urlOf('postgres'), 'SELECT 1');
        return true;
      } catch {
        await pause(100);
      }
    }
    return false;
  }
}

/** The process ids of a server: first its main process, then one for each connection and task. */
function pidsOf(data: string): number[] {
  try {
    const [mainPid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    const main = Number(mainPid);
    process.kill(main, 0);
    return [main, ...childrenOf(main)];
  } catch {
    return [];
  }
}

/** Empty on systems without /proc. */
function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(list)) {
    return [];
  }
  return readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** A TCP port of the loopback address on which nobody listens at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

/**
 * Starts the command in the background, waits for the end of the input, and then has the command
 * quit.
 */
const GUARD = '"$@" & child=$!; cat >/dev/null; kill -QUIT $child 2>/dev/null; wait $child';

/** Starts a command that ends when this process ends, in whatever way. */
function spawnGuarded(command: string[], account: Account): ChildProcess {
  return spawn('sh', ['-c', GUARD, 'sh', ...command], {
    ...account,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

interface User {
  uid: number;
  gid: number;
}

/**
 * Lines of /etc/passwd: the user that Debian makes for PostgreSQL, and one that every system has.
 */
const POSTGRES_USER = /^postgres:[^:]*:(\d+):(\d+)/m;
const NOBODY = /^nobody:[^:]*:(\d+):(\d+)/m;

/**
 * The user that runs PostgreSQL if this process is root, since PostgreSQL refuses to run as root.
 */
function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const users = readFileSync('/etc/passwd', 'utf8');
  const [, uid, gid] = POSTGRES_USER.exec(users) ?? NOBODY.exec(users) ?? [];
  if (uid === undefined || gid === undefined) {
    throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody');
  }
  return { uid: Number(uid), gid: Number(gid) };
}
