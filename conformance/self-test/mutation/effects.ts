/**
 * Mutants whose writes have other effects, also when they are sent at once, and whose reads show
 * another state.
 */
import { isObject } from '../../engine/contract/pointers.ts';
import {
  type Json,
  jsonOf,
  membersOf,
  parentOf,
  pathOf,
  plainJsonOf,
  problem,
  queryOf,
  sendAlso,
  succeeded,
  withHeaders,
  withJson,
  withQuery,
} from '../messages.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import {
  anyOperation,
  changingResponse,
  type Created,
  createdPath,
  type Handle,
  isNested,
  isWrite,
  type MakeResourceHandle,
  type Operator,
  type OperationFilter,
  type Operators,
  pause,
  perOperation,
  perResource,
  repeatingSuccess,
  type Role,
} from './operator.ts';
import { DROP, editAt } from './values.ts';

/** Reports a creation, and deletes what was created. */
const forgettingCreate: MakeResourceHandle = (_, resource) => async (next, request) => {
  const response = await next(request);
  if (succeeded(response)) {
    const target = createdPath(request, response, resource);
    await sendAlso(next, request, { method: 'DELETE', target });
  }
  return response;
};

/** Reports an update, and sets the old values again. */
const forgettingUpdate: MakeResourceHandle = (created) => async (next, request) => {
  const old = created.get(pathOf(request));
  const body = plainJsonOf(request);
  const response = await next(request);
  if (succeeded(response) && old) {
    const names = Object.keys(membersOf(body));
    await next(withJson(request, pick(old, names)));
  }
  return response;
};

/** The values of these members; null for a member that is missing. */
function pick(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}

/** Reports a deletion without carrying it out. */
const forgettingDelete: MakeResourceHandle = () => async (next, request) => {
  const shown = await sendAlso(next, request, { method: 'GET', target: pathOf(request) });
  if (succeeded(shown)) {
    return { status: 204, headers: {}, body: '' };
  }
  return next(request);
};

/** Another resource: of the same collection, or of another one. */
type Destination = 'sibling' | 'elsewhere';

/** After a success, does the same to the newest other resource. */
function spreading(roles: Role[], destination: Destination): Operator {
  const make: MakeResourceHandle = (created) => async (next, request) => {
    const target = otherTarget(created, request, destination);
    const response = await next(request);
    if (succeeded(response) && target !== undefined) {
      const json: unknown = jsonOf(request);
      await sendAlso(next, request, { method: request.method, target, json });
    }
    return response;
  };
  return perResource(roles, make, { fits: destination === 'sibling' ? anyOperation : isNested });
}

/** A target to which the request could be sent in place of its own. */
function otherTarget(
  created: Created,
  request: ServiceRequest,
  destination: Destination,
): string | undefined {
  const path = pathOf(request);
  const collection = collectionOf(request);
  const other = [...created.keys()].findLast((one) => {
    const place: Destination = parentOf(one) === collection ? 'sibling' : 'elsewhere';
    return one !== path && place === destination;
  });
  if (other !== undefined && request.method === 'POST') {
    return parentOf(other);
  }
  return other;
}

/** The path of the collection that a write changes. */
function collectionOf(request: ServiceRequest): string {
  const path = pathOf(request);
  return request.method === 'POST' ? path : parentOf(path);
}

/** Joins two lists or two objects; any other value is replaced by the one that was sent. */
function merged(before: unknown, sent: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(sent)) {
    return [...new Set([...before, ...sent])];
  }
  if (isObject(before) && isObject(sent)) {
    return { ...before, ...sent };
  }
  return sent;
}

/** Merges lists and objects with what is kept, in place of replacing it. */
const mergingValues: MakeResourceHandle = (created) => async (next, request) => {
  const old = created.get(pathOf(request));
  const body = plainJsonOf(request);
  if (!old || !isObject(body)) {
    return next(request);
  }
  const values = Object.entries(body).map(([name, sent]) => [name, merged(old[name], sent)]);
  return updating(next, request, Object.fromEntries(values));
};

