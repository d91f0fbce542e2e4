/** Notes that are made several at once. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, type Reply, runOn } from './run.ts';

const NOTES = '{application/json: {schema: {$ref: "#/components/schemas/Notes"}}}';

const CONTRACT = `
openapi: 3.1.0
info: {title: Notes, version: '1'}
paths:
  /notes:
    get:
      operationId: list
      responses:
        '200':
          description: all
          content:
            application/json:
              schema: {type: array, items: {$ref: '#/components/schemas/Note'}}
  /notes/bulk:
    post:
      operationId: addMany
      description: All of them are kept, or none.
      requestBody: {required: true, content: ${NOTES}}
      responses:
        '201': {description: 'The notes, in the order of the request', content: ${NOTES}}
        '400': {description: wrong}
components:
  schemas:
    Notes:
      type: object
      required: [notes]
      properties:
        notes: {type: array, maxItems: 20, items: {$ref: '#/components/schemas/Note'}}
    Note:
      type: object
      required: [text, stars]
      properties:
        text: {type: string, minLength: 1, maxLength: 50}
        stars: {type: integer, minimum: 0, maximum: 5}
`;

interface Errors {
  keepsFirst?: boolean;
  reverses?: boolean;
  sorts?: boolean;
}

function isNote(value: unknown): boolean {
  const { text, stars } = isObject(value) ? value : {};
  const isText = typeof text === 'string' && text !== '' && [...text].length <= 50;
  return isText && Number.isInteger(stars) && Number(stars) >= 0 && Number(stars) <= 5;
}

function serviceOf({ keepsFirst = false, reverses = false, sorts = false }: Errors): Handler {
  const kept: unknown[] = [];
  const take = (json: unknown): Reply => {
    const { notes } = isObject(json) ? json : {};
    if (!Array.isArray(notes) || notes.length > 20) {
      return [400];
    }
    const wrongAt = notes.findIndex((note) => !isNote(note));
    if (wrongAt >= 0) {
      kept.push(...(keepsFirst ? notes.slice(0, wrongAt) : []));
      return [400];
    }
    kept.push(...notes);
    if (sorts) {
      return [201, { notes: notes.toSorted((one, other) => (one.text < other.text ? -1 : 1)) }];
    }
    return [201, { notes: reverses ? notes.toReversed() : notes }];
  };
  return ({ method, path, json }) => {
    if (path === '/notes') {
      return method === 'GET' ? [200, kept] : [405];
    }
    const isBulk = path === '/notes/bulk';
    return isBulk && method === 'POST' ? take(json) : [isBulk ? 405 : 404];
  };
}

test('all or none are kept, in the order of the request', async () => {
  const { broken, passed } = await runOn(serviceOf({}), CONTRACT);
  expect(broken).toEqual([]);
  expect(passed).toContain('addMany.batch');
});

test.each<Errors>([{ keepsFirst: true }, { reverses: true }, { sorts: true }])(
  'a service with %o is found',
  async (errors) => {
    const { broken } = await runOn(serviceOf(errors), CONTRACT, ['--only', 'addMany.batch']);
    expect(broken).toEqual(['addMany.batch']);
  },
);

test('without such words, a service may do either', async () => {
  const contract = CONTRACT.replace('All of them are kept, or none.', 'Keeps notes.').replace(
    'The notes, in the order of the request',
    'The notes',
  );
  const service = serviceOf({ keepsFirst: true, reverses: true });
  const { report } = await runOn(service, contract, ['--only', 'addMany.*']);
  expect(report.requirements.map(({ id }) => id)).not.toContain('addMany.batch');
});
