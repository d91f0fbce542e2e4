/** Services that say less of their items, or say it in another way, and are right. */
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
