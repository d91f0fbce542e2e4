/** Lists whose order, pages and filters are stated by defaults and in words. */
import { expect, test } from 'vitest';
import { type Call, type Handler, type Reply, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: A gallery, version: '1'}
paths:
  /paintings:
    get:
      operationId: paintings
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100, default: 5}}
        - {name: offset, in: query, schema: {type: integer, minimum: 0, default: 0}}
        - {name: sort, in: query, schema: {enum: [title, -title], default: title}}
        - name: text
          in: query
          description: Only paintings whose title contains this, ignoring case.
          schema: {type: string}
        - {name: min_width, in: query, schema: {type: integer}}
        - name: painted_until
          in: query
          description: Only paintings of this day or earlier.
          schema: {type: string, format: date}
        - {name: painter_id, in: query, schema: {type: integer}}
      responses:
        '200':
          description: A page
          content:
            application/json:
              schema:
                type: object
                required: [items, limit]
                properties:
                  items: {type: array, items: {$ref: '#/components/schemas/Painting'}}
                  limit: {type: integer}
        '400': {description: wrong}
    post:
      operationId: hang
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/NewPainting'}}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Painting'}}}
        '400': {description: wrong}
  /paintings/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: painting
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Painting'}}}
        '404': {description: absent}
  /painters:
    get:
      operationId: painters
      parameters: [{name: cursor, in: query, schema: {type: string}}]
      responses:
        '200':
          description: A page
          content:
            application/json:
              schema:
                type: object
                required: [items, next]
                properties:
                  items: {type: array, items: {$ref: '#/components/schemas/Painter'}}
                  next: {type: [string, 'null'], description: Null on the last page.}
        '400': {description: wrong}
    post:
      operationId: enter
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [name], properties: {name: {type: string}}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Painter'}}}
        '400': {description: wrong}
  /painters/{painter_id}:
    parameters: [{name: painter_id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: painter
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Painter'}}}
        '404': {description: absent}
  /visits:
    get:
      operationId: visits
      description: All visits. Newest first.
      responses:
        '200':
          description: all
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Visit'}}}
    post:
      operationId: visit
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [guest, day]
              properties: {guest: {type: string}, day: {type: string, format: date}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Visit'}}}
        '400': {description: wrong}
  /visits/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: readVisit
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Visit'}}}
        '404': {description: absent}
  /rooms:
    get:
      operationId: rooms
      description: Sorted by room number, descending.
      responses:
        '200':
          description: all
          content:
            application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Room'}}}
    post:
      operationId: open
      requestBody:
        required: true
        content:
          application/json:
            schema:
              {type: object, required: [number], properties: {number: {type: integer, minimum: 0}}}
      responses:
        '201':
          description: made
          content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}
        '400': {description: wrong}
  /rooms/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: room
      responses:
        '200':
          description: one
          content: {application/json: {schema: {$ref: '#/components/schemas/Room'}}}
        '404': {description: absent}
components:
  schemas:
    NewPainting:
      type: object
      required: [title, width, painted, painter_id]
      properties:
        title: {type: string, maxLength: 40}
        width: {type: integer, minimum: 1, maximum: 900}
        painted: {type: string, format: date}
        painter_id: {type: integer}
    Painting:
      type: object
      required: [id, title, width, painted, painter_id]
      properties:
        id: {type: string}
        title: {type: string}
        width: {type: integer}
        painted: {type: string, format: date}
        painter_id: {type: integer}
    Painter:
      type: object
      required: [id, name]
      properties: {id: {type: integer}, name: {type: string}}
    Visit:
      type: object
      required: [id, guest, day]
      properties:
        {id: {type: string}, guest: {type: string}, day: {type: string, format: date}}
    Room:
      type: object
      required: [id, number]
      properties: {id: {type: string}, number: {type: integer}}
`;

type Planted =
  | 'has larger pages than its default'
  | 'shows another limit than its default'
  | 'has another order than its default'
  | 'minds the case of a text'
  | 'finds a text at the beginning alone'
  | 'leaves out what is as wide as the limit'
  | 'has what is a day after the limit'
  | 'ignores the painter'
  | 'has the oldest visits first'
  | 'has rooms in ascending order'
  | 'ends with an empty cursor';

type Item = Record<string, any>;

const MEMBERS = new Set([
  'title',
  'width',
  'painted',
  'painter_id',
  'name',
  'guest',
  'day',
  'number',
]);

const LARGEST_PAGE = 100;

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

const compared = (one: string | number, other: string | number): number => {
  if (one === other) {
    return 0;
  }
  return one < other ? -1 : 1;
};

const isWhole = (text: string, least: number): boolean =>
  /^\d{1,9}$/.test(text) && Number(text) >= least;

class Gallery {
  readonly #items = new Map<string, Item[]>();
  readonly #planted: Planted | undefined;
  #count = 0;

  constructor(planted?: Planted) {
    this.#planted = planted;
  }

  readonly handler: Handler = (call) => {
    const [, kind = '', id] = call.path.split('/');
    const all = this.#items.get(kind) ?? [];
    if (id !== undefined) {
      const found = all.find((one) => String(one['id']) === id);
      return found === undefined ? [404] : [200, found];
    }
    if (call.method === 'POST') {
      return this.#make(kind, Object(call.json) as Item);
    }
    switch (kind) {
      case 'paintings':
        return this.#paintings(call);
      case 'visits':
        return [200, this.#planted === 'has the oldest visits first' ? all : all.toReversed()];
      case 'painters':
        return this.#painters(all, call.query);
      default:
        return [200, this.#rooms(all)];
    }
  };

  /** All are on one page: no cursor leads on. */
  #painters(all: readonly Item[], query: URLSearchParams): Reply {
    if (query.has('cursor')) {
      return [400];
    }
    const next = this.#planted === 'ends with an empty cursor' ? '' : null;
    return [200, { items: all, next }];
  }

  #rooms(all: readonly Item[]): Item[] {
    const ascending = all.toSorted((one, other) => one['number'] - other['number']);
    const isWrong = this.#planted === 'has rooms in ascending order';
    return isWrong ? ascending : ascending.toReversed();
  }

  #make(kind: string, body: Item): Reply {
    if (!this.#isValid(kind, body)) {
      return [400];
    }
    this.#count += 1;
    const id = kind === 'painters' ? this.#count : `x${this.#count}`;
    const known = Object.entries(body).filter(([name]) => MEMBERS.has(name));
    const made = { ...Object.fromEntries(known), id };
    this.#items.set(kind, [...(this.#items.get(kind) ?? []), made]);
    return [201, made];
  }

  #isValid(kind: string, { name, guest, day, number, ...painting }: Item): boolean {
    if (kind === 'painters') {
      return typeof name === 'string';
    }
    if (kind === 'visits') {
      return typeof guest === 'string' && isDay(day);
    }
    if (kind === 'rooms') {
      return Number.isSafeInteger(number) && number >= 0;
    }
    const { title, width, painted, painter_id: painter } = painting;
    const isTitle = typeof title === 'string' && [...title].length <= 40;
    const isWidth = Number.isSafeInteger(width) && width >= 1 && width <= 900;
    const painters = this.#items.get('painters') ?? [];
    return isTitle && isWidth && isDay(painted) && painters.some(({ id }) => id === painter);
  }

  #paintings({ query }: Call): Reply {
    const limit = query.get('limit');
    const offset = query.get('offset') ?? '0';
    const sort = query.get('sort') ?? 'title';
    const until = query.get('painted_until');
    const numbers = ['min_width', 'painter_id'].map((name) => query.get(name) ?? '0');
    const isSize = limit === null || (isWhole(limit, 1) && Number(limit) <= LARGEST_PAGE);
    const areNumbers = numbers.every((text) => /^-?\d+$/.test(text)) && isWhole(offset, 0);
    const isSort = ['title', '-title'].includes(sort);
    if (!isSize || !areNumbers || !isSort || (until !== null && !isDay(until))) {
      return [400];
    }
    const found = (this.#items.get('paintings') ?? []).filter((one) => this.#fits(one, query));
    const isUnsorted = this.#planted === 'has another order than its default';
    if (!isUnsorted || query.has('sort')) {
      const sign = sort === 'title' ? 1 : -1;
      found.sort((one, other) => sign * compared(one['title'], other['title']));
    }
    const isLarge = this.#planted === 'has larger pages than its default';
    const size = Number(limit ?? (isLarge ? '9' : '5'));
    const items = found.slice(Number(offset), Number(offset) + size);
    const shown = this.#planted === 'shows another limit than its default' ? 50 : 5;
    return [200, { items, limit: limit === null ? shown : size }];
  }

  #fits({ title, width, painted, painter_id: painter }: Item, query: URLSearchParams): boolean {
    const text = query.get('text') ?? '';
    const least = Number(query.get('min_width') ?? '0');
    const until = query.get('painted_until') ?? '9999-12-31';
    const painters = this.#planted === 'ignores the painter' ? [] : query.getAll('painter_id');
    const isWide = this.#planted === 'leaves out what is as wide as the limit' ? 1 : 0;
    const day = this.#planted === 'has what is a day after the limit' ? 86_400_000 : 0;
    return (
      this.#hasText(title, text) &&
      width >= least + (query.has('min_width') ? isWide : 0) &&
      Date.parse(painted) <= Date.parse(until) + day &&
      painters.every((id) => Number(id) === painter)
    );
  }

  #hasText(title: string, text: string): boolean {
    if (this.#planted === 'minds the case of a text') {
      return title.includes(text);
    }
    const whole = title.toLowerCase();
    const part = text.toLowerCase();
    const isAtStart = this.#planted === 'finds a text at the beginning alone';
    return isAtStart ? whole.startsWith(part) : whole.includes(part);
  }
}

