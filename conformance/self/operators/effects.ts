/** What writes do to what is stored: nothing, too much, elsewhere, twice, although they are refused. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { after, done, instead, type Mutate, remembering } from '../mutate/mutate.ts';
import { acceptedBody, type Call } from '../mutate/operation.ts';
import { jsonOf, NO_CONTENT, problem, succeeded } from '../mutate/response.ts';
import { ask, isObject, type Json, plainJsonIn, queryOf, sending, withQuery } from '../mutate/request.ts';
import { type Api, has, type Resource, resourceOf, successOf } from './api.ts';
import { DROP, editAt } from './edit.ts';
import { Memory } from './memory.ts';
import { all, idOf, type Operator, perOperation, perResource, type Variant } from './operator.ts';

type Handle = (next: Service, request: ServiceRequest, call: Call, memory: Memory) => Promise<ServiceResponse>;

/** One mutant for each resource: `operation` is handled in another way, with a memory of what was made. */
function handling(
  name: string,
  description: string,
  operation: 'create' | 'update' | 'remove',
  handle: (resource: Resource) => Handle,
  of?: (resource: Resource, api: Api) => boolean,
): Operator {
  return perResource(
    name,
    description,
    operation,
    (resource) =>
      withMemory(resource, (memory) => {
        const own = handle(resource);
        return instead(idOf(resource[operation]), (next, request, call) => own(next, request, call, memory));
      }),
    of,
  );
}

/** The change stands before what the memory sees: what it does on its own is remembered, too. */
export function withMemory(resource: Resource, make: (memory: Memory) => Mutate): Mutate {
  return remembering(() => {
    const memory = new Memory(resource);
    return all(make(memory), memory.watching);
  });
}

/** Whether a change has properties of this type. */
const takes = ({ update }: Resource, api: Api, type: 'object' | 'array') =>
  api.taken.some(([operation, field]) => operation === update && field.path.length === 1 && has(field, type));
/** Whether a change has several properties. */
export const takesSeveral = ({ update }: Resource, api: Api) =>
  api.taken.filter(([operation, { path }]) => operation === update && path.length === 1).length > 1;
const hasParents = ({ collection }: Resource) => collection.includes('{');
const isWrite = ({ method }: Operation) => method !== 'GET';

/** Removes what a refusal complains of from the body and the query. */
function withoutErrors(request: ServiceRequest, response: ServiceResponse, operation: Operation): ServiceRequest {
  const errors = (jsonOf(response)?.errors ?? []) as Json[];
  const query = withQuery(
    request,
    queryOf(request).filter(([name]) => !errors.some(({ parameter }) => parameter === name)),
  );
  const plain = { ...query, headers: { ...query.headers, accept: '*/*', 'content-type': 'application/json' } };
  if (!operation.requestBody) return plain;
  let body = plainJsonIn(request);
  for (const { pointer } of errors) {
    const path = String(pointer ?? '')
      .split('/')
      .slice(1);
    if (path.length > 0) body = editAt(body, path, () => DROP);
  }
  return sending(plain, isObject(body) ? { ...acceptedBody(idOf(operation)), ...body } : acceptedBody(idOf(operation)));
}

/** Every so many calls, beginning with one that the reader of a failure finds soon. */
const OFTEN = 5;

function sometimes(
  name: string,
  description: string,
  handle: (next: Service, request: ServiceRequest) => Promise<ServiceResponse>,
): Operator {
  return perOperation(
    name,
    description,
    () => true,
    (operation) =>
      remembering(() => {
        let calls = 0;
        return instead(idOf(operation), (next, request) =>
          ++calls % OFTEN === 0 ? handle(next, request) : next(request),
        );
      }),
  );
}

const shown = (next: Service, request: ServiceRequest, path: string) => ask(next, request, 'GET', path);

/** Deletes what was just created. */
async function forget(next: Service, request: ServiceRequest, response: ServiceResponse, key: string): Promise<void> {
  const [list = ''] = request.target.split('?', 1);
  await ask(next, request, 'DELETE', `${list}/${encodeURIComponent(jsonOf(response)[key])}`);
}

