/**
 * Requests that a contract says nothing about, such as malformed credentials or another media type.
 * Any response will do, except an error of the service. Nothing is changed that the run did not
 * make.
 */
import { memberOf, setMember } from '../contract/by-name.ts';
import { type Credentials, credentialsOf } from '../contract/credentials.ts';
import { stringifyJson } from '../contract/json-numbers.ts';
import type { Contract } from '../contract/load.ts';
import { isJson } from '../contract/media-types.ts';
import {
  type Operation,
  operationsOf,
  type Parameter,
  pathParameters,
} from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { type CallInput, requestTargetOf, withParameter } from '../http/call.ts';
import { callOrClosed } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { Blocked, Nonconformity, NotPossible, show } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import { isServerError } from '../http/server-errors.ts';
import type { Session } from '../http/session.ts';
import { acceptedBody, callToRefuse, validCall, withRequired } from './calls.ts';
import { unknownPath } from './unknown-ids.ts';
import {
  CLAUSE,
  each,
  once,
  type Property,
  requirementOf,
  type Requirement,
} from './requirement.ts';
import { withCredentials } from './statuses.ts';

export function robustnessRequirements(contract: Contract, operation: Operation): Requirement[] {
  const requirements: Requirement[] = [];
  if (mayHaveBody(operation)) {
    requirements.push(unusualBodies(operation));
  }
  if (operation.parameters.some(isFree)) {
    requirements.push(unusualParameters(contract, operation));
  }
  const credentials = operation.security.flat().map((name) => credentialsOf(contract, name));
  const usable = credentials.filter((one) => typeof one !== 'string');
  if (usable.length > 0) {
    requirements.push(malformedCredentials(operation, usable));
  }
  if (pathParameters(operation).length > 0 && operation.method !== 'GET') {
    requirements.push(unknownIds(operation));
  }
  if (isFirstOfPath(contract, operation)) {
    requirements.push(otherMethods(contract, operation));
  }
  return requirements;
}

/** @param requests the end of the sentence */
function robust(
  operation: Operation,
  part: string,
  requests: string,
  properties: Requirement['properties'],
): Requirement {
  const { operationId } = operation;
  const sentence = `${operationId} responds to ${requests} without an error of the service.`;
  const stated = requirementOf(operation, part, { stated: operation, sentence, properties });
  return { ...stated, weight: CLAUSE, isForErrors: true };
}

/** @throws Nonconformity for an error of the service */
function expectNoServerError(operation: Operation, response: HttpResponse): void {
  const { status, text } = response;
  if (isServerError(operation, status)) {
    throw new Nonconformity('The service fails at a request that it may refuse.', {
      expected: 'any status below 500',
      got: text === '' ? String(status) : `${status}, ${show(text)}`,
      kind: 'status',
    });
  }
}

async function tryCall(session: Session, operation: Operation, input: CallInput): Promise<void> {
  // Nothing but an error of the service is looked for.
  expectNoServerError(operation, await callOrClosed(session, operation, input, false));
}

/**
 * The path and the required parameters of a valid call; those of calls that find nothing if the
 * operation cannot be reached.
 */
async function callOrUnknown(session: Session, operation: Operation): Promise<CallInput[]> {
  try {
    return [await callToRefuse(session, operation.operationId)];
  } catch (error) {
    if (!(error instanceof NotPossible) && !(error instanceof Blocked)) {
      throw error;
    }
    return unknownCalls(session.implementation, operation);
  }
}

/**
 * With ids of each form.
 * @throws NotPossible if no long random id fits
 */
function unknownCalls(implementation: Implementation, operation: Operation): CallInput[] {
  const usual = unknownCall(implementation, operation);
  if (pathParameters(operation).length === 0) {
    return [usual];
  }
  return [usual, unknownCall(implementation, operation, true)];
}

/** @throws NotPossible if no long random id fits */
function unknownCall(
  implementation: Implementation,
  operation: Operation,
  areWords = false,
): CallInput {
  const path = unknownPath(implementation.contract, operation, areWords);
  if (path === undefined) {
    throw new NotPossible(`no long random id fits ${operation.path}`);
  }
  return withRequired(implementation, operation, { path });
}

const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

const mayHaveBody = ({ method, requestBody }: Operation): boolean =>
  requestBody !== null || METHODS_WITH_BODY.has(method);

