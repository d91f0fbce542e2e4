/** A subscription is not the set of types that it should be. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import type { Service, ServiceRequest } from '../service.ts';
import { problem } from '../mutate/response.ts';
import { wholeList } from '../mutate/list.ts';
import { before, instead, type Mutate, remembering } from '../mutate/mutate.ts';
import { ask, isObject, jsonIn, sourcesPath } from '../mutate/request.ts';

const mutant = mutantsOf('sets', 'core');
const read = (next: Service, request: ServiceRequest, subscription: string, type: string) =>
  ask(next, request, 'GET', sourcesPath(subscription, type));
const remove = (next: Service, request: ServiceRequest, subscription: string, type: string) =>
  ask(next, request, 'DELETE', sourcesPath(subscription, type));

function typeIn(request: ServiceRequest): string | undefined {
  const body = jsonIn(request);
  return isObject(body) && typeof body['type'] === 'string' ? body['type'] : undefined;
}

/** Handles an update to a type that is there. */
function conflicting(
  handle: (
    next: Service,
    request: ServiceRequest,
    from: string,
    to: string,
    subscription: string,
  ) => Promise<Awaited<ReturnType<Service>>>,
): Mutate {
  return instead('updateEventSource', async (next, request, { path }) => {
    const response = await next(request);
    return response.status === 409
      ? handle(next, request, path['type']!, typeIn(request)!, path['subscription_id']!)
      : response;
  });
}

/** Also removes others when a source is removed. */
function removing(which: (removed: string, rest: string[]) => string[]): Mutate {
  return instead('deleteEventSource', async (next, request, { path }) => {
    const response = await next(request);
    if (response.status !== 204) return response;
    const subscription = path['subscription_id']!;
    const rest = (await wholeList(next, request, subscription)).map(({ type }) => String(type));
    for (const type of which(path['type']!, rest)) await remove(next, request, subscription, type);
    return response;
  });
}

/** Finds a source of the subscription that is similar to the one that is asked for. */
function finding(similar: (asked: string, known: string) => boolean): Mutate {
  return instead('getEventSource', async (next, request, { path }) => {
    const response = await next(request);
    if (response.status !== 404) return response;
    const known = (await wholeList(next, request, path['subscription_id']!)).find(({ type }) =>
      similar(path['type']!, String(type)),
    );
    return known ? read(next, request, path['subscription_id']!, String(known['type'])) : response;
  });
}

/** Subscriptions with one name are one. */
function naming(
  name: (subscription: string) => string,
  operations: Parameters<typeof before>[0] = [
    'createEventSource',
    'listEventSources',
    'getEventSource',
    'updateEventSource',
    'deleteEventSource',
  ],
): Mutate {
  return before(operations, (request, { path }) => ({
    ...request,
    target: request.target.replace(
      /^\/event_subscriptions\/[^/]+/,
      `/event_subscriptions/${name(path['subscription_id']!)}`,
    ),
  }));
}

/** A type that was removed can never be added again. */
const tombstones: Mutate = remembering(() => {
  const removed = new Set<string>();
  return instead(
    ['createEventSource', 'updateEventSource', 'deleteEventSource'],
    async (next, request, { operationId, path }) => {
      const key = (type: string | undefined) => `${path['subscription_id']} ${type}`;
      if (operationId === 'createEventSource' && removed.has(key(typeIn(request))))
        return problem(409, 'already_exists');
      const response = await next(request);
      if (operationId === 'deleteEventSource' && response.status === 204) removed.add(key(path['type']));
      return response;
    },
  );
});

/** The old type of an update stays taken. */
const reserved: Mutate = remembering(() => {
  const left = new Set<string>();
  return instead('updateEventSource', async (next, request, { path }) => {
    const to = typeIn(request);
    if (left.has(`${path['subscription_id']} ${to}`)) return problem(409, 'already_exists');
    const response = await next(request);
    if (response.status === 200 && to !== undefined && to !== path['type'])
      left.add(`${path['subscription_id']} ${path['type']}`);
    return response;
  });
});

export const sets: Mutant[] = [
  mutant(
    'delete-by-prefix',
    'A removal removes every type that begins so.',
    removing((removed, rest) => rest.filter((type) => type.startsWith(removed))),
  ),
  mutant(
    'delete-all-versions',
    'A removal removes every version of the type.',
    removing((removed, rest) => rest.filter((type) => type.split('.')[0] === removed.split('.')[0])),
  ),
  mutant('tombstones', 'A type that was removed can never be added again.', tombstones),
  mutant('update-reserves', 'The old type of an update stays taken.', reserved),
  mutant(
    'update-conflict-merges',
    'An update to a type that is there removes the old one and returns 200.',
    conflicting(async (next, request, from, to, subscription) => {
      await remove(next, request, subscription, from);
      return read(next, request, subscription, to);
    }),
  ),
  mutant(
    'subscriptions-any-case',
    'Ids of subscriptions that differ in case are one.',
    naming((subscription) => subscription.toLowerCase()),
  ),
  mutant(
    'reads-by-pattern',
    'An underscore finds any character, as in SQL.',
    finding((asked, known) =>
      new RegExp(`^${asked.replaceAll('.', String.raw`\.`).replaceAll('_', '.')}$`).test(known),
    ),
  ),
  mutant(
    'fourth-lost',
    'A subscription keeps three sources; the fourth takes the place of the first.',
    instead('createEventSource', async (next, request, { path }) => {
      const response = await next(request);
      const all = await wholeList(next, request, path['subscription_id']!);
      if (response.status === 201 && all.length > 3)
        await remove(
          next,
          request,
          path['subscription_id']!,
          String(all.find(({ type }) => type !== typeIn(request))!['type']),
        );
      return response;
    }),
  ),
];
