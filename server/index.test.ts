/** The application as others import it: mounted, extended, and twice in one process. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Express, type RequestHandler } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { type AppOptions, createApp } from './index.ts';
import { temporaryFolder } from '../tools/temporary-folder.ts';

/** The port of an application that listens until the test ends. */
async function listening(app: Express): Promise<number> {
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const body = JSON.stringify({ hostports: ['shop.example.com:443'] });
const NEW_EDGE = { method: 'POST', headers: { 'content-type': 'application/json' }, body };

test('two of them below paths of one application: own URIs, routes, tokens and data', async () => {
  const extend = (app: Express) => void app.get('/mine', (_req, res) => void res.send('mine'));
  const open = await createApp({
    extend,
    validateResponses: true,
    corsOrigins: ['https://app.example.com'],
  });
  const closed = await createApp({
    dataDir: await temporaryFolder(),
    extend,
    tokens: [{ text: 'key' }],
    rateLimit: 3,
  });
  const outer = express().use((_req, res, next) => {
    res.locals['kept'] = 'kept';
    next();
  });
  outer.use('/api/v0', open).use('/closed', closed);
  const port = await listening(
    outer.use((_req, res) => void res.status(404).send(`outer ${res.locals['kept']}`)),
  );
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, init);

  const created = await call('/api/v0/edges/https', NEW_EDGE);
  const { uri } = (await created.json()) as { uri: string };
  expect(uri).toMatch(`http://127.0.0.1:${port}/api/v0/edges/https/edghts_`);
  expect(created.headers.get('location')).toBe(uri);
  expect((await fetch(uri)).status).toBe(200);
  expect(await (await call('/api/v0/edges/https?limit=1')).json()).toMatchObject({
    https_edges: [{ uri }],
    uri: `http://127.0.0.1:${port}/api/v0/edges/https?limit=1`,
  });
  expect(await (await call('/api/v0/mine')).text()).toBe('mine');
  const origin = { headers: { origin: 'https://app.example.com' } };
  expect((await call('/api/v0/livez', origin)).headers.get('access-control-allow-origin')).toBe(
    origin.headers.origin,
  );

  expect((await call('/closed/edges/https')).status).toBe(401);
  const refused = await call('/closed/mine');
  expect([refused.status, await refused.json()]).toEqual([
    401,
    expect.objectContaining({ instance: '/closed/mine' }),
  ]);
  expect((await call('/api/v0/nowhere')).headers.get('content-type')).toMatch(/problem\+json/);
  expect(await (await call('/edges/https')).text()).toBe('outer kept');
  const token = { headers: { authorization: 'Bearer key' } };
  expect(await (await call('/closed/edges/https', token)).json()).toMatchObject({
    https_edges: [],
  });
  const statuses = [];
  for (let count = 0; count < 4; count++) {
    statuses.push((await call('/closed/edges/https', token)).status);
  }
  expect(statuses).toEqual([200, 200, 429, 429]);
  await using _ = open;
  await closed.close();
});

test.for<[string, RequestHandler, string]>([
  ['has read', express.json(), 'before its parsers of bodies'],
  [
    'reads as text',
    (req, _res, next) => {
      req.setEncoding('utf8');
      next();
    },
    'before setEncoding is called',
  ],
])(
  'a body that the application in front %s is an error that says so',
  async ([, before, reason]) => {
    const lines: string[] = [];
    const { pino } = await import('pino');
    const edges = await createApp({
      log: pino({}, { write: (line: string) => void lines.push(line) }),
    });
    const port = await listening(express().use(before).use(edges));
    expect((await fetch(`http://127.0.0.1:${port}/edges/https`, NEW_EDGE)).status).toBe(500);
    expect(lines.join('')).toContain(reason);
  },
);

test.for<[string, AppOptions]>([
  [
    'extend throws',
    {
      extend: () => {
        throw new Error('refused');
      },
    },
  ],
  ['extend rejects', { extend: () => Promise.reject(new Error('refused')) }],
  ['publicUrl is invalid', { publicUrl: 'refused' }],
  ['rateLimit is invalid', { rateLimit: 0 }],
  ['corsOrigins is invalid', { corsOrigins: ['refused'] }],
  ['trustProxy is invalid', { trustProxy: -1 }],
])('if %s, nothing holds the folder afterwards', async ([, options]) => {
  const dataDir = await temporaryFolder();
  await expect(createApp({ dataDir, ...options })).rejects.toThrow(/refused|must be/);
  await using _ = await createApp({ dataDir });
});

test('extend may be asynchronous: what it adds later is served, too', async () => {
  const extend = async (app: Express) => {
    await new Promise(setImmediate);
    app.get('/mine', (_req, res) => void res.send('mine'));
  };
  const port = await listening(await createApp({ extend }));
  expect(await (await fetch(`http://127.0.0.1:${port}/mine`)).text()).toBe('mine');
});

test.for<[AppOptions, string]>([
  [{ dataDir: '' }, 'dataDir is empty'],
  [
    { dataDir: 'x', databaseUrl: 'postgres://localhost/x' },
    'dataDir and databaseUrl cannot be set together',
  ],
  [{ databaseUrl: 'mysql://localhost/x' }, 'databaseUrl must be a URL'],
  [{ tokens: [{ text: 'a b' }] }, 'tokens must have only the characters'],
  [{ publicUrl: 'example.com' }, 'publicUrl must be an http or https URL'],
  [{ corsOrigins: ['https://a.example/'] }, 'corsOrigins must be origins'],
  [{ rateLimit: 0 }, 'rateLimit must be a number from 1'],
  [{ trustProxy: 1.5 }, 'trustProxy must be a number from 0 to 10'],
])('%j is refused', async ([options, message]) => {
  await expect(createApp(options)).rejects.toThrow(message);
});
