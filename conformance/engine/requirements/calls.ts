/**
 * Calls that must succeed: links of the contract and test data of the API make the resources of
 * their paths first.
 */
import * as fc from 'fast-check';
import { allLinks, SHOWN } from '../contract/inferred.ts';
import { isScalar } from '../contract/json-numbers.ts';
import { type Contract, entry } from '../contract/load.ts';
import { asRequest } from '../contract/variants.ts';
import {
  documentedFor,
  documentedStatuses,
  type Operation,
  type Parameter,
  schemaOfSuccess,
  statusesFrom,
} from '../contract/operations.ts';
import type { Link } from '../contract/links.ts';
import { isObject, objectAt, valueAt } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { defaultOf, shapeOf, strictest } from '../contract/shape.ts';
import { exists } from '../generate/filter.ts';
import { freshBody } from '../generate/fresh.ts';
import { valuesOf } from '../generate/parameters.ts';
import { bodyValues } from '../generate/bodies.ts';
import { succeed } from '../http/expect-response.ts';
import {
  type CallData,
  type HttpApi,
  type Implementation,
  operationBeside,
} from '../http/implementation.ts';
import { endOf, keyIn } from '../http/response-keys.ts';
import type { HttpResponse } from '../http/response.ts';
import { CaseSession, type Session } from '../http/session.ts';
import { type CallInput, queryOf, withParameter } from '../http/call.ts';
import { Nonconformity, NotPossible } from '../http/nonconformity.ts';
import { isEntityTag } from '../http/preconditions.ts';

type Path = Record<string, string>;

/** Statuses that refuse for other reasons: credentials, absence, conflicts, size and rate. */
const OTHER_REASONS = [401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 423, 428, 429];

/**
 * The statuses that refuse what breaks the contract: the documented ones; where there is none, any
 * from 400 to 499.
 */
export function refusalStatuses(operation: Operation): readonly number[] {
  const documented = documentedStatuses(operation, 4);
  const reasons =
    documented.length < 100
      ? documented.filter((status) => !OTHER_REASONS.includes(status))
      : documented;
  return reasons.length > 0 ? reasons : statusesFrom(400);
}

/**
 * The body as it can be sent with this call: with new texts, where two of them may be in conflict.
 */
export function sendable(
  session: Session,
  operation: Operation,
  call: CallInput,
  json: unknown,
): unknown {
  const { api, contract } = session.implementation;
  if (api.sendable) {
    return api.sendable(session, operation, call, json);
  }
  const isGiven = api.callData?.bodies?.[operation.operationId] !== undefined;
  if (isGiven || !mayConflict(operation)) {
    return json;
  }
  return freshBody(asRequest(contract), [operation.requestBody!.pointer], json);
}

/** Whether the operation documents that a body may be in conflict with what exists. */
export const mayConflict = (operation: Operation): boolean =>
  operation.requestBody !== null && documentedFor(operation, 409) !== undefined;

/**
 * @throws NotPossible where nothing says how to reach the operation, and what the calls on the way
 * throw
 */
export async function validCall(session: Session, operationId: string): Promise<CallInput> {
  const operation = session.operation(operationId);
  return callOf(session, operation, await pathOf(session, operation, []));
}

/** The call with what it cannot be without: required parameters and a body. */
async function callOf(
  session: Session,
  operation: Operation,
  path: Path | undefined,
): Promise<CallInput> {
  if (operation.unsupported !== undefined) {
    throw new NotPossible(operation.unsupported);
  }
  const body = operation.requestBody ? { json: await bodyOf(session, operation) } : {};
  return withRequired(session.implementation, operation, { ...(path ? { path } : {}), ...body });
}

/**
 * The call with the parameters that it cannot be without, as the contract states them first.
 * @throws NotPossible
 */
export function withRequired(
  implementation: Implementation,
  operation: Operation,
  given: CallInput,
): CallInput {
  const { contract, hints, client } = implementation;
  let call = given;
  for (const parameter of operation.parameters) {
    // The service gives the entity tag of an item, when the call is sent.
    if (!parameter.required || parameter.in === 'path' || isEntityTag(parameter)) {
      continue;
    }
    // The user chooses the headers that go out with every request.
    if (parameter.in === 'header' && parameter.name.toLowerCase() in client.headers) {
      continue;
    }
    const stated = [
      ...examplesOf(contract, parameter),
      defaultOf(shapeOf(contract, parameter.schema)),
    ].filter((one) => one !== undefined && schemasOf(contract).isValid(parameter.schema, one));
    const [value] =
      stated.length > 0 ? stated : fc.sample(valuesOf(contract, parameter, hints), { numRuns: 1 });
    const next = withParameter(call, parameter, value);
    if (!next) {
      throw new NotPossible(
        `no value is known for the ${parameter.in} parameter ${parameter.name}`,
      );
    }
    call = next;
  }
  return call;
}

