/** Responses: other statuses, headers and fields. Effects of writes, also at once, and what reads show of them. */
import type { Operation, Response } from '../../engine/contract/operations.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import {
  altered,
  ask,
  createdAt,
  DROP,
  editAt,
  everywhere,
  type Field,
  fromEach,
  type Handle,
  has,
  isFreeText,
  isMade,
  isNested,
  isObject,
  isProperty,
  isWrite,
  type Json,
  jsonOf,
  type Named,
  onList,
  onText,
  type Operator,
  type Operators,
  parentOf,
  pathOf,
  pause,
  perField,
  perOperation,
  perPlace,
  perResource,
  plainJsonOf,
  problem,
  queryOf,
  repeating,
  type Role,
  sending,
  showing,
  succeeded,
  withHeaders,
  withQuery,
} from './operator.ts';

type Change = (response: ServiceResponse) => ServiceResponse;

/** @param status such as `200` or `4XX` */
const onStatus = (status: string, change: Change): Handle =>
  showing((one) => {
    if (new RegExp(`^${status.replaceAll(/x/gi, '.')}$`).test(String(one.status))) {
      return change(one);
    }
    return one;
  });

type Choice = (field: Field) => boolean;
type Edit = (value: any, field: Field) => unknown;

/** @param make called once for each service @param at the value that is edited: the field, or the object that has it */
const perShown = (
  fits: Choice,
  make: () => Edit,
  at = (path: readonly string[]) => path,
): Operator =>
  perField('shown', fits, (field) => {
    const edit = make();
    return onStatus(field.status!, (response) => {
      const json = jsonOf(response);
      const edited = editAt(json, at(field.path), (value) => edit(value, field));
      if (json === undefined) {
        return response;
      }
      return { ...response, body: JSON.stringify(edited) };
    });
  });

/** One of the values so far: the first, or the one before. */
const earlier = (index: 0 | -2) => (): Edit => {
  const seen: unknown[] = [];
  return (value) => (seen.push(value) === 1 ? value : seen.at(index));
};

const holderOf = (path: readonly string[]) => path.slice(0, -1);

/** The object with the value of the next property of the same type in place of its own. */
function swapped(holder: unknown, { path }: Field): unknown {
  const name = path.at(-1)!;
  if (!isObject(holder) || !(name in holder)) {
    return holder;
  }
  const names = Object.keys(holder);
  const others = [...names.splice(names.indexOf(name)).slice(1), ...names].map(
    (other) => holder[other],
  );
  const kindOf = (value: unknown) => {
    if (value === null) {
      return 'null';
    }
    return Array.isArray(value) ? 'list' : typeof value;
  };
  const next = others.find((one) => kindOf(one) === kindOf(holder[name]));
  return next === undefined ? holder : { ...holder, [name]: next };
}

const isRequired: Choice = (field) => isProperty(field) && field.required;
const isText: Choice = (field) => has(field, 'string');
const isList: Choice = (field) => has(field, 'array');
const isScalar: Choice = (field) => isProperty(field) && !has(field, 'object');
const isPlain: Choice = (field) => has(field, 'string', 'boolean', 'number', 'integer');

const EDITS: Record<string, [fits: Choice, edit: Edit]> = {
  drop: [isRequired, () => DROP],
  null: [isProperty, () => null],
  retype: [isProperty, (value) => (typeof value === 'string' ? { value } : JSON.stringify(value))],
  empty: [
    (field) => isProperty(field) && has(field, 'string', 'array', 'integer', 'number'),
    (value) => (typeof value === 'number' ? 0 : (value?.slice?.(0, 0) ?? value)),
  ],
  alter: [isPlain, (value, { shape }) => altered(value, shape)],
  truncate: [
    isFreeText,
    onText((text) => text.slice(0, /^(https?:|\/)/.test(text) ? text.lastIndexOf('/') : -1)),
  ],
  'fold-case': [
    isText,
    onText((text) => {
      if (text === text.toLowerCase()) {
        return text.toUpperCase();
      }
      return text.toLowerCase();
    }),
  ],
  // Spaces, other than ASCII, and the tilde of JSON Pointers.
  escape: [
    isFreeText,
    onText((text) => text.replaceAll(/[^!-}]/gu, (one) => `%${one.codePointAt(0)}`)),
  ],
  'lose-item': [isList, onList((items) => items.slice(0, -1))],
  'repeat-item': [isList, onList((items) => [...items.slice(0, 1), ...items])],
  'reverse-list': [isList, onList((items) => items.toReversed())],
};

