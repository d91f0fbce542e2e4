/** A service of library.yaml in memory. It is correct but for the faults that it is given. */
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Sending } from '../../http/call.ts';
import type { RawResponse } from '../../http/response.ts';
import type { Json } from '../resource.ts';
import { Changes } from './changes.ts';
import { Creation } from './creation.ts';
import type { Fault } from './faults.ts';
import {
  BASE,
  type Collection,
  type LibraryKind,
  Library,
  type StoredItem,
} from './library-state.ts';
import { Pages } from './pages.ts';
import { LibraryRefusal } from './refusal.ts';

export const TOKEN = 'may-write';
export const READ_ONLY_TOKEN = 'may-read';

/** The longest body that the service reads, in characters. */
const MAX_BODY = 100_000;

/** The beginning of an escape in the text of a value. */
const ESCAPE = /(?<=:\s*"[^"]*)\\u/g;

/** The ids in a body. */
const IDS = /"id":"[^"]*"/g;

/** The number of items that a fault remembers. */
const REMEMBERED = 20;
const REMEMBERED_LONG = 200;

interface Request {
  method: string;
  segments: string[];
  query: URLSearchParams;
  headers: Record<string, string>;
  body: string | undefined;
}

export class LibraryService {
  readonly #library: Library;
  readonly #creation: Creation;
  readonly #changes: Changes;
  readonly #pages: Pages;
  /** Addresses under which no item was found. */
  readonly #unknown = new Set<string>();
  readonly #remembered = new Map<string, RawResponse>();
  /** Requests that were refused, and are performed all the same when time has passed. */
  #queued: Request[] = [];
  #lastRefused = false;

  constructor(faults: readonly Fault[]) {
    this.#library = new Library(faults);
    this.#creation = new Creation(this.#library);
    this.#changes = new Changes(this.#library);
    this.#pages = new Pages(this.#library);
  }

  /** Lets time pass, in milliseconds. */
  async pass(ms: number): Promise<void> {
    this.#library.now += ms;
    for (const request of this.#queued.splice(0)) {
      await this.#perform(request).catch(() => undefined);
    }
  }

  async respond(sending: Sending): Promise<RawResponse> {
    const request = requestFrom(sending);
    const isWrite = request.method !== 'GET';
    try {
      await this.#refuseUnacceptable(request);
      const response = await this.#performWrongly(request);
      this.#lastRefused &&= !isWrite;
      return isWrite ? response : this.#tagged(request, response);
    } catch (error) {
      if (!(error instanceof LibraryRefusal)) {
        throw error;
      }
      this.#lastRefused ||= isWrite;
      if (isWrite && this.#library.has('changes shelves in which it refuses something')) {
        this.#changeShelfOf(request);
      }
      return this.#reply(error.status, { code: error.code });
    }
  }