/**
 * A valid call to be refused, or that only reads: it changes nothing, so all go to one resource.
 */
export function callToRefuse(session: Session, operationId: string): Promise<CallInput> {
  const { path } = session.operation(operationId);
  const { implementation } = session;
  const isLent = implementation.api.callData?.areFew?.(implementation) === true;
  const lent = isLent && Object.keys(lendersOf(session)).some((name) => path.includes(`{${name}}`));
  const make = (maker: Session) => validCall(maker, operationId);
  return lent ? make(session) : session.shared(make);
}

const lendersOf = ({ implementation }: Session): NonNullable<CallData['parameters']> =>
  implementation.api.callData?.parameters ?? {};

async function pathOf(
  session: Session,
  operation: Operation,
  above: Operation[],
): Promise<Path | undefined> {
  const { parametersOf } = session.implementation.api.callData ?? {};
  const lenders = { ...lendersOf(session), ...parametersOf?.[operation.operationId] };
  const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  if (names.length === 0) {
    return undefined;
  }
  const missing = names.filter((name) => lenders[name] === undefined);
  const given = missing.length === 0 ? {} : await linkedTo(session, operation, missing, above);
  const path: Path = {};
  for (const name of names) {
    path[name] = given[name] ?? (await lenders[name]!(session, operation));
  }
  return path;
}

/**
 * Path parameters from a link; where none makes what they name, an example, or one of a few values,
 * such as 1 to 3.
 */
async function linkedTo(
  session: Session,
  operation: Operation,
  missing: string[],
  above: Operation[],
): Promise<Path> {
  const { contract, level } = session.implementation;
  const found = allLinks(contract).filter(
    ({ from, to }) => to.operationId === operation.operationId && from !== to,
  );
  const open = found.filter(
    ({ from }) => !above.includes(from) && (from.level === 'core' || level === 'extended'),
  );
  const link = open.find(({ parameters }) => missing.every((name) => name in parameters));
  if (!link) {
    return statedPath(session, operation, missing);
  }
  // What the contract says of a path comes before what a response happens to show.
  const { from, isGuess } = link;
  const isShown = Object.values(link.parameters).includes(SHOWN);
  const stated = isShown && (await statedPath(session, operation, missing).catch(() => undefined));
  if (stated) {
    return stated;
  }
  const call = await callOf(session, from, await pathOf(session, from, [...above, operation]));
  const response = await succeed(session, from.operationId, call).catch((error: unknown) => {
    // That a POST fails is what its own requirements say: here it is a guess that it makes
    // something.
    throw isShown && error instanceof Nonconformity ? unnamed(link.to) : error;
  });
  const given = Object.entries(link.parameters).map(([name, one]) => {
    const meant = one === SHOWN ? keyIn(response, name) : one;
    return [name, evaluate(meant, link, call, response)];
  });
  const path = Object.fromEntries(given) as Path;
  if (isGuess && (await isRefuted(session, link.to, path))) {
    throw unnamed(link.to);
  }
  return path;
}

const unnamed = ({ path }: Operation) =>
  new NotPossible(`nothing says which part of a response names ${path}: links or --data do`);

/**
 * Whether an id that is a guess names nothing, asked once: clauses of bodies alone would not
 * notice.
 */
function isRefuted(session: Session, operation: Operation, path: Path): Promise<boolean> {
  const { implementation } = session;
  const item = { ...operation, path: operation.path.slice(0, operation.path.lastIndexOf('}') + 1) };
  const ask = async () => {
    const beside = ['GET', 'PATCH', 'PUT'].map((method) =>
      operationBeside(implementation, item, method),
    );
    const asked = beside.find((one) => one && one.unsupported === undefined);
    if (!asked) {
      return false;
    }
    const { status } = await session.call(asked.operationId, await callOf(session, asked, path));
    // A body may be refused for its own sake.
    return [404, 410, ...(asked.requestBody ? [] : [400, 422])].includes(status);
  };
  return isSo(implementation, `refuted ${item.path}`, ask);
}

