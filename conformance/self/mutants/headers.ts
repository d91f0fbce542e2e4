/** Names and values of headers that a route adds or removes. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { problem } from '../mutate/response.ts';
import type { OperationId } from '../mutate/operation.ts';
import { after, instead, type Mutate } from '../mutate/mutate.ts';
import { isObject, jsonIn, type Json } from '../mutate/request.ts';
import { keepingField, keepingPart, refusingPart, ROUTE_WRITES, showingField } from '../mutate/route.ts';
import { unique } from '../mutate/values.ts';

const mutant = mutantsOf('headers');

const REQUEST = 'routes.module.request_headers';
const RESPONSE = 'routes.module.response_headers';
const CASE = 'routes.headers.case';
const AS_SENT = 'routes.headers.as-sent';

type Module = 'request_headers' | 'response_headers';

const adding = (module: Module, change: (pairs: [string, unknown][]) => [string, unknown][]) =>
  keepingField(module, 'add', (add) => (isObject(add) ? Object.fromEntries(change(Object.entries(add))) : add));
const values = (module: Module, change: (value: string) => unknown) =>
  adding(module, (pairs) => pairs.map(([name, value]) => [name, typeof value === 'string' ? change(value) : value]));
const names = (module: Module, change: (name: string) => string) =>
  adding(module, (pairs) => pairs.map(([name, value]) => [change(name), value]));
const removing = (module: Module, change: (names: any[]) => unknown) =>
  keepingField(module, 'remove', (list) => (Array.isArray(list) ? change(list) : list));
const removedNames = (module: Module, change: (name: string) => string) =>
  removing(module, (list) => list.map((name) => (typeof name === 'string' ? change(name) : name)));

/** As Go and others write the names of headers. */
const canonical = (name: string) =>
  name.toLowerCase().replaceAll(/(^|-)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());

/** What HTTP itself is about. */
const isFraming = (name: unknown) =>
  typeof name === 'string' && /^(connection|content-length|host|transfer-encoding)$/i.test(name);

/** Keeps one of names that differ in case only. */
const onePerName = <T>(items: T[], nameOf: (item: T) => unknown): T[] => [
  ...new Map(items.map((item) => [String(nameOf(item)).toLowerCase(), item])).values(),
];

/** Takes names that differ in case only, and keeps the last. */
const keepsLast = (module: Module, operations: OperationId[]): Mutate =>
  keepingPart(
    module,
    (sent) => ({
      ...sent,
      ...(isObject(sent['add'])
        ? { add: Object.fromEntries(onePerName(Object.entries(sent['add']), ([name]) => name)) }
        : {}),
    }),
    operations,
  );

const isTwice = (items: unknown[]) => onePerName(items, (name) => name).length < unique(items).length;

/** Whether a body has a name twice, in different case. */
function hasTwice(body: unknown): boolean {
  if (!isObject(body)) return false;
  return ['request_headers', 'response_headers'].some((name) => {
    const { add, remove } = isObject(body[name]) ? body[name] : ({} as Json);
    return isTwice(isObject(add) ? Object.keys(add) : []) || isTwice(Array.isArray(remove) ? remove : []);
  });
}

const twiceIs = (status: number, code: string): Mutate =>
  after(ROUTE_WRITES, (response, request) =>
    response.status === 400 && hasTwice(jsonIn(request)) ? problem(status, code) : response,
  );

