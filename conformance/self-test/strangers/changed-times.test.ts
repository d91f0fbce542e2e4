/** A service whose items say when they were changed. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const CONTENT = '{application/json: {schema: {$ref: "#/components/schemas/Note"}}}';

const CONTRACT = `
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes:
    post:
      operationId: write
      requestBody: {required: true, content: ${CONTENT}}
      responses:
        '201': {description: It., content: ${CONTENT}}
        '400': {description: It is refused.}
  /notes/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string}}
    get:
      operationId: show
      responses:
        '200': {description: It., content: ${CONTENT}}
        '404': {description: There is none.}
    put:
      operationId: rewrite
      requestBody: {required: true, content: ${CONTENT}}
      responses:
        '200': {description: It., content: ${CONTENT}}
        '400': {description: It is refused.}
        '404': {description: There is none.}
components:
  schemas:
    Note:
      type: object
      required: [text]
      properties:
        id: {type: string, readOnly: true}
        text: {type: string, minLength: 1, maxLength: 40}
        updated_at:
          description: The time of the last change.
          type: [string, 'null']
          format: date-time
          readOnly: true
`;

interface Note {
  text: string;
  updated_at: string | null;
}

/** The time that a note has after it is written, and after each change. */
interface Times {
  written: () => string | null;
  changed: (before: Note) => string | null;
}

const now = (): string => new Date().toJSON();
const minute = (): string => `${now().slice(0, 16)}:00Z`;
const second = (): string => `${now().slice(0, 19)}+00:00`;

function notes({ written, changed }: Times): Handler {
  const all = new Map<string, Note>();
  const isText = (value: unknown) => typeof value === 'string' && /^.{1,40}$/su.test(value);
  return ({ method, path, json }): Reply => {
    const [, , id = `note-${all.size}-${'x'.repeat(12)}`] = path.split('/');
    const note = all.get(id);
    const isNew = path === '/notes';
    if (isNew ? method !== 'POST' : !note) {
      return [isNew ? 405 : 404];
    }
    if (method === 'GET') {
      return [200, { id, ...note }];
    }
    if (!['POST', 'PUT'].includes(method)) {
      return [405];
    }
    const { text } = Object(json);
    if (!isText(text)) {
      return [400];
    }
    const made: Note = { text, updated_at: note ? changed(note) : written() };
    all.set(id, made);
    return [isNew ? 201 : 200, { id, ...made }];
  };
}

const ID = 'write.items.update.time';

async function resultOf(times: Times, contract = CONTRACT): Promise<string | undefined> {
  const options = ['--only', '*.update', '--only', '*.update.*'];
  const { report } = await runOn(notes(times), contract, options);
  return report.requirements.find(({ id }) => id === ID)?.status;
}

const never = (): null => null;

/** Not of whole minutes: the law lets those stand. */
const longAgo = (): string => '2020-01-01T00:00:01Z';

test.each<[string, Times]>([
  ['in milliseconds', { written: now, changed: now }],
  ['in seconds', { written: second, changed: second }],
  ['in minutes', { written: minute, changed: minute }],
  ['none before the first change', { written: never, changed: now }],
])('times of the last change that are right pass: %s', async (_, times) => {
  expect(await resultOf(times)).toBe('pass');
});

test.each<[string, Times]>([
  ['the time of creation', { written: longAgo, changed: ({ updated_at }) => updated_at }],
  ['none after a change', { written: never, changed: never }],
  ['the time of the start', { written: now, changed: longAgo }],
])('a time of the last change that stays behind is found: %s', async (_, times) => {
  expect(await resultOf(times)).toBe('fail');
});

test('a time of some changes is left alone', async () => {
  const contract = CONTRACT.replace('of the last change', 'at which the status changed');
  expect(await resultOf({ written: never, changed: never }, contract)).toBeUndefined();
});
