/** A shop: customers, their orders, and products; and the errors that it can have. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Handler, Reply } from './run.ts';

export const TOKEN = 'shop-Token-5dC1';

export type ShopError =
  | 'serves notes to anybody'
  | 'serves a path with a slash to anybody'
  | 'writes back what it read'
  | 'loses the last item of a full page'
  | 'loses the last order of a full page'
  | 'takes the time of creation from a replacement'
  | 'filters by the beginning'
  | 'lists orders without their lines'
  | 'removes customers with orders';

const content = (schema: string): string =>
  `content: {application/json: {schema: {$ref: '#/components/schemas/${schema}'}}}`;

const TEXT = 'content: {text/plain: {schema: {type: string}}}';

const idAt = (name: string): string =>
  `{name: ${name}, in: path, required: true, schema: {type: string, format: uuid}}`;

export const CONTRACT = `
openapi: 3.1.0
info: {title: Shop, version: '1'}
security: [{token: []}]
paths:
  /customers:
    post:
      operationId: addCustomer
      requestBody: {required: true, ${content('NewCustomer')}}
      responses:
        '201': {description: Made., ${content('Customer')}}
        '400': {description: Wrong.}
        '401': {description: No token.}
    get:
      operationId: customers
      parameters:
        - name: name
          in: query
          description: Only customers with this name.
          schema: {type: string, minLength: 1, maxLength: 40}
        - name: limit
          in: query
          schema: {type: integer, minimum: 1, maximum: 50, default: 20}
        - name: offset
          in: query
          schema: {type: integer, minimum: 0, maximum: 100000, default: 0}
      responses:
        '200': {description: All., ${content('Customers')}}
        '400': {description: Wrong.}
        '401': {description: No token.}
  /customers/{customer}:
    parameters: [${idAt('customer')}]
    get:
      operationId: customer
      responses:
        '200': {description: One., ${content('Customer')}}
        '401': {description: No token.}
        '404': {description: None.}
    put:
      operationId: replaceCustomer
      requestBody: {required: true, ${content('Customer')}}
      responses:
        '200': {description: Replaced., ${content('Customer')}}
        '400': {description: Wrong.}
        '401': {description: No token.}
        '404': {description: None.}
    patch:
      operationId: changeCustomer
      requestBody: {required: true, ${content('CustomerChange')}}
      responses:
        '200': {description: Changed., ${content('Customer')}}
        '400': {description: Wrong.}
        '401': {description: No token.}
        '404': {description: None.}
    delete:
      operationId: removeCustomer
      description: Removes a customer without orders.
      responses:
        '204': {description: Removed.}
        '401': {description: No token.}
        '404': {description: None.}
        '409': {description: The customer has orders.}
  /customers/{customer}/notes:
    parameters: [${idAt('customer')}]
    get:
      operationId: notes
      responses:
        '200': {description: The notes., ${TEXT}}
        '401': {description: No token.}
        '404': {description: None.}
  /customers/{customer}/orders:
    parameters: [${idAt('customer')}]
    post:
      operationId: addOrder
      requestBody: {required: true, ${content('NewOrder')}}
      responses:
        '201': {description: Made., ${content('Order')}}
        '400': {description: Wrong.}
        '401': {description: No token.}
        '404': {description: None.}
    get:
      operationId: orders
      parameters:
        - {name: cursor, in: query, schema: {type: string, maxLength: 100}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 20}}
      responses:
        '200': {description: All., ${content('Orders')}}
        '400': {description: Wrong.}
        '401': {description: No token.}
        '404': {description: None.}
  /customers/{customer}/orders/{order}:
    parameters:
      - ${idAt('customer')}
      - ${idAt('order')}
    get:
      operationId: order
      responses:
        '200': {description: One., ${content('Order')}}
        '401': {description: No token.}
        '404': {description: None.}
    delete:
      operationId: removeOrder
      responses:
        '204': {description: Removed.}
        '401': {description: No token.}
        '404': {description: None.}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    NewCustomer:
      type: object
      required: [name]
      properties:
        name: {type: string, minLength: 1, maxLength: 40}
        notes: {type: string, maxLength: 200, default: ''}
        city: {type: string, maxLength: 40, default: ''}
    CustomerChange:
      type: object
      properties:
        name: {type: string, minLength: 1, maxLength: 40}
        notes: {type: string, maxLength: 200}
        city: {type: string, maxLength: 40}
    Customer:
      type: object
      required: [id, name, notes, city, created_at, updated_at]
      properties:
        id: {type: string, format: uuid, readOnly: true}
        created_at: {type: string, format: date-time, readOnly: true}
        updated_at: {type: string, format: date-time, readOnly: true}
        name: {type: string, minLength: 1, maxLength: 40}
        notes: {type: string, maxLength: 200}
        city: {type: string, maxLength: 40}
    Customers:
      type: object
      required: [items]
      properties:
        items: {type: array, items: {$ref: '#/components/schemas/Customer'}}
    Orders:
      type: object
      required: [orders, next_cursor]
      properties:
        orders: {type: array, items: {$ref: '#/components/schemas/Order'}}
        next_cursor: {type: [string, 'null']}
    Line:
      type: object
      required: [product, count]
      properties:
        product: {type: string, minLength: 1, maxLength: 40}
        count: {type: integer, minimum: 1, maximum: 99}
    NewOrder:
      type: object
      required: [lines]
      properties:
        lines: {type: array, minItems: 1, maxItems: 9, items: {$ref: '#/components/schemas/Line'}}
    Order:
      type: object
      required: [id, lines]
      properties:
        id: {type: string, format: uuid, readOnly: true}
        lines: {type: array, maxItems: 9, items: {$ref: '#/components/schemas/Line'}}
`;

interface Customer {
  id: string;
  created_at: string;
  updated_at: string;
  name: string;
  notes: string;
  city: string;
}

interface Line {
  product: string;
  count: number;
}

interface Order {
  id: string;
  lines: Line[];
}

const isText = (value: unknown, least: number, most: number): boolean => {
  if (typeof value !== 'string') {
    return false;
  }
  const { length } = Array.from(value);
  return length >= least && length <= most;
};

const LEAST: Record<string, number> = { name: 1, notes: 0, city: 0 };
const MOST: Record<string, number> = { name: 40, notes: 200, city: 40 };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function hasRightTexts(json: Record<string, unknown>): boolean {
  return Object.keys(MOST).every((name) => {
    const value = json[name];
    return value === undefined || isText(value, LEAST[name] ?? 0, MOST[name] ?? 0);
  });
}

/** The members of a customer that a request may set. */
function textsIn(json: Record<string, unknown>): Partial<Customer> {
  const texts = Object.entries(json).filter(([name]) => name in MOST);
  return Object.fromEntries(texts) as Partial<Customer>;
}

