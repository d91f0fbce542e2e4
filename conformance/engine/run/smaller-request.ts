/**
 * Makes a request that stops the service smaller: it is sent again without optional header fields,
 * query parameters and members of its body, and with shorter values, and the smallest that still
 * stops the service is kept. Each time that it stops costs a start of the service, so that both are
 * bounded.
 */
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { stringifyJson } from '../contract/json-numbers.ts';
import { isObject } from '../contract/pointers.ts';
import { childAt, type Shape, shapeOf } from '../contract/shape.ts';
import { supported } from '../contract/keywords.ts';
import type { Implementation } from '../http/implementation.ts';
import { operationAt } from '../http/operation-of.ts';
import { parse } from '../http/response.ts';
import { BYTES, type RecordedExchange } from '../http/exchange.ts';

/** Requests that may be sent: most of them stop nothing, and cost little. */
const MOST_TRIES = 40;

/** Starts of the service. */
const MOST_STARTS = 8;

/** Shorter texts and lists are short enough for a reader. */
const LONG = 8;

/** More parts than a reader looks at one by one. */
const MOST_PARTS = 60;

/** Fields that say what the body is and who asks: a service would refuse a request without them. */
const KEPT_FIELDS = new Set(['content-type', 'content-length', 'authorization', 'cookie', 'host']);

/** @returns the exchange if the service stopped after it, and is back; undefined if it goes on */
export type Stopping = (smaller: RecordedExchange) => Promise<RecordedExchange | undefined>;

/** The smallest request like this one that stops the service. */
export async function smallestOf(
  exchange: RecordedExchange,
  { contract, client }: Pick<Implementation, 'contract' | 'client'>,
  stops: Stopping,
): Promise<RecordedExchange> {
  const { method } = exchange.request;
  const operation = operationAt(contract, client, exchange.request);
  // A DELETE that names less may remove more.
  if (method === 'DELETE' || method === BYTES) {
    return exchange;
  }
  const search = new Search(exchange, stops);
  await search.leaveOut(partsOf(exchange, contract, operation));
  await search.shorten();
  return search.smallest;
}

class Search {
  smallest: RecordedExchange;
  readonly #stops: Stopping;
  #tries = 0;
  #starts = 0;

  constructor(exchange: RecordedExchange, stops: Stopping) {
    this.smallest = exchange;
    this.#stops = stops;
  }

  get #isOver(): boolean {
    return this.#tries >= MOST_TRIES || this.#starts >= MOST_STARTS;
  }

  async #accepts(smaller: RecordedExchange): Promise<boolean> {
    if (this.#isOver) {
      return false;
    }
    this.#tries++;
    const stopped = await this.#stops(smaller);
    if (stopped === undefined) {
      return false;
    }
    this.#starts++;
    this.smallest = stopped;
    return true;
  }

  /** All parts at once; where that stops nothing, each half of them. */
  async leaveOut(all: readonly Part[]): Promise<void> {
    const queue = [all];
    for (const parts of queue) {
      if (parts.length === 0 || this.#isOver) {
        continue;
      }
      const isNeeded = !(await this.#accepts(without(this.smallest, parts)));
      if (isNeeded && parts.length > 1) {
        const half = Math.ceil(parts.length / 2);
        queue.push(parts.slice(0, half), parts.slice(half));
      }
    }
  }

  /** Each long value of the body, the longest first, to the shortest that stops the service. */
  async shorten(): Promise<void> {
    const nesting = nestingIn(this.smallest.request.body ?? '');
    if (nesting !== undefined) {
      await this.#shortest(nesting.depth, (depth) => withBody(this.smallest, nesting.of(depth)));
      return;
    }
    const json = jsonOf(this.smallest);
    const places = longValuesIn(json).toSorted((one, other) => other.length - one.length);
    for (const { path, length } of places) {
      await this.#shortest(length, (shorter) => {
        return withJson(this.smallest, cut(jsonOf(this.smallest), path, shorter));
      });
    }
  }

  /** @param length of a value that stops the service */
  async #shortest(length: number, withLength: (n: number) => RecordedExchange): Promise<void> {
    let enough = length;
    let tooShort = 0;
    let next = 1;
    while (next > tooShort && next < enough && !this.#isOver) {
      if (await this.#accepts(withLength(next))) {
        enough = next;
      } else {
        tooShort = next;
      }
      next = Math.floor((tooShort + enough) / 2);
    }
  }
}

/** A part of a request that it can be without. */
type Part =
  | { kind: 'field' | 'query'; name: string }
  /** A member of the body. */
  | { kind: 'member'; path: readonly string[] };

function partsOf(
  exchange: RecordedExchange,
  contract: Contract,
  operation: Operation | undefined,
): Part[] {
  const { headers, url, method } = exchange.request;
  const parameters = operation?.parameters ?? [];
  const isRequired = (place: string, name: string): boolean =>
    parameters.some((one) => one.required && one.in === place && one.name.toLowerCase() === name);
  const fields = [...Object.keys(headers), ...(exchange.fields ?? []).map(([name]) => name)];
  const parts: Part[] = [];
  for (const name of new Set(fields.map((field) => field.toLowerCase()))) {
    if (!KEPT_FIELDS.has(name) && !isRequired('header', name)) {
      parts.push({ kind: 'field', name });
    }
  }
  // A change that names less may change more.
  const pairs = method === 'GET' || method === 'HEAD' ? pairsOf(url) : [];
  for (const name of new Set(pairs.map(nameOf))) {
    if (!isRequired('query', name.toLowerCase())) {
      parts.push({ kind: 'query', name });
    }
  }
  const pointer = operation?.requestBody?.pointer;
  const shape = pointer === undefined ? undefined : shapeAtOrNone(contract, pointer);
  if (nestingIn(exchange.request.body ?? '') === undefined) {
    addMembers(jsonOf(exchange), [], shape, parts);
  }
  return parts.slice(0, MOST_PARTS);
}