interface UnusualBody {
  /** Default: that of the contract, or JSON. */
  type?: string;
  /** The body. @param accepted the JSON that the service accepted; undefined if none is known */
  bodyOf(accepted: unknown): string;
}

const DEPTH = 5_000;

const JSON_BODIES: Record<string, UnusualBody> = {
  null: { bodyOf: () => 'null' },
  'a list of null': { bodyOf: () => '[null]' },
  'a text': { bodyOf: () => '"conformance"' },
  'lists within each other': { bodyOf: () => '['.repeat(DEPTH) + ']'.repeat(DEPTH) },
  NUL: { bodyOf: () => '\0' },
  'NUL in each text': { bodyOf: withNul },
};

const OTHER_TYPES: Record<string, UnusualBody> = {
  'another media type': { type: 'text/plain', bodyOf: () => 'conformance' },
  'a form': { type: 'application/x-www-form-urlencoded', bodyOf: () => 'conformance=%ff&=' },
  'XML that does not end': { type: 'application/xml', bodyOf: () => '<a>' },
  'a form of parts without a boundary': { type: 'multipart/form-data', bodyOf: () => '--a\r\n' },
  'no media type that can be read': { type: 'conformance', bodyOf: () => 'conformance' },
};

/** The accepted body with U+0000 at the end of each text of its first level. */
function withNul(accepted: unknown): string {
  const body: Record<string, unknown> = isObject(accepted) ? { ...accepted } : { conformance: 'a' };
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string') {
      setMember(body, name, `${value}\0`);
    }
  }
  return stringifyJson(body);
}

function unusualBodies(operation: Operation): Requirement {
  const { requestBody } = operation;
  const ofJson = requestBody !== null && isJson(requestBody.mediaType) ? JSON_BODIES : {};
  const check = async ({ type, bodyOf }: UnusualBody, session: Session): Promise<void> => {
    for (const { json: _, ...call } of await callOrUnknown(session, operation)) {
      const accepted = await acceptedBody(session, operation);
      const input: CallInput = { ...call, body: bodyOf(accepted) };
      if (type !== undefined) {
        input.headers = { ...call.headers, 'content-type': type };
      }
      await tryCall(session, operation, input);
    }
  };
  return robust(operation, 'body.unusual', 'a body of another kind or media type', (service) =>
    each({ ...ofJson, ...OTHER_TYPES, ...membersOfOtherTypes(service, operation) }, check),
  );
}

const MOST_MEMBERS = 8;

/**
 * Bodies with one member of another type, for an operation that was not reached: beside no accepted
 * body, a refusal says nothing of a rule, but the service may fail.
 */
function membersOfOtherTypes(
  { contract, survey }: Implementation,
  { operationId, requestBody }: Operation,
): Record<string, UnusualBody> {
  const { isReached = false, recipe } = survey[operationId] ?? {};
  if (isReached || requestBody === null || !isJson(requestBody.mediaType)) {
    return {};
  }
  const { properties } = shapeOf(asRequest(contract), requestBody.pointer);
  const base = isObject(recipe?.body?.json) ? recipe.body.json : {};
  const bodies: Record<string, UnusualBody> = {};
  for (const [name, { types }] of [...properties].slice(0, MOST_MEMBERS)) {
    const other = types.has('object') ? 1 : {};
    const text = stringifyJson({ ...base, [name]: other });
    bodies[`another type for ${name}`] = { bodyOf: () => text };
  }
  return bodies;
}

/** Parameters in which any text can be sent; the user chooses the credentials. */
const isFree = ({ in: place }: Parameter): boolean => place === 'query' || place === 'header';

/** Of the values of each parameter. */
const ALWAYS_TRIED = 2;

const UNUSUAL_NUMBERS = [-1, 0, 2 ** 31, 1e20];
const UNUSUAL_TEXTS = ['', '\0', '-1', 'ä'.repeat(300)];
/** Also entity tags and lists that are cut off. */
const UNUSUAL_FIELDS = ['*x', '"', '-1', 'a,,b;=', '\xe9'];

/** An unusual value of a parameter, and perhaps a value of another one that may make it matter. */
interface UnusualValue {
  parameter: Parameter;
  value: string | number;
  beside?: { parameter: Parameter; value: string };
}

