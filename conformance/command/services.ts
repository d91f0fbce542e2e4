/** Services to aim the command at: counted, faulty, or on other addresses than usual. */
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { createIndependentService, type IndependentServiceOptions } from '../self/independent/index.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../self/service.ts';

/** What the tests aim at: runs at the extended level take longer, and tell a test of the command nothing more. */
export function coreService(options: IndependentServiceOptions = {}): Service {
  return createIndependentService({ ...options, level: 'core' });
}

export interface Implementation {
  url: string;
  requests: ServiceRequest[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves `service` and keeps every request. */
export async function implementation(service: Service = coreService(), host = '127.0.0.1'): Promise<Implementation> {
  const requests: ServiceRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    void read(incoming)
      .then(async (request) => {
        requests.push(request);
        const { status, headers, body } = await service(request);
        outgoing.writeHead(status, headers).end(body);
      })
      .catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, requests, [Symbol.asyncDispose]: close };
}

async function read(incoming: IncomingMessage): Promise<ServiceRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  // Every field counts: the default of Node keeps the first of some.
  const headers = Object.fromEntries(
    Object.entries(incoming.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  );
  return { method: incoming.method ?? '', target: incoming.url ?? '', headers, body: Buffer.concat(chunks) };
}

/** A server that speaks whatever it likes. */
export async function rawTarget(
  talk: (socket: Socket) => void,
): Promise<{ url: string; connections: number[]; [Symbol.asyncDispose](): Promise<void> }> {
  const sockets = new Set<Socket>();
  const connections: number[] = [];
  const server = createTcpServer((socket) => {
    connections.push(sockets.size);
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { url: `http://127.0.0.1:${port}`, connections, [Symbol.asyncDispose]: close };
}

/** The independent service with one fault: `change` sees each request and its response. */
export function faulty(
  change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse,
  service: Service = coreService(),
): Service {
  return async (request) => change(await service(request), request);
}

/** The respond with another JSON body. */
export function withJson(response: ServiceResponse, change: (json: any) => unknown): ServiceResponse {
  return { ...response, body: JSON.stringify(change(JSON.parse(String(response.body)))) };
}

/** Reads an edge with a description of its own. */
export const wrongDescription: Service = faulty((response, { method, target: path }) =>
  method === 'GET' && response.status === 200 && path.startsWith('/edges/https/')
    ? withJson(response, (edge) => ({ ...edge, description: 'another' }))
    : response,
);
