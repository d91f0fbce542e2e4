/** Names and values of headers that a route adds or removes. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import type { OperationId } from '../mutate/operation.ts';
import { instead, type Mutate } from '../mutate/mutate.ts';
import { isObject, jsonIn, type Json } from '../mutate/request.ts';
import { keepingField, keepingPart, ROUTE_WRITES } from '../mutate/route.ts';
import { unique } from '../mutate/values.ts';

const mutant = mutantsOf('headers', 'extended');

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

export const headers: Mutant[] = [
  mutant(
    'request-framing-lost',
    'Headers that a proxy sets itself are not kept.',
    adding('request_headers', (pairs) => pairs.filter(([name]) => !isFraming(name))),
  ),
  mutant(
    'request-proto-lost',
    'A header with the name `__proto__` is lost.',
    adding('request_headers', (pairs) => pairs.filter(([name]) => name !== '__proto__')),
  ),
  mutant(
    'request-removed-not-added',
    'A header that is also removed is not added.',
    keepingPart('request_headers', (sent) => {
      const { add, remove } = sent;
      return isObject(add) && Array.isArray(remove)
        ? { ...sent, add: Object.fromEntries(Object.entries(add).filter(([name]) => !remove.includes(name))) }
        : sent;
    }),
  ),
  mutant(
    'response-cookie-lost',
    '`Set-Cookie` is not kept.',
    adding('response_headers', (pairs) => pairs.filter(([name]) => name.toLowerCase() !== 'set-cookie')),
  ),
  mutant(
    'response-split',
    'A value ends at its first comma.',
    values('response_headers', (value) => value.split(',', 1)[0]),
  ),

  mutant(
    'case-request-last',
    'Of two names that differ in case, the last one is kept.',
    keepsLast('request_headers', ROUTE_WRITES),
  ),
  mutant(
    'case-remove',
    'Names to remove that differ in case are taken.',
    removing('request_headers', (list) => onePerName(list, (name) => name)),
  ),
  mutant(
    'case-applied',
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
  mutant('canonical', 'Names of headers are written as is usual in HTTP/1.1.', names('request_headers', canonical)),
  mutant(
    'known-names',
    'Names of headers that are known are written as in their standard.',
    removedNames('response_headers', (name) => (name.toLowerCase() === 'server' ? 'Server' : name)),
  ),
];

function keepsOneRemoved(service: Parameters<Mutate>[0]): ReturnType<Mutate> {
  return removing('request_headers', (list) => onePerName(list, (name) => name))(
    removing('response_headers', (list) => onePerName(list, (name) => name))(service),
  );
}
