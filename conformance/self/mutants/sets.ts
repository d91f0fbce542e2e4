/** A subscription is not the set of types that it should be. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import type { Service, ServiceRequest } from '../service.ts';
import { jsonOf, problem, showing } from '../mutate/response.ts';
import { wholeList } from '../mutate/list.ts';
import { after, before, done, instead, type Mutate, remembering, showingAs } from '../mutate/mutate.ts';
import { ask, isObject, jsonIn, sending, sourcesPath } from '../mutate/request.ts';

const mutant = mutantsOf('sets');

const add = (next: Service, request: ServiceRequest, subscription: string, type: string) =>
  ask(next, request, 'POST', sourcesPath(subscription), { type });
const read = (next: Service, request: ServiceRequest, subscription: string, type: string) =>
  ask(next, request, 'GET', sourcesPath(subscription, type));
const remove = (next: Service, request: ServiceRequest, subscription: string, type: string) =>
  ask(next, request, 'DELETE', sourcesPath(subscription, type));

function typeIn(request: ServiceRequest): string | undefined {
  const body = jsonIn(request);
  return isObject(body) && typeof body['type'] === 'string' ? body['type'] : undefined;
}

/** Answers an add of what is there in another way. */
const addAgain = (status: number) =>
  instead('createEventSource', async (next, request, { path }) => {
    const response = await next(request);
    return response.status === 409
      ? { ...(await read(next, request, path['subscription_id']!, typeIn(request)!)), status }
      : response;
  });

