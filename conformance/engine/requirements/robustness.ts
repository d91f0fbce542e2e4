/**
 * Requests that a contract says nothing about, such as malformed credentials or another media type.
 * Any response will do, except an error of the service. Nothing is changed that the run did not
 * make.
 */
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
import { type CallInput, requestTargetOf, withParameter } from '../http/call.ts';
import { callOrClosed } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { Blocked, Nonconformity, NotPossible, show } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import { isServerError } from '../http/server-errors.ts';
import type { Session } from '../http/session.ts';
import { acceptedBody, callToRefuse, validCall, withRequired } from './calls.ts';
import { unknownPath } from './not-found.ts';
import { CLAUSE, each, type Property, requirementOf, type Requirement } from './requirement.ts';
import { withCredentials } from './statuses.ts';

export function robustnessRequirements(contract: Contract, operation: Operation): Requirement[] {
  const requirements: Requirement[] = [];
  if (mayHaveBody(operation)) {
    requirements.push(unusualBodies(operation));
  }
  if (operation.parameters.some((one) => isOptional(one))) {
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
  return { ...stated, weight: CLAUSE };
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
  expectNoServerError(operation, await callOrClosed(session, operation, input));
}

/**
 * The path and the required parameters of a valid call; those of a call that finds nothing if the
 * operation cannot be reached.
 */
async function callOrUnknown(session: Session, operation: Operation): Promise<CallInput> {
  try {
    return await callToRefuse(session, operation.operationId);
  } catch (error) {
    if (!(error instanceof NotPossible) && !(error instanceof Blocked)) {
      throw error;
    }
    return unknownCall(session.implementation, operation);
  }
}

/** @throws NotPossible if no long random id fits */
function unknownCall(implementation: Implementation, operation: Operation): CallInput {
  const path = unknownPath(implementation.contract, operation);
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
      body[name] = `${value}\0`;
    }
  }
  return stringifyJson(body);
}

function unusualBodies(operation: Operation): Requirement {
  const { requestBody } = operation;
  const ofJson = requestBody !== null && isJson(requestBody.mediaType) ? JSON_BODIES : {};
  return robust(operation, 'body.unusual', 'a body of another kind or media type', () =>
    each({ ...ofJson, ...OTHER_TYPES }, async ({ type, bodyOf }, session: Session) => {
      const { json: _, ...call } = await callOrUnknown(session, operation);
      const accepted = await acceptedBody(session, operation);
      const input: CallInput = { ...call, body: bodyOf(accepted) };
      if (type !== undefined) {
        input.headers = { ...call.headers, 'content-type': type };
      }
      await tryCall(session, operation, input);
    }),
  );
}

const isOptional = ({ in: place, required }: Parameter): boolean => !required && place === 'query';

/** Of the values of each parameter. */
const ALWAYS_TRIED = 2;

const UNUSUAL_NUMBERS = [-1, 0, 2 ** 31, 1e20];
const UNUSUAL_TEXTS = ['', '\0', '-1', 'ä'.repeat(300)];

function unusualParameters(contract: Contract, operation: Operation): Requirement {
  const { parameters, method } = operation;
  // If a request changes something, a parameter may choose what it changes.
  const callOf = (session: Session): Promise<CallInput> | CallInput => {
    if (method === 'GET') {
      return validCall(session, operation.operationId);
    }
    return callToRefuse(session, operation.operationId);
  };
  const properties = (): Property[] =>
    parameters.filter(isOptional).flatMap((parameter) => {
      const { types } = shapeOf(contract, parameter.schema);
      const isNumber = types.has('integer') || types.has('number');
      const values: readonly (string | number)[] = isNumber ? UNUSUAL_NUMBERS : UNUSUAL_TEXTS;
      const named = values.map((value) => [`${parameter.name}: ${show(value, 20)}`, value]);
      const byLabel = Object.fromEntries(named) as Record<string, string | number>;
      const all = each(byLabel, async (value, session: Session) => {
        const input = withParameter(await callOf(session), parameter, value);
        if (input === undefined) {
          throw new NotPossible(`${parameter.name} cannot be written`);
        }
        await tryCall(session, operation, input);
      });
      // The first ones are always tried.
      return all.map((property, index) => {
        if (index < ALWAYS_TRIED) {
          return property;
        }
        return { ...property, kind: parameter.name };
      });
    });
  const requirement = robust(
    operation,
    'parameters.unusual',
    'unusual values of optional parameters',
    properties,
  );
  return { ...requirement, base: operation.operationId };
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
      let input = await callOrUnknown(session, operation);
      for (const credentials of usable) {
        input = withCredentials(input, credentials, change(credentials));
      }
      await tryCall(session, operation, input);
    }),
  );
}

function unknownIds(operation: Operation): Requirement {
  const check = async (_: undefined, session: Session): Promise<void> => {
    const { implementation } = session;
    const call = unknownCall(implementation, operation);
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
  const requirement = robust(operation, 'path.unknown', 'ids that nothing has', () =>
    each({ 'long random ids': undefined }, check),
  );
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