/** Sends an update with other JSON; if the service refuses it, as it was sent. */
async function updating(
  next: Service,
  request: ServiceRequest,
  json: Json,
): Promise<ServiceResponse> {
  const response = await next(withJson(request, json));
  if (succeeded(response)) {
    return response;
  }
  return next(request);
}

const INVALID_REQUEST = [400, 406, 415, 422];

/** Refuses a request, and carries out its valid parts. */
const actingThoughRefused: Handle = async (next, request) => {
  const response = await next(request);
  if (INVALID_REQUEST.includes(response.status)) {
    await next(repaired(request, response));
  }
  if (response.status === 409) {
    const body: object = plainJsonOf(request) ?? {};
    for (const [name, value] of Object.entries(body)) {
      await next(withJson(request, { [name]: value }));
    }
  }
  return response;
};

/** The request without the values that its refusal reports. */
function repaired(request: ServiceRequest, refusal: ServiceResponse): ServiceRequest {
  const errors: Json[] = jsonOf(refusal)?.errors ?? [];
  const isReported = (name: string) => errors.some(({ parameter }) => parameter === name);
  const pairs = queryOf(request).filter(([name]) => !isReported(name));
  const type = request.body.length > 0 ? 'application/json' : undefined;
  const plain = withHeaders(withQuery(request, pairs), { accept: '*/*', 'content-type': type });

  let body: unknown = jsonOf(request);
  for (const { pointer = '' } of errors) {
    const path = String(pointer).split('/').slice(1);
    body = editAt(body, path, () => DROP);
  }
  if (body === undefined) {
    return plain;
  }
  return withJson(plain, body);
}

/** Handles one in five requests. */
const sometimes = (handle: Handle): Operator =>
  perOperation(anyOperation, () => {
    let count = 0;
    return (next, request) => {
      count++;
      if (count % 5 === 0) {
        return handle(next, request);
      }
      return next(request);
    };
  });

/** Carries out a write, and reports a conflict. */
const refusingAfterwards = changingResponse((response, request) => {
  if (succeeded(response) && isWrite(request)) {
    return problem(409);
  }
  return response;
});

const documentsConflict: OperationFilter = ({ responses }) => '409' in responses;

const showingSuccessForConflict = () => repeatingSuccess(({ status }) => status === 409);

/** Reports a conflict in place of the errors of an invalid request. */
const conflictFirst: MakeResourceHandle = (_, resource) => async (next, request) => {
  const response = await next(request);
  if (response.status !== 400) {
    return response;
  }
  const second = await next(repaired(request, response));
  if (succeeded(second)) {
    const target = createdPath(request, second, resource);
    await sendAlso(next, request, { method: 'DELETE', target });
  }
  return second.status === 409 ? second : response;
};

const closingConnection: Handle = async () => {
  throw new Error('closed');
};

interface OldState {
  response: ServiceResponse;
  /** When it was replaced, in milliseconds. */
  replacedAt: number;
}

/** Reads show the state before the last write, for as long as `isShown`. */
function showingOldState(isShown: (ageMs: number) => boolean): Operator {
  const make = (): Handle => {
    const oldStates = new Map<string, OldState>();
    return async (next, request) => {
      const path = pathOf(request);
      if (!isWrite(request)) {
        const old = oldStates.get(path);
        const isOldShown = old && isShown(Date.now() - old.replacedAt);
        if (isOldShown) {
          return old.response;
        }
        return next(request);
      }
      const before = await sendAlso(next, request, { method: 'GET', target: path });
      const response = await next(request);
      if (succeeded(response) && succeeded(before)) {
        oldStates.set(path, { response: before, replacedAt: Date.now() });
      }
      return response;
    };
  };
  return perResource(['update', 'remove'], make, { also: 'read' });
}

const LATE_MS = 30;

/** Finds a resource under another parent, too. */
const findingElsewhere: MakeResourceHandle = (created) => async (next, request) => {
  const response = await next(request);
  if (response.status !== 404) {
    return response;
  }
  const path = pathOf(request);
  const lastSegment = path.slice(parentOf(path).length);
  const other = [...created.keys()].find((one) => one.endsWith(lastSegment) && one !== path);
  if (other) {
    return next({ ...request, target: other });
  }
  return response;
};

