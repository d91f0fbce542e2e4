/** Texts that a contract says are kept as they were sent, and where a `Location` leads. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const contractWith = (words: string) => `
openapi: 3.1.0
info: {title: Notes of lists, version: '1', description: "${words}"}
paths:
  /lists:
    post:
      operationId: addList
      responses:
        '201':
          description: Made.
          content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}
  /lists/{list_id}/notes:
    parameters: [{name: list_id, in: path, required: true, schema: {type: string}}]
    post:
      operationId: addNote
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [text]
              properties: {text: {type: string, minLength: 1, maxLength: 60}}
      responses:
        '201':
          description: Made.
          headers: {Location: {description: Where it is., schema: {type: string}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
        '400': {description: It is wrong.}
        '404': {description: There is no such list.}
  /lists/{list_id}/notes/{note_id}:
    parameters:
      - {name: list_id, in: path, required: true, schema: {type: string}}
      - {name: note_id, in: path, required: true, schema: {type: string}}
    get:
      operationId: readNote
      responses:
        '200':
          description: It.
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
        '404': {description: None.}
components:
  schemas:
    Note:
      type: object
      required: [id, text]
      properties: {id: {type: string}, text: {type: string}}
`;

interface Options {
  /** The form in which texts are kept. */
  form?: 'NFC';
  /** Where a new note is said to be. */
  location?: (list: string, note: string) => string;
  /** Whether `/notes/{id}` is served, which the contract does not have. */
  hasShortPaths?: boolean;
}

function notes({ form, location, hasShortPaths = false }: Options = {}): Handler {
  const lists = new Map<string, Map<string, string>>();
  const where = location ?? ((list: string, note: string) => `/lists/${list}/notes/${note}`);
  return ({ method, path, json }): Reply => {
    const [, kind, list = '', , note = ''] = path.split('/');
    const all = lists.get(list);
    if (kind === 'notes' && hasShortPaths) {
      const found = [...lists.values()].find((one) => one.has(list));
      return found ? [200, { id: list, text: found.get(list) }] : [404];
    }
    if (kind !== 'lists') {
      return [404];
    }
    if (list === '') {
      const id = `l${lists.size + 1}`;
      lists.set(id, new Map());
      return [201, { id }];
    }
    if (all === undefined) {
      return [404];
    }
    if (method === 'POST') {
      const text: unknown = json?.text;
      const isRight = typeof text === 'string' && text !== '' && Array.from(text).length <= 60;
      if (!isRight) {
        return [400];
      }
      const id = `n${all.size + 1}`;
      all.set(id, form === undefined ? text : text.normalize(form));
      return [201, { id, text: all.get(id) }, { location: where(list, id) }];
    }
    return all.has(note) ? [200, { id: note, text: all.get(note) }] : [404];
  };
}

const PROMISED = 'Texts are kept exactly as they were sent.';

const SHORT = (_: string, note: string): string => `/notes/${note}`;

test.each<[string, string, Options]>([
  ['keeps what it gets', PROMISED, {}],
  ['normalizes texts, which nothing forbids', 'Notes.', { form: 'NFC' }],
  ['says that it does', 'Texts are not kept exactly as they were sent.', { form: 'NFC' }],
  ['has other addresses', 'Notes.', { location: SHORT, hasShortPaths: true }],
  [
    'is known by another host',
    'Notes.',
    { location: (list, note) => `https://api.example.com/v1/lists/${list}/notes/${note}` },
  ],
])('a service that %s is right', async (_, words, options) => {
  const { code, broken, passed } = await runOn(notes(options), contractWith(words));
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toContain('addNote.items.values');
});

test.each<[string, Options, string]>([
  ['normalizes texts', { form: 'NFC' }, 'addNote.items.values'],
  ['leads to nothing', { location: SHORT }, 'addNote.items.location'],
])('a service that %s is found', async (_, options, id) => {
  const { code, broken } = await runOn(notes(options), contractWith(PROMISED));
  expect([code, broken]).toEqual([1, [id]]);
});