export const effects: Operator[] = [
  handling('forget-create', 'What is created is not kept.', 'create', ({ key }) => async (next, request) => {
    const response = await next(request);
    if (succeeded(response)) await forget(next, request, response, key);
    return response;
  }),
  handling(
    'forget-update',
    'A change responds with what is there, and changes nothing.',
    'update',
    () => async (next, request, call, memory) => {
      const path = memory.pathOf(call);
      const before = await shown(next, request, path);
      const body = plainJsonIn(request);
      // Refusals stay: they are found with a change that does nothing.
      const response = await next(request);
      if (!succeeded(response) || !isObject(body) || !succeeded(before)) return response;
      const known = memory.known.get(path);
      if (known) await next(sending(request, { ...body, ...pick(known.sent, Object.keys(body)) }));
      return before;
    },
  ),
  handling(
    'forget-delete',
    'A deletion responds with 204 and deletes nothing.',
    'remove',
    () => async (next, request, call, memory) => {
      const there = await shown(next, request, memory.pathOf(call));
      return succeeded(there) ? NO_CONTENT : next(request);
    },
  ),
  handling('delete-again', 'A second deletion responds with 204.', 'remove', () => async (next, request) => {
    const response = await next(request);
    return response.status === 404 ? NO_CONTENT : response;
  }),
  handling('create-twice', 'What is created is created twice.', 'create', () => async (next, request) => {
    const response = await next(request);
    if (succeeded(response)) await next(request);
    return response;
  }),
  handling(
    'update-creates',
    'A change of what does not exist creates it.',
    'update',
    ({ create, key }) =>
      async (next, request, call, memory) => {
        const response = await next(request);
        if (response.status !== 404) return response;
        const body = plainJsonIn(request);
        const made = await ask(next, request, 'POST', memory.collectionOf(call), {
          ...acceptedBody(idOf(create)),
          ...(key in acceptedBody(idOf(create)) ? { [key]: call.path[key] } : {}),
          ...(isObject(body) ? body : {}),
        });
        return succeeded(made) ? { ...made, status: 200 } : response;
      },
  ),
  handling(
    'delete-sibling',
    'A deletion deletes a sibling, too.',
    'remove',
    () => async (next, request, call, memory) => {
      const sibling = memory.sibling(call);
      const response = await next(request);
      if (succeeded(response) && sibling) await ask(next, request, 'DELETE', sibling.path);
      return response;
    },
  ),
  handling(
    'delete-other-parent',
    'A deletion deletes a resource of another parent, too.',
    'remove',
    () => async (next, request, call, memory) => {
      const other = memory.sibling(call, 'another collection');
      const response = await next(request);
      if (succeeded(response) && other) await ask(next, request, 'DELETE', other.path);
      return response;
    },
    hasParents,
  ),
  handling(
    'update-sibling',
    'A change changes a sibling, too.',
    'update',
    () => async (next, request, call, memory) => {
      const response = await next(request);
      const sibling = memory.sibling(call);
      if (succeeded(response) && sibling) await ask(next, request, 'PATCH', sibling.path, plainJsonIn(request));
      return response;
    },
  ),
  handling(
    'update-other-parent',
    'A change changes a resource of another parent, too.',
    'update',
    () => async (next, request, call, memory) => {
      const response = await next(request);
      const other = memory.sibling(call, 'another collection');
      if (succeeded(response) && other) await ask(next, request, 'PATCH', other.path, plainJsonIn(request));
      return response;
    },
    hasParents,
  ),
  handling(
    'create-other-parent',
    'What is created is created in another parent, too.',
    'create',
    () => async (next, request, call, memory) => {
      const other = memory.sibling(call, 'another collection');
      const response = await next(request);
      if (succeeded(response) && other) await ask(next, request, 'POST', other.collection, plainJsonIn(request));
      return response;
    },
    hasParents,
  ),
  handling(
    'create-deletes',
    'A creation deletes the newest sibling.',
    'create',
    () => async (next, request, call, memory) => {
      const sibling = memory.sibling({ ...call, path: { ...call.path } });
      const count = memory.known.size;
      const response = await next(request);
      // Not always: what is there only once is seldom read again.
      if (succeeded(response) && sibling && count % 3 === 0) await ask(next, request, 'DELETE', sibling.path);
      return response;
    },
  ),
  handling(
    'merge-object',
    'An object that is sent is merged into the old one.',
    'update',
    () => merging((old, said) => (isObject(old) && isObject(said) ? { ...old, ...said } : said)),
    (resource, api) => takes(resource, api, 'object'),
  ),
  handling(
    'merge-list',
    'A list that is sent is appended to the old one.',
    'update',
    () => merging((old, said) => (Array.isArray(old) && Array.isArray(said) ? [...new Set([...old, ...said])] : said)),
    (resource, api) => takes(resource, api, 'array'),
  ),
  handling(
    'merge-inner',
    'Lists and maps inside of an object that is sent are merged with the old ones.',
    'update',
    () => merging((old, said) => (isObject(old) && isObject(said) ? merged(old, said) : said)),
    (resource, api) => takes(resource, api, 'object'),
  ),
  handling(
    'first-property-only',
    'Of a change only the first property is made.',
    'update',
    () => async (next, request) => {
      const body = plainJsonIn(request);
      return next(
        isObject(body) && Object.keys(body).length > 1
          ? sending(request, pick(body, Object.keys(body).slice(0, 1)))
          : request,
      );
    },
    takesSeveral,
  ),
  handling(
    'show-before',
    'A change is made, and the response shows what was there before.',
    'update',
    () => async (next, request, call, memory) => {
      const before = await shown(next, request, memory.pathOf(call));
      const response = await next(request);
      return succeeded(response) ? { ...response, body: before.body } : response;
    },
  ),
  {
    name: 'do-then-refuse',
    description: 'A request is refused, and what is valid of it is done',
    variants: ({ operations }) =>
      operations.filter(isWrite).flatMap((operation) =>
        ['400', '406', '415']
          .filter((status) => status in operation.responses)
          .map((status): Variant => ({
            at: `${operation.operationId}/${status}`,
            level: operation.level,
            mutate: instead(idOf(operation), async (next, request) => {
              const response = await next(request);
              if (String(response.status) === status) await next(withoutErrors(request, response, operation));
              return response;
            }),
          })),
      ),
  },
  {
    name: 'do-in-part-then-refuse',
    description: 'A change is refused with 409, and those of its properties that can be changed are',
    variants: ({ operations }) =>
      operations
        .filter(({ method, responses }) => method === 'PATCH' && '409' in responses)
        .map((operation) => ({
          at: operation.operationId,
          level: operation.level,
          mutate: instead(idOf(operation), async (next, request) => {
            const response = await next(request);
            const body = plainJsonIn(request);
            if (response.status === 409 && isObject(body))
              for (const name of Object.keys(body)) await next(sending(request, pick(body, [name])));
            return response;
          }),
        })),
  },
  perOperation(
    'conflict-as-success',
    'What is refused with 409 responds as if it were done.',
    ({ responses }) => '409' in responses,
    (operation, api) =>
      withMemory(resourceOf(api, operation)!, (memory) =>
        after(idOf(operation), async (response, _, call) => {
          const known = memory.known.get(memory.pathOf(call)) ?? memory.sibling(call);
          return response.status === 409 && known
            ? {
                status: Number(successOf(operation).status),
                headers: { 'content-type': 'application/json' },
                body: JSON.stringify(known.sent),
              }
            : response;
        }),
      ),
  ),
  sometimes('sometimes-500', 'Every fifth call fails with 500.', async () => problem(500, 'internal_error')),
  sometimes('sometimes-500-done', 'Every fifth call is done and fails with 500.', async (next, request) => {
    await next(request);
    return problem(500, 'internal_error');
  }),
  sometimes('sometimes-closed', 'Every fifth call closes the connection.', async () => {
    throw new Error('closed');
  }),
  handling('sometimes-forgotten', 'Every fifth creation is not kept.', 'create', ({ key }) => {
    let calls = 0;
    return async (next, request) => {
      const response = await next(request);
      if (succeeded(response) && ++calls % OFTEN === 0) await forget(next, request, response, key);
      return response;
    };
  }),
  perOperation(
    'success-as-conflict',
    'What can be done is refused with 409 where the resource has a sibling.',
    ({ responses }) => '409' in responses,
    (operation, api) =>
      withMemory(resourceOf(api, operation)!, (memory) =>
        done(idOf(operation), (response, _, call) => (memory.sibling(call) ? problem(409, 'conflict') : response)),
      ),
  ),
];

/** A change says for each property what `merge` makes of the old value, as it was sent, and the new one. */
function merging(merge: (old: unknown, said: unknown) => unknown): Handle {
  return async (next, request, call, memory) => {
    const known = memory.known.get(memory.pathOf(call));
    const body = plainJsonIn(request);
    if (!known || !isObject(body)) return next(request);
    const changed = Object.fromEntries(
      Object.entries(body).map(([name, said]) => [name, merge(known.sent[name], said)]),
    );
    const response =
      JSON.stringify(changed) === JSON.stringify(body) ? undefined : await next(sending(request, changed));
    // Where old and new are invalid together, a service that merges has nothing to merge.
    return response && succeeded(response) ? response : next(request);
  };
}

function merged(old: Json, said: Json): Json {
  return Object.fromEntries(
    Object.entries(said).map(([name, value]) => {
      const before = old[name];
      if (Array.isArray(value) && Array.isArray(before)) return [name, [...new Set([...before, ...value])]];
      return [name, isObject(value) && isObject(before) ? { ...before, ...value } : value];
    }),
  );
}

function pick(value: Json, names: string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}