  /** With an entity tag; without a body if the client has it already. */
  #tagged({ headers: { 'if-none-match': known } }: Request, response: RawResponse): RawResponse {
    const isOfIds = this.#library.has('makes entity tags of ids alone');
    const text = String(response.body);
    const tagged = isOfIds ? (text.match(IDS) ?? []).join() : text;
    const etag = `W/"${hash('sha1', tagged, 'base64url')}"`;
    const headers = { ...response.headers, etag };
    if (known === etag) {
      return { status: 304, headers, body: Buffer.alloc(0) };
    }
    return { ...response, headers };
  }

  #changeShelfOf({ segments }: Request): void {
    const [, parent, inside] = segments;
    const shelf = this.#library.shelves.items.find(({ id }) => id === parent);
    if (shelf && inside !== undefined) {
      shelf.body = { ...shelf.body, note: 'refused' };
    }
  }

  async #refuseUnacceptable(request: Request): Promise<void> {
    try {
      refuseUnauthorized(request);
      refuseUnreadable(request);
    } catch (error) {
      if (this.#library.has('does what it refuses')) {
        await this.#perform(request);
      }
      const isWrite = request.method !== 'GET';
      if (isWrite && this.#library.has('does what it refuses a moment later')) {
        this.#queued.push(request);
      }
      throw error;
    }
    const isNext = this.#lastRefused && request.method !== 'GET';
    if (isNext && this.#library.has('refuses the change after a refusal')) {
      this.#lastRefused = false;
      throw new LibraryRefusal(400, 'invalid');
    }
  }

  /** Performs a request, with the faults that concern all of them. */
  async #performWrongly(request: Request): Promise<RawResponse> {
    const library = this.#library;
    if (library.has('remembers reads until the next creation or change')) {
      return this.#performRemembering(request);
    }
    if (library.has('brings back shelves that are removed meanwhile')) {
      return this.#performBringingBack(request);
    }
    return this.#perform(request);
  }

  async #performRemembering(request: Request): Promise<RawResponse> {
    const { method, segments, query } = request;
    if (method !== 'GET') {
      if (method !== 'DELETE') {
        this.#remembered.clear();
      }
      return this.#perform(request);
    }
    const address = `${segments.join('/')}?${query.toString()}`;
    const response = this.#remembered.get(address) ?? (await this.#perform(request));
    this.#remembered.set(address, response);
    return response;
  }

  async #performBringingBack(request: Request): Promise<RawResponse> {
    const { shelves } = this.#library;
    const [, parent] = request.segments;
    const shelf = shelves.items.find(({ id }) => id === parent);
    const isInside = request.method !== 'GET' && request.segments.length > 2;
    if (!shelf || !isInside) {
      return this.#perform(request);
    }
    await setImmediate();
    try {
      return await this.#perform(request);
    } finally {
      if (!shelves.items.includes(shelf)) {
        shelves.items.push(shelf);
      }
    }
  }

  async #perform(request: Request): Promise<RawResponse> {
    const { method, segments } = request;
    const isCollection = segments.length % 2 === 1;
    if (isCollection) {
      const collection = this.#collectionOf(segments, method);
      if (method === 'POST') {
        return this.#create(collection, this.#jsonOf(request));
      }
      return this.#reply(200, this.#pages.page(collection, request));
    }
    const collection = this.#collectionOf(segments.slice(0, -1), method);
    const isWithoutBody = method === 'PATCH' && request.body === undefined;
    const last = collection.items.at(-1);
    if (
      isWithoutBody &&
      last &&
      this.#library.has('takes unknown ids for the last item in changes without a body')
    ) {
      return this.#read(collection, last);
    }
    const item = this.#find(collection, segments.at(-1) ?? '', method);
    switch (method) {
      case 'GET':
        return this.#read(collection, item);
      case 'PATCH': {
        const changed = await this.#changes.update(collection, item, this.#jsonOf(request));
        return this.#reply(200, this.#library.shownAfterChange(collection, changed));
      }
      case 'PUT':
        this.#changes.replace(collection, item, this.#jsonOf(request));
        return this.#reply(200, this.#library.shownAfterChange(collection, item));
      default:
        await this.#changes.remove(collection, item);
        return this.#reply(204);
    }
  }

  #jsonOf({ method, body }: Request): unknown {
    if (body === undefined) {
      return undefined;
    }
    const keepsEscapes =
      method === 'POST'
        ? this.#library.has('keeps escapes of creations')
        : this.#library.has('keeps escapes of changes');
    const text = keepsEscapes ? body.replaceAll(ESCAPE, '\\\\u') : body;
    const json = JSON.parse(text) as unknown;
    if (!this.#library.has('drops members with escaped names')) {
      return json;
    }
    const members = Object.entries(json as Json);
    return Object.fromEntries(members.filter(([name]) => body.includes(`"${name}"`)));
  }

  async #create(collection: Collection, json: unknown): Promise<RawResponse> {
    const item = await this.#creation.create(collection, json);
    const shown = this.#library.shown(collection, item);
    const uri = String(shown['uri']);
    const location = this.#library.has('has another Location') ? `${uri}/` : uri;
    return this.#reply(201, shown, { location });
  }

  #read(collection: Collection, item: StoredItem): RawResponse {
    const library = this.#library;
    item.reads++;
    if (item.reads === 2 && library.has('changes an item that is read twice')) {
      item.body = { ...item.body, note: 'read twice' };
    }
    const { items } = collection;
    const since = items.length - items.indexOf(item);
    if (since > REMEMBERED_LONG && library.has('remembers two hundred items')) {
      throw new LibraryRefusal(404, 'not_found');
    }
    const isOld = since > REMEMBERED;
    if (isOld && library.has('remembers twenty items')) {
      throw new LibraryRefusal(404, 'not_found');
    }
    const shown = library.shown(collection, item);
    if (isOld && library.has('remembers the notes of twenty items')) {
      shown['note'] = 'forgotten';
    }
    if (library.has('shows other tags when an item is read')) {
      shown['tags'] = ['other'];
    }
    return this.#reply(200, shown);
  }

  /** @throws LibraryRefusal if there is no such shelf */
  #collectionOf(segments: readonly string[], method: string): Collection {
    const library = this.#library;
    const { shelves } = library;
    const [, parent, kind = ''] = segments;
    if (parent === undefined) {
      return shelves;
    }
    const at = (shelf: string) =>
      library.collectionAt(kind as LibraryKind, `/shelves/${shelf}/${kind}`);
    if (shelves.items.some(({ id }) => id === parent)) {
      return at(parent);
    }
    const [first] = shelves.items;
    if (first && library.has('takes unknown parents for the first one')) {
      return at(first.id);
    }
    const wasThere = shelves.removed.some(({ id }) => id === parent);
    const isOpen =
      method === 'POST'
        ? library.has('creates items in removed parents')
        : library.has('keeps the books of removed shelves');
    if (wasThere && isOpen) {
      return at(parent);
    }
    throw new LibraryRefusal(404, 'not_found');
  }

  /** @throws LibraryRefusal if there is no such item */
  #find(collection: Collection, id: string, method: string): StoredItem {
    const library = this.#library;
    const address = `${collection.path}/${id}`;
    const isForgotten =
      method === 'GET' &&
      this.#unknown.has(address) &&
      library.has('remembers that an item is unknown');
    const found = collection.items.find((one) => this.#isNamed(one, id));
    if (found && !isForgotten) {
      return found;
    }
    this.#unknown.add(address);
    const instead = this.#findWrongly(collection, id, method);
    if (instead) {
      return instead;
    }
    if (method === 'PATCH') {
      this.#changeWrongly(collection, id);
    }
    throw new LibraryRefusal(404, 'not_found');
  }

  #isNamed({ id, isMoving }: StoredItem, asked: string): boolean {
    if (isMoving) {
      return false;
    }
    if (this.#library.has('ignores the case of ids')) {
      return id.toLowerCase() === asked.toLowerCase();
    }
    return id === asked;
  }

  /** The item that a service with a fault finds under an id that no item has. */
  #findWrongly({ kind, path, items, removed }: Collection, id: string, method: string) {
    const library = this.#library;
    const stale = removed.find((one) => one.id === id);
    if (stale && method === 'GET' && library.has('keeps removed items readable')) {
      return stale;
    }
    if (stale && method === 'PATCH' && library.has('changes items that were removed')) {
      return stale;
    }
    const isParent = path.includes(id) && library.has('takes the id of the parent for an item');
    if (stale === undefined && (isParent || this.#takesUnknownForLast(method))) {
      return items.at(-1);
    }
    const elsewhere = library.everywhere(kind).find((one) => one.id === id);
    const wasRead = elsewhere !== undefined && elsewhere.reads > 0 && method === 'GET';
    const isRemembered = wasRead && library.has('finds items of other places once they were read');
    if (isRemembered || library.has('finds items of other places')) {
      return elsewhere;
    }
    return undefined;
  }

  #takesUnknownForLast(method: string): boolean {
    switch (method) {
      case 'GET':
        return this.#library.has('takes unknown ids for the last item');
      case 'PATCH':
        return this.#library.has('takes unknown ids for the last item in changes');
      default:
        return this.#library.has('takes unknown ids for the last item in removals');
    }
  }

  /** The item that a service with a fault changes although it finds none. */
  #changeWrongly({ kind, items }: Collection, id: string): void {
    const library = this.#library;
    const last = items.at(-1);
    if (last && library.has('changes the last item for unknown ids')) {
      last.body = { ...last.body, note: 'changed' };
    }
    const elsewhere = library.everywhere(kind).find((one) => one.id === id);
    if (elsewhere && library.has('changes items of other places')) {
      elsewhere.body = { ...elsewhere.body, note: 'changed' };
    }
  }

  #reply(status: number, json?: Json, headers: Record<string, string> = {}): RawResponse {
    const date = new Date(this.#library.now).toUTCString();
    if (json === undefined) {
      return { status, headers: { date, ...headers }, body: Buffer.alloc(0) };
    }
    const body = Buffer.from(JSON.stringify(json));
    return { status, headers: { date, 'content-type': 'application/json', ...headers }, body };
  }
}

