/** What breaks a law of any resource in a way that no other class has. */
import type { Mutant, MutantClass } from '../mutant.ts';
import { mutantsOf, TOKEN } from '../mutant.ts';
import { callOf, OPERATIONS, type OperationId } from '../mutate/operation.ts';
import { both, instead, type Mutate, remembering, showingAs } from '../mutate/mutate.ts';
import { pause } from '../mutate/pause.ts';
import { ask, isObject, type Json, jsonIn, sending, sourcesPath, withHeaders } from '../mutate/request.ts';
import { json, jsonOf, succeeded } from '../mutate/response.ts';
import type { ServiceRequest } from '../service.ts';

const mutant = mutantsOf('refused');

/** The request as it should have been. */
function good(request: ServiceRequest): ServiceRequest {
  const { accept: _, ...headers } = request.headers;
  const body = request.body.toString().trim();
  const tokened = withHeaders({ ...request, headers }, { authorization: `Bearer ${TOKEN}` });
  const typed = body === '' ? tokened : withHeaders(tokened, { 'content-type': 'application/json' });
  return { ...typed, target: request.target.split('?', 1)[0]!, body: Buffer.from(body) };
}

/** Does what it refuses. */
const doneAllTheSame = (operation: OperationId, status: number): Mutate =>
  instead(operation, async (next, request) => {
    const response = await next(request);
    if (response.status === status) await next(good(request));
    return response;
  });

/** A refusal of what is gone brings it back. */
const resurrected = (operation: OperationId): Mutate =>
  remembering(() => {
    const gone = new Map<string, Json>();
    const back = new Set<string>();
    return (next) => async (request) => {
      const call = callOf(request);
      if (!call) return next(request);
      const { target } = request;
      const was = request.method === 'DELETE' ? await ask(next, request, 'GET', target) : undefined;
      const response = await next(request);
      if (was && succeeded(was) && succeeded(response)) gone.set(target, jsonOf(was));
      else if (call.operationId === operation && response.status === 404 && gone.has(target)) back.add(target);
      const shown = gone.get(target);
      return request.method === 'GET' && response.status === 404 && shown && back.has(target)
        ? json(200, shown)
        : response;
    };
  });

/** A route for an edge that is gone goes to all others. */
const elsewhere: Mutate = remembering(() => {
  const made: string[] = [];
  return instead(['createEdge', 'createRoute'], async (next, request, { operationId }) => {
    const response = await next(request);
    if (operationId === 'createEdge' && response.status === 201) made.push(jsonOf(response).id);
    if (operationId === 'createRoute' && response.status === 404)
      for (const id of made) {
        const target = `/edges/https/${encodeURIComponent(id)}/routes`;
        await ask(next, request, 'POST', target, { match_type: 'exact_path', match: '/elsewhere' });
      }
    return response;
  });
});

/** A refusal for what is there already, or contradicts it, takes away or changes what the request names. */
const halfDone = (operation: OperationId): Mutate =>
  instead(operation, async (next, request, { path }) => {
    const response = await next(request);
    const sent = jsonIn(request);
    if (response.status !== 409 || !isObject(sent)) return response;
    const subscription = path['subscription_id'];
    if (subscription !== undefined) await ask(next, request, 'DELETE', sourcesPath(subscription, String(sent['type'])));
    else if (operation === 'createRoute') {
      const edge = `/edges/https/${encodeURIComponent(path['edge_id']!)}`;
      await ask(next, request, 'PATCH', edge, { description: 'half done' });
      const { routes } = jsonOf(await ask(next, request, 'GET', edge)) as { routes: Json[] };
      for (const { id } of routes)
        await ask(next, request, 'PATCH', `${edge}/routes/${String(id)}`, { description: 'half done' });
    } else await next(sending(request, { description: 'half done' }));
    return response;
  });

const CHANGING: OperationId[] = OPERATIONS.filter((one) => !/^(get|list)/.test(one));

function unchanged(operation: OperationId, status: number, mutate: Mutate): Mutant {
  const killedBy = `${operation}.${status}.unchanged`;
  const description = `${operation} that is refused with ${status} has changed something.`;
  const one = mutant(`${operation}-${status}`, killedBy, description, mutate);
  return status === 401 || status === 403 ? { ...one, needsToken: true } : one;
}