/** @param changesOf the changes of one response, by what is added to the name of the mutant */
function perResponse(changesOf: (response: Response) => [string, Change][]): Operator {
  return perPlace(({ responses }) =>
    Object.values(responses).flatMap((own) =>
      changesOf(own)
        .filter(() => isMade(own.status) && !own.status.endsWith('XX'))
        .map(([name, change]): Named => [
          `${own.status}${name && '/'}${name}`,
          () => onStatus(own.status, change),
        ]),
    ),
  );
}

const STATUSES = [200, 201, 202, 204, 206, 400, 404, 409, 500];

export function withStatus(response: ServiceResponse, status: number): ServiceResponse {
  const json = jsonOf(response);
  const isProblem = isObject(json) && 'status' in json;
  const body =
    status === 204 ? '' : isProblem ? JSON.stringify({ ...json, status }) : response.body;
  return { ...response, status, body };
}

const withBody: Change = (response) => ({ ...response, extra: '{}' });
const withoutBody: Change = (response) => ({
  ...withHeaders(response, { 'content-type': undefined }),
  body: '',
});

const perHeader = (edit: (name: string) => string | undefined): Operator =>
  perResponse(({ headers, content }) => {
    const names = [
      ...Object.keys(headers),
      ...(Object.keys(content).length > 0 ? ['content-type'] : []),
    ];
    return names.map((name) => [
      name,
      (one) => withHeaders(one, { [name.toLowerCase()]: edit(name) }),
    ]);
  });

const isRead = (operation: Operation) => !isWrite(operation);

/** The first response to a target that `isKept` is shown again, in place of those that `isReplaced`. */
const remembering = (
  isKept: typeof succeeded,
  isReplaced: typeof succeeded = () => true,
): Operator =>
  perOperation(isRead, () => {
    const first = new Map<string, ServiceResponse>();
    return showing((response, { target }) => {
      if (isKept(response) && !first.has(target)) {
        first.set(target, response);
      }
      if (isReplaced(response)) {
        return first.get(target) ?? response;
      }
      return response;
    });
  });

export const replies: Operators = {
  ...fromEach(EDITS, ([fits, edit]) => perShown(fits, () => edit)),
  swap: perShown(isScalar, () => swapped, holderOf),
  'stale-field': perShown(isScalar, earlier(-2)),
  'constant-field': perShown((field) => isScalar(field) && isText(field), earlier(0)),
  status: perResponse(({ status }) => {
    const others = STATUSES.filter((other) => String(other) !== status);
    return others.map((other) => [String(other), (response) => withStatus(response, other)]);
  }),
  'other-body': perResponse(({ content }) => [
    ['', Object.keys(content).length > 0 ? withoutBody : withBody],
  ]),
  'drop-header': perHeader(() => undefined),
  'alter-header': perHeader((name) =>
    name === 'content-type' ? 'text/html' : 'http://127.0.0.1/other',
  ),
  'foreign-response': perOperation(isRead, () =>
    repeating((response, { target }, last) => succeeded(response) && last.target !== target),
  ),
  'cached-response': remembering(succeeded, succeeded),
  'remembered-404': remembering(({ status }) => status === 404),
};

