/**
 * The clients of a run: how they connect, what they send with every request, and which base URL
 * they use.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { Contract } from '../engine/contract/load.ts';
import { fieldsFor } from '../engine/contract/credentials.ts';
import { Client, type ClientOptions } from '../engine/http/client.ts';
import type { Network } from '../engine/http/network.ts';
import { usable } from '../engine/run/known-failures.ts';
import { isServed } from '../engine/run/reach.ts';
import type { ChosenApi } from './chosen-api.ts';
import type { Options } from './options.ts';
import { shownProxy } from './secrets.ts';

/** The credentials that go out with every request, also those that were fetched. */
export type Sent = Pick<ClientOptions, 'headers' | 'query' | 'given' | 'tokens'>;

/** @param onToken gets each token that is fetched again */
type MakeClient = (base: string, sent: Sent, onToken?: ClientOptions['onToken']) => Client;

/** A case may have several requests under way at once. */
const CONNECTIONS_PER_REQUIREMENT = 8;

/** Files are read before anything is sent. @throws OptionError */
export function clientsFor(
  options: Options,
  contract: Contract,
  { accept, sign }: ChosenApi,
  cwd: string,
): MakeClient {
  const { headers, timeoutMs, rate = Infinity, concurrency, jobs } = options;
  const network = networkOf(options, cwd);
  return (base, sent, onToken) => {
    const clientOptions: ClientOptions = {
      base,
      ...sent,
      onToken,
      headers: { accept, ...sent.headers, ...headers },
      timeoutMs,
      sign,
      network,
      rate: rate / jobs,
      connections: concurrency * CONNECTIONS_PER_REQUIREMENT,
    };
    if (sent.given !== undefined) {
      clientOptions.fieldsFor = fieldsFor(contract, sent.given);
    }
    return new Client(clientOptions);
  };
}

function networkOf({ tls, proxy }: Options, cwd: string): Network {
  const texts: NonNullable<Network['tls']> = {};
  const curl: string[] = [];
  for (const name of ['cert', 'key', 'ca'] as const) {
    const file = tls[name];
    if (file !== undefined) {
      texts[name] = usable(`--${name} ${file} cannot be read`, () => {
        return readFileSync(resolve(cwd, file), 'utf8');
      });
      curl.push(name === 'ca' ? '--cacert' : `--${name}`, file);
    }
  }
  usable('--cert, --key or --ca cannot be used', () => createSecureContext(texts));
  if (proxy === undefined) {
    return { tls: texts, curl };
  }
  return { tls: texts, curl: [...curl, '--proxy', shownProxy(proxy)], proxy };
}

const PAUSE_MS = 200;

/**
 * Waits until there is a response that is not one of a gateway in place of the service. The time
 * ends with `waitSeconds` or the signal; then the run finds out by itself what is wrong.
 */
export async function waitForService(
  client: Client,
  { waitSeconds }: Pick<Options, 'waitSeconds'>,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + waitSeconds * 1000;
  while (performance.now() < end && !signal.aborted) {
    const response = await client.send({ method: 'GET', target: '/' }).catch(() => undefined);
    if (response !== undefined && !isOfGateway(response.status)) {
      break;
    }
    await setTimeout(PAUSE_MS);
  }
  client.close();
}

/** 502 Bad Gateway, 503 Service Unavailable, 504 Gateway Timeout. */
function isOfGateway(status: number): boolean {
  return status >= 502 && status <= 504;
}

/**
 * The client whose base URL has the operations of the contract: a mock server ignores the path of
 * the contract's server, so the next one is tried if nothing is found below the first. By default
 * the first client.
 */
export async function reachable(contract: Contract, clients: readonly Client[]): Promise<Client> {
  const [first, ...others] = clients;
  if (first === undefined) {
    throw new Error('there is no base URL to try');
  }
  if (others.length > 0) {
    for (const client of clients) {
      if (await isServed(contract, client)) {
        return client;
      }
    }
  }
  return first;
}
