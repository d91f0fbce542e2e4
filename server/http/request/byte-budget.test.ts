import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveApp } from '../../testing/serve.ts';

const BODY = `{"metadata":"${'a'.repeat(4000)}"}`.padEnd(400_000);

/** Sends a part of a body and leaves it at that. */
function begin(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  const head = `POST /edges/https HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`;
  return new Promise((resolve) => socket.write(head + BODY.slice(0, -1), () => resolve(socket)));
}

test('bodies that are held at once are bounded in all, and the room is free again afterwards', async () => {
  const { send, url } = await serveApp({ mostBodyBytesHeld: 1_000_000, validateResponses: false });
  const post = () =>
    send({ method: 'POST', path: '/edges/https', headers: { 'content-type': 'application/json' }, body: BODY });
  expect((await post()).status).toBe(201);

  const sockets = [await begin(url), await begin(url), await begin(url)];
  await vi.waitFor(async () => {
    const { status, json, headers } = await post();
    expect([status, json.code, headers['retry-after']]).toEqual([503, 'service_unavailable', '1']);
  });
  // What comes in one chunk is not held.
  expect((await send({ method: 'POST', path: '/edges/https', body: {} })).status).toBe(201);

  for (const socket of sockets) socket.destroy();
  await vi.waitFor(async () => expect((await post()).status).toBe(201));
});
