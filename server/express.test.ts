/** `createApp` gives an ordinary Express application: whatever is done with others can be done with it. */
import express, { type ErrorRequestHandler } from 'express';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import request from 'supertest';
import { beforeEach, expect, test } from 'vitest';
import { type AppOptions, createApp } from './app.ts';
import { createTokens } from './http/security/tokens.ts';
import { createIds } from './ids.ts';
import { createMemoryStore } from './store/memory.ts';
import { send } from './testing/send.ts';
import { contract } from './testing/serve.ts';

const create = (options: Partial<AppOptions> = {}) =>
  createApp({
    contract,
    store: createMemoryStore(),
    log: pino({ level: 'silent' }),
    clock: () => new Date(),
    newId: createIds(),
    createSigningKey: () => Promise.reject(new Error('no route has SAML here')),
    tokens: undefined,
    publicUrl: 'https://edge.example.com',
    docsFile: '/nowhere',
    validateResponses: false,
    ...options,
  });

let app: Awaited<ReturnType<typeof createApp>>;
beforeEach(async () => {
  app = await create();
});

test('supertest', async () => {
  const { body } = await request(app).post('/edges/https').send({ description: 'Shop' }).expect(201);
  await request(app).get(`/edges/https/${body.id}`).expect(200, body);
  await request(app)
    .get('/nowhere')
    .expect(404)
    .expect('content-type', /problem\+json/);
});

test('app.listen()', async () => {
  app = await create({ publicUrl: undefined });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const created = await send(url, { method: 'POST', path: '/edges/https', body: {} });
  expect([created.status, created.json.uri]).toEqual([201, expect.stringMatching(`^${url}/edges/https/`)]);
  const refused = await send(url, { method: 'POST', path: '/edges/https', body: { colour: 1 } });
  expect([refused.status, refused.headers['content-type']]).toEqual([400, expect.stringMatching(/problem\+json/)]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('app.use() and app.get() afterwards, also when it has served requests already', async () => {
  app.get('/before', (_req, res) => void res.send('one'));
  await request(app).get('/before').expect(200, 'one');
  await request(app).get('/after').expect(404);
  app.use('/after', (_req, res) => void res.json({ two: 2 }));
  await request(app).get('/after').expect(200, { two: 2 });
  await request(app)
    .get('/nowhere')
    .expect(404)
    .expect('content-type', /problem\+json/);
  await request(app).get('/edges/https').expect(200);
});

test('what is added afterwards needs the token, too', async () => {
  app = await create({ tokens: createTokens([{ text: 'sesame', readOnly: false }]) });
  app.get('/own', (_req, res) => void res.send('own'));
  await request(app).get('/own').expect(401);
  await request(app).get('/own').auth('sesame', { type: 'bearer' }).expect(200, 'own');
});

test('error handlers', async () => {
  const seen: unknown[] = [];
  app.get('/fails', () => {
    throw new TypeError('secret detail');
  });
  const handler: ErrorRequestHandler = (error, _req, _res, next) => {
    seen.push((error as Error).name);
    next(error);
  };
  app.use(handler);
  const { body } = await request(app).get('/fails').expect(500);
  expect([body.code, JSON.stringify(body)]).toEqual(['internal_error', expect.not.stringMatching(/secret/)]);
  await request(app).get('/edges/https/unknown').expect(404);
  expect(seen).toHaveLength(2);
  const own: ErrorRequestHandler = (_error, _req, res, _next) => void res.status(418).send('own');
  app.use(own);
  await request(app).get('/fails').expect(418, 'own');
});

test('mounting in another application: paths, links, locals and errors', async () => {
  app = await create({ publicUrl: undefined });
  const outer = express();
  outer.use((_req, res, next) => {
    res.locals['kept'] = 'kept';
    next();
  });
  outer.use('/v1', app);
  outer.use((_req, res) => void res.status(404).send(`outer ${res.locals['kept']}`));
  const { body, headers } = await request(outer).post('/v1/edges/https').send({}).expect(201);
  expect(headers['location']).toBe(body.uri);
  const { body: read } = await request(outer).get(new URL(body.uri).pathname).expect(200);
  expect([read.id, new URL(read.uri).pathname]).toEqual([body.id, `/v1/edges/https/${body.id}`]);
  const { body: problem } = await request(outer).get('/v1/edges/https/unknown').expect(404);
  expect(problem.instance).toBe('/v1/edges/https/unknown');
  await request(outer).get('/edges/https').expect(404, 'outer kept');
});
