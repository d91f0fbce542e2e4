/**
 * A service of accounts, their notes and pictures, as people write one, with errors if a test wants
 * some; and its contract (contracts/accounts.yaml), which has no links.
 */
import { isObject } from '../../engine/contract/pointers.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../../self-test/service.ts';
import { type Json, jsonIn, queryOf, segmentsOf } from './requests.ts';
import { respondWith } from './services.ts';

/** The errors of a service. */
export interface AccountErrors {
  /** Changes the body of a new item before it is kept. */
  stored?: (body: Json) => Json;
  /** Applies a change. */
  changed?: (body: Json, before: Json) => Json;
  /** Makes the account that responses show. */
  shown?: (account: Json) => Json;
  listed?: (all: Json[], query: URLSearchParams) => Json[];
  /** The `Location` of a new account. */
  location?: string;
  /** Whether it refuses what is taken: never, or only in a new account. */
  isTaken?: false | 'at first';
  /** The order of two sizes. */
  compare?: (one: number, other: number) => number;
  /** How many items of a page the next one has again. */
  overlap?: number;
  /** The key of a note: it need not have the account in it. */
  keyOf?: (id: string, account: string) => string;
  hasPictures?: false;
}

type Rules = Readonly<Record<string, (value: unknown) => boolean>>;

const MAIL = /^[\w.+]+@\w+(\.\w+)+$/;
const CODE = /^[A-Z]{2}-[0-9]{6}$/;
const KINDS: readonly unknown[] = ['old', 'new'];
const ORDERS = ['kind', 'size', 'size_desc'];

const ACCOUNT_RULES: Rules = {
  mail: (mail) => isText(mail) && MAIL.test(mail),
  code: (code) => isText(code) && CODE.test(code),
  name: (name) => name === null || isText(name, 20),
  pin: (pin) => isText(pin) && [...pin].length > 3,
  size: Number.isInteger,
  kind: (kind) => KINDS.includes(kind),
};

const NOTE_RULES: Rules = { text: (text) => isText(text), mark: (mark) => isText(mark, 9) };

export function isText(value: unknown, most = Infinity): value is string {
  return typeof value === 'string' && [...value].length <= most;
}

/** Whether each member keeps its rule. Others are ignored. */
function fits(rules: Rules, body: unknown): body is Json {
  if (!isObject(body)) {
    return false;
  }
  return Object.entries(body).every(([name, value]) => rules[name]?.(value) ?? true);
}

function isNumber(text: string, most = Infinity): boolean {
  return /^\d+$/.test(text) && Number(text) <= most;
}

/**
 * No two accounts have one mail or one code; nobody signs in, and nobody has a picture at first.
 */
export function accounts(errors: AccountErrors = {}): Service {
  const notes = new Notes(errors);
  const all = new Accounts(errors, notes);
  return async (request) => {
    const [kind, id = ''] = segmentsOf(request);
    if (kind === 'session') {
      return signIn(jsonIn(request));
    }
    if (kind === 'accounts') {
      return all.respond(request);
    }
    const account = kind === 'notes' ? notes.accountOf(id) : undefined;
    if (account === undefined) {
      return respondWith(404);
    }
    return notes.respond(request, { account, id });
  };
}

function signIn(sent: unknown): ServiceResponse {
  const isComplete = isObject(sent) && isText(sent['key']);
  return respondWith(isComplete ? 403 : 422);
}

class Accounts {
  readonly #errors: AccountErrors;
  readonly #notes: Notes;
  readonly #all = new Map<string, Json>();
  /** The ids of the accounts that have a picture. */
  readonly #pictures = new Set<string>();
  #last = 0;

  constructor(errors: AccountErrors, notes: Notes) {
    this.#errors = errors;
    this.#notes = notes;
  }

  /** Responds to requests below `/accounts`. */
  respond(request: ServiceRequest): ServiceResponse {
    const [, id, part, note] = segmentsOf(request);
    if (id === undefined) {
      return this.#respondAboutAll(request);
    }
    if (!/^-?\d+$/.test(id)) {
      return respondWith(422);
    }
    const found = this.#all.get(id);
    if (found === undefined) {
      return respondWith(404);
    }
    switch (part) {
      case 'picture':
        return this.#respondAboutPicture(request, id);
      case 'notes':
        return this.#notes.respond(request, { account: id, id: note });
      default:
        return this.#respondAboutOne(request, id, found);
    }
  }

  #respondAboutAll(request: ServiceRequest): ServiceResponse {
    if (request.method === 'GET') {
      return this.#list(queryOf(request));
    }
    const sent = jsonIn(request);
    if (!fits(ACCOUNT_RULES, sent) || sent['mail'] === undefined) {
      return respondWith(422);
    }
    if (this.#errors.isTaken !== false && this.#isTaken(sent, undefined)) {
      return respondWith(409);
    }
    const { stored = same, location } = this.#errors;
    const id = ++this.#last;
    const made: Json = { size: 1, ...stored(sent), id };
    this.#all.set(String(id), made);
    const response = respondWith(201, this.#shown(made));
    response.headers['location'] = location ?? `/accounts/${id}`;
    return response;
  }

