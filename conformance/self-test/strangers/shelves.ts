/**
 * Shelves and the books on them, as a stranger writes them: each case replaces parts of a plain
 * service by others that are right, or wrong.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Call, type Handler, type Reply } from './run.ts';

export const KEY = 'sesame-7fA3';

const json = (schema: string) => `content: {application/json: {schema: ${schema}}}`;

const ITEM = `
      type: object
      required: [id, name]
      properties:
        id: {type: string}
        name: {type: string}
        note: {type: string}
        size: {type: integer}`;

const refusals = (indent: string) =>
  ['400', '401', '404', '412', '415']
    .map((one) => `${indent}'${one}': {description: no}`)
    .join('\n');

const itemOperations = (what: string) => `
    get:
      operationId: read${what}
      responses:
        '200': {description: it, ${json(`{$ref: '#/components/schemas/${what}'}`)}}
${refusals('        ')}
    patch:
      operationId: change${what}
      requestBody: {required: true, ${json(`{$ref: '#/components/schemas/Change'}`)}}
      responses:
        '200': {description: it, ${json(`{$ref: '#/components/schemas/${what}'}`)}}
${refusals('        ')}
    delete:
      operationId: remove${what}
      responses:
        '204': {description: gone}
        '409': {description: there is something on it}
${refusals('        ')}`;

const creation = (what: string) => `
    post:
      operationId: add${what}
      requestBody: {required: true, ${json(`{$ref: '#/components/schemas/New'}`)}}
      responses:
        '201': {description: it, ${json(`{$ref: '#/components/schemas/${what}'}`)}}
${refusals('        ')}`;

const MEMBERS = `
        name: {type: string, minLength: 3, maxLength: 20}
        note: {type: string, maxLength: 40}
        size: {type: integer, minimum: 1, maximum: 1000}`;

export const CONTRACT = `
openapi: 3.1.0
info: {title: Shelves, version: '1'}
security: [{key: []}]
paths:
  /shelves:${creation('Shelf')}
  /shelves/{shelf}:
    parameters: [{name: shelf, in: path, required: true, schema: {type: string}}]
${itemOperations('Shelf')}
  /shelves/{shelf}/books:
    parameters: [{name: shelf, in: path, required: true, schema: {type: string}}]
${creation('Book')}
  /shelves/{shelf}/books/{book}:
    parameters:
      - {name: shelf, in: path, required: true, schema: {type: string}}
      - {name: book, in: path, required: true, schema: {type: string}}
${itemOperations('Book')}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  schemas:
    New:
      type: object
      additionalProperties: false
      required: [name]
      properties:${MEMBERS}
    Change:
      type: object
      additionalProperties: false
      properties:${MEMBERS}
    Shelf:${ITEM}
    Book:${ITEM}
`;

export interface Item {
  id: string;
  [member: string]: unknown;
}

export interface Shelf extends Item {
  books: Map<string, Item>;
}

/** The parts of the service that cases replace. */
export class Shelves {
  readonly shelves = new Map<string, Shelf>();
  #count = 0;

  readonly handler: Handler = (call, response) => {
    void this.respond(call).then(([status, body, fields = {}]) => {
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      response.writeHead(status, { ...type, ...fields });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
    return undefined;
  };

  isAllowed({ headers }: Call): boolean {
    return headers['x-key'] === KEY;
  }

  nextId(): string {
    this.#count += 1;
    return `${this.#count}${randomUUID().slice(0, 4)}`;
  }

  find<T extends Item>(all: ReadonlyMap<string, T>, id: string): T | undefined {
    return all.get(id);
  }

  async respond(call: Call): Promise<Reply> {
    if (!this.isAllowed(call)) {
      return [401];
    }
    const [, , shelfId, kind, bookId] = call.path.split('/').map(decodeURIComponent);
    if (shelfId === undefined) {
      const wrong = this.wrongShelf(call);
      return wrong === undefined ? this.addShelf(call.json) : [wrong];
    }
    const shelf = this.find(this.shelves, shelfId);
    if (shelf === undefined) {
      return [404];
    }
    if (kind === undefined) {
      return this.atItem(call, shelf, () => this.removeShelf(shelf));
    }
    if (bookId === undefined) {
      const wrong = wrongBody(call, true);
      return wrong === undefined ? this.addBook(shelf, call.json) : [wrong];
    }
    const book = this.find(shelf.books, bookId);
    if (book === undefined) {
      return [404];
    }
    return this.atItem(call, book, () => this.removeBook(shelf, book));
  }

  /** The status that refuses a new shelf. */
  wrongShelf(call: Call): number | undefined {
    return wrongBody(call, true);
  }

  async addShelf(body: object): Promise<Reply> {
    const shelf: Shelf = { id: this.nextId(), ...body, books: new Map() };
    this.shelves.set(shelf.id, shelf);
    return [201, shown(shelf)];
  }

  async addBook(shelf: Shelf, body: object): Promise<Reply> {
    const book = { id: this.nextId(), ...body };
    shelf.books.set(book.id, book);
    return [201, book];
  }

  async atItem(call: Call, item: Item, remove: () => Promise<Reply>): Promise<Reply> {
    const tag = call.headers['if-match'];
    if (call.method === 'GET' || call.method === 'HEAD') {
      return [200, shown(item)];
    }
    if (tag !== undefined && tag !== '*') {
      return [412];
    }
    if (call.method === 'DELETE') {
      return remove();
    }
    return this.change(call, item);
  }

  async change(call: Call, item: Item): Promise<Reply> {
    const wrong = wrongBody(call, false);
    if (wrong !== undefined) {
      return [wrong];
    }
    Object.assign(item, call.json);
    return [200, shown(item)];
  }

  async removeShelf({ id }: Shelf): Promise<Reply> {
    this.shelves.delete(id);
    return [204];
  }

  async removeBook({ books }: Shelf, { id }: Item): Promise<Reply> {
    books.delete(id);
    return [204];
  }
}

function shown(item: Item): object {
  const members = Object.entries(item).filter(([name]) => name !== 'books');
  return Object.fromEntries(members);
}

const isText = (value: unknown, least: number, most: number): boolean => {
  const { length } = [...String(value)];
  return typeof value === 'string' && length >= least && length <= most;
};

const RULES: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: (value) => isText(value, 3, 20),
  note: (value) => isText(value, 0, 40),
  size: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1000,
};

/** Whether a member of a body is right. */
export const isRight = (name: string, value: unknown): boolean => RULES[name]?.(value) === true;

/** The status that refuses the body; undefined if it is right. */
export function wrongBody({ headers, json: body }: Call, isWhole: boolean): number | undefined {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) {
    return 415;
  }
  const isMissing = !isObject(body) || (isWhole && body['name'] === undefined);
  if (isMissing || !Object.entries(body).every(([name, value]) => isRight(name, value))) {
    return 400;
  }
  return undefined;
}

export const wait = (ms: number): Promise<void> => setTimeout(ms);
