/** Measures servers side by side: they are asked in turn, so that whatever else the machine does hits all alike. */
import { type Amount, measure, type Sample } from './load.ts';
import { requestOf, SCENARIOS, type Scenario } from './scenarios.ts';
import { type Candidate, type Server, startServer } from './server.ts';

export interface Options {
  candidates: readonly Candidate[];
  connections: readonly number[];
  rounds: number;
  /** Of one measurement. */
  seconds: number;
  /** On the disk that is to be measured. */
  folder: string;
  scenarios?: readonly Scenario[];
}

/** What was measured of one server, by round. */
export interface Row {
  scenario: Scenario;
  connections: number;
  server: string;
  samples: Sample[];
}

export interface Start {
  server: string;
  readyMs: number[];
  readyCpuMicros: number[];
  /** The most memory that was resident at once, after all requests. */
  peakMegabytes: number;
}

export interface Result {
  rows: Row[];
  starts: Start[];
}

export async function compare(options: Options): Promise<Result> {
  const { candidates, rounds, folder } = options;
  const starts: Start[] = candidates.map(({ name }) => ({
    server: name,
    readyMs: [],
    readyCpuMicros: [],
    peakMegabytes: 0,
  }));
  const start = async (index: number): Promise<Server> => {
    const server = await startServer(candidates[index]!, folder);
    starts[index]!.readyMs.push(server.readyMs);
    starts[index]!.readyCpuMicros.push(server.readyCpuMicros);
    return server;
  };
  for (let round = 1; round < rounds; round++) {
    for (const index of order(candidates.length, round)) await (await start(index)).end();
  }
  const servers: Server[] = [];
  try {
    for (const index of candidates.keys()) servers.push(await start(index));
    const rows = await measureAll(servers, options);
    for (const [index, server] of servers.entries()) {
      starts[index]!.peakMegabytes = (await server.usage()).peakBytes / 1e6;
    }
    return { rows, starts };
  } finally {
    for (const server of servers) await server.end();
  }
}

async function measureAll(servers: readonly Server[], options: Options): Promise<Row[]> {
  const { rounds, seconds, connections: counts, scenarios = SCENARIOS } = options;
  const rows: Row[] = [];
  for (const scenario of scenarios) {
    const requests = await Promise.all(servers.map(({ url }) => requestOf(scenario, url)));
    const ask = (index: number, amount: Amount) => measure(servers[index]!, requests[index]!, amount);
    // Before anything is counted, so that every server runs compiled code.
    for (const index of servers.keys()) await ask(index, { connections: 8, requests: 3000 });
    for (const connections of counts) {
      const group = servers.map(({ name }): Row => ({ scenario, connections, server: name, samples: [] }));
      for (let round = 0; round < rounds; round++) {
        for (const index of order(servers.length, round))
          group[index]!.samples.push(await ask(index, { connections, seconds }));
      }
      rows.push(...group);
    }
  }
  return rows;
}

/** Another one begins each round, so that nobody always runs in the wake of the same one. */
function order(length: number, round: number): number[] {
  return Array.from({ length }, (_, index) => (index + round) % length);
}