function unusualParameters(contract: Contract, operation: Operation): Requirement {
  const free = operation.parameters.filter(isFree);
  const properties = ({ survey }: Implementation): Property[] => {
    const isReached = survey[operation.operationId]?.isReached === true;
    const chosen = isReached ? free : free.filter(({ required }) => required);
    return chosen.flatMap((parameter) => {
      const alone = propertiesOf(operation, unusualValues(contract, parameter));
      // The first ones are always tried.
      const varied = alone.map((property, index) => {
        if (index < ALWAYS_TRIED) {
          return property;
        }
        return { ...property, kind: parameter.name };
      });
      const pairs = isReached ? unusualBesideChoices(contract, parameter, free) : [];
      return [...varied, ...propertiesOf(operation, pairs)];
    });
  };
  return robust(
    operation,
    'parameters.unusual',
    'unusual values of query parameters and header fields',
    properties,
  );
}

function unusualValues(contract: Contract, parameter: Parameter): UnusualValue[] {
  const { types } = shapeOf(contract, parameter.schema);
  const isNumber = types.has('integer') || types.has('number');
  const texts = parameter.in === 'header' ? UNUSUAL_FIELDS : UNUSUAL_TEXTS;
  const isText = types.has('string');
  if (isNumber && isText) {
    return UNUSUAL_NUMBERS.flatMap((number, index) =>
      [number, texts[index] ?? ''].map((value) => ({ parameter, value })),
    );
  }
  const values = isNumber ? UNUSUAL_NUMBERS : texts;
  return values.map((value) => ({ parameter, value }));
}

const MOST_CHOICES = 4;

/** A negative number beside each of a few values of other parameters, such as a format. */
function unusualBesideChoices(
  contract: Contract,
  parameter: Parameter,
  all: readonly Parameter[],
): UnusualValue[] {
  const { types } = shapeOf(contract, parameter.schema);
  const isNumber = types.has('integer') || types.has('number');
  const others = isNumber ? all.filter((one) => one !== parameter && !one.required) : [];
  const pairs: UnusualValue[] = [];
  for (const other of others) {
    const choices = shapeOf(contract, other.schema).choices ?? [];
    for (const choice of choices.slice(0, MOST_CHOICES)) {
      if (typeof choice === 'string') {
        pairs.push({ parameter, value: -1, beside: { parameter: other, value: choice } });
      }
    }
  }
  return pairs.slice(0, MOST_CHOICES);
}

function propertiesOf(operation: Operation, values: readonly UnusualValue[]): Property[] {
  const byLabel: Record<string, UnusualValue> = {};
  for (const one of values) {
    const { parameter, value, beside } = one;
    const label = `${parameter.name}: ${show(value, 20)}`;
    const more = beside === undefined ? '' : ` beside ${beside.parameter.name}: ${beside.value}`;
    setMember(byLabel, label + more, one);
  }
  return each(byLabel, (one, session: Session) => tryUnusual(session, operation, one));
}

async function tryUnusual(
  session: Session,
  operation: Operation,
  { parameter, value, beside }: UnusualValue,
): Promise<void> {
  for (const call of await callsWithQuery(session, operation)) {
    const other = beside && withParameter(call, beside.parameter, beside.value);
    const input = withParameter(other ?? call, parameter, value);
    if (input === undefined) {
      throw new NotPossible(`${parameter.name} cannot be written`);
    }
    await tryCall(session, operation, input);
  }
}

/** If a request changes something, a parameter may choose what it changes. */
async function callsWithQuery(session: Session, operation: Operation): Promise<CallInput[]> {
  const { survey } = session.implementation;
  const isReached = survey[operation.operationId]?.isReached === true;
  if (operation.method === 'GET' && isReached) {
    return [await validCall(session, operation.operationId)];
  }
  return callOrUnknown(session, operation);
}

/** Behind the word of a scheme, or in place of a key. */
const SECRETS: Record<string, string> = {
  'characters beyond ASCII': 'cl\xe9-\xfc',
  'very long ones': 'a'.repeat(3_000),
  'what is not base64': '%%%',
  'a word more': 'a b',
};