/** @throws NotPossible where the operation does not take any value for what nothing states */
async function statedPath(session: Session, operation: Operation, names: string[]): Promise<Path> {
  const { contract, hints, stated } = session.implementation;
  const { method, path, parameters } = operation;
  const inPath = parameters.filter((one) => one.in === 'path');
  const unknown = ({ name }: Parameter) =>
    new NotPossible(`no link, no example and no --data says what {${name}} of ${path} may be`);
  let call: CallInput = {};
  let open: Parameter | undefined;
  for (const parameter of inPath.filter(({ name }) => names.includes(name))) {
    const examples = examplesOf(contract, parameter);
    const values =
      examples.length > 0 ? fc.constantFrom(...examples) : valuesOf(contract, parameter, hints);
    if (examples.length === 0 && !hasFewValues(contract, parameter)) {
      open ??= parameter;
    }
    // Other methods might change what somebody else has there.
    if (open && (method !== 'GET' || names.length < inPath.length || !exists(values))) {
      throw unknown(open);
    }
    const [value] = fc.sample(values, 1);
    const next = withParameter(call, parameter, typeof value === 'object' ? value : String(value));
    if (!next) {
      throw unknown(parameter);
    }
    if (examples.length > 0) {
      stated.add(path);
    }
    call = next;
  }
  if (open && !(await succeeds(session, operation, call))) {
    throw unknown(open);
  }
  return call.path ?? {};
}

const answers = new WeakMap<Implementation, Map<string, Promise<boolean>>>();

/** What `ask` finds out, asked once for each question; where it fails, it is not so. */
function isSo(
  implementation: Implementation,
  question: string,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const asked = entry(answers, implementation, () => new Map<string, Promise<boolean>>());
  return entry(asked, question, () => ask().catch(() => false));
}

/** Whether a GET succeeds with a generated path, asked once. */
function succeeds(session: Session, operation: Operation, call: CallInput): Promise<boolean> {
  const { implementation } = session;
  const ask = async () => {
    const whole = withRequired(implementation, operation, call);
    return (await session.call(operation.operationId, whole)).status < 300;
  };
  return isSo(implementation, `succeeds ${operation.operationId}`, ask);
}

export function examplesOf({ document }: Contract, { pointer, schema }: Parameter): unknown[] {
  const { example, examples } = objectAt(document, pointer);
  const { example: one, examples: more } = objectAt(document, schema);
  const valueIn = (named: unknown) => (isObject(named) ? named['value'] : undefined);
  const named = Object.values(isObject(examples) ? examples : {}).map(valueIn);
  const found = [example, ...named, one, ...(Array.isArray(more) ? (more as unknown[]) : [])];
  return found.filter((value) => value !== undefined && value !== null && value !== '');
}

/** With so few values, each of them means something to the service. */
const FEW = 100;

function hasFewValues(contract: Contract, { schema }: Parameter): boolean {
  const shape = shapeOf(contract, schema);
  if (shape.choices !== undefined || (shape.types.size === 1 && shape.types.has('boolean'))) {
    return true;
  }
  const least = strictest(shape, 'minimum') ?? -Infinity;
  const most = strictest(shape, 'maximum') ?? Infinity;
  return most - least <= FEW && !shape.types.has('string');
}

/**
 * A runtime expression of OpenAPI; anything else is a constant.
 * @throws NotPossible where it leads to nothing
 */
function evaluate(
  expression: unknown,
  link: Link,
  call: CallInput,
  response: HttpResponse,
): string {
  const value = typeof expression === 'string' ? meaningOf(expression, call, response) : expression;
  if (isScalar(value)) {
    return String(value);
  }
  if (link.isGuess) {
    throw unnamed(link.to);
  }
  const name = `a link from ${link.from.operationId} to ${link.to.operationId}`;
  throw new NotPossible(`${String(expression)} of ${name} is not in the response`);
}

