/** Who is let in, and that nothing of a request is looked at before that. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMemoryStore } from '../../store/memory.ts';
import { contract, serveApp } from '../../testing/serve.ts';
import { createTokens } from './tokens.ts';

const EDGES = '/edges/https';
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

function twoTokens() {
  return createTokens([
    { text: 'writer', readOnly: false },
    { text: 'reader', readOnly: true },
  ]);
}

describe('several tokens', () => {
  test('each let in', async () => {
    const { send } = await serveApp({ tokens: twoTokens() });
    for (const token of ['writer', 'reader'])
      expect((await send({ path: EDGES, headers: bearer(token) })).status).toBe(200);
    for (const token of ['write', 'readers', 'writerreader'])
      expect((await send({ path: EDGES, headers: bearer(token) })).status).toBe(401);
  });

  test('are replaced at once', async () => {
    const tokens = twoTokens();
    const { send } = await serveApp({ tokens });
    tokens.replace([{ text: 'next', readOnly: false }]);
    expect((await send({ path: EDGES, headers: bearer('next') })).status).toBe(200);
    expect((await send({ path: EDGES, headers: bearer('writer') })).status).toBe(401);
  });

  test('keep their texts and their digests to themselves', () => {
    const tokens = twoTokens();
    expect(JSON.stringify(tokens.principalOf('reader'))).not.toContain('reader');
    // Keyed anew for each process: a name that gets out cannot be tried against guesses.
    expect(twoTokens().principalOf('reader')!.name).not.toBe(tokens.principalOf('reader')!.name);
  });
});

describe('a token that may only read', () => {
  test('cannot write, and its body is not read', async () => {
    const store = createMemoryStore();
    await store.edges.update('e', () => ({ id: 'e' }) as never);
    await store.subscriptions.update('s', () => ({ id: 's', types: ['a.v0'] }));
    const { send } = await serveApp({ tokens: twoTokens(), store });
    const writing = contract.operations.filter(({ method }) => method !== 'get');
    expect(writing).toHaveLength(9);
    for (const { method, path, id } of writing) {
      const target = path
        .replace('{subscription_id}', 's')
        .replace('{type}', 'a.v0')
        .replace(/\{\w+\}/g, 'e');
      // Not even JSON.
      const headers = { ...bearer('reader'), 'content-type': 'application/json', 'content-length': '1' };
      const answer = await send({ method: method.toUpperCase(), path: target, headers, body: '{' });
      expect([id, answer.status, answer.json.code]).toEqual([id, 403, 'forbidden']);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="edge-api", error="insufficient_scope"');
    }
    expect([await store.edges.count(), (await store.subscriptions.get('s'))!.types]).toEqual([1, ['a.v0']]);
  });

  test('can GET, HEAD and ask what there is', async () => {
    const { send } = await serveApp({ tokens: twoTokens() });
    for (const [method, status] of [
      ['GET', 200],
      ['HEAD', 200],
      ['OPTIONS', 204],
    ] as const) {
      expect((await send({ method, path: EDGES, headers: bearer('reader') })).status).toBe(status);
    }
  });
});

describe('a body behind a wrong token', () => {
  const head = (length: string) =>
    `POST ${EDGES} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer guess\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;

  /** The status line that comes back while the body is still being sent. */
  async function answerTo(url: string, start: string): Promise<string> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(start);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString().split('\r\n', 1)[0]!;
  }

  test('that never ends is not waited for', async () => {
    const { url } = await serveApp({ token: 'sesame' });
    expect(await answerTo(url, `${head('Transfer-Encoding: chunked')}5\r\n{"a":\r\n`)).toBe(
      'HTTP/1.1 401 Unauthorized',
    );
  });

  test('that is announced to be huge is not looked at', async () => {
    const { url } = await serveApp({ token: 'sesame' });
    expect(await answerTo(url, `${head('Content-Length: 99999999999')}{`)).toBe('HTTP/1.1 401 Unauthorized');
  });

  test('of a snapshot is not read, either', async () => {
    const { url } = await serveApp({ testToken: 'for-tests' });
    const start = head('Transfer-Encoding: chunked').replace(`POST ${EDGES}`, 'PUT /testing/snapshot');
    expect(await answerTo(url, `${start}1\r\n{\r\n`)).toBe('HTTP/1.1 401 Unauthorized');
  });
});
