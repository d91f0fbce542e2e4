/** Services to aim the command at: recorded, with an error, or not even HTTP. */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import {
  createIndependentService,
  type IndependentServiceOptions,
} from '../self-test/independent/index.ts';
import {
  respond,
  serve,
  type Service,
  type ServiceRequest,
  type ServiceResponse,
} from '../self-test/service.ts';
import { folderWith, reportOf } from './suite.ts';

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

/** A contract of `contracts/`. */
export const contractText = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'contracts', `${name}.yaml`), 'utf8');

/** One run against the service by this contract; `broken` has the ids of what failed or could not be tried. */
export async function resultsBy(
  service: Service,
  contract: string,
  line = '',
  env: Record<string, string> = {},
) {
  using folder = folderWith({ 'contract.yaml': contract });
  await using served = await implementation(service);
  const finished = await reportOf(
    `${served.url} --contract ${folder.file('contract.yaml')} --seed 1 ${line}`,
    { env },
  );
  const { requirements } = finished.report;
  const broken = requirements
    .filter(({ status }) => /fail|flaky|error/.test(status))
    .map(({ id }) => id);
  return { ...finished, requirements, broken };
}

export function answer(status: number, value?: unknown): ServiceResponse {
  if (value === undefined) {
    return { status, headers: {}, body: '' };
  }
  return respond(status, value);
}

/** A server that sends what it likes. `connections` has an item for each connection. */
export async function rawTarget(talk: (socket: Socket) => void, host = '127.0.0.1') {
  const connections: Socket[] = [];
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on('error', () => socket.destroy());
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of connections) {
        socket.destroy();
      }
    });
  return {
    url: `http://${host === '::1' ? '[::1]' : host}:${port}`,
    connections,
    [Symbol.asyncDispose]: close,
  };
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

/** Changes what the first reads of an edge show, so many times. */
export function wrongReads(change: (edge: any) => unknown, times = Infinity): Service {
  let left = times;
  return faulty((response, { method, target }) => {
    if (
      method === 'GET' &&
      response.status === 200 &&
      target.startsWith('/edges/https/') &&
      left-- > 0
    ) {
      return withJson(response, change);
    }
    return response;
  });
}

export const wrongDescription: Service = wrongReads((edge) => ({
  ...edge,
  description: 'another',
}));