export const headers: Mutant[] = [
  mutant(
    'request-list',
    REQUEST,
    'Headers that are added are shown as a list.',
    showingField('request_headers', 'add', (add) => Object.entries(add).map(([name, value]) => ({ name, value }))),
  ),
  mutant(
    'request-value-lists',
    REQUEST,
    'Values of headers are shown as lists.',
    showingField('request_headers', 'add', (add) =>
      Object.fromEntries(Object.entries(add).map(([name, value]) => [name, [value]])),
    ),
  ),
  mutant(
    'request-pairs',
    REQUEST,
    'Headers that are added are shown as lines.',
    showingField('request_headers', 'add', (add) =>
      Object.entries(add).map(([name, value]) => `${name}: ${String(value)}`),
    ),
  ),
  mutant(
    'request-values-trimmed',
    REQUEST,
    'White space around the value of a header is removed.',
    values('request_headers', (value) => value.trim()),
  ),
  mutant(
    'request-empty-lost',
    REQUEST,
    'Headers without a value are not kept.',
    adding('request_headers', (pairs) => pairs.filter(([, value]) => value !== '')),
  ),
  mutant(
    'request-ascii',
    REQUEST,
    'Characters that HTTP does not carry are dropped from values.',
    values('request_headers', (value) => value.replaceAll(/[^\t\r\n\0\x20-\x7e]/gu, '')),
  ),
  mutant(
    'request-framing-lost',
    REQUEST,
    'Headers that a proxy sets itself are not kept.',
    adding('request_headers', (pairs) => pairs.filter(([name]) => !isFraming(name))),
  ),
  mutant(
    'request-framing-refused',
    REQUEST,
    'Headers that a proxy sets itself are refused.',
    refusingPart('request_headers', ({ remove }) => Array.isArray(remove) && remove.some(isFraming)),
  ),
  mutant(
    'request-proto-lost',
    REQUEST,
    'A header with the name `__proto__` is lost.',
    adding('request_headers', (pairs) => pairs.filter(([name]) => name !== '__proto__')),
  ),
  mutant(
    'request-removed-not-added',
    REQUEST,
    'A header that is also removed is not added.',
    keepingPart('request_headers', (sent) => {
      const { add, remove } = sent;
      return isObject(add) && Array.isArray(remove)
        ? { ...sent, add: Object.fromEntries(Object.entries(add).filter(([name]) => !remove.includes(name))) }
        : sent;
    }),
  ),
  mutant(
    'request-remove-sorted',
    REQUEST,
    'Names of headers to remove are sorted.',
    removing('request_headers', (list) => list.toSorted()),
  ),
  mutant(
    'request-remove-lost',
    REQUEST,
    'Headers to remove are not kept.',
    removing('request_headers', () => []),
  ),
  mutant(
    'request-default-header',
    REQUEST,
    'A header of the service is shown among those that are added.',
    showingField('request_headers', 'add', (add) => ({ ...add, 'X-Edge': '1' })),
  ),
  mutant(
    'response-cookie-lost',
    RESPONSE,
    '`Set-Cookie` is not kept.',
    adding('response_headers', (pairs) => pairs.filter(([name]) => name.toLowerCase() !== 'set-cookie')),
  ),
  mutant(
    'response-split',
    RESPONSE,
    'A value ends at its first comma.',
    values('response_headers', (value) => value.split(',', 1)[0]),
  ),
  mutant(
    'response-remove-first-only',
    RESPONSE,
    'Only the first name to remove is kept.',
    removing('response_headers', (list) => list.slice(0, 1)),
  ),
  mutant(
    'response-remove-map',
    RESPONSE,
    'Names to remove are shown as a map.',
    showingField('response_headers', 'remove', (list: string[]) =>
      Object.fromEntries(list.map((name) => [name, true])),
    ),
  ),
  mutant(
    'response-server-lost',
    RESPONSE,
    '`Server` cannot be removed.',
    removing('response_headers', (list) => list.filter((name) => name !== 'Server')),
  ),
  mutant(
    'response-framing-lost',
    RESPONSE,
    'Headers that a proxy sets itself are not kept.',
    removing('response_headers', (list) => list.filter((name) => !isFraming(name))),
  ),

  mutant(
    'case-request-last',
    CASE,
    'Of two names that differ in case, the last one is kept.',
    keepsLast('request_headers', ROUTE_WRITES),
  ),
  mutant(
    'case-response-last',
    CASE,
    'Of two names that differ in case, the last one is kept for responses.',
    keepsLast('response_headers', ROUTE_WRITES),
  ),
  mutant(
    'case-update-last',
    CASE,
    'In a change, names that differ in case are taken.',
    keepsLast('request_headers', ['updateRoute']),
  ),
  mutant(
    'case-create-last',
    CASE,
    'In a new route, names that differ in case are taken.',
    keepsLast('response_headers', ['createRoute']),
  ),
  mutant(
    'case-remove',
    CASE,
    'Names to remove that differ in case are taken.',
    removing('request_headers', (list) => onePerName(list, (name) => name)),
  ),
  mutant(
    'case-remove-response',
    CASE,
    'Names to remove from responses that differ in case are taken.',
    removing('response_headers', (list) => onePerName(list, (name) => name)),
  ),
  mutant('case-409', CASE, 'Names that differ in case are refused with 409.', twiceIs(409, 'conflict')),
  mutant('case-500', CASE, 'Names that differ in case are answered with 500.', twiceIs(500, 'internal_error')),
  mutant(
    'case-applied',
    CASE,
    'A change with names that differ in case is refused after it was done.',
    instead('updateRoute', async (next, request) => {
      const response = await next(request);
      if (response.status === 400 && hasTwice(jsonIn(request)))
        await keepsLast('request_headers', ['updateRoute'])(
          keepsLast('response_headers', ['updateRoute'])(keepsOneRemoved(next)),
        )(request);
      return response;
    }),
  ),

  mutant(
    'lower-case',
    AS_SENT,
    'Names of headers are turned into lower case, as in HTTP/2.',
    names('request_headers', (name) => name.toLowerCase()),
  ),
  mutant(
    'canonical',
    AS_SENT,
    'Names of headers are written as is usual in HTTP/1.1.',
    names('request_headers', canonical),
  ),
  mutant(
    'upper-case',
    AS_SENT,
    'Names of headers are turned into upper case.',
    names('request_headers', (name) => name.toUpperCase()),
  ),
  mutant(
    'known-names',
    AS_SENT,
    'Names of headers that are known are written as in their standard.',
    removedNames('response_headers', (name) => (name.toLowerCase() === 'server' ? 'Server' : name)),
  ),
  mutant(
    'removed-lower-case',
    AS_SENT,
    'Names of headers to remove are turned into lower case.',
    removedNames('response_headers', (name) => name.toLowerCase()),
  ),
  mutant(
    'removed-canonical',
    AS_SENT,
    'Names of headers to remove are written as is usual in HTTP/1.1.',
    removedNames('response_headers', canonical),
  ),
];

function keepsOneRemoved(service: Parameters<Mutate>[0]): ReturnType<Mutate> {
  return removing('request_headers', (list) => onePerName(list, (name) => name))(
    removing('response_headers', (list) => onePerName(list, (name) => name))(service),
  );
}
