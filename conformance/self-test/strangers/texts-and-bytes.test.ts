/** Bodies of texts and of bytes, in requests and responses. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const BYTES = { type: 'string', format: 'binary' };
/** By the path of the operation that takes them. */
const TYPES: Readonly<Record<string, readonly [mediaType: string, schema: object]>> = {
  any: ['*/*', BYTES],
  pdf: ['application/pdf', BYTES],
  tiff: ['image/tiff', BYTES],
  sound: ['audio/*', BYTES],
  archive: ['application/zip', {}],
  lines: ['application/x-ndjson', { type: 'object', required: ['n'], properties: { n: {} } }],
};

const responses = { 200: { description: 'taken' }, 400: { description: 'refused' } };
const text = (schema: object) => ({ 'text/plain': { schema } });

const paths: Record<string, object> = {
  '/note': {
    put: {
      operationId: 'note',
      requestBody: {
        required: true,
        content: text({ type: 'string', minLength: 2, maxLength: 8 }),
      },
      responses,
    },
    get: {
      operationId: 'state',
      responses: {
        200: { description: 'a word', content: text({ type: 'string', enum: ['up', 'down'] }) },
      },
    },
  },
  '/count': {
    get: {
      operationId: 'count',
      responses: {
        200: { description: 'a number', content: text({ type: 'integer', maximum: 5 }) },
      },
    },
  },
};
for (const [name, [mediaType, schema]] of Object.entries(TYPES)) {
  const content = { [mediaType]: { schema } };
  paths[`/${name}`] = {
    post: { operationId: name, requestBody: { required: true, content }, responses },
  };
}
const info = { title: 'Texts and bytes', version: '1' };
const CONTRACT = JSON.stringify({ openapi: '3.1.0', info, paths });

const PLAIN = { 'content-type': 'text/plain' };

interface Planted {
  state?: string;
  count?: string;
  /** The longest note that is taken. */
  most?: number;
}

const service =
  ({ state = 'up\n', count = '3', most = 8 }: Planted = {}): Handler =>
  ({ method, path, headers, text: sent, json }): Reply => {
    if (path === '/count') {
      return [200, count, PLAIN];
    }
    if (path === '/note' && method === 'GET') {
      return [200, state, PLAIN];
    }
    const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
    if (path === '/note') {
      const length = [...sent.trim()].length;
      return [type === 'text/plain' && length >= 2 && length <= most ? 200 : 400];
    }
    if (path === '/lines') {
      return [json?.n !== undefined && sent.endsWith('\n') ? 200 : 400];
    }
    const [due = ''] = TYPES[path.slice(1)] ?? [];
    const isOfType = type.startsWith(due.replace('*/*', '').replace('*', ''));
    return [isOfType && sent !== '' ? 200 : 400];
  };

const LEFT_OUT = ['--allow', '*'];

test('an operation that takes bytes of any media type is reached', async () => {
  const { code, broken, passed } = await runOn(service(), CONTRACT, LEFT_OUT);
  expect([code, broken]).toEqual([0, []]);
  const due = [...Object.keys(TYPES), 'note', 'state', 'count'].map((name) => `${name}.200`);
  expect([...due, 'note.body.maxLength'].filter((id) => !passed.includes(id))).toEqual([]);
});

test.each([
  [{ state: 'sideways' }, 'state.200'],
  [{ count: '6' }, 'count.200'],
  [{ most: 80 }, 'note.body.maxLength'],
])('a text that breaks its schema is found: %o', async (planted, id) => {
  const { code, broken } = await runOn(service(planted), CONTRACT, [...LEFT_OUT]);
  expect([code, broken]).toEqual([1, [id]]);
});
