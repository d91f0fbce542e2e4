/** Lists that hide items unless a filter shows all of them. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const STATES = ['open', 'draft'];
const ITEM = {
  type: 'object',
  required: ['id', 'title', 'state'],
  properties: {
    id: { type: 'string' },
    title: { type: 'string' },
    state: { type: 'string', enum: STATES },
  },
};
const json = (schema: object) => ({ 'application/json': { schema } });
const REFUSED = { description: 'refused' };

const CONTRACT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Petitions', version: '1' },
  paths: {
    '/petitions': {
      get: {
        operationId: 'petitions',
        parameters: [
          { name: 'state', in: 'query', schema: { enum: [...STATES, 'all'], default: 'open' } },
        ],
        responses: {
          200: { description: 'some', content: json({ type: 'array', items: ITEM }) },
          400: REFUSED,
        },
      },
      post: {
        operationId: 'start',
        requestBody: {
          required: true,
          content: json({
            type: 'object',
            required: ['title'],
            properties: { title: { type: 'string', maxLength: 30 }, state: { enum: STATES } },
          }),
        },
        responses: { 201: { description: 'made', content: json(ITEM) }, 400: REFUSED },
      },
    },
    '/petitions/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'petition',
        responses: { 200: { description: 'one', content: json(ITEM) }, 404: REFUSED },
      },
      delete: {
        operationId: 'withdraw',
        responses: { 204: { description: 'gone' }, 404: REFUSED },
      },
    },
  },
});

interface Petition {
  id: string;
  title: string;
  state: string;
}

type Planted = 'none' | 'lists what is gone' | 'ignores the filter';

function petitions(planted: Planted = 'none'): Handler {
  const all = new Map<string, Petition>();
  const gone: Petition[] = [];
  let count = 0;
  const list = (states: readonly string[]): Reply => {
    const [state = 'open'] = states;
    if (states.length > 1 || ![...STATES, 'all'].includes(state)) {
      return [400];
    }
    const known = planted === 'lists what is gone' ? [...gone, ...all.values()] : [...all.values()];
    const isAny = state === 'all' || planted === 'ignores the filter';
    return [200, known.filter((one) => isAny || one.state === state)];
  };
  const make = (body: any): Reply => {
    const { title, state = 'draft' } = Object(body);
    if (typeof title !== 'string' || [...title].length > 30 || !STATES.includes(state)) {
      return [400];
    }
    count += 1;
    const made = { id: `p${count}`, title, state };
    all.set(made.id, made);
    return [201, made];
  };
  return ({ method, path, query, json: body }) => {
    if (path === '/petitions') {
      return method === 'GET' ? list(query.getAll('state')) : make(body);
    }
    const found = all.get(path.slice('/petitions/'.length));
    if (found === undefined) {
      return [404];
    }
    if (method === 'DELETE') {
      all.delete(found.id);
      gone.push(found);
      return [204];
    }
    return [200, found];
  };
}

test('a list is read with the filter that shows all, and by each of its other values', async () => {
  const { code, broken, passed, requests } = await runOn(petitions(), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  const laws = ['listed', 'gone-from-list', 'filtered'].map((law) => `start.items.${law}`);
  expect(passed).toEqual(expect.arrayContaining(laws));
  expect(requests).toContain('GET /petitions?state=all');
});

test.each([
  ['lists what is gone', 'start.items.gone-from-list'],
  ['ignores the filter', 'start.items.filtered'],
] as const)('a list that %s is found', async (planted, law) => {
  const { code, broken } = await runOn(petitions(planted), CONTRACT);
  expect(code).toBe(1);
  expect(broken).toContain(law);
});