/** Sets what another update changed meanwhile back to what this update found. */
const losingUpdate: MakeResourceHandle = (created) => async (next, request) => {
  const path = pathOf(request);
  const before = created.get(path) ?? {};
  const body = plainJsonOf(request);
  await pause();
  const now = created.get(path);
  if (!now || !isObject(body) || JSON.stringify(before) === JSON.stringify(now)) {
    return next(request);
  }
  const found = pick(before, Object.keys(now));
  return updating(next, request, { ...found, ...body });
};

/** Sets the members of an update one by one, before the whole update. */
const updatingInSteps: MakeResourceHandle = () => async (next, request) => {
  const body = plainJsonOf(request);
  const members = Object.entries(membersOf(body));
  for (const [name, value] of members.slice(0, -1)) {
    const step = await next(withJson(request, { [name]: value }));
    if (!succeeded(step)) {
      break;
    }
    await pause();
  }
  return next(request);
};

/** The status of the request that comes second. */
const secondStatusOf = (method: string) => (method === 'DELETE' ? 404 : 409);

const refusesSecond: OperationFilter = ({ responses, method }) =>
  String(secondStatusOf(method)) in responses;

/** Requests that are under way at once, of which one succeeds. */
interface Race {
  count: number;
  winner?: ServiceResponse;
}

/** The property that racing requests have in common. */
function raceOf(request: ServiceRequest): string {
  const { method, target, body } = request;
  const isAtTarget = method === 'POST' || method === 'DELETE';
  const place = isAtTarget ? target : parentOf(pathOf(request));
  return `${place} ${body.toString()}`;
}

/**
 * If equal requests are under way at once, those that are refused get the response of the one that
 * succeeded.
 */
const twoWinners: MakeResourceHandle = () => {
  const races = new Map<string, Race>();
  return async (next, request) => {
    const key = raceOf(request);
    const race = races.get(key) ?? { count: 0 };
    races.set(key, race);
    race.count++;
    await pause();
    const response = await next(request);
    if (succeeded(response)) {
      race.winner ??= response;
    }
    await pause();
    race.count--;
    if (race.count === 0) {
      races.delete(key);
    }
    const isRefused = response.status === secondStatusOf(request.method);
    return isRefused && race.winner ? race.winner : response;
  };
};

/** Refuses a write while another one of the same collection is under way. */
function refusingAtOnce(): Handle {
  const busy = new Set<string>();
  return async (next, request) => {
    const collection = collectionOf(request);
    if (busy.has(collection)) {
      return problem(409);
    }
    busy.add(collection);
    await pause();
    busy.delete(collection);
    return next(request);
  };
}

export const effectOperators: Operators = {
  'forget-create': perResource(['create'], forgettingCreate),
  'forget-update': perResource(['update'], forgettingUpdate),
  'forget-delete': perResource(['remove'], forgettingDelete),
  'to-sibling': spreading(['update', 'remove'], 'sibling'),
  'to-elsewhere': spreading(['create', 'update', 'remove'], 'elsewhere'),
  'merge-values': perResource(['update'], mergingValues),
  'refuse-yet-act': perOperation(isWrite, () => actingThoughRefused),
  'act-then-refuse': sometimes(refusingAfterwards),
  'conflict-as-success': perOperation(documentsConflict, showingSuccessForConflict),
  'conflict-before-errors': perResource(['create'], conflictFirst),
  'sometimes-closed': sometimes(closingConnection),
  'stale-after-write': showingOldState(() => true),
  'late-write': showingOldState((ageMs) => ageMs < LATE_MS),
  'from-elsewhere': perResource(['read', 'update', 'remove'], findingElsewhere, { fits: isNested }),
  'lost-update': perResource(['update'], losingUpdate),
  'half-update': perResource(['update'], updatingInSteps),
  'two-win': perResource(['create', 'update', 'remove'], twoWinners, { fits: refusesSecond }),
  busy: perOperation(isWrite, refusingAtOnce),
};
