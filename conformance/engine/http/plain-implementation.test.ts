/**
 * Resources of any API are removed after a case, and some responses say nothing about a service.
 */
import { expect, test } from 'vitest';
import { type Reply, serviceOf } from './service.test.fixture.ts';

const PATHS = `
  /items:
    post:
      operationId: make
      responses:
        '201':
          description: It is made.
          links: {remove: {operationId: remove, parameters: {id: '$response.body#/id'}}}
  /items/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    delete: {operationId: remove, responses: {'204': {description: It is gone.}}}
    get:
      operationId: read
      security: [{token: []}]
      responses: {'200': {description: One.}}
  /notes:
    post: {operationId: note, responses: {'201': {description: It is made.}}}
components:
  securitySchemes: {token: {type: apiKey, in: header, name: X-Key}}
`;

const serving = (respond: (method: string) => Reply) =>
  serviceOf(PATHS, ({ method }) => respond(method));

test('a resource that a link removes is removed after the case, the last one first', async () => {
  let made = 0;
  const { session, requests } = serving((method) => {
    if (method === 'POST') {
      return { status: 201, json: { id: `i${++made}` } };
    }
    return { status: 204 };
  });
  await session.call('make');
  await session.call('make');
  expect(session.removals.map(({ target }) => target)).toEqual(['/items/i2', '/items/i1']);
  await session.cleanUp(false);
  const deleted = requests.filter(({ method }) => method === 'DELETE');
  expect(deleted.map(({ target }) => target)).toEqual(['/items/i2', '/items/i1']);
});

test('a resource that the case removed is not removed again', async () => {
  const { session, requests } = serving((method) => {
    if (method === 'POST') {
      return { status: 201, json: { id: 'i' } };
    }
    return { status: 204 };
  });
  await session.call('make');
  await session.call('remove', { path: { id: 'i' } });
  await session.cleanUp(false);
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
});

test.each([
  [204, {}],
  [404, {}],
  [410, {}],
  [405, { 'POST /items': 1 }],
  [500, { 'POST /items': 1 }],
])('a removal with status %i leaves %j behind', async (status, left) => {
  const { session, implementation } = serving((method) => {
    if (method === 'POST') {
      return { status: 201, json: { id: 'i' } };
    }
    return { status };
  });
  await session.call('make');
  await session.cleanUp(false);
  expect(implementation.leftBehind).toEqual(left);
});

test('a removal that asks for a condition is sent again with the entity tag', async () => {
  const { session, requests, implementation } = serviceOf(PATHS, ({ method, headers }) => {
    if (method === 'POST') {
      return { status: 201, json: { id: 'i' } };
    }
    if (method === 'GET') {
      return { status: 200, headers: { etag: '"1"' } };
    }
    return { status: headers?.['if-match'] === '"1"' ? 204 : 428 };
  });
  await session.call('make');
  await session.cleanUp(false);
  expect(requests.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'GET', 'DELETE']);
  expect(implementation.leftBehind).toEqual({});
});

test('a resource that no link can remove is counted, and one that was refused is not', async () => {
  const made = serving(() => ({ status: 201 }));
  await made.session.call('note');
  await made.session.call('note');
  await made.session.cleanUp(false);
  expect(made.implementation.leftBehind).toEqual({ 'POST /notes': 2 });
  const refused = serving(() => ({ status: 400 }));
  await refused.session.call('note');
  await refused.session.cleanUp(false);
  expect(refused.implementation.leftBehind).toEqual({});
});

test('a 401 says nothing if the credentials of the operation are not given', async () => {
  const { session } = serving(() => ({ status: 401 }));
  await expect(session.call('read', { path: { id: 'i' } })).rejects.toThrow(
    /^read asks for credentials \(token .*\): give them with --token \(better as/,
  );
  expect((await session.call('note')).status).toBe(401);
});