/** After a success, the same is done to another resource, too: the newest of the same collection, or of another one. */
const spreading = (roles: Role[], isSibling: boolean): Operator =>
  perResource(
    roles,
    (known) => async (next, request) => {
      const path = pathOf(request);
      const isCreation = request.method === 'POST';
      const collection = isCreation ? path : parentOf(path);
      const isOther = (one: string) => one !== path && (parentOf(one) === collection) === isSibling;
      const other = [...known.keys()].findLast(isOther);
      const response = await next(request);
      const target = other && (isCreation ? parentOf(other) : other);
      if (succeeded(response) && target) {
        await ask(next, request, request.method, target, jsonOf(request));
      }
      return response;
    },
    isSibling ? everywhere : isNested,
  );

/** A request without what its refusal complains of. */
function repaired(request: ServiceRequest, response: ServiceResponse): ServiceRequest {
  const errors = (jsonOf(response)?.errors ?? []) as Json[];
  const pairs = queryOf(request).filter(
    ([name]) => !errors.some(({ parameter }) => parameter === name),
  );
  const type = request.body.length > 0 ? 'application/json' : undefined;
  const plain = withHeaders(withQuery(request, pairs), { accept: '*/*', 'content-type': type });
  const paths = errors.map(({ pointer = '' }) => String(pointer).split('/').slice(1));
  const body = paths.reduce(
    (json: unknown, path) => editAt(json, path, () => DROP),
    jsonOf(request),
  );
  return body === undefined ? plain : sending(plain, body);
}

/** Reads show the state before the last write, for as long as `isShown` says. */
const overriding = (isShown: (ageMs: number) => boolean): Operator =>
  perResource(
    ['update', 'remove'],
    () => {
      const known = new Map<string, { before: ServiceResponse; since: number }>();
      return async (next, request) => {
        const path = pathOf(request);
        const own = known.get(path);
        if (!isWrite(request)) {
          if (own && isShown(Date.now() - own.since)) {
            return own.before;
          }
          return next(request);
        }
        const before = await ask(next, request, 'GET', path);
        const response = await next(request);
        if (succeeded(response) && succeeded(before)) {
          known.set(path, { before, since: Date.now() });
        }
        return response;
      };
    },
    everywhere,
    'read',
  );

const sometimes = (handle: Handle): Operator =>
  perOperation(everywhere, () => {
    let count = 0;
    return (next, request) => (++count % 5 === 0 ? handle(next, request) : next(request));
  });

/** An update with other JSON; as it was sent where the service refuses that. */
async function updating(
  next: Service,
  request: ServiceRequest,
  json: Json,
): Promise<ServiceResponse> {
  const response = await next(sending(request, json));
  return succeeded(response) ? response : next(request);
}

function merged(before: unknown, sent: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(sent)) {
    return [...new Set([...before, ...sent])];
  }
  if (isObject(before) && isObject(sent)) {
    return { ...before, ...sent };
  }
  return sent;
}

const refusalOf = (method: string) => (method === 'DELETE' ? 404 : 409);

