/** A run, or the part of one that a job has: options -> implementation -> run. */
import { apiFor, type ChosenApi } from './choose-api.ts';
import type { Contract } from './engine/contract/load.ts';
import type { Credentials } from './engine/contract/operations.ts';
import { Client } from './engine/http/client.ts';
import { curlScript } from './engine/report/curl.ts';
import type { KnownFailure } from './engine/run/known-failures.ts';
import { isServed, offeredLevel } from './engine/run/probe.ts';
import type { Level, Report } from './engine/run/result.ts';
import { type Part, type Progress, run } from './engine/run/run.ts';
import type { Options } from './options.ts';
import { replayCommand } from './secrets.ts';

export interface Given {
  contract: Contract;
  suite: Report['suite'];
  signal: AbortSignal;
  startedAt?: number;
  knownFailures?: KnownFailure[];
  /** By default, what the user asks for or the service offers. */
  level?: Level | undefined;
  /** Once it is known by which level the service is checked. */
  about?(level: Level): void;
}

export interface Outcome {
  report: Report;
  /** Why it ended early. */
  halted: string | undefined;
}

export async function runPart(options: Options, given: Given, progress: Progress, part: Part): Promise<Outcome> {
  const { contract, about, knownFailures = [], suite, signal, startedAt } = given;
  const chosen = apiFor(contract, options);
  const clients = chosen.basesOf(options.url).map((base) => clientFor(options, chosen, base));
  try {
    const client = await reachable(contract, clients);
    const { origin, token, readOnlyToken } = options;
    const level = given.level ?? options.level ?? (await offeredLevel(contract, client));
    const implementation = chosen.createImplementation({ contract, client, level, origin, token, readOnlyToken });
    about?.(level);
    const again = { script: curlScript, replayCommand: (name: string) => replayCommand(options, name) };
    const own = { suite, signal, ...(startedAt === undefined ? {} : { startedAt }), part };
    const settings = { ...options, ...again, ...own, knownFailures, api: chosen.api };
    const report = await run(implementation, settings, progress);
    return { report, halted: implementation.halted };
  } finally {
    for (const client of clients) client.close();
  }
}

/** A mock server ignores the path of the contract's server: the next base is tried where nothing is found below one. */
async function reachable(contract: Contract, clients: Client[]): Promise<Client> {
  if (clients.length > 1) for (const client of clients) if (await isServed(contract, client)) return client;
  return clients[0]!;
}

function clientFor({ token, headers, timeoutMs, rate, concurrency }: Options, chosen: ChosenApi, base: string): Client {
  const sent = token === undefined ? { headers: {} } : carried(chosen.credentials, token);
  return new Client({
    base,
    ...sent,
    headers: { accept: chosen.accept, ...sent.headers, ...headers },
    timeoutMs,
    // A case may have several requests under way at once.
    connections: concurrency * 8,
    ...(rate === undefined ? {} : { rate }),
  });
}

/** The token in the place that the contract names. */
function carried({ in: place, name, scheme }: Credentials, token: string) {
  const encoded = scheme === 'Basic' ? Buffer.from(token).toString('base64') : token;
  const value = scheme === undefined ? encoded : `${scheme} ${encoded}`;
  if (place === 'query') return { headers: {}, query: { [name]: value } };
  return { headers: place === 'cookie' ? { cookie: `${name}=${value}` } : { [name]: value } };
}
