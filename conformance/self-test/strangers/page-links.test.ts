/** Lists whose pages lead on in the header field `Link` (RFC 8288). */
import { expect, test } from 'vitest';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const DEPOTS = ['north', 'south'];
const PARCEL = {
  type: 'object',
  required: ['id', 'label', 'depot'],
  properties: {
    id: { type: 'string' },
    label: { type: 'string' },
    depot: { type: 'string', enum: DEPOTS },
  },
};
const json = (schema: object) => ({ 'application/json': { schema } });
const REFUSED = { description: 'refused' };
const MOST = 40;

const CONTRACT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '1' },
  paths: {
    '/parcels': {
      get: {
        operationId: 'parcels',
        parameters: [
          {
            name: 'per_page',
            in: 'query',
            schema: { type: 'integer', minimum: 1, maximum: MOST, default: 3 },
          },
          { name: 'after', in: 'query', schema: { type: 'string' } },
          { name: 'depot', in: 'query', schema: { type: 'string', enum: DEPOTS } },
        ],
        responses: {
          200: {
            description: 'some',
            headers: { Link: { description: 'The next page', schema: { type: 'string' } } },
            content: json({ type: 'array', items: PARCEL }),
          },
          400: REFUSED,
        },
      },
      post: {
        operationId: 'send',
        requestBody: {
          required: true,
          content: json({
            type: 'object',
            required: ['label', 'depot'],
            properties: { label: { type: 'string', maxLength: 30 }, depot: { enum: DEPOTS } },
          }),
        },
        responses: { 201: { description: 'made', content: json(PARCEL) }, 400: REFUSED },
      },
    },
    '/parcels/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'parcel',
        responses: { 200: { description: 'one', content: json(PARCEL) }, 404: REFUSED },
      },
      delete: {
        operationId: 'recall',
        responses: { 204: { description: 'gone' }, 404: REFUSED },
      },
    },
  },
});

interface Parcel {
  id: string;
  label: string;
  depot: string;
}

type Planted =
  | 'leads nowhere'
  | 'does not lead on'
  | 'drops the filter'
  | 'repeats an item'
  | 'skips an item'
  | 'keeps what is gone'
  | 'shows the parcel of another client';

/** How a link is written. */
type Written = (target: string) => string;

const QUOTED: Written = (target) => `<${target}>; rel="next"`;

/** A parcel of another client, which this one cannot read. */
const FOREIGN: Parcel = { id: 'p0', label: 'of others', depot: 'north' };

class Service {
  readonly #all = new Map<string, Parcel>();
  readonly #gone: Parcel[] = [];
  readonly #planted: Planted | undefined;
  readonly #written: Written;
  #count = 0;

  constructor(planted: Planted | undefined, written: Written = QUOTED) {
    this.#planted = planted;
    this.#written = written;
  }

  readonly handler: Handler = (call) => {
    if (call.path === '/parcels') {
      return call.method === 'GET' ? this.#list(call.query) : this.#make(call);
    }
    const found = this.#all.get(call.path.slice('/parcels/'.length));
    if (found === undefined) {
      return [404];
    }
    if (call.method === 'DELETE') {
      this.#all.delete(found.id);
      this.#gone.push(found);
      return [204];
    }
    return [200, found];
  };

  #make({ json: body }: Call): Reply {
    const { label, depot } = Object(body);
    if (typeof label !== 'string' || [...label].length > 30 || !DEPOTS.includes(depot)) {
      return [400];
    }
    this.#count += 1;
    const made = { id: `p${this.#count}`, label, depot };
    this.#all.set(made.id, made);
    return [201, made];
  }

  #list(query: URLSearchParams): Reply {
    const size = Number(query.get('per_page') ?? '3');
    const depot = query.get('depot');
    const isDepot = depot === null || DEPOTS.includes(depot);
    if (!Number.isInteger(size) || size < 1 || size > MOST || !isDepot) {
      return [400];
    }
    const shown = this.#known().filter((one) => depot === null || one.depot === depot);
    const start = this.#startOf(shown, query.get('after'));
    if (start === undefined) {
      return [400];
    }
    const page = shown.slice(start, start + size);
    const last = page.at(-1);
    const leadsOn = last !== undefined && start + size < shown.length;
    if (!leadsOn || this.#planted === 'does not lead on') {
      return [200, page];
    }
    return [200, page, { link: this.#written(this.#nextOf(query, last)) }];
  }

  #known(): Parcel[] {
    const known = [...this.#all.values()];
    if (this.#planted === 'keeps what is gone') {
      return [...this.#gone, ...known];
    }
    if (this.#planted === 'shows the parcel of another client') {
      return [FOREIGN, ...known];
    }
    return known;
  }

  /** The cursor is the last parcel of the page before: if that is gone, it leads nowhere. */
  #startOf(shown: readonly Parcel[], after: string | null): number | undefined {
    if (after === null) {
      return 0;
    }
    const index = shown.findIndex(({ id }) => id === after);
    if (index < 0 || this.#planted === 'leads nowhere') {
      return undefined;
    }
    if (this.#planted === 'repeats an item') {
      return index;
    }
    return this.#planted === 'skips an item' ? index + 2 : index + 1;
  }

  #nextOf(query: URLSearchParams, { id }: Parcel): string {
    const next = new URLSearchParams(query);
    next.set('after', id);
    if (this.#planted === 'drops the filter') {
      next.delete('depot');
    }
    return `/parcels?${next}`;
  }
}

const LAWS = ['listed', 'listed.read', 'gone-from-list', 'filtered', 'pages'];

test.each<[string, Written]>([
  ['an absolute path', QUOTED],
  ['no quotes', (target) => `<${target}>;rel=next`],
  ['a query alone', (target) => `<${target.replace('/parcels', '')}>; title="a, b"; rel="next"`],
  [
    'two relations behind another link',
    (to) => `</parcels>; rel="first", <${to}>; rel="last next"`,
  ],
])('lists are followed by links with %s', async (_, written) => {
  const { handler } = new Service(undefined, written);
  const { code, broken, passed, requests } = await runOn(handler, CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(expect.arrayContaining(LAWS.map((law) => `send.items.${law}`)));
  expect(requests.some((one) => one.includes('after=p'))).toBe(true);
});

test.each<[Planted, string]>([
  ['leads nowhere', 'pages'],
  ['does not lead on', 'pages'],
  ['drops the filter', 'filtered'],
  ['repeats an item', 'pages'],
  ['skips an item', 'pages'],
  ['keeps what is gone', 'gone-from-list'],
  ['shows the parcel of another client', 'listed.read'],
])('a list that %s is found', async (planted, law) => {
  const { handler } = new Service(planted);
  const { code, broken } = await runOn(handler, CONTRACT, ['--only', 'send.items*']);
  expect(code).toBe(1);
  expect(broken).toContain(`send.items.${law}`);
});
