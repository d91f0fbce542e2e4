/** Lists by a time that the service sets. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const contractWith = (words: string) => `
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes:
    get:
      operationId: notes
      parameters:
        - name: created_after
          in: query
          description: ${words}
          schema: {type: string, format: date-time}
        - {name: created_before, in: query, schema: {type: string, format: date-time}}
      responses:
        '200':
          description: All.
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Note'}}}
        '400': {description: It is wrong.}
    post:
      operationId: addNote
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [text], properties: {text: {type: string}}}
      responses:
        '201':
          description: Made.
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
  /notes/{id}:
    get:
      operationId: readNote
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200':
          description: It.
          content: {application/json: {schema: {$ref: '#/components/schemas/Note'}}}
        '404': {description: None.}
components:
  schemas:
    Note:
      type: object
      required: [id, text, created_at]
      properties:
        id: {type: string}
        text: {type: string}
        created_at: {type: string, format: date-time}
`;

interface Options {
  /** The form of a time in which two times are compared. */
  compared?: (time: Date) => string;
  refusesFuture?: boolean;
  ignored?: 'created_after' | 'created_before';
  isTurned?: boolean;
}

function notes(options: Options = {}): Handler {
  const { compared = (time) => time.toISOString(), refusesFuture = false } = options;
  const all: { id: string; text: string; created_at: string }[] = [];
  const timeOf = (query: URLSearchParams, name: string): Date | undefined => {
    const text = name === options.ignored ? null : query.get(name);
    return text === null ? undefined : new Date(text);
  };
  return ({ method, path, query, json }): Reply => {
    const [, , id = ''] = path.split('/');
    if (id !== '') {
      const found = all.find((one) => one.id === id);
      return found === undefined ? [404] : [200, found];
    }
    if (method === 'POST') {
      const { text } = json;
      const made = { id: `n${all.length + 1}`, text, created_at: new Date().toISOString() };
      all.push(made);
      return [201, made];
    }
    const ends = [timeOf(query, 'created_after'), timeOf(query, 'created_before')];
    const [after, before] = options.isTurned === true ? ends.toReversed() : ends;
    const isWrong = ends.some((end) => end !== undefined && Number.isNaN(end.getTime()));
    const isFuture = ends.some((end) => end !== undefined && end.getTime() > Date.now());
    if (isWrong || (refusesFuture && isFuture)) {
      return [400];
    }
    const found = all.filter(({ created_at: text }) => {
      const time = compared(new Date(text));
      const isAfter = after === undefined || time >= compared(after);
      return isAfter && (before === undefined || time <= compared(before));
    });
    return [200, found];
  };
}

const WORDS = 'Only notes that were created after this time.';
const ONLY = ['--only', 'addNote.items.filtered.time'];

test.each<[string, Options, string]>([
  ['compares times', {}, 'pass'],
  ['compares days', { compared: (time) => time.toISOString().slice(0, 10) }, 'pass'],
  ['refuses times to come', { refusesFuture: true }, 'skip'],
])('a service that %s is right', async (_, options, status) => {
  const { broken, report } = await runOn(notes(options), contractWith(WORDS), ONLY);
  expect(broken).toEqual([]);
  expect(report.requirements.map((one) => one.status)).toEqual([status]);
});

test.each<[string, Options]>([
  ['ignores the beginning', { ignored: 'created_after' }],
  ['ignores the end', { ignored: 'created_before' }],
  ['takes one for the other', { isTurned: true }],
])('a service that %s is found', async (_, options) => {
  const { broken } = await runOn(notes(options), contractWith(WORDS), ONLY);
  expect(broken).toEqual(['addNote.items.filtered.time']);
});

test('words of something else are no filter by a time', async () => {
  const service = notes({ ignored: 'created_after' });
  const contract = contractWith('Has no effect unless the list is sorted.');
  const { broken, report } = await runOn(service, contract, ONLY);
  expect(broken).toEqual([]);
  // By the end alone, which has no words.
  expect(report.requirements.map(({ status }) => status)).toEqual(['pass']);
});