function malformedCredentials(operation: Operation, usable: readonly Credentials[]): Requirement {
  const secrets = Object.entries(SECRETS).map(([label, secret]) => {
    const change = ({ scheme }: Credentials): string =>
      scheme === undefined ? secret : `${scheme} ${secret}`;
    return [label, change] as const;
  });
  const changes: Record<string, (credentials: Credentials) => string> = {
    ...Object.fromEntries(secrets),
    'no secret': ({ scheme = 'conformance' }) => scheme,
    'another scheme': () => 'Conformance secret',
  };
  return robust(operation, 'credentials.malformed', 'malformed credentials', () =>
    each(changes, async (change, session: Session) => {
      for (const call of await callOrUnknown(session, operation)) {
        for (const changed of placesToChange(usable)) {
          let input = call;
          for (const credentials of changed) {
            input = withCredentials(input, credentials, change(credentials));
          }
          session.notesServerErrors = false;
          await tryCall(session, operation, input).finally(() => {
            session.notesServerErrors = true;
          });
        }
      }
    }),
  );
}

/** All credentials together, then those of each place alone: a service may read one of them. */
function placesToChange(usable: readonly Credentials[]): (readonly Credentials[])[] {
  const byPlace = new Map(usable.map((one) => [`${one.in} ${one.name.toLowerCase()}`, one]));
  if (byPlace.size < 2) {
    return [usable];
  }
  return [usable, ...[...byPlace.values()].map((one) => [one])];
}

/** The call of an id that nothing has, inside what a valid call names if one is known. */
async function unknownInside(session: Session, operation: Operation): Promise<CallInput> {
  const unknown = unknownCall(session.implementation, operation);
  const last = pathParameters(operation).at(-1)?.name ?? '';
  const [known = unknown] = await callOrUnknown(session, operation);
  const id = memberOf(unknown.path ?? {}, last);
  if (id === undefined) {
    return unknown;
  }
  return { ...known, path: { ...known.path, [last]: id } };
}

/** A body that a reader cannot read is no reason to fail, though the operation has none. */
async function tryTypeOfBody(operation: Operation, session: Session): Promise<void> {
  const call = await unknownInside(session, operation);
  const headers = { ...call.headers, 'content-type': 'multipart/form-data' };
  await tryCall(session, operation, { ...call, headers });
}

function unknownIds(operation: Operation): Requirement {
  const check = async (areWords: boolean, session: Session): Promise<void> => {
    const call = unknownCall(session.implementation, operation, areWords);
    const json = await acceptedBody(session, operation);
    const isWithout = json === undefined;
    if (isWithout && operation.requestBody !== null) {
      await tryCall(session, operation, { ...call, body: '{}' });
      return;
    }
    await tryCall(session, operation, isWithout ? call : { ...call, json });
  };
  // A PUT may make what it names.
  const makes = operation.method === 'PUT' && '201' in operation.responses;
  const requirement = robust(operation, 'path.unknown', 'ids that nothing has', () => {
    const properties = each({ 'long random ids': false, 'long random words': true }, check);
    if (operation.method === 'DELETE') {
      const ofType = (session: Session) => tryTypeOfBody(operation, session);
      properties.push(once('a media type without a body', ofType));
    }
    return properties;
  });
  if (makes) {
    return { ...requirement, skip: () => 'a PUT may make what it names' };
  }
  return requirement;
}

function isFirstOfPath(contract: Contract, { path, operationId }: Operation): boolean {
  const first = operationsOf(contract).find((one) => one.path === path);
  return first?.operationId === operationId;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Nothing is changed by them. */
const HARMLESS = ['OPTIONS', 'PROPFIND'];

/**
 * Methods that the path does not have: at ids that nothing has, or, where the path has none, those
 * that change nothing.
 */
function otherMethods(contract: Contract, operation: Operation): Requirement {
  const { path } = operation;
  const known = new Set(
    operationsOf(contract)
      .filter((one) => one.path === path)
      .map(({ method }) => method),
  );
  const tried = pathParameters(operation).length > 0 ? [...METHODS, ...HARMLESS] : HARMLESS;
  const missing = tried.filter((method) => !known.has(method));
  const labelled = Object.fromEntries(missing.map((method) => [method, method]));
  return robust(operation, 'methods', `methods that ${path} does not have`, () =>
    each(labelled, async (method, session: Session) => {
      const { path: ids = {} } = unknownCall(session.implementation, operation);
      const target = requestTargetOf(operation, { path: ids });
      expectNoServerError(operation, await session.send({ method, target }));
    }),
  );
}
