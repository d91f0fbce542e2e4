/** Requests that meet: lost updates, writes that are seen half done, two winners, refusals of what could wait. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { busy } from '../mutate/busy.ts';
import { instead, type Mutate, remembering } from '../mutate/mutate.ts';
import { acceptedBody } from '../mutate/operation.ts';
import { pause } from '../mutate/pause.ts';
import { jsonOf, NO_CONTENT, problem, succeeded } from '../mutate/response.ts';
import { ask, isObject, type Json, plainJsonIn, sending } from '../mutate/request.ts';
import { addressOf } from './api.ts';
import { takesSeveral, withMemory } from './effects.ts';
import { all, idOf, type Operator, perOperation, perResource } from './operator.ts';

const isWrite = ({ method }: Operation) => method !== 'GET';

/** How many of the same kind are under way; the first one of them has its response kept for the others. */
function together(
  operation: Operation,
  keyOf: (request: ServiceRequest) => string,
  second: (response: ServiceResponse, first: ServiceResponse | undefined) => ServiceResponse,
): Mutate {
  return remembering(() => {
    const under = new Map<string, { count: number; first?: ServiceResponse }>();
    return instead(idOf(operation), async (next, request) => {
      const key = keyOf(request);
      const group = under.get(key) ?? { count: 0 };
      under.set(key, { ...group, count: group.count + 1 });
      await pause();
      const response = await next(request);
      const now = under.get(key)!;
      if (succeeded(response)) now.first ??= response;
      await pause();
      const result = second(response, now.first);
      if (--now.count === 0) under.delete(key);
      return result;
    });
  });
}

const targetAndBody = ({ target, body }: ServiceRequest) => `${target} ${body.toString()}`;

export const races: Operator[] = [
  perResource(
    'lost-update',
    'Of two changes at once, the later one takes back the earlier one.',
    'update',
    (resource) =>
      withMemory(resource, (memory) =>
        instead(idOf(resource.update), async (next, request, call) => {
          const known = memory.known.get(memory.pathOf(call));
          const before: Json = { ...known?.sent };
          const body = plainJsonIn(request);
          await pause();
          if (!known || !isObject(body) || JSON.stringify(before) === JSON.stringify(known.sent)) return next(request);
          const back = Object.fromEntries(
            Object.keys(known.sent)
              .filter((name) => !(name in body))
              .map((name) => [name, before[name] ?? null]),
          );
          const response = await next(sending(request, { ...back, ...body }));
          return succeeded(response) ? response : next(request);
        }),
      ),
    takesSeveral,
  ),
  perResource(
    'half-update',
    'The properties of a change are changed one after the other.',
    'update',
    ({ update }) =>
      instead(idOf(update), async (next, request) => {
        const body = plainJsonIn(request);
        if (!isObject(body) || Object.keys(body).length < 2) return next(request);
        for (const [name, value] of Object.entries(body).slice(0, -1)) {
          const part = await next(sending(request, { [name]: value }));
          // What can only be changed together, is.
          if (!succeeded(part)) return next(request);
          await pause();
        }
        return next(request);
      }),
    takesSeveral,
  ),
  perResource(
    'half-create',
    'What is created is there before it has its properties.',
    'create',
    ({ create, collection, key }) =>
      instead(idOf(create), async (next, request, call) => {
        const body = plainJsonIn(request);
        const needed = acceptedBody(idOf(create));
        if (!isObject(body) || Object.keys(body).length <= Object.keys(needed).length) return next(request);
        const bare = Object.fromEntries(Object.keys(needed).map((name) => [name, body[name]]));
        const made = await next(sending(request, bare));
        if (!succeeded(made)) return next(request);
        await pause();
        const path = `${addressOf(collection, call)}/${encodeURIComponent(jsonOf(made)[key])}`;
        const changed = await ask(next, request, 'PATCH', path, body);
        if (succeeded(changed)) return { ...made, body: changed.body };
        await ask(next, request, 'DELETE', path);
        return next(request);
      }),
    takesSeveral,
  ),
  perResource(
    'half-replaced',
    'A change removes what is there before it sets what is new.',
    'update',
    ({ update }) =>
      instead(idOf(update), async (next, request) => {
        const body = plainJsonIn(request);
        if (!isObject(body)) return next(request);
        const cleared = Object.fromEntries(
          Object.keys(body)
            .filter((name) => isObject(body[name]))
            .map((name) => [name, null]),
        );
        if (Object.keys(cleared).length > 0) {
          await next(sending(request, cleared));
          await pause();
        }
        return next(request);
      }),
    takesSeveral,
  ),
  perResource('gone-during-update', 'A resource is not found while it is changed.', 'read', ({ read, update, item }) =>
    remembering(() => {
      const under = new Set<string>();
      return all(
        instead(idOf(read), async (next, request, call) =>
          under.has(addressOf(item, call)) ? problem(404, 'not_found') : next(request),
        ),
        instead(idOf(update), async (next, request, call) => {
          const path = addressOf(item, call);
          under.add(path);
          await pause();
          under.delete(path);
          return next(request);
        }),
      );
    }),
  ),
  perResource(
    'two-creations-win',
    'Of two creations of the same thing at once, both succeed.',
    'create',
    ({ create }) =>
      together(create, targetAndBody, (response, first) => (response.status === 409 && first ? first : response)),
  ),
  perResource('two-updates-win', 'Of two changes to the same value at once, both succeed.', 'update', ({ update }) =>
    together(
      update,
      ({ target, body }) => `${target.split('/').slice(0, -1).join('/')} ${body.toString()}`,
      (response, first) => (response.status === 409 && first ? first : response),
    ),
  ),
  perResource('two-deletions-win', 'Of two deletions at once, both succeed.', 'remove', ({ remove }) =>
    together(remove, targetAndBody, (response, first) => (response.status === 404 && first ? NO_CONTENT : response)),
  ),
  ...[409, 500].map((status) =>
    perOperation(
      `busy-${status}`,
      `While a write is under way, another one of the same collection fails with ${status}.`,
      isWrite,
      (operation) =>
        busy(
          idOf(operation),
          ({ path }) => JSON.stringify({ ...path, id: '' }),
          () => problem(status, status === 409 ? 'conflict' : 'internal_error'),
        ),
    ),
  ),
  perOperation(
    'crossed',
    'Two requests at once get the response of each other.',
    () => true,
    (operation) =>
      remembering(() => {
        let waiting: { response: ServiceResponse; swap: (other: ServiceResponse) => void } | undefined;
        return instead(idOf(operation), async (next, request) => {
          const response = await next(request);
          if (waiting) {
            const partner = waiting;
            waiting = undefined;
            partner.swap(response);
            return partner.response;
          }
          return new Promise((swap) => {
            const own = (waiting = { response, swap });
            void pause().then(() => {
              if (waiting === own) waiting = undefined;
              swap(response);
            });
          });
        });
      }),
  ),
];
