/** An HTTP service of any API as a function, so that mutants can stand between it and the wire. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ServiceRequest {
  method: string;
  /** Path and query as sent, undecoded. */
  target: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface ServiceResponse {
  status: number;
  headers: Record<string, string>;
  /** Written as it is. */
  body: string | Buffer;
  /** Bytes that follow the headers, also if HTTP allows no body. */
  extra?: string | Buffer;
  /** Sent without `Date`. */
  hasNoDate?: true;
}

export type Service = (request: ServiceRequest) => Promise<ServiceResponse>;

/** JSON, as `application/json` unless `headers` has another type. */
export function respond(
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): ServiceResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  };
}

/** A service that listens. */
export interface Listening {
  /** Without a slash at its end. */
  url: string;
  close(): Promise<void>;
}

/** Serves on a free port of 127.0.0.1. If the service throws, the connection is closed. */
export function serve(service: Service): Promise<Listening> {
  const server = createServer((request, response) => {
    handle(service, request, response).catch(() => response.destroy());
  });
  return listening(server);
}

async function handle(
  service: Service,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url: target = '' } = request;
  const headers = headersOf(request);
  const result = await service({ method, target, headers, body: await buffer(request) });
  response.sendDate = result.hasNoDate !== true;
  response.writeHead(result.status, result.headers);
  if (result.extra !== undefined) {
    response.flushHeaders();
    response.socket?.write(result.extra);
  }
  response.end(result.body);
}

/** All fields, also repeated ones, of which Node drops some by default. */
function headersOf({ headersDistinct }: IncomingMessage): Record<string, string> {
  const fields = Object.entries(headersDistinct);
  return Object.fromEntries(fields.map(([name, values = []]) => [name, values.join(', ')]));
}

/** Starts the server on a free port of 127.0.0.1. */
export async function listening(server: Server): Promise<Listening> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * The token of services in tests of the suite. It has letters of both cases, since mutants change
 * the case.
 */
export const TOKEN = 'conformance-Self-Test-7fA3';

export const READ_ONLY_TOKEN = 'conformance-Self-Look-2cB9';

/** The tokens that a service requires, and that the suite is given. */
export interface Tokens {
  token: string | undefined;
  readOnlyToken: string | undefined;
}

export const GUARDED: Tokens = { token: TOKEN, readOnlyToken: READ_ONLY_TOKEN };
export const OPEN: Tokens = { token: undefined, readOnlyToken: undefined };
