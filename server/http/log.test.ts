/** Each request has one id, and one line in the log that says who sent it. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { send as sendTo } from '../testing/send.ts';
import { serveApp } from '../testing/serve.ts';
import { createMemoryStore } from '../store/memory.ts';
import { StoreUnavailable } from '../store/store.ts';

const EDGES = '/edges/https';
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const INFO = 30;
const DEBUG = 20;

const fingerprint = (token: string): string =>
  createHash('sha256').update(token).digest('hex').slice(0, 8);

test('a response has the id of its problem and of its line in the log', async () => {
  const { send, logged } = await serveApp();
  const { headers, json } = await send({ path: '/nowhere' });
  expect(json.request_id).toMatch(/^req_/);
  expect(headers['x-request-id']).toBe(json.request_id);
  expect(logged).toMatchObject([{ request_id: json.request_id, status: 404 }]);
});

test('the id of the sender counts only behind a proxy, and only if it is valid', async () => {
  const idOf = async (trustProxy: number, sent: string): Promise<unknown> => {
    const { send } = await serveApp({ trustProxy });
    const { headers } = await send({ path: EDGES, headers: { 'x-request-id': sent } });
    return headers['x-request-id'];
  };
  const own = /^req_/;
  expect(await idOf(0, 'abc-1')).toMatch(own);
  expect(await idOf(1, 'abc-1')).toBe('abc-1');
  for (const invalid of ['', 'two words', 'a,b', '"x"', 'é', 'a'.repeat(129)]) {
    expect(await idOf(1, invalid)).toMatch(own);
  }
});

test('a line has the address, the user agent, the token and the trace', async () => {
  const { send, logged } = await serveApp({ token: 'sesame-of-some-length' });
  const headers = {
    authorization: 'Bearer sesame-of-some-length',
    'user-agent': `client/1.0 ${'x'.repeat(300)}`,
    traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-01`,
  };
  await send({ path: EDGES, headers });
  expect(logged).toMatchObject([
    {
      level: INFO,
      client: '127.0.0.1',
      user_agent: headers['user-agent'].slice(0, 256),
      token: fingerprint('sesame-of-some-length'),
      trace_id: TRACE_ID,
    },
  ]);
});

test('the line of a refused token has its fingerprint', async () => {
  const { send, logged } = await serveApp({ token: 'sesame' });
  await send({ path: EDGES, headers: { authorization: 'Bearer replaced' } });
  await send({ path: EDGES });
  expect(logged.map(({ status, token }) => [status, token])).toEqual([
    [401, fingerprint('replaced')],
    [401, undefined],
  ]);
});

test('a trace that is invalid is left out', async () => {
  const { send, logged } = await serveApp();
  const invalid = [
    `ff-${TRACE_ID}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE_ID}-${'0'.repeat(16)}-01`,
    `00-${TRACE_ID.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${TRACE_ID}-00f067aa0ba902b7`,
    'x',
  ];
  for (const traceparent of invalid) {
    await send({ path: EDGES, headers: { traceparent } });
  }
  expect(logged).toHaveLength(invalid.length);
  expect(logged.filter((line) => 'trace_id' in line)).toEqual([]);
});

test('behind a proxy, the address is the one that the proxy names', async () => {
  const { send, logged } = await serveApp({ trustProxy: 1 });
  await send({ path: EDGES, headers: { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' } });
  expect(logged).toMatchObject([{ client: '203.0.113.7' }]);
});

test('probes that succeed are logged at debug, and those that fail at info', async () => {
  const store = createMemoryStore();
  let isAway = false;
  const check = async (): Promise<void> => {
    if (isAway) {
      throw new StoreUnavailable('gone');
    }
  };
  const { url, logged } = await serveApp({ store: { ...store, check } });
  await sendTo(url, { path: '/livez' });
  await sendTo(url, { path: '/readyz' });
  isAway = true;
  await sendTo(url, { path: '/readyz' });
  const lines = logged.filter(({ msg }) => msg === 'request');
  expect(lines.map(({ path, level }) => [path, level])).toEqual([
    ['/livez', DEBUG],
    ['/readyz', DEBUG],
    ['/readyz', INFO],
  ]);
});