function isLine(value: unknown): boolean {
  if (!isObject(value) || !isText(value['product'], 1, 40)) {
    return false;
  }
  const { count } = value as { count?: unknown };
  return Number.isInteger(count) && Number(count) >= 1 && Number(count) <= 99;
}

function areLines(value: unknown): value is Line[] {
  return Array.isArray(value) && value.length >= 1 && value.length <= 9 && value.every(isLine);
}

const DIGITS = /^(?:0|[1-9]\d{0,5})$/;

const now = (): string => new Date().toISOString();

const NO_CUSTOMER: Reply = [404];

/** @param error the one that the shop has; undefined: it is correct */
export class Shop {
  readonly #error: ShopError | undefined;
  readonly #customers = new Map<string, Customer>();
  readonly #orders = new Map<string, Map<string, Order>>();

  constructor(error?: ShopError) {
    this.#error = error;
  }

  readonly handler: Handler = (call, response) => {
    void this.#respond(call).then(([status, body, fields = {}]) => {
      const type = typeof body === 'string' ? 'text/plain' : 'application/json';
      const head = body === undefined ? {} : { 'content-type': type };
      response.writeHead(status, { ...head, ...fields });
      response.end(typeof body === 'object' ? JSON.stringify(body) : body);
    });
    return undefined;
  };

  async #respond(call: Call): Promise<Reply> {
    const isOpenPath =
      call.path.endsWith('/') && this.#error === 'serves a path with a slash to anybody';
    const path = isOpenPath ? call.path.slice(0, -1) : call.path;
    const [, first, customer, kind, order] = path.split('/');
    const isOpenNote = kind === 'notes' && this.#error === 'serves notes to anybody';
    const isPublic = isOpenPath || isOpenNote;
    if (!isPublic && call.headers.authorization !== `Bearer ${TOKEN}`) {
      return [401, undefined, { 'www-authenticate': 'Bearer' }];
    }
    if (first !== 'customers') {
      return [404];
    }
    if (customer === undefined) {
      return this.#ofAll(call);
    }
    const found = this.#customers.get(customer);
    if (found === undefined) {
      return NO_CUSTOMER;
    }
    if (kind === undefined) {
      return this.#ofCustomer(call, found);
    }
    if (kind === 'notes' && order === undefined) {
      return call.method === 'GET' ? [200, found.notes] : [405];
    }
    return kind === 'orders' ? this.#ofOrders(call, found, order) : [404];
  }

  #ofAll({ method, query, json }: Call): Reply {
    if (method === 'GET') {
      return this.#list(query);
    }
    if (method !== 'POST') {
      return [405];
    }
    if (!isObject(json) || json['name'] === undefined || !hasRightTexts(json)) {
      return [400];
    }
    const time = now();
    const made = { id: randomUUID(), created_at: time, updated_at: time };
    const customer = { ...made, name: '', notes: '', city: '', ...textsIn(json) };
    this.#customers.set(customer.id, customer);
    this.#orders.set(customer.id, new Map());
    return [201, customer];
  }

  #list(query: URLSearchParams): Reply {
    const limit = query.get('limit') ?? '20';
    const offset = query.get('offset') ?? '0';
    const name = query.get('name');
    const isRight =
      DIGITS.test(limit) && DIGITS.test(offset) && (name === null || isText(name, 1, 40));
    if (!isRight || Number(limit) < 1 || Number(limit) > 50 || Number(offset) > 100_000) {
      return [400];
    }
    const hasName = (one: Customer) => {
      const begins = this.#error === 'filters by the beginning';
      return begins ? one.name.startsWith(name ?? '') : one.name === name;
    };
    const all = [...this.#customers.values()].filter((one) => name === null || hasName(one));
    const begin = Number(offset);
    const page = all.slice(begin, begin + Number(limit));
    const isExact = begin + Number(limit) === all.length && page.length > 1;
    if (isExact && this.#error === 'loses the last item of a full page') {
      page.pop();
    }
    return [200, { items: page }];
  }

  async #ofCustomer({ method, json }: Call, found: Customer): Promise<Reply> {
    switch (method) {
      case 'GET':
        return [200, found];
      case 'DELETE':
        return this.#remove(found);
      case 'PUT':
        return this.#replace(found, json);
      case 'PATCH':
        return this.#change(found, json);
      default:
        return [405];
    }
  }

  #remove({ id }: Customer): Reply {
    const hasOrders = (this.#orders.get(id)?.size ?? 0) > 0;
    if (hasOrders && this.#error !== 'removes customers with orders') {
      return [409];
    }
    this.#customers.delete(id);
    this.#orders.delete(id);
    return [204];
  }

  #replace(found: Customer, json: unknown): Reply {
    const isWhole = isObject(json) && Object.keys(MOST).every((name) => json[name] !== undefined);
    if (!isWhole || !hasRightTexts(json)) {
      return [400];
    }
    const { id, created_at: createdAt } = found;
    const replaced = { ...found, ...textsIn(json), id, created_at: createdAt, updated_at: now() };
    const sent = json['created_at'];
    const isTaken = this.#error === 'takes the time of creation from a replacement';
    if (isTaken && typeof sent === 'string') {
      replaced.created_at = sent;
    }
    this.#customers.set(id, replaced);
    return [200, replaced];
  }

  async #change(found: Customer, json: unknown): Promise<Reply> {
    if (!isObject(json) || !hasRightTexts(json)) {
      return [400];
    }
    if (this.#error === 'writes back what it read') {
      await sleep(5);
    }
    const isStale = this.#error === 'writes back what it read';
    const before = isStale ? found : (this.#customers.get(found.id) ?? found);
    const changed = { ...before, ...textsIn(json), updated_at: now() };
    this.#customers.set(found.id, changed);
    return [200, changed];
  }

  #ofOrders({ method, query, json }: Call, { id }: Customer, order: string | undefined): Reply {
    const orders = this.#orders.get(id) ?? new Map<string, Order>();
    if (order !== undefined) {
      return this.#ofOrder(method, orders, order);
    }
    if (method === 'GET') {
      return this.#listOrders([...orders.values()], query);
    }
    if (method !== 'POST') {
      return [405];
    }
    if (!isObject(json) || !areLines(json['lines'])) {
      return [400];
    }
    const made = { id: randomUUID(), lines: json['lines'] };
    orders.set(made.id, made);
    return [201, made];
  }

  #listOrders(all: readonly Order[], query: URLSearchParams): Reply {
    const limit = query.get('limit') ?? '20';
    const begin = query.get('cursor') ?? '0';
    const isRight = DIGITS.test(limit) && DIGITS.test(begin);
    if (!isRight || Number(limit) < 1 || Number(limit) > 50) {
      return [400];
    }
    const end = Number(begin) + Number(limit);
    const page = all.slice(Number(begin), end);
    const isExact = end === all.length && page.length > 1;
    if (isExact && this.#error === 'loses the last order of a full page') {
      page.pop();
    }
    const isBare = this.#error === 'lists orders without their lines';
    const orders = isBare ? page.map((one) => ({ ...one, lines: [] })) : page;
    return [200, { orders, next_cursor: end < all.length ? String(end) : null }];
  }

  #ofOrder(method: string, orders: Map<string, Order>, id: string): Reply {
    const found = orders.get(id);
    if (found === undefined) {
      return [404];
    }
    if (method === 'GET') {
      return [200, found];
    }
    if (method === 'DELETE') {
      orders.delete(id);
      return [204];
    }
    return [405];
  }
}
