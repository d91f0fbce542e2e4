/**
 * What several servers on one PostgreSQL database do in a second, and what CPU that takes of them and of the database:
 *
 *     node tools/run.js server/testing/scale/main [--seconds N]    how long each figure is measured, 5 when omitted
 *
 * 32 clients a server, spread over the servers. Everything runs on this machine, the clients, too: on few cores, the CPU
 * for each request says more than the number of requests. Needs PostgreSQL (`initdb`, `postgres`) and Linux (`/proc`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { ruledColumns } from '../../../tools/columns.ts';
import { findPostgres, startPostgres } from '../../../tools/postgres.ts';
import { type ServerProcess, startServer } from '../../../tools/reference-server.ts';

const CLIENTS = 32;
const SERVERS = [1, 2, 3];
const EDGE = JSON.stringify({ description: 'scale', metadata: 'm'.repeat(430), hostports: ['a.example.com:443'] });

const { seconds } = parseArgs({ options: { seconds: { type: 'string', default: '5' } } }).values;
const agent = new Agent({ keepAlive: true });

function ask(url: string, method: string, body = ''): Promise<string> {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const req = request(url, { method, agent, ...(body === '' ? {} : { headers }) }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      res.on('end', () => (res.statusCode! < 300 ? resolve(text) : reject(new Error(`${res.statusCode} ${text}`))));
    });
    req.on('error', reject).end(body);
  });
}

/** Milliseconds of CPU of a process; 0 once it is gone. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return 0;
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === String(parent)
        ? [Number(name)]
        : [];
    } catch {
      return [];
    }
  });
}

interface Figure {
  perSecond: number;
  /** Of the servers and of the database, microseconds a request. */
  serverUs: number;
  databaseUs: number;
}

async function measure(
  servers: ServerProcess[],
  database: number,
  work: (url: string) => Promise<unknown>,
): Promise<Figure> {
  const cpu = () => ({
    servers: servers.reduce((sum, { child }) => sum + cpuOf(child.pid!), 0),
    database: childrenOf(database).reduce((sum, pid) => sum + cpuOf(pid), 0),
  });
  const [before, begin] = [cpu(), performance.now()];
  const end = begin + Number(seconds) * 1000;
  let done = 0;
  const client = async (_: unknown, n: number) => {
    for (; performance.now() < end; done++) await work(servers[n % servers.length]!.url);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const [after, ms] = [cpu(), performance.now() - begin];
  return {
    perSecond: done / (ms / 1000),
    serverUs: ((after.servers - before.servers) / done) * 1000,
    databaseUs: ((after.database - before.database) / done) * 1000,
  };
}

const bin = findPostgres();
if (bin === undefined) {
  process.stderr.write('scale: no PostgreSQL server is installed\n');
  process.exit(2);
}
const postgres = await startPostgres({ bin });
const rows: string[][] = [];
try {
  for (const count of SERVERS) {
    const url = await postgres.createDatabase();
    const [row] = await postgres.query(url, "SELECT pg_read_file('postmaster.pid') AS text");
    const pid = Number.parseInt(String(row!['text']), 10);
    const env = { DATABASE_URL: url, DATA_DIR: '' };
    const servers = await Promise.all(
      Array.from({ length: count }, () => startServer({ args: ['--log-level', 'silent'], env })),
    );
    try {
      const { id } = JSON.parse(await ask(`${servers[0]!.url}/edges/https`, 'POST', EDGE)) as { id: string };
      const works: [string, (base: string) => Promise<unknown>][] = [
        ['create', (base) => ask(`${base}/edges/https`, 'POST', EDGE)],
        ['read', (base) => ask(`${base}/edges/https/${id}`, 'GET')],
        ['list of 100', (base) => ask(`${base}/edges/https`, 'GET')],
      ];
      // Before they are measured: what runs for the first time is compiled first.
      for (let n = 0; n < 300; n++) for (const server of servers) await works[n % 2]![1](server.url);
      for (const [name, work] of works) {
        const { perSecond, serverUs, databaseUs } = await measure(servers, pid, work);
        rows.push([String(count), name, ...[perSecond, serverUs, databaseUs].map((value) => value.toFixed(0))]);
      }
    } finally {
      await Promise.all(servers.map((server) => server.end('SIGTERM')));
    }
  }
} finally {
  agent.destroy();
  await postgres.close();
}
const head = ['servers', 'request', 'a second', 'µs of CPU, servers', 'µs of CPU, database'];
process.stdout.write(`${ruledColumns([head, ...rows], [0, 2, 3, 4])}\n`);