/** Also does something when an update succeeds. */
function updating(
  then: (next: Service, request: ServiceRequest, from: string, to: string, subscription: string) => Promise<unknown>,
): Mutate {
  return instead('updateEventSource', async (next, request, { path }) => {
    const response = await next(request);
    const to = typeIn(request);
    if (response.status === 200 && to !== undefined && to !== path['type'])
      await then(next, request, path['type']!, to, path['subscription_id']!);
    return response;
  });
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

/** Removed sources are marked, and some reads do not look at the mark. */
const softDelete = (forgets: 'getEventSource' | 'listEventSources'): Mutate =>
  remembering(() => {
    const marked = new Set<string>();
    return (service) =>
      instead(
        ['createEventSource', 'getEventSource', 'listEventSources', 'updateEventSource', 'deleteEventSource'],
        async (next, request, { operationId, path }) => {
          const key = `${path['subscription_id']} ${path['type']}`;
          if (operationId === 'deleteEventSource') {
            if (marked.has(key)) return problem(404, 'not_found');
            const found = await read(next, request, path['subscription_id']!, path['type']!);
            if (found.status !== 200 || request.target.includes('?')) return next(request);
            marked.add(key);
            return { status: 204, headers: {}, body: '' };
          }
          if (operationId === 'getEventSource' && marked.has(key) && forgets !== operationId)
            return problem(404, 'not_found');
          const response = await next(request);
          if (operationId !== 'listEventSources' || forgets === operationId || response.status !== 200) return response;
          const shown = jsonOf(response);
          return showing(response, {
            ...shown,
            sources: shown.sources.filter(
              ({ type }: { type: string }) => !marked.has(`${path['subscription_id']} ${type}`),
            ),
          });
        },
      )(service);
  });

/** An update or removal in one subscription reaches all that have the type. */
function reaching(operation: 'updateEventSource' | 'deleteEventSource'): Mutate {
  return remembering(() => {
    const subscriptions = new Set<string>();
    return instead(['createEventSource', operation], async (next, request, { operationId, path }) => {
      const own = path['subscription_id']!;
      const response = await next(request);
      if (operationId === 'createEventSource') subscriptions.add(own);
      else if (response.status < 300) {
        for (const other of [...subscriptions].filter((one) => one !== own)) {
          await ask(next, request, request.method, sourcesPath(other, path['type']!), jsonIn(request));
        }
      }
      return response;
    });
  });
}

export const sets: Mutant[] = [
  mutant('add-twice-201', 'sources.add-twice', 'Adding a type that is there answers 201.', addAgain(201)),
  mutant('add-twice-200', 'sources.add-twice', 'Adding a type that is there answers 200.', addAgain(200)),
  mutant(
    'add-twice-400',
    'sources.add-twice',
    'Adding a type that is there answers 400.',
    after('createEventSource', (response) =>
      response.status === 409
        ? problem(400, 'invalid_request', { errors: [{ pointer: '/type', code: 'duplicate', detail: 'It is there.' }] })
        : response,
    ),
  ),
  mutant(
    'add-twice-500',
    'sources.add-twice',
    'Adding a type that is there answers 500, as of a constraint that nobody catches.',
    after('createEventSource', (response) => (response.status === 409 ? problem(500, 'internal_error') : response)),
  ),
  mutant(
    'add-twice-lists-twice',
    'sources.add-twice',
    'Adding a type again is refused, but lists it twice.',
    remembering(() => {
      const twice = new Set<string>();
      return (service) =>
        done('listEventSources', (response, _, { path }) => {
          const shown = jsonOf(response);
          return showing(response, {
            ...shown,
            sources: shown.sources.flatMap((one: { type: string }) =>
              twice.has(`${path['subscription_id']} ${one.type}`) ? [one, one] : [one],
            ),
          });
        })(
          after('createEventSource', (response, request, { path }) => {
            if (response.status === 409) twice.add(`${path['subscription_id']} ${typeIn(request)}`);
            return response;
          })(service),
        );
    }),
  ),
  mutant(
    'add-twice-removes',
    'sources.add-twice',
    'Adding a type that is there removes it.',
    instead('createEventSource', async (next, request, { path }) => {
      const response = await next(request);
      if (response.status === 409) await remove(next, request, path['subscription_id']!, typeIn(request)!);
      return response;
    }),
  ),
  mutant(
    'delete-unknown-204',
    'sources.unknown',
    'Removing a type that is not there answers 204.',
    after('deleteEventSource', (response) =>
      response.status === 404 ? { status: 204, headers: {}, body: '' } : response,
    ),
  ),
  mutant(
    'update-unknown-creates',
    'sources.unknown',
    'Updating a type that is not there adds it.',
    instead('updateEventSource', async (next, request, { path }) => {
      const response = await next(request);
      return response.status === 404
        ? { ...(await add(next, request, path['subscription_id']!, typeIn(request) ?? path['type']!)), status: 200 }
        : response;
    }),
  ),
  mutant(
    'update-unknown-empty-200',
    'sources.unknown',
    'Updating a type that is not there with nothing answers 200.',
    instead('updateEventSource', async (next, request, { path }) => {
      const response = await next(request);
      const body = jsonIn(request);
      if (response.status !== 404 || !isObject(body) || Object.keys(body).length > 0) return response;
      const uri = `http://${request.headers['host']}${sourcesPath(path['subscription_id']!, path['type']!)}`;
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: path['type'], uri }),
      };
    }),
  ),
  mutant(
    'update-unknown-409',
    'sources.unknown',
    'Updating a type that is not there to one that is answers 409.',
    instead('updateEventSource', async (next, request, { path }) => {
      const response = await next(request);
      const to = typeIn(request);
      if (response.status !== 404 || to === undefined) return response;
      return (await read(next, request, path['subscription_id']!, to)).status === 200
        ? problem(409, 'already_exists')
        : response;
    }),
  ),
  mutant(
    'read-unknown-200',
    'sources.unknown',
    'Reading a type that is not there shows it all the same.',
    instead('getEventSource', async (next, request, { path }) => {
      const response = await next(request);
      if (response.status !== 404 || !/^[a-z][a-z0-9_]*\.v\d+$/.test(path['type']!)) return response;
      return {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: path['type'], uri: `http://${request.headers['host']}${request.target}` }),
      };
    }),
  ),
  mutant(
    'read-unknown-400',
    'sources.unknown',
    'Reading a type that is not there answers 400.',
    after('getEventSource', (response) => (response.status === 404 ? problem(400, 'malformed_request') : response)),
  ),
  mutant(
    'delete-marks-read',
    'sources.removed',
    'A source that was removed can still be read.',
    softDelete('getEventSource'),
  ),
  mutant(
    'delete-marks-list',
    'sources.removed',
    'A source that was removed is still listed.',
    softDelete('listEventSources'),
  ),
  mutant(
    'delete-nothing',
    'sources.removed',
    'A removal answers 204 and removes nothing.',
    instead('deleteEventSource', async (next, request, { path }) => {
      const found = await read(next, request, path['subscription_id']!, path['type']!);
      return found.status === 200 ? { status: 204, headers: {}, body: '' } : next(request);
    }),
  ),
  mutant(
    'delete-twice-204',
    'sources.removed',
    'Removing again what was removed answers 204.',
    remembering(() => {
      const removed = new Set<string>();
      return after('deleteEventSource', (response, request) => {
        if (response.status === 204) removed.add(request.target);
        return removed.has(request.target) ? { status: 204, headers: {}, body: '' } : response;
      });
    }),
  ),
  mutant(
    'delete-all',
    'sources.removed',
    'A removal removes every source of the subscription.',
    removing((_, rest) => rest),
  ),
  mutant(
    'delete-another-too',
    'sources.removed',
    'A removal removes the first of the others, too.',
    removing((_, rest) => rest.slice(0, 1)),
  ),
  mutant(
    'delete-by-prefix',
    'sources.alike',
    'A removal removes every type that begins so.',
    removing((removed, rest) => rest.filter((type) => type.startsWith(removed))),
  ),
  mutant(
    'delete-all-versions',
    'sources.removed',
    'A removal removes every version of the type.',
    removing((removed, rest) => rest.filter((type) => type.split('.')[0] === removed.split('.')[0])),
  ),
  mutant(
    'delete-wrong',
    'sources.removed',
    'A removal removes the first source of the list.',
    instead('deleteEventSource', async (next, request, { path }) => {
      const [first] = await wholeList(next, request, path['subscription_id']!);
      const found = await read(next, request, path['subscription_id']!, path['type']!);
      return found.status === 200
        ? remove(next, request, path['subscription_id']!, String(first!['type']))
        : next(request);
    }),
  ),
  mutant('tombstones', 'sources.added-again', 'A type that was removed can never be added again.', tombstones),
  mutant(
    'update-copies',
    'sources.update-moves',
    'An update adds the new type and keeps the old one.',
    updating((next, request, from, _, subscription) => add(next, request, subscription, from)),
  ),
  mutant(
    'update-ignored',
    'sources.update-moves',
    'An update answers as if it had worked, and changes nothing.',
    instead('updateEventSource', async (next, request, { path }) => {
      const response = await next(request);
      const to = typeIn(request);
      if (response.status === 200 && to !== undefined && to !== path['type']) {
        await remove(next, request, path['subscription_id']!, to);
        await add(next, request, path['subscription_id']!, path['type']!);
      }
      return response;
    }),
  ),
  mutant(
    'update-shows-old',
    'sources.update-moves',
    'An update shows the source as it was.',
    instead('updateEventSource', async (next, request, { path }) => {
      const was = await read(next, request, path['subscription_id']!, path['type']!);
      const response = await next(request);
      return response.status === 200 ? was : response;
    }),
  ),
  mutant(
    'update-removes',
    'sources.update-moves',
    'An update removes the old type and adds none.',
    updating((next, request, _, to, subscription) => remove(next, request, subscription, to)),
  ),
  mutant(
    'update-moves-all',
    'sources.update-moves',
    'An update removes the other sources, too.',
    updating(async (next, request, _, to, subscription) => {
      for (const { type } of await wholeList(next, request, subscription))
        if (type !== to) await remove(next, request, subscription, String(type));
    }),
  ),
  mutant(
    'update-swaps',
    'sources.update-moves',
    'The type in the path is taken for the new one.',
    instead('updateEventSource', async (next, request, { path }) => {
      const to = typeIn(request);
      if (to === undefined || to === path['type']) return next(request);
      return next({ ...sending(request, { type: path['type'] }), target: sourcesPath(path['subscription_id']!, to) });
    }),
  ),
  mutant('update-reserves', 'sources.update-moves', 'The old type of an update stays taken.', reserved),
  mutant(
    'update-same-409',
    'sources.update-nothing',
    'An update to the same type answers 409.',
    instead('updateEventSource', async (next, request, { path }) => {
      const response = await next(request);
      return response.status === 200 && typeIn(request) === path['type'] ? problem(409, 'already_exists') : response;
    }),
  ),
  mutant(
    'update-same-removes',
    'sources.update-nothing',
    'An update to the same type removes the source.',
    instead('updateEventSource', async (next, request, { path }) => {
      const response = await next(request);
      if (response.status === 200 && typeIn(request) === path['type'])
        await remove(next, request, path['subscription_id']!, path['type']!);
      return response;
    }),
  ),
  mutant(
    'update-same-304',
    'sources.update-nothing',
    'An update without a change answers 304.',
    done('updateEventSource', (response, request, { path }) =>
      [undefined, path['type']].includes(typeIn(request)) ? { ...showing(response, undefined), status: 304 } : response,
    ),
  ),
  mutant(
    'update-empty-400',
    'sources.update-nothing',
    'An update with {} is refused.',
    done('updateEventSource', (response, request) =>
      request.body.toString() === '{}'
        ? problem(400, 'invalid_request', {
            errors: [{ pointer: '/type', code: 'required', detail: 'It is missing.' }],
          })
        : response,
    ),
  ),
  mutant(
    'update-no-body-400',
    'sources.update-nothing',
    'An update without a body is refused.',
    done('updateEventSource', (response, request) =>
      request.body.length === 0
        ? problem(400, 'invalid_request', { errors: [{ pointer: '', code: 'required', detail: 'It is missing.' }] })
        : response,
    ),
  ),
  mutant(
    'update-no-body-415',
    'sources.update-nothing',
    'An update without a body is answered with 415.',
    done('updateEventSource', (response, request) =>
      request.headers['content-type'] === undefined ? problem(415, 'unsupported_media_type') : response,
    ),
  ),
  mutant(
    'update-conflict-merges',
    'sources.update-conflict',
    'An update to a type that is there removes the old one and answers 200.',
    conflicting(async (next, request, from, to, subscription) => {
      await remove(next, request, subscription, from);
      return read(next, request, subscription, to);
    }),
  ),
  mutant(
    'update-conflict-200',
    'sources.update-conflict',
    'An update to a type that is there answers 200 and changes nothing.',
    conflicting((next, request, _, to, subscription) => read(next, request, subscription, to)),
  ),
  mutant(
    'update-conflict-400',
    'sources.update-conflict',
    'An update to a type that is there answers 400.',
    conflicting(async () => problem(400, 'malformed_request')),
  ),
  mutant(
    'update-conflict-removes-old',
    'sources.update-conflict',
    'An update to a type that is there is refused after the old one was removed.',
    conflicting(async (next, request, from, _, subscription) => {
      await remove(next, request, subscription, from);
      return problem(409, 'already_exists');
    }),
  ),
  mutant(
    'update-conflict-removes-new',
    'sources.update-conflict',
    'An update to a type that is there is refused after that one was removed.',
    conflicting(async (next, request, _, to, subscription) => {
      await remove(next, request, subscription, to);
      return problem(409, 'already_exists');
    }),
  ),
  mutant(
    'shared-by-all',
    'sources.isolation',
    'All subscriptions share their sources.',
    naming(() => 'all'),
  ),
  mutant(
    'update-reaches-others',
    'sources.isolation',
    'An update changes the type in every subscription.',
    reaching('updateEventSource'),
  ),
  mutant(
    'delete-reaches-others',
    'sources.isolation',
    'A removal removes the type from every subscription.',
    reaching('deleteEventSource'),
  ),
  mutant(
    'list-of-all',
    'sources.isolation',
    'A list shows the sources of every subscription.',
    remembering(() => {
      const all = new Map<string, unknown>();
      return (service) =>
        showingAs(['createEventSource', 'listEventSources'], (shown, _, { operationId }) => {
          if (operationId === 'createEventSource') all.set(shown.type, shown);
          return operationId === 'createEventSource' ? shown : { ...shown, sources: [...all.values()] };
        })(service);
    }),
  ),
  mutant(
    'subscriptions-any-case',
    'sources.case',
    'Ids of subscriptions that differ in case are one.',
    naming((subscription) => subscription.toLowerCase()),
  ),
  mutant(
    'subscriptions-any-case-lists',
    'sources.case',
    'A list finds the subscription in any case.',
    naming((subscription) => subscription.toLowerCase(), ['listEventSources']),
  ),
  mutant(
    'reads-by-prefix',
    'sources.alike',
    'The beginning of a type finds the source.',
    finding((asked, known) => known.startsWith(asked)),
  ),
  mutant(
    'reads-by-pattern',
    'sources.alike',
    'An underscore finds any character, as in SQL.',
    finding((asked, known) =>
      new RegExp(`^${asked.replaceAll('.', String.raw`\.`).replaceAll('_', '.')}$`).test(known),
    ),
  ),
  mutant(
    'deletes-by-pattern',
    'sources.alike',
    'An underscore removes any character, as in SQL.',
    removing((removed, rest) =>
      rest.filter((type) => new RegExp(`^${removed.replaceAll('.', String.raw`\.`).replaceAll('_', '.')}$`).test(type)),
    ),
  ),
  mutant(
    'reads-any-version',
    'sources.unknown',
    'A type is found in any version.',
    finding((asked, known) => asked.split('.')[0] === known.split('.')[0]),
  ),
  mutant(
    'fourth-lost',
    'sources.order',
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
  mutant(
    'update-loses-others-after-delete',
    'sources.model',
    'After a removal, an update brings the removed type back.',
    remembering(() => {
      const removed = new Map<string, string>();
      return instead(['deleteEventSource', 'updateEventSource'], async (next, request, { operationId, path }) => {
        const response = await next(request);
        const subscription = path['subscription_id']!;
        if (operationId === 'deleteEventSource' && response.status === 204) removed.set(subscription, path['type']!);
        else if (response.status === 200 && removed.has(subscription))
          await add(next, request, subscription, removed.get(subscription)!);
        return response;
      });
    }),
  ),
];