test('lists that keep what their contract says pass', async () => {
  const { code, broken, passed } = await runOn(new Gallery().handler, CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  const laws = [
    'hang.items.default-size',
    'hang.items.sorted',
    'hang.items.filtered',
    'hang.items.filtered.stated',
    'visit.items.order',
    'open.items.order',
    'enter.items.listed',
  ];
  expect(passed).toEqual(expect.arrayContaining(laws));
});

test.each<[Planted, string]>([
  ['has larger pages than its default', 'hang.items.default-size'],
  ['shows another limit than its default', 'hang.items.default-size'],
  ['has another order than its default', 'hang.items.sorted'],
  ['minds the case of a text', 'hang.items.filtered.stated'],
  ['finds a text at the beginning alone', 'hang.items.filtered.stated'],
  ['leaves out what is as wide as the limit', 'hang.items.filtered.stated'],
  ['has what is a day after the limit', 'hang.items.filtered.stated'],
  ['ignores the painter', 'hang.items.filtered'],
  ['has the oldest visits first', 'visit.items.order'],
  ['has rooms in ascending order', 'open.items.order'],
  ['ends with an empty cursor', 'enter.items.listed'],
])('a list that %s is found', async (planted, id) => {
  const { handler } = new Gallery(planted);
  const { code, broken } = await runOn(handler, CONTRACT, ['--only', id]);
  expect(code).toBe(1);
  expect(broken).toContain(id);
});
