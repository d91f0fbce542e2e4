/** What reads show: an old state, another resource, what is gone, what is not there yet. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { ServiceResponse } from '../service.ts';
import { instead, type Mutate, remembering } from '../mutate/mutate.ts';
import { jsonOf, problem, showing, succeeded } from '../mutate/response.ts';
import { ask, type Json } from '../mutate/request.ts';
import { addressOf, type Api, type Resource, resourceOf } from './api.ts';
import { withMemory } from './effects.ts';
import { all, idOf, type Operator, perOperation, perResource } from './operator.ts';

const isRead = ({ method }: Operation) => method === 'GET';

/** How long the old state is shown: far less than a run, far more than a request. */
const LATE_MS = 30;

/** Reads of an item show what was there before the last `cause`, for as long as `isShown` says. */
function overriding(
  { read, item }: Resource,
  cause: Operation,
  isShown: (reads: number, isFresh: boolean) => boolean,
): Mutate {
  return remembering(() => {
    const overridden = new Map<string, { before: ServiceResponse; reads: number; since: number }>();
    return all(
      instead(idOf(read), async (next, request, call) => {
        const own = overridden.get(addressOf(item, call));
        return own && isShown(own.reads++, Date.now() - own.since < LATE_MS) ? own.before : next(request);
      }),
      instead(idOf(cause), async (next, request, call) => {
        const path = addressOf(item, call);
        const before = await ask(next, request, 'GET', path);
        const response = await next(request);
        if (succeeded(response) && succeeded(before)) overridden.set(path, { before, reads: 0, since: Date.now() });
        return response;
      }),
    );
  });
}

