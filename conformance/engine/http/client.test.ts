import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Client } from './client.ts';

/** The client of a service that responds as `respond` says, and the connections to it. */
async function serving(respond: (request: IncomingMessage, response: ServerResponse) => void, connections: number) {
  const opened = new Set<number>();
  const server = createServer((request, response) => {
    opened.add(request.socket.remotePort!);
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new Client({ base, headers: { accept: 'x/y' }, timeoutMs: 10_000, connections });
  return {
    client,
    opened,
    async [Symbol.asyncDispose]() {
      client.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const echo = (request: IncomingMessage, response: ServerResponse): void => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () =>
    response.end(JSON.stringify({ headers: request.headers, body: Buffer.concat(chunks).toString() })),
  );
};

describe('a client', () => {
  it('has so many connections at most, and uses them again', async () => {
    await using service = await serving((_, response) => void setImmediate(() => response.end()), 3);
    const get = () => service.client.send({ method: 'GET', target: '/' });
    await Promise.all(Array.from({ length: 20 }, get));
    await get();
    expect(service.opened.size).toBe(3);
  });

  it('takes another connection where the service closes one', async () => {
    await using service = await serving(
      (_, response) => void response.writeHead(200, { connection: 'close' }).end(),
      1,
    );
    for (let sent = 0; sent < 3; sent++)
      expect(await service.client.send({ method: 'POST', target: '/' })).not.toHaveProperty('resent');
    expect(service.opened.size).toBe(3);
  });

  it('says how long a body is, or sends it in a chunk', async () => {
    await using service = await serving(echo, 1);
    const sent = async (method: string, headers: Record<string, string>, body?: string) =>
      JSON.parse(
        (
          await service.client.send({ method, target: '/', headers, ...(body === undefined ? {} : { body }) })
        ).body.toString(),
      ) as unknown;
    expect(await sent('POST', {}, 'é')).toMatchObject({ body: 'é', headers: { 'content-length': '2', accept: 'x/y' } });
    expect(await sent('POST', {})).toMatchObject({ body: '', headers: { 'content-length': '0' } });
    expect(await sent('GET', { accept: '' })).toEqual({ body: '', headers: { host: service.client.base.host } });
    const chunked = { 'transfer-encoding': 'chunked' };
    expect(await sent('POST', chunked, 'é')).toMatchObject({ body: 'é', headers: chunked });
    expect(await sent('POST', chunked, '')).toMatchObject({ body: '', headers: chunked });
  });

  it('sends nothing that would end a line', async () => {
    await using service = await serving(echo, 1);
    const send = (target: string, headers = {}) => service.client.send({ method: 'GET', target, headers });
    await expect(send('/a\r\nb: c')).rejects.toThrow(TypeError);
    await expect(send('/', { a: '1\r\nb: 2' })).rejects.toThrow(TypeError);
    await expect(send('/', { 'a: 1\r\nb': '2' })).rejects.toThrow(TypeError);
  });
});
