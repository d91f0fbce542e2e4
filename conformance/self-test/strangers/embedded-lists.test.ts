/** Lists within an object, such as `_embedded` of HAL, which Spring omits for an empty list. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, type Reply, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes:
    get:
      operationId: listNotes
      parameters:
        - {name: page, in: query, schema: {type: integer, minimum: 0, default: 0}}
        - {name: size, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 20}}
      responses:
        '200':
          description: a page
          content: {application/hal+json: {schema: {$ref: '#/components/schemas/Notes'}}}
        '400': {description: no such page}
    post:
      operationId: addNote
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewNote'}}}
      responses:
        '201':
          description: made
          content: {application/hal+json: {schema: {$ref: '#/components/schemas/Note'}}}
        '400': {description: wrong}
  /notes/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: readNote
      responses:
        '200':
          description: one
          content: {application/hal+json: {schema: {$ref: '#/components/schemas/Note'}}}
        '404': {description: absent}
    delete:
      operationId: removeNote
      responses: {'204': {description: removed}, '404': {description: absent}}
components:
  schemas:
    NewNote:
      type: object
      required: [text]
      properties: {text: {type: string, minLength: 1, maxLength: 40}}
    Note:
      type: object
      required: [id, text]
      properties:
        id: {type: integer}
        text: {type: string, minLength: 1, maxLength: 40}
        _links: {type: object}
    Notes:
      type: object
      properties:
        _embedded:
          type: object
          properties: {notes: {type: array, items: {$ref: '#/components/schemas/Note'}}}
        _links: {type: object}
        page:
          type: object
          properties: {size: {type: integer}, number: {type: integer}}
`;

interface Errors {
  /** The first note of the second page is passed over. */
  skips?: boolean;
  /** Removed notes stay in the list. */
  keeps?: boolean;
}

const HAL = { 'content-type': 'application/hal+json' };

const NUMBER = /^\d{1,6}$/;

interface Note {
  id: number;
  text: string;
}

function service({ skips = false, keeps = false }: Errors): Handler {
  const notes = new Map<number, Note>();
  const removed = new Set<number>();
  let count = 0;
  const page = (query: URLSearchParams): Reply => {
    const number = query.get('page') ?? '0';
    const size = query.get('size') ?? '20';
    if (!NUMBER.test(number) || !NUMBER.test(size) || Number(size) < 1 || Number(size) > 50) {
      return [400];
    }
    const all = [...notes.values()].filter(({ id }) => keeps || !removed.has(id));
    const start = Number(number) * Number(size);
    const isSkipped = skips && start > 0;
    const shown = all.slice(start + Number(isSkipped), start + Number(size));
    const rest = { _links: {}, page: { size: Number(size), number: Number(number) } };
    return [200, shown.length === 0 ? rest : { _embedded: { notes: shown }, ...rest }, HAL];
  };
  const add = (json: unknown): Reply => {
    const text = isObject(json) ? json['text'] : undefined;
    if (typeof text !== 'string' || text === '' || [...text].length > 40) {
      return [400];
    }
    count++;
    notes.set(count, { id: count, text });
    return [201, notes.get(count), HAL];
  };
  return ({ method, path, query, json }) => {
    if (path === '/notes') {
      if (method === 'GET') {
        return page(query);
      }
      return method === 'POST' ? add(json) : [405];
    }
    const id = Number(path.replace('/notes/', ''));
    const note = notes.get(id);
    if (note === undefined || removed.has(id)) {
      return [404];
    }
    if (method === 'DELETE') {
      removed.add(id);
      return [204];
    }
    return method === 'GET' ? [200, note, HAL] : [405];
  };
}

test('the list within `_embedded` is tried, also where it is omitted', async () => {
  const { code, broken, passed } = await runOn(service({}), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  const due = ['listed', 'gone-from-list', 'pages'].map((law) => `addNote.items.${law}`);
  expect(passed).toEqual(expect.arrayContaining(due));
});

test.each<[Errors, string]>([
  [{ skips: true }, 'addNote.items.pages'],
  [{ keeps: true }, 'addNote.items.gone-from-list'],
])('a service with %j is not conformant', async (errors, id) => {
  const { broken } = await runOn(service(errors), CONTRACT);
  expect(broken).toContain(id);
});