const shapeAtOrNone = (contract: Contract, pointer: string): Shape | undefined =>
  supported(
    () => shapeOf(contract, pointer),
    () => undefined,
  );

/** @param shape undefined if the contract says nothing of the value */
function addMembers(
  value: unknown,
  path: readonly string[],
  shape: Shape | undefined,
  parts: Part[],
): void {
  if (parts.length >= MOST_PARTS || typeof value !== 'object' || value === null) {
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const inner = [...path, name];
    if (isObject(value) && shape?.required.has(name) !== true) {
      parts.push({ kind: 'member', path: inner });
    }
    addMembers(member, inner, shape && childAt(shape, Array.isArray(value) ? '*' : name), parts);
  }
}

function without(exchange: RecordedExchange, parts: readonly Part[]): RecordedExchange {
  let smaller = exchange;
  for (const part of parts) {
    if (part.kind === 'member') {
      smaller = withJson(smaller, withoutMember(jsonOf(smaller), part.path));
    } else if (part.kind === 'field') {
      smaller = withoutField(smaller, part.name);
    } else {
      smaller = withoutQuery(smaller, part.name);
    }
  }
  return smaller;
}

function withoutField(exchange: RecordedExchange, name: string): RecordedExchange {
  const isOther = ([field]: readonly [string, string]): boolean => field.toLowerCase() !== name;
  const { request, fields } = exchange;
  const headers = Object.fromEntries(Object.entries(request.headers).filter(isOther));
  const smaller: RecordedExchange = { ...exchange, request: { ...request, headers } };
  if (fields !== undefined) {
    smaller.fields = fields.filter(isOther);
  }
  return smaller;
}

const QUERY = /\?(.*)/s;

function pairsOf(url: string): string[] {
  const [, query = ''] = url.split(QUERY, 2);
  return query.split('&').filter((pair) => pair !== '');
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  return name;
}

function withoutQuery(exchange: RecordedExchange, name: string): RecordedExchange {
  const { request } = exchange;
  const [path = ''] = request.url.split('?', 1);
  const others = pairsOf(request.url).filter((pair) => nameOf(pair) !== name);
  const url = others.length === 0 ? path : `${path}?${others.join('&')}`;
  return { ...exchange, request: { ...request, url } };
}

/** The body; undefined if it is no JSON. */
const jsonOf = ({ request }: RecordedExchange): unknown => parse(request.body ?? '');

function withJson(exchange: RecordedExchange, json: unknown): RecordedExchange {
  return withBody(exchange, stringifyJson(json));
}

function withBody(exchange: RecordedExchange, body: string): RecordedExchange {
  const { raw: _, ...others } = exchange;
  const { 'content-length': __, ...headers } = exchange.request.headers;
  return { ...others, request: { ...exchange.request, headers, body } };
}

/** A copy with another value at the path. @param change undefined: the member is left out */
function changedAt(
  value: unknown,
  [name, ...inner]: readonly string[],
  change: ((value: unknown) => unknown) | undefined,
): unknown {
  if (name === undefined) {
    return change?.(value);
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
    return value;
  }
  if (Array.isArray(value)) {
    const at = Number(name);
    return value.map((item, index) => (index === at ? changedAt(item, inner, change) : item));
  }
  const members = Object.entries(value).flatMap(([key, member]) => {
    if (key !== name) {
      return [[key, member]];
    }
    const isLeftOut = inner.length === 0 && change === undefined;
    if (isLeftOut) {
      return [];
    }
    return [[key, changedAt(member, inner, change)]];
  });
  return Object.fromEntries(members);
}

const withoutMember = (json: unknown, path: readonly string[]): unknown =>
  changedAt(json, path, undefined);

const cut = (json: unknown, path: readonly string[], length: number): unknown =>
  changedAt(json, path, (value) => {
    if (typeof value === 'string' || Array.isArray(value)) {
      return value.slice(0, length);
    }
    return value;
  });

/** A text or a list in a body. */
interface LongValue {
  path: readonly string[];
  length: number;
}

function longValuesIn(value: unknown, path: readonly string[] = []): LongValue[] {
  const found: LongValue[] = [];
  const hasLength = typeof value === 'string' || Array.isArray(value);
  if (hasLength && value.length > (Array.isArray(value) ? 1 : LONG)) {
    found.push({ path, length: value.length });
  }
  if (typeof value === 'object' && value !== null && path.length < MOST_PARTS) {
    for (const [name, member] of Object.entries(value)) {
      found.push(...longValuesIn(member, [...path, name]));
    }
  }
  return found;
}

/** Lists or objects with nothing but one another, so deep that no reader counts them. */
const DEEP = /(\[|\{"[^"]*":)\1{50,}/;

interface Nesting {
  depth: number;
  /** The body with this depth in its place. */
  of(depth: number): string;
}

function nestingIn(body: string): Nesting | undefined {
  const found = DEEP.exec(body);
  const [run = '', unit = ''] = found ?? [];
  if (found === null) {
    return undefined;
  }
  const depth = run.length / unit.length;
  const end = unit === '[' ? ']' : '}';
  const closing = end.repeat(depth);
  const at = body.indexOf(closing, found.index + run.length);
  if (at === -1) {
    return undefined;
  }
  const before = body.slice(0, found.index);
  const inside = body.slice(found.index + run.length, at);
  const behind = body.slice(at + depth);
  return {
    depth,
    of: (less) => before + unit.repeat(less) + inside + end.repeat(less) + behind,
  };
}
