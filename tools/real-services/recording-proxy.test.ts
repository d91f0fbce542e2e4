import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { startRecordingProxy } from './recording-proxy.ts';

/** A service behind a proxy, and what the proxy has counted. */
async function started(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const counted: string[] = [];
  const proxy = await startRecordingProxy(`http://127.0.0.1:${port}`, (method, path, status) => {
    counted.push(`${method} ${path} ${status}`);
  });
  onTestFinished(async () => {
    await proxy.close();
    server.close();
  });
  return { url: proxy.url, counted, server };
}

/** Responds with what it got. */
const echo: RequestListener = async (incoming, outgoing) => {
  const body = await text(incoming);
  outgoing.writeHead(201, 'Made', { 'X-Twice': ['a', 'b'], Location: '/made' });
  const { url, headers } = incoming;
  outgoing.end(JSON.stringify({ url, headers, body }));
};

it('passes requests and responses on as they are, and counts them', async () => {
  const { url, counted } = await started(echo);
  const init = { method: 'DELETE', body: 'ä', headers: { 'X-Key': 'k' } };
  const response = await fetch(`${url}/a%2Fb?c=d`, init);
  expect(response.status).toBe(201);
  expect(response.statusText).toBe('Made');
  expect(response.headers.get('x-twice')).toBe('a, b');
  expect(await response.json()).toMatchObject({
    url: '/a%2Fb?c=d',
    headers: { 'x-key': 'k', 'content-length': '2', host: new URL(url).host },
    body: 'ä',
  });
  expect(counted).toEqual(['DELETE /a%2Fb 201']);
});

it('closes the connection after a response if the tool asks for that', async () => {
  const { url } = await started(echo);
  const outgoing = request(url, { headers: { connection: 'close' } }).end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  expect(response.headers.connection).toBe('close');
  await text(response);
});

it('responds to HEAD without a body', async () => {
  const { url, counted } = await started(echo);
  const response = await fetch(url, { method: 'HEAD' });
  expect(await response.text()).toBe('');
  expect(counted).toEqual(['HEAD / 201']);
});

it('sends a request again if the service has closed an idle connection', async () => {
  const { url, counted, server } = await started(echo);
  for (let round = 1; round <= 3; round++) {
    const response = await fetch(url);
    expect(response.status).toBe(201);
    await response.text();
    server.closeAllConnections();
  }
  expect(counted).toHaveLength(3);
});

it('closes the connection, and counts it, if the service does not respond', async () => {
  const { url, counted } = await started(({ socket }) => socket.destroy());
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(counted).toEqual(['GET / 0']);
});

it('passes the response to HEAD on if the service sends content behind it', async () => {
  const head = ['HTTP/1.1 405 No', 'Connection: close', 'Transfer-Encoding: chunked'];
  const bytes = `${head.join('\r\n')}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
  const { url, counted } = await started((_, { socket }) => {
    socket?.end(bytes);
  });
  const response = await fetch(url, { method: 'HEAD' });
  expect(response.status).toBe(405);
  expect(counted).toEqual(['HEAD / 405']);
});