/** A part of a request or a response. */
const EXPRESSION = /^\$(request|response)\.(path|query|header|body)[.#]?(.*)$/;

function meaningOf(expression: string, input: CallInput, response: HttpResponse): unknown {
  const [, side, place, name = ''] = EXPRESSION.exec(expression) ?? [];
  if (side === undefined) {
    return expression;
  }
  if (place === 'body') {
    return valueAt(side === 'request' ? input.json : response.json, name);
  }
  if (side === 'response' && place === 'header' && name.toLowerCase() === 'location') {
    return endOf(response);
  }
  if (side === 'response') {
    if (place === 'header') {
      return response.headers[name.toLowerCase()];
    }
    return undefined;
  }
  if (place === 'path') {
    return input.path?.[name];
  }
  return queryOf(input).find(([one]) => one === name)?.[1];
}

async function bodyOf(session: Session, operation: Operation): Promise<unknown> {
  const { api, contract, hints } = session.implementation;
  const { operationId, requestBody } = operation;
  const make = api.callData?.bodies?.[operationId];
  if (make) {
    return make(session);
  }
  const working = workingExamples.get(session.implementation)?.[operationId];
  if (working !== undefined) {
    return sendable(session, operation, {}, working);
  }
  const [body] = fc.sample(bodyValues(asRequest(contract), requestBody!, hints), { numRuns: 1 });
  return api.sendable ? body : sendable(session, operation, {}, body);
}

/**
 * A valid call may be refused: by a conflict, a new parent, or what only its owner knows. Then
 * other data is tried.
 */
export const instead: NonNullable<HttpApi['instead']> = async (
  session,
  operation,
  input,
  { status },
) => {
  const { operationId } = operation;
  if (status >= 500 || documentedFor(operation, status) === undefined) {
    return undefined;
  }
  if (status === 409 && mayConflict(operation) && input.json !== undefined) {
    const json = sendable(session, operation, input, input.json);
    // Laws compare what they sent.
    if (session.complete === undefined && json !== input.json) {
      return { ...input, json };
    }
    throw new NotPossible(
      `${operationId} finds a conflict (409) in what the contract allows: ${GIVE}`,
    );
  }
  if (
    status === 404 &&
    '404' in operation.responses &&
    isPartOfItem(session.implementation, operation)
  ) {
    const { operations } = session.implementation;
    const put = [...operations.values()].find(
      ({ method, path }) => method === 'PUT' && path === operation.path,
    );
    const made =
      put && (await session.call(put.operationId, await callOf(session, put, input.path)));
    if (made && made.status < 300 && made.status !== 202) {
      return input;
    }
    throw new NotPossible(
      `${operationId} finds nothing in a new parent, as the contract allows (404)`,
    );
  }
  const isGuess = allLinks(session.implementation.contract).find(
    ({ to }) => to === operation,
  )?.isGuess;
  if ((status === 404 || status === 410) && isGuess && session.complete === undefined) {
    throw unnamed(operation);
  }
  const reason = await whyRefused(session.implementation, operation);
  if (reason !== undefined) {
    throw new NotPossible(reason);
  }
  return undefined;
};

const GIVE = '--data names a body that works';

/** One thing that a parent may have, or not; a list is there when it is empty, too. */
function isPartOfItem({ contract, operations }: Implementation, operation: Operation): boolean {
  if (operation.method !== 'GET' || !/\}\/[^{}]+$/.test(operation.path)) {
    return false;
  }
  const calls = [...operations.values()]
    .filter(({ path }) => path === operation.path)
    .map(({ method }) => method);
  const schema = schemaOfSuccess(operation);
  // What is no JSON, such as a text, may be made of the item; and what is posted may be one of a
  // list.
  if (schema === undefined) {
    return calls.includes('PUT') || calls.includes('POST');
  }
  return !calls.includes('POST') && !shapeOf(contract, schema).types.has('array');
}

/**
 * Statuses that say something else than that the data is wrong; a 401 says that where no
 * credentials are asked for.
 */
const NOT_THE_DATA = [401, 404, 405, 406, 410, 411, 413, 414, 415, 429];
const SAMPLES = 6;
const known = new WeakMap<Implementation, Map<string, Promise<string | undefined>>>();
/**
 * Examples of bodies that succeed, by operation, where whatever else its schema allows is refused.
 */
export const workingExamples = new WeakMap<Implementation, Record<string, unknown>>();

/**
 * Why no request of the operation works; undefined where one does, or where a refusal is not the
 * documented one.
 */
function whyRefused(
  implementation: Implementation,
  operation: Operation,
): Promise<string | undefined> {
  const { operationId, requestBody, parameters } = operation;
  const isAsked =
    requestBody !== null || parameters.some((one) => one.in === 'query' && one.required);
  if (!isAsked) {
    return Promise.resolve(undefined);
  }
  const all = entry(known, implementation, () => new Map<string, Promise<string | undefined>>());
  return entry(all, operationId, async () => {
    const statusOf = async (more: CallInput = {}) => {
      const session = new CaseSession(implementation);
      try {
        return (
          await session.call(operationId, { ...(await validCall(session, operationId)), ...more })
        ).status;
      } finally {
        await session.cleanUp(false);
      }
    };
    const statuses = new Set<number>();
    for (let sample = 0; sample < SAMPLES; sample++) {
      try {
        const status = await statusOf();
        const isOpen = status === 401 && operation.security.length === 0;
        const isReason =
          status >= 400 && status < 500 && (isOpen || !NOT_THE_DATA.includes(status));
        if (!isReason || documentedFor(operation, status) === undefined) {
          return undefined;
        }
        statuses.add(status);
      } catch (error) {
        if (error instanceof Nonconformity) {
          return undefined;
        }
        throw error;
      }
    }
    const working = entry(workingExamples, implementation, (): Record<string, unknown> => ({}));
    for (const json of Object.values(requestBody?.examples ?? {})) {
      if ((await statusOf({ json })) < 400) {
        working[operationId] = json;
      }
    }
    const found = [...statuses].join(' and ');
    return (
      `${operationId} needs data: it refuses whatever the contract ` +
      `allows, as documented (${found}); ${GIVE}`
    );
  });
}