  #respondAboutOne(request: ServiceRequest, id: string, found: Json): ServiceResponse {
    if (request.method === 'GET') {
      return respondWith(200, this.#shown(found));
    }
    if (request.method === 'DELETE') {
      this.#all.delete(id);
      return respondWith(204);
    }
    const sent = jsonIn(request);
    if (!fits(ACCOUNT_RULES, sent)) {
      return respondWith(422);
    }
    const { changed = merged, isTaken } = this.#errors;
    if (isTaken === undefined && this.#isTaken(sent, found)) {
      return respondWith(409);
    }
    const made = changed(sent, found);
    this.#all.set(id, made);
    return respondWith(200, this.#shown(made));
  }

  #respondAboutPicture({ method }: ServiceRequest, id: string): ServiceResponse {
    if (method === 'PUT') {
      this.#pictures.add(id);
      return respondWith(204);
    }
    if (!this.#pictures.has(id) || this.#errors.hasPictures === false) {
      return respondWith(404);
    }
    return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: 'a' };
  }

  /** Whether another account has the mail or the code. */
  #isTaken(sent: Json, own: Json | undefined): boolean {
    const others = [...this.#all.values()].filter((account) => account !== own);
    return ['mail', 'code'].some((name) => {
      return sent[name] !== undefined && others.some((other) => other[name] === sent[name]);
    });
  }

  #shown(account: Json): Json {
    const { pin: _, ...open } = account;
    return this.#errors.shown?.(account) ?? open;
  }

  #list(query: URLSearchParams): ServiceResponse {
    const skip = query.get('skip') ?? '0';
    const limit = query.get('limit') ?? '20';
    const order = query.get('sort_by') ?? 'kind';
    const kinds = kindsIn(query);
    const areValid = [
      isNumber(skip),
      isNumber(limit, 50),
      ORDERS.includes(order),
      kinds.every((kind) => KINDS.includes(kind)),
    ];
    if (!areValid.every(Boolean)) {
      return respondWith(422);
    }
    const all = [...this.#all.values()];
    let rows = this.#errors.listed?.(all, query);
    if (rows === undefined) {
      const filtered = this.#sorted(all, order).filter((account) => {
        return kinds.length === 0 || kinds.includes(String(account['kind']));
      });
      rows = filtered.slice(Number(skip), Number(skip) + Number(limit));
    }
    return respondWith(200, { data: rows.map((row) => this.#shown(row)) });
  }

  #sorted(all: readonly Json[], order: string): Json[] {
    if (!order.startsWith('size')) {
      return [...all];
    }
    const { compare = (one: number, other: number) => one - other } = this.#errors;
    const sign = order.endsWith('_desc') ? -1 : 1;
    return all.toSorted((one, other) => sign * compare(Number(one['size']), Number(other['size'])));
  }
}

/** The kinds of account that a list is asked for; empty for all. */
function kindsIn(query: URLSearchParams): string[] {
  return query.get('kinds')?.split(',') ?? query.getAll('kind');
}

interface NotePlace {
  account: string;
  /** Undefined for the list of all notes of the account. */
  id: string | undefined;
}

class Notes {
  readonly #errors: AccountErrors;
  readonly #all = new Map<string, Json>();

  constructor(errors: AccountErrors) {
    this.#errors = errors;
  }

  /** The account that has the note; undefined if none has. */
  accountOf(id: string): string | undefined {
    for (const key of this.#all.keys()) {
      const [account] = key.split(' ');
      if (key.endsWith(` ${id}`)) {
        return account;
      }
    }
    // Without accounts in the keys, a key is an id.
    return this.#all.has(id) ? id : undefined;
  }

  respond(request: ServiceRequest, place: NotePlace): ServiceResponse {
    const { account, id } = place;
    const found = id === undefined ? undefined : this.#all.get(this.#keyOf(id, account));
    if (id !== undefined && found === undefined) {
      return respondWith(404);
    }
    const { method } = request;
    if (method === 'GET') {
      return respondWith(200, found ?? this.#allOf(account));
    }
    const sent = jsonIn(request);
    if (!fits(NOTE_RULES, sent)) {
      return respondWith(422);
    }
    const { stored = same, changed } = this.#errors;
    const kept = method === 'PUT' && changed !== undefined ? found : undefined;
    const made = { ...kept, ...stored(sent), id: id ?? `n${this.#all.size}` };
    this.#all.set(this.#keyOf(made.id, account), made);
    return respondWith(id === undefined ? 201 : 200, made);
  }

  #allOf(account: string): Json[] {
    const start = `${account} `;
    const own = [...this.#all].filter(([key]) => this.#errors.keyOf || key.startsWith(start));
    return own.map(([, note]) => note);
  }

  #keyOf(id: string, account: string): string {
    return this.#errors.keyOf?.(id, account) ?? `${account} ${id}`;
  }
}

function same(body: Json): Json {
  return body;
}

function merged(body: Json, before: Json): Json {
  return { ...before, ...body };
}
