/** An HTTP service of any API as a function: mutants can stand between it and the wire, where `serve` puts it. */
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
  /** Bytes that follow the headers where HTTP allows no body. */
  extra?: string | Buffer;
}

export type Service = (request: ServiceRequest) => Promise<ServiceResponse>;

/** JSON, as `application/json` where `headers` has no other type. */
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

/** An error of the service closes the connection. */
export function serve(service: Service) {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: target = '', headersDistinct } = request;
    // Every field counts: the default of Node keeps the first of some.
    const fields = Object.entries(headersDistinct).map(([name, values = []]) => [
      name,
      values.join(', '),
    ]);
    const headers = Object.fromEntries(fields) as Record<string, string>;
    const result = await service({ method, target, headers, body: await buffer(request) });
    response.writeHead(result.status, result.headers);
    if (result.extra !== undefined) {
      response.flushHeaders();
      response.socket?.write(result.extra);
    }
    response.end(result.body);
  };
  return listening(
    createServer(
      (request, response) => void handle(request, response).catch(() => response.destroy()),
    ),
  );
}

/** On a free port of 127.0.0.1; `url` has no slash at its end. */
export async function listening(server: Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

/** The token of services in tests of the suite. Letters of both cases, since mutants change the case. */
export const TOKEN = 'conformance-Self-Test-7fA3';

export const READ_ONLY_TOKEN = 'conformance-Self-Look-2cB9';

/** The tokens that a service asks for, and the suite is given. */
export interface Tokens {
  token: string | undefined;
  readOnlyToken: string | undefined;
}

export const GUARDED: Tokens = { token: TOKEN, readOnlyToken: READ_ONLY_TOKEN };
export const OPEN: Tokens = { token: undefined, readOnlyToken: undefined };