function statusesOf(operation: OperationId): number[] {
  return operation.startsWith('delete') ? [400, 401, 403] : [400, 401, 403, 406, 413, 415];
}

const refusals: Mutant[] = CHANGING.flatMap((operation) => [
  ...statusesOf(operation).map((status) => unchanged(operation, status, doneAllTheSame(operation, status))),
  ...(operation.startsWith('create') ? [] : [unchanged(operation, 404, resurrected(operation))]),
  ...(operation.startsWith('delete') || operation === 'createEdge'
    ? []
    : [unchanged(operation, 409, halfDone(operation))]),
]);

/** The next item that a place gets changes how all are read that came before. */
const overwriting = (create: OperationId, read: OperationId): Mutate =>
  remembering(() => {
    const last = new Map<string, unknown>();
    return both(
      showingAs(create, (shown: Json, _, { path }) => {
        last.set(path['edge_id'] ?? '', shown['metadata']);
        return shown;
      }),
      showingAs(read, (shown: Json, _, { path }) => ({ ...shown, metadata: last.get(path['edge_id'] ?? '') })),
    );
  });

/** More than so many are not kept. */
const atMost = (create: OperationId, read: OperationId, count: number): Mutate =>
  remembering(() => {
    const made = new Map<string, number>();
    const lost = new Set<string>();
    return (next) => async (request) => {
      const call = callOf(request);
      const parent = call?.path['edge_id'] ?? '';
      const response = await next(request);
      if (call?.operationId === create && response.status === 201) {
        made.set(parent, (made.get(parent) ?? 0) + 1);
        if (made.get(parent)! > count) lost.add(jsonOf(response).id);
      }
      if (call?.operationId === read && lost.has(call.path['id']!))
        return next({ ...request, target: `${request.target}-lost` });
      return response;
    };
  });

/** The uri of what is removed still leads to it, for a client that reads it whole. */
const uriLives = (read: OperationId, remove: OperationId): Mutate =>
  remembering(() => {
    const gone = new Map<string, Json>();
    return instead([read, remove], async (next, request, { operationId }) => {
      const path = request.target;
      const was = operationId === remove ? await ask(next, request, 'GET', path) : undefined;
      const response = await next(request);
      if (was && succeeded(was) && succeeded(response)) gone.set(path, jsonOf(was));
      const shown = gone.get(path);
      return operationId === read && response.status === 404 && shown ? json(200, shown) : response;
    });
  });

/** A second change of a thing within one life is stored, and undone by the next one. */
const noWayBack = (operation: OperationId): Mutate =>
  remembering(() => {
    const times = new Map<string, number>();
    return instead(operation, async (next, request) => {
      const count = (times.get(request.target) ?? 0) + 1;
      times.set(request.target, count);
      return next(count > 1 && count % 2 === 0 ? sending(request, {}) : request);
    });
  });

/** Each change is stored member by member, and readers see it grow. */
const memberByMember = (operation: OperationId): Mutate =>
  instead(operation, async (next, request) => {
    const patch = jsonIn(request);
    const names = isObject(patch) ? Object.keys(patch) : [];
    const single = names.filter((name) => ['description', 'metadata'].includes(name));
    if (!isObject(patch) || single.length < 2) return next(request);
    await next(sending(request, { [single[0]!]: patch[single[0]!] }));
    await pause();
    return next(request);
  });

/** A source is moved in two steps: it is gone, then it is there. */
const movedInSteps: Mutate = instead('updateEventSource', async (next, request, { path }) => {
  const sent = jsonIn(request);
  const to = isObject(sent) ? sent['type'] : undefined;
  const own = sourcesPath(path['subscription_id']!, path['type']);
  const looked = await ask(next, request, 'GET', own);
  const there =
    typeof to === 'string' ? await ask(next, request, 'GET', sourcesPath(path['subscription_id']!, to)) : looked;
  if (!succeeded(looked) || succeeded(there)) return next(request);
  await ask(next, request, 'DELETE', own);
  await pause();
  await ask(next, request, 'POST', sourcesPath(path['subscription_id']!), { type: path['type'] });
  return next(request);
});

function of(kind: MutantClass, name: string, killedBy: string, description: string, mutate: Mutate): Mutant {
  return mutantsOf(kind)(name, killedBy, description, mutate);
}

