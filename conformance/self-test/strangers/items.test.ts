/** Services that say less of their items, or say it in another way, and are right. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, type Reply, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Items, version: '1'}
paths:
  /tenants:
    post:
      operationId: addTenant
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [name], properties: {name: {type: string}}}
      responses:
        '200': {description: It is made., content: {application/json: {schema: {type: object}}}}
        '400': {description: It is wrong.}
  /tenants/{tenant}:
    parameters: [{name: tenant, in: path, required: true, schema: {type: string}}]
    get:
      operationId: tenant
      responses:
        '200':
          description: It.
          content:
            application/json:
              schema: {type: object, properties: {name: {type: string}}}
        '404': {description: Nothing has this name.}
  /notes:
    post:
      operationId: addNote
      responses:
        '201':
          description: It.
          content:
            application/json:
              schema: {type: object, required: [id], properties: {id: {type: string}}}
  /notes/{note}:
    parameters: [{name: note, in: path, required: true, schema: {type: string}}]
    get:
      operationId: note
      parameters: [{name: as, in: query, schema: {type: string, enum: [page, list]}}]
      responses:
        '200': {description: It., content: {application/json: {schema: {type: object}}}}
        '400': {description: It is no list.}
        '404': {description: Nothing has this id.}
    delete:
      operationId: removeNote
      responses:
        '204': {description: It is gone.}
        '410': {description: It has gone before.}
`;

const WRONG_FORM: Reply = [418, 'an id is note: and 16 letters'];

function service({ takesNoPage = false } = {}): Handler {
  const names = new Set<string>();
  const notes = new Set<string>();
  let count = 0;
  return ({ method, path, query, json }) => {
    const [, kind, part = ''] = path.split('/');
    const name = decodeURIComponent(part);
    if (kind === 'tenants' && name === '') {
      if (!isObject(json) || typeof json['name'] !== 'string') {
        return [400];
      }
      names.add(json['name']);
      return [200, {}];
    }
    if (kind === 'tenants') {
      return names.has(name) ? [200, { name }] : [404];
    }
    if (name === '') {
      count++;
      const id = `note:${String.fromCodePoint(97 + (count % 26)).repeat(16)}${count}`;
      notes.add(id);
      return [201, { id }];
    }
    if (!/^[a-z]{4}:[a-z]{16}\d*$/.test(name)) {
      return WRONG_FORM;
    }
    if (method === 'DELETE') {
      return notes.delete(name) ? [204] : [404];
    }
    const as = query.get('as') ?? 'page';
    const isRight = as === 'page' && !(takesNoPage && query.has('as'));
    if (!notes.has(name)) {
      return [404];
    }
    return isRight ? [200, {}] : [400];
  };
}

test('ids keep their form, 404 says what 410 does, and undocumented ids are not due', async () => {
  const { broken, passed } = await runOn(service(), CONTRACT);
  expect(broken).toEqual([]);
  expect(passed).toEqual(expect.arrayContaining(['note.404', 'removeNote.404', 'addTenant.200']));
});

test('a service that takes no value of an enum fails', async () => {
  const { broken } = await runOn(service({ takesNoPage: true }), CONTRACT);
  expect(broken).toEqual(['note.query.as.enum']);
});

const NAMED = `
openapi: 3.1.0
info: {title: Named, version: '1'}
paths:
  /named/{crn}:
    parameters: [{name: crn, in: path, required: true, schema: {type: string}}]
    get:
      operationId: named
      responses:
        '200': {description: It., content: {application/json: {schema: {type: object}}}}
        '404': {description: Nothing has this name.}
`;

test.each([
  ['is no alarm if no id is known', [400], []],
  ['that accepts it is found', [204], ['named.404']],
] as const)('another form of an unknown id %s', async (_, reply, due) => {
  const { broken } = await runOn(() => reply, NAMED, ['--only', 'named.404']);
  expect(broken).toEqual(due);
});

const TWO_NAMES = `
openapi: 3.1.0
info: {title: Two names, version: '1'}
paths:
  /sets:
    post:
      operationId: addSet
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties: {name: {type: string, pattern: '^[a-z]{10}$'}}
      responses:
        '201':
          description: It.
          content:
            application/json:
              schema:
                type: object
                required: [id, name]
                properties: {id: {type: string, format: uuid}, name: {type: string}}
        '400': {description: It is wrong.}
  /sets/{set_id}:
    parameters: [{name: set_id, in: path, required: true, schema: {type: string}}]
    delete:
      operationId: removeSet
      responses: {'204': {description: Gone.}, '404': {description: None.}}
  /sets/{set_id}/count:
    parameters: [{name: set_id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: countSet
      responses:
        '200': {description: So many., content: {application/json: {schema: {type: integer}}}}
        '404': {description: None.}
  /sets/{set_id}/items:
    parameters: [{name: set_id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: addItem
      responses: {'201': {description: It is there.}, '404': {description: None.}}
`;

test('a DELETE by name beside a GET by id is no alarm, and what was below is gone', async () => {
  const sets = new Map<string, string>();
  const handler: Handler = ({ method, path, json }) => {
    const [, , part = '', below = ''] = path.split('/').map(decodeURIComponent);
    if (part === '') {
      const name: unknown = isObject(json) ? json['name'] : undefined;
      if (typeof name !== 'string' || !/^[a-z]{10}$/.test(name)) {
        return [400];
      }
      const id = randomUUID();
      sets.set(id, name);
      return [201, { id, name }];
    }
    if (method === 'DELETE') {
      const [id] = [...sets].find(([, name]) => name === part) ?? [];
      return id !== undefined && sets.delete(id) ? [204] : [404];
    }
    if (!/^[\da-f]{8}-/.test(part)) {
      return [400, { error: 'an id is a UUID' }];
    }
    if (!sets.has(part)) {
      return [404];
    }
    return below === 'count' ? [200, 3] : [201];
  };
  const { broken, report } = await runOn(handler, TWO_NAMES, ['--skip', '*.methods=routes']);
  expect(broken).toEqual([]);
  expect([sets.size, report.left_behind]).toEqual([0, {}]);
});