function requestFrom({ method, target, headers = {}, body }: Sending): Request {
  const { pathname, searchParams } = new URL(target, BASE);
  const segments = pathname.split('/').slice(1).map(decodeURIComponent);
  return { method, segments, query: searchParams, headers, body: body?.toString() };
}

/** @throws LibraryRefusal */
function refuseUnauthorized({ method, headers }: Request): void {
  const { authorization } = headers;
  if (authorization === undefined) {
    throw new LibraryRefusal(401, 'unauthorized');
  }
  if (method !== 'GET' && authorization === `Bearer ${READ_ONLY_TOKEN}`) {
    throw new LibraryRefusal(403, 'forbidden');
  }
}

/** @throws LibraryRefusal */
function refuseUnreadable({ query, headers, body }: Request): void {
  const isKnown = (name: string) => ['limit', 'after', 'offset'].includes(name);
  if (![...query.keys()].every(isKnown)) {
    throw new LibraryRefusal(400, 'unknown_parameter');
  }
  if (headers['accept'] === 'text/html') {
    throw new LibraryRefusal(406, 'not_acceptable');
  }
  if (body === undefined) {
    return;
  }
  if (body.length > MAX_BODY) {
    throw new LibraryRefusal(413, 'too_large');
  }
  if (headers['content-type'] !== 'application/json') {
    throw new LibraryRefusal(415, 'unsupported_media_type');
  }
}
