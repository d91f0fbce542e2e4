/** Services that the command is run against: recorded, with an error, or not even HTTP. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  createIndependentService,
  type IndependentServiceOptions,
} from '../../self-test/independent/index.ts';
import {
  respond,
  serve,
  type Service,
  type ServiceRequest,
  type ServiceResponse,
} from '../../self-test/service.ts';
import type { Document } from './contracts.ts';
import type { Status } from '../../engine/run/result.ts';
import { folderWith } from './folder.ts';
import { reportOf } from './suite.ts';

/** Runs at the extended level take longer, and tell a test of the command nothing more. */
export function coreService(options: IndependentServiceOptions = {}): Service {
  return createIndependentService({ ...options, level: 'core' });
}

/** Serves `service` and keeps every request. */
export async function implementation(service: Service = coreService()) {
  const requests: ServiceRequest[] = [];
  const { url, close } = await serve((request) => {
    requests.push(request);
    return service(request);
  });
  return { url, requests, [Symbol.asyncDispose]: close };
}

/**
 * One run against the service by this contract; `broken` has the ids of what failed or was in
 * error.
 */
export async function resultsBy(
  service: Service,
  contract: Document,
  line = '',
  env: Record<string, string> = {},
) {
  using folder = folderWith({ 'contract.json': JSON.stringify(contract) });
  await using served = await implementation(service);
  const options = `--contract ${folder.file('contract.json')} --seed 1 ${line}`;
  const finished = await reportOf(`${served.url} ${options}`, { env });
  const { requirements } = finished.report;
  const broken = requirements.filter(({ status }) => BROKEN.has(status)).map(({ id }) => id);
  return { ...finished, requirements, broken };
}

const BROKEN: ReadonlySet<Status> = new Set(['fail', 'flaky', 'error']);

/** @param value in JSON; by default the response has no body */
export function respondWith(status: number, value?: unknown): ServiceResponse {
  if (value === undefined) {
    return { status, headers: {}, body: '' };
  }
  return respond(status, value);
}

/** A server that sends what it likes. `connections` has an item for each connection. */
export async function rawServer(talk: (socket: Socket) => void, host = '127.0.0.1') {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on('error', () => socket.destroy());
    talk(socket);
  });
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    const closed = once(server.close(), 'close');
    for (const socket of connections) {
      socket.destroy();
    }
    await closed;
  };
  const authority = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${authority}:${port}`, connections, [Symbol.asyncDispose]: close };
}

/** The independent service with one error: `change` sees each request and its response. */
export function faulty(
  change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse,
  service: Service = coreService(),
): Service {
  return async (request) => change(await service(request), request);
}

export function withJson(
  response: ServiceResponse,
  change: (json: any) => unknown,
): ServiceResponse {
  return { ...response, body: JSON.stringify(change(JSON.parse(String(response.body)))) };
}

/**
 * Changes the responses to reads of an edge.
 * @param only the number of the read that is changed, from 0; default: all are
 */
export function wrongReads(change: (edge: any) => unknown, only?: number): Service {
  let reads = 0;
  return faulty((response, { method, target }) => {
    const isRead = method === 'GET' && target.startsWith('/edges/https/');
    if (!isRead || response.status !== 200) {
      return response;
    }
    const isWrong = only === undefined || only === reads;
    reads++;
    return isWrong ? withJson(response, change) : response;
  });
}

export const wrongDescription: Service = wrongReads((edge) => ({
  ...edge,
  description: 'another',
}));