export const reads: Operator[] = [
  perResource('stale-after-update', 'A read shows what was there before the last change.', 'update', (resource) =>
    overriding(resource, resource.update, () => true),
  ),
  perResource(
    'stale-once-after-update',
    'The first read after a change shows what was there before.',
    'update',
    (resource) => overriding(resource, resource.update, (count) => count === 0),
  ),
  perResource('late-update', 'For a moment after a change, reads show what was there before.', 'update', (resource) =>
    overriding(resource, resource.update, (_, isFresh) => isFresh),
  ),
  perResource('stale-after-delete', 'A read shows what was deleted.', 'remove', (resource) =>
    overriding(resource, resource.remove, () => true),
  ),
  perResource('late-delete', 'For a moment after a deletion, reads show what was deleted.', 'remove', (resource) =>
    overriding(resource, resource.remove, (_, isFresh) => isFresh),
  ),
  perResource('resurrect', 'What was deleted is gone for one read, and then there again.', 'remove', (resource) =>
    overriding(resource, resource.remove, (count) => count > 0),
  ),
  perResource(
    'late-create',
    'For a moment, what was created is not found.',
    'create',
    ({ create, read, item, collection, key }) =>
      remembering(() => {
        const made = new Map<string, number>();
        return all(
          instead(idOf(read), async (next, request, call) =>
            Date.now() - (made.get(addressOf(item, call)) ?? 0) < LATE_MS ? problem(404, 'not_found') : next(request),
          ),
          instead(idOf(create), async (next, request, call) => {
            const response = await next(request);
            if (succeeded(response))
              made.set(`${addressOf(collection, call)}/${encodeURIComponent(jsonOf(response)[key])}`, Date.now());
            return response;
          }),
        );
      }),
  ),
  perOperation('cached-read', 'A read shows what was read first, for ever.', isRead, (operation) =>
    remembering(() => {
      const cache = new Map<string, ServiceResponse>();
      return instead(idOf(operation), async (next, request) => {
        const known = cache.get(request.target);
        const response = await next(request);
        if (!succeeded(response)) return response;
        if (!known) cache.set(request.target, response);
        return known ?? response;
      });
    }),
  ),
  perOperation('cached-error', 'What was not found once is not found later.', isRead, (operation) =>
    remembering(() => {
      const cache = new Map<string, ServiceResponse>();
      return instead(idOf(operation), async (next, request) => {
        const response = cache.get(request.target) ?? (await next(request));
        if (response.status === 404) cache.set(request.target, response);
        return response;
      });
    }),
  ),
  perOperation('one-behind', 'A read shows what the read before it found.', isRead, (operation) =>
    remembering(() => {
      const last = new Map<string, ServiceResponse>();
      return instead(idOf(operation), async (next, request) => {
        const response = await next(request);
        if (!succeeded(response)) return response;
        const known = last.get(request.target);
        last.set(request.target, response);
        return known ?? response;
      });
    }),
  ),
  perResource('read-newest', 'A read shows the newest resource.', 'read', (resource) =>
    withMemory(resource, (memory) =>
      instead(idOf(resource.read), async (next, request) => {
        const response = await next(request);
        const newest = [...memory.known.values()].at(-1);
        return succeeded(response) && newest ? ask(next, request, 'GET', newest.path) : response;
      }),
    ),
  ),
  perResource('read-unknown', 'A read of what does not exist shows another resource.', 'read', (resource) =>
    withMemory(resource, (memory) =>
      instead(idOf(resource.read), async (next, request) => {
        const response = await next(request);
        const newest = [...memory.known.values()].at(-1);
        return response.status === 404 && newest ? ask(next, request, 'GET', newest.path) : response;
      }),
    ),
  ),
  ...(['read', 'update', 'remove'] as const).map((operation) =>
    perResource(
      `${operation === 'remove' ? 'delete' : operation}-under-other-parent`,
      'A resource is found under another parent, too.',
      operation,
      (resource) =>
        withMemory(resource, (memory) =>
          instead(idOf(resource[operation]), async (next, request, call) => {
            const response = await next(request);
            const name = memory.pathOf(call).slice(memory.collectionOf(call).length);
            const other = [...memory.known.values()].find(({ path, collection }) => path === `${collection}${name}`);
            return response.status === 404 && other ? next({ ...request, target: other.path }) : response;
          }),
        ),
      ({ collection }) => collection.includes('{'),
    ),
  ),
  perResource(
    'keep-children',
    'What was in a parent is found after the parent was deleted.',
    'read',
    ({ read, parent }) =>
      remembering(() => {
        const seen = new Map<string, ServiceResponse>();
        return instead(idOf(read), async (next, request) => {
          const response = await next(request);
          if (succeeded(response)) seen.set(request.target, response);
          if (response.status !== 404 || !seen.has(request.target)) return response;
          const above = await ask(
            next,
            request,
            'GET',
            request.target.split('/').slice(0, parent!.item.split('/').length).join('/'),
          );
          return succeeded(above) ? response : seen.get(request.target)!;
        });
      }),
    ({ parent }) => parent !== undefined,
  ),
  perOperation('deleted-in-list', 'A list shows what was deleted.', isList, (operation, api) => {
    const { remove, item, collection } = resourceOf(api, operation)!;
    return remembering(() => {
      const gone = new Map<string, Json[]>();
      return all(
        instead(idOf(operation), async (next, request, call) => {
          const response = await next(request);
          const ghosts = gone.get(addressOf(collection, call));
          if (!succeeded(response) || !ghosts) return response;
          const page = jsonOf(response) as Json;
          const name = Object.keys(page).find((one) => Array.isArray(page[one]))!;
          return showing(response, { ...page, [name]: [...(page[name] as Json[]), ...ghosts] });
        }),
        instead(idOf(remove), async (next, request, call) => {
          const before = await ask(next, request, 'GET', addressOf(item, call));
          const response = await next(request);
          const list = addressOf(collection, call);
          if (succeeded(response) && succeeded(before)) gone.set(list, [jsonOf(before)]);
          return response;
        }),
      );
    });
  }),
];

function isList(operation: Operation, api: Api): boolean {
  return api.resources.some(({ list }) => list === operation);
}
