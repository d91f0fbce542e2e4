/** What writes do to what is stored, and what reads show of it. */
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { ask, DROP, editAt, isObject, type Json, jsonOf, plainJsonOf, problem, queryOf } from './messages.ts';
import { sending, succeeded, withHeaders, withQuery } from './messages.ts';
import { all, effect, type Handle, instead, type Operator, type Operators } from './operator.ts';
import { nested, perOperation, perResource, type Role } from './operator.ts';
import { parentOf, pathOf, type Resource, successOf } from './subject.ts';

const NO_CONTENT: ServiceResponse = { status: 204, headers: {}, body: '' };

const madeAt = (request: ServiceRequest, response: ServiceResponse, { key }: Resource) =>
  `${pathOf(request)}/${encodeURIComponent(String(jsonOf(response)?.[key]))}`;

/** After a success, the same is done to another resource, too. */
const spreading = (role: Role, isSibling: boolean): Operator =>
  effect(role, (memory) => async (next, request) => {
    const isCreation = role === 'create';
    const other = memory.other(isCreation ? `${pathOf(request)}/` : pathOf(request), isSibling);
    const response = await next(request);
    const target = other && (isCreation ? other.collection : other.path);
    if (succeeded(response) && target) await ask(next, request, request.method, target, jsonOf(request));
    return response;
  });

/** A request without what its refusal complains of. */
function repaired(request: ServiceRequest, response: ServiceResponse): ServiceRequest {
  const errors = (jsonOf(response)?.errors ?? []) as Json[];
  const pairs = queryOf(request).filter(([name]) => !errors.some(({ parameter }) => parameter === name));
  const type = request.body.length > 0 ? 'application/json' : undefined;
  const plain = withHeaders(withQuery(request, pairs), { accept: '*/*', 'content-type': type });
  const pathsOf = errors.map(({ pointer }) =>
    String(pointer ?? '')
      .split('/')
      .slice(1),
  );
  const body = pathsOf.reduce((json: unknown, path) => editAt(json, path, () => DROP), jsonOf(request));
  return body === undefined ? plain : sending(plain, body);
}

/** Reads show the state before the last write, for as long as `isShown` says. */
const overriding = (role: Role, isShown: (reads: number, ageMs: number) => boolean): Operator =>
  perResource(role, ({ read }, operation) => {
    const known = new Map<string, { before: ServiceResponse; reads: number; since: number }>();
    return all(
      instead(read, async (next, request) => {
        const own = known.get(pathOf(request));
        return own && isShown(own.reads++, Date.now() - own.since) ? own.before : next(request);
      }),
      instead(operation, async (next, request) => {
        const before = await ask(next, request, 'GET', pathOf(request));
        const response = await next(request);
        const isChanged = succeeded(response) && succeeded(before);
        if (isChanged) known.set(pathOf(request), { before, reads: 0, since: Date.now() });
        return response;
      }),
    );
  });

const LATE_MS = 30;
const isLate = (_: number, ageMs: number) => ageMs < LATE_MS;

const OFTEN = 5;
const NEWEST = 50;

const sometimes = (handle: Handle): Operator =>
  perOperation(
    () => true,
    (operation) => {
      let count = 0;
      return instead(operation, (next, request) => (++count % OFTEN === 0 ? handle(next, request) : next(request)));
    },
  );

/** A resource is found under another parent, too. */
const elsewhere = (role: Role): Operator =>
  effect(role, ({ known }) => async (next, request) => {
    const response = await next(request);
    const name = pathOf(request).slice(parentOf(pathOf(request)).length);
    const other = [...known.keys()].find((path) => path.endsWith(name) && path !== pathOf(request));
    return response.status === 404 && other ? next({ ...request, target: other }) : response;
  });

const isWrite = ({ method }: { method: string }) => method !== 'GET';

export const effects: Operators = {
  'forget-create': effect('create', (_, resource) => async (next, request) => {
    const response = await next(request);
    if (succeeded(response)) await ask(next, request, 'DELETE', madeAt(request, response, resource));
    return response;
  }),
  'forget-update': effect('update', ({ known }) => async (next, request) => {
    const old = known.get(pathOf(request))?.sent;
    const body = plainJsonOf(request);
    const response = await next(request);
    const back = Object.keys(isObject(body) ? body : {}).map((name) => [name, old?.[name] ?? null]);
    if (succeeded(response) && old) await next(sending(request, Object.fromEntries(back)));
    return response;
  }),
  'forget-delete': effect('remove', () => async (next, request) => {
    const isThere = succeeded(await ask(next, request, 'GET', pathOf(request)));
    return isThere ? NO_CONTENT : next(request);
  }),
  'create-elsewhere': nested(spreading('create', false)),
  'update-sibling': spreading('update', true),
  'update-elsewhere': nested(spreading('update', false)),
  'delete-sibling': spreading('remove', true),
  'delete-elsewhere': nested(spreading('remove', false)),
  'merge-values': effect('update', ({ known }) => async (next, request) => {
    const old = known.get(pathOf(request))?.sent;
    const body = plainJsonOf(request);
    if (!old || !isObject(body)) return next(request);
    const merged = Object.entries(body).map(([name, sent]) => {
      const before = old[name];
      if (Array.isArray(before) && Array.isArray(sent)) return [name, [...new Set([...before, ...sent])]];
      return [name, isObject(before) && isObject(sent) ? { ...before, ...sent } : sent];
    });
    const response = await next(sending(request, Object.fromEntries(merged)));
    // Where old and new contradict each other, a service that merges has nothing to merge.
    return succeeded(response) ? response : next(request);
  }),
  'refuse-yet-act': perOperation(isWrite, (operation) =>
    instead(operation, async (next, request) => {
      const response = await next(request);
      if ([400, 406, 415, 422].includes(response.status)) await next(repaired(request, response));
      const body = response.status === 409 ? plainJsonOf(request) : undefined;
      if (isObject(body))
        for (const [name, value] of Object.entries(body)) await next(sending(request, { [name]: value }));
      return response;
    }),
  ),
  'act-then-refuse': sometimes(async (next, request) => {
    const response = await next(request);
    return succeeded(response) && isWrite(request) ? problem(409, 'conflict') : response;
  }),
  'conflict-as-success': perOperation(
    ({ responses }) => '409' in responses,
    (operation) => {
      let last: ServiceResponse | undefined;
      return instead(operation, async (next, request) => {
        const response = await next(request);
        if (String(response.status) === successOf(operation)?.status) last = response;
        return response.status === 409 ? (last ?? response) : response;
      });
    },
  ),
  'conflict-before-errors': effect('create', (_, resource) => async (next, request) => {
    const response = await next(request);
    if (response.status !== 400) return response;
    const second = await next(repaired(request, response));
    if (succeeded(second)) await ask(next, request, 'DELETE', madeAt(request, second, resource));
    return second.status === 409 ? second : response;
  }),
  'keep-newest': effect('read', ({ known }) => async (next, request) => {
    const isOld = known.has(pathOf(request)) && ![...known.keys()].slice(-NEWEST).includes(pathOf(request));
    return isOld ? problem(404, 'not_found') : next(request);
  }),
  'sometimes-closed': sometimes(async () => {
    throw new Error('closed');
  }),
  'stale-after-update': overriding('update', () => true),
  'late-update': overriding('update', isLate),
  'stale-after-delete': overriding('remove', () => true),
  'late-delete': overriding('remove', isLate),
  'read-from-elsewhere': nested(elsewhere('read')),
  'update-from-elsewhere': nested(elsewhere('update')),
  'delete-from-elsewhere': nested(elsewhere('remove')),
};