/** Properties that a module does not have are dropped. */
const dropped: Mutate = instead('createRoute', async (next, request) => {
  const response = await next(request);
  const sent = jsonIn(request);
  const text = response.body.toString();
  if (response.status !== 400 || !isObject(sent) || !/"unknown"/.test(text) || !isObject(sent['compression']))
    return response;
  return next(sending(request, { ...sent, compression: {} }));
});

/** From the third read on, a source shows its type in other letters. */
const readThrice: Mutate = remembering(() => {
  const times = new Map<string, number>();
  return instead('getEventSource', async (next, request) => {
    times.set(request.target, (times.get(request.target) ?? 0) + 1);
    const response = await next(request);
    if (!succeeded(response) || times.get(request.target)! < 3) return response;
    return json(200, { ...jsonOf(response), type: `${jsonOf(response).type}0` });
  });
});

/** A type that a source had once is not given to it again. */
const neverBack: Mutate = remembering(() => {
  const left = new Set<string>();
  return instead('updateEventSource', async (next, request, { path }) => {
    const sent = jsonIn(request);
    const to = isObject(sent) ? String(sent['type']) : '';
    const { subscription_id } = path as { subscription_id: string };
    if (left.has(`${subscription_id} ${to}`)) return next(sending(request, {}));
    left.add(`${subscription_id} ${path['type']}`);
    return next(request);
  });
});

export const resourceLaws: Mutant[] = [
  ...refusals,
  unchanged('createRoute', 404, elsewhere),
  of(
    'edge-updates',
    'no-way-back',
    'edges.update.there-and-back',
    'Every second change of an edge is lost.',
    noWayBack('updateEdge'),
  ),
  of(
    'route-updates',
    'no-way-back',
    'routes.update.there-and-back',
    'Every second change of a route is lost.',
    noWayBack('updateRoute'),
  ),
  of(
    'echo',
    'last-metadata',
    'edges.siblings',
    'An edge reads with the metadata of the one that was created last.',
    overwriting('createEdge', 'getEdge'),
  ),
  of(
    'routes',
    'last-metadata',
    'routes.siblings',
    'A route reads with the metadata of the one that was created last.',
    overwriting('createRoute', 'getRoute'),
  ),
  of(
    'edge-pages',
    'at-most-20',
    'edges.list.many',
    'Edges after the twentieth are lost.',
    atMost('createEdge', 'getEdge', 20),
  ),
  of(
    'routes',
    'at-most-20',
    'routes.many',
    'Routes of an edge after the twentieth are lost.',
    atMost('createRoute', 'getRoute', 20),
  ),
  of(
    'uri',
    'edge-lives',
    'edges.uri.own',
    'The address of an edge that was deleted leads to it.',
    uriLives('getEdge', 'deleteEdge'),
  ),
  of(
    'uri',
    'route-lives',
    'routes.uri.own',
    'The address of a route that was deleted leads to it.',
    uriLives('getRoute', 'deleteRoute'),
  ),
  of(
    'edge-races',
    'member-by-member',
    'edges.race.readers',
    'A change of an edge is stored member by member.',
    memberByMember('updateEdge'),
  ),
  of(
    'edge-races',
    'half-seen',
    'model.linearizable',
    'Two members of an edge are stored one after the other.',
    memberByMember('updateEdge'),
  ),
  of(
    'route-races',
    'member-by-member',
    'routes.race.readers',
    'A change of a route is stored member by member.',
    memberByMember('updateRoute'),
  ),
  of(
    'races',
    'moved-in-steps',
    'sources.race.readers',
    'A source is taken away before it is there under its new type.',
    movedInSteps,
  ),
  of(
    'races',
    'moved-in-steps-seen',
    'sources.linearizable',
    'A source that is moved is not there for a moment.',
    movedInSteps,
  ),
  of(
    'reads',
    'source-read-thrice',
    'sources.stable',
    'A source that is read for the third time has another type.',
    readThrice,
  ),
  of('sets', 'never-back', 'sources.update-back', 'A source is not changed back to a type that it had.', neverBack),
  of(
    'modules',
    'foreign-dropped',
    'routes.modules.own-fields',
    'What compression does not have is dropped from it.',
    dropped,
  ),
];