export const effects: Operators = {
  'forget-create': perResource(['create'], (_, resource) => async (next, request) => {
    const response = await next(request);
    if (succeeded(response)) {
      await ask(next, request, 'DELETE', createdAt(request, response, resource));
    }
    return response;
  }),
  'forget-update': perResource(['update'], (known) => async (next, request) => {
    const old = known.get(pathOf(request));
    const body = plainJsonOf(request);
    const response = await next(request);
    const back = Object.keys(isObject(body) ? body : {}).map((name) => [name, old?.[name] ?? null]);
    if (succeeded(response) && old) {
      await next(sending(request, Object.fromEntries(back)));
    }
    return response;
  }),
  'forget-delete': perResource(['remove'], () => async (next, request) => {
    const shown = await ask(next, request, 'GET', pathOf(request));
    if (succeeded(shown)) {
      return { status: 204, headers: {}, body: '' };
    }
    return next(request);
  }),
  'to-sibling': spreading(['update', 'remove'], true),
  'to-elsewhere': spreading(['create', 'update', 'remove'], false),
  'merge-values': perResource(['update'], (known) => async (next, request) => {
    const old = known.get(pathOf(request));
    const body = plainJsonOf(request);
    if (!old || !isObject(body)) {
      return next(request);
    }
    const all = Object.entries(body).map(([name, sent]) => [name, merged(old[name], sent)]);
    return updating(next, request, Object.fromEntries(all));
  }),
  'refuse-yet-act': perOperation(isWrite, () => async (next, request) => {
    const response = await next(request);
    if ([400, 406, 415, 422].includes(response.status)) {
      await next(repaired(request, response));
    }
    const body: object = response.status === 409 ? (plainJsonOf(request) ?? {}) : {};
    for (const [name, value] of Object.entries(body)) {
      await next(sending(request, { [name]: value }));
    }
    return response;
  }),
  'act-then-refuse': sometimes(
    showing((response, request) => {
      if (succeeded(response) && isWrite(request)) {
        return problem(409);
      }
      return response;
    }),
  ),
  'conflict-as-success': perOperation(
    ({ responses }) => '409' in responses,
    () => repeating(({ status }) => status === 409),
  ),
  'conflict-before-errors': perResource(['create'], (_, resource) => async (next, request) => {
    const response = await next(request);
    if (response.status !== 400) {
      return response;
    }
    const second = await next(repaired(request, response));
    if (succeeded(second)) {
      await ask(next, request, 'DELETE', createdAt(request, second, resource));
    }
    return second.status === 409 ? second : response;
  }),
  'sometimes-closed': sometimes(async () => {
    throw new Error('closed');
  }),
  'stale-after-write': overriding(() => true),
  'late-write': overriding((ageMs) => ageMs < 30),
  // A resource is found under another parent, too.
  'from-elsewhere': perResource(
    ['read', 'update', 'remove'],
    (known) => async (next, request) => {
      const response = await next(request);
      const path = pathOf(request);
      const other = [...known.keys()].find(
        (one) => one.endsWith(path.slice(parentOf(path).length)) && one !== path,
      );
      if (response.status === 404 && other) {
        return next({ ...request, target: other });
      }
      return response;
    },
    isNested,
  ),
  'lost-update': perResource(['update'], (known) => async (next, request) => {
    const before = known.get(pathOf(request)) ?? {};
    const body = plainJsonOf(request);
    await pause();
    const now = known.get(pathOf(request));
    if (!now || !isObject(body) || JSON.stringify(before) === JSON.stringify(now)) {
      return next(request);
    }
    const lost = Object.keys(now).map((name) => [name, before[name] ?? null]);
    return updating(next, request, { ...Object.fromEntries(lost), ...body });
  }),
  'half-update': perResource(['update'], () => async (next, request) => {
    const body = plainJsonOf(request);
    for (const [name, value] of isObject(body) ? Object.entries(body).slice(0, -1) : []) {
      if (!succeeded(await next(sending(request, { [name]: value })))) {
        break;
      }
      await pause();
    }
    return next(request);
  }),
  // Equal requests under way at once: those that are refused get the response of the one that succeeded.
  'two-win': perResource(
    ['create', 'update', 'remove'],
    () => {
      const under = new Map<string, { count: number; winner?: ServiceResponse }>();
      return async (next, request) => {
        const { method, target, body } = request;
        const key = `${['POST', 'DELETE'].includes(method) ? target : parentOf(pathOf(request))} ${body.toString()}`;
        const group = under.get(key) ?? { count: 0 };
        under.set(key, group);
        group.count++;
        await pause();
        const response = await next(request);
        if (succeeded(response)) {
          group.winner ??= response;
        }
        await pause();
        if (--group.count === 0) {
          under.delete(key);
        }
        if (response.status === refusalOf(method)) {
          return group.winner ?? response;
        }
        return response;
      };
    },
    ({ responses, method }) => String(refusalOf(method)) in responses,
  ),
  busy: perOperation(isWrite, ({ method }) => {
    const under = new Set<string>();
    return async (next, request) => {
      const key = method === 'POST' ? pathOf(request) : parentOf(pathOf(request));
      if (under.has(key)) {
        return problem(409);
      }
      under.add(key);
      await pause();
      under.delete(key);
      return next(request);
    };
  }),
};
