/** The operations of the contract, every reference followed. */
import { supported } from './keywords.ts';
import { type Contract, perContract } from './load.ts';
import { originOf } from './origins.ts';
import { type Parameter, parametersOf } from './parameters.ts';
import { dereference, isObject, joinPointer, objectAt, valueAt } from './pointers.ts';
import { type RequestBody, requestBodyAt } from './request-bodies.ts';
import { responseAt, type Responses } from './responses.ts';
import { serverPathAt, serverPathOf } from './servers.ts';

export { IN_JSON, type Parameter } from './parameters.ts';
export type { FormField, RequestBody } from './request-bodies.ts';
export {
  documentedFor,
  documentedStatuses,
  isSuccessOf,
  type Header,
  type Response,
  schemaOfSuccess,
  statusesFrom,
  successOf,
} from './responses.ts';

/** An extended service offers every operation, a core one those of the core. */
export type Level = 'core' | 'extended';

export interface Operation {
  /**
   * Its method and path if the contract does not name it, or gives several operations the same
   * name.
   */
  operationId: string;
  /** As it is sent: in upper case, but for methods that only the contract knows. */
  method: string;
  /** The path template, such as `/edges/https/{edge_id}`. */
  path: string;
  /**
   * The path of the server, if the operation or its path states another server than the contract.
   */
  serverPath?: string;
  pointer: string;
  level: Level;
  origin: string;
  tags: readonly string[];
  /** Those of the path first, as far as the operation does not replace them. */
  parameters: Parameter[];
  /** Null if the operation takes no body. */
  requestBody: RequestBody | null;
  responses: Responses;
  /**
   * Names of security schemes: each list is one way to be authorized, and an empty one needs
   * nothing.
   */
  security: string[][];
  /** Why the operation cannot be tried. */
  unsupported?: string;
}

/** The path parameters, in the order in which the path has them. */
export function pathParameters({ path, parameters }: Operation): Parameter[] {
  const placeOf = ({ name }: Parameter): number => path.lastIndexOf(`{${name}}`);
  const inPath = parameters.filter((one) => one.in === 'path');
  return inPath.toSorted((one, other) => placeOf(one) - placeOf(other));
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** All operations in the order of the contract, found once: do not change the list. */
export const operationsOf = perContract((contract): Operation[] => {
  const { document } = contract;
  const found: Operation[] = [];
  for (const name of pathsIn(document)) {
    const item = pathItem(document, name);
    if (item === undefined) {
      continue;
    }
    const path = hasSlash(name) ? name : `/${name}`;
    for (const { method, pointer } of methodsOf(document, item)) {
      found.push(operationAt(contract, { path, item, method, pointer }));
    }
  }
  return found.map((one) => {
    const isUnique = found.every((other) => other === one || other.operationId !== one.operationId);
    if (isUnique) {
      return one;
    }
    return { ...one, operationId: `${one.method}${one.path}` };
  });
});

/** The methods that have an operation in a path item, as they are sent, with its pointer. */
function methodsOf(
  document: Record<string, unknown>,
  item: string,
): Pick<OperationPlace, 'method' | 'pointer'>[] {
  const places = METHODS.map((name) => {
    return { method: name.toUpperCase(), pointer: joinPointer(item, name) };
  });
  // The methods for which OpenAPI has no field, in their own case (3.2, Path Item Object).
  const others = joinPointer(item, 'additionalOperations');
  for (const method of Object.keys(Object(valueAt(document, others)) as object)) {
    places.push({ method, pointer: joinPointer(others, method) });
  }
  return places.filter(({ pointer }) => isObject(valueAt(document, pointer)));
}

/**
 * A document of components or of webhooks alone has no paths since 3.1, and then no operation to
 * try.
 */
function pathsIn({ paths }: Record<string, unknown>): string[] {
  if (isObject(paths)) {
    return Object.keys(paths).filter((name) => !name.startsWith('x-'));
  }
  return [];
}

/** "The field name MUST begin with a forward slash" (OpenAPI 3.1, Paths Object): a warning. */
const hasSlash = (path: string): boolean => path.startsWith('/');

/**
 * The pointer of the path item; undefined if the reference of the path cannot be followed:
 * `warningsOf` reports that.
 */
function pathItem(document: Record<string, unknown>, path: string): string | undefined {
  return supported(
    () => dereference(document, joinPointer('/paths', path)),
    () => undefined,
  );
}

/** The contract itself is wrong, and not only beyond what the suite supports. */
const ERROR_IN_PATH = /is not declared|has no object/;

/** Sentences about errors in the contract because of which operations are not tried. */
export const warningsOf = perContract((contract): readonly string[] => {
  const { document } = contract;
  const warnings = [...contract.warnings];
  for (const path of pathsIn(document)) {
    if (!hasPathItem(document, path)) {
      warnings.push(`The path ${path} refers to something that the contract does not have.`);
    } else if (!hasSlash(path)) {
      warnings.push(`The path ${path} has no slash at its beginning: it is read as /${path}.`);
    }
  }
  for (const path of pathsIn(document).filter((one) => /[?#]/.test(one))) {
    warnings.push(
      `The path ${path} has a query or a fragment: a query is sent, and a fragment not.`,
    );
  }
  for (const operation of operationsOf(contract)) {
    const { operationId, unsupported = '', responses, method, pointer, requestBody } = operation;
    const stated = valueAt(document, joinPointer(pointer, 'requestBody'));
    if (isObject(stated) && requestBody === null && hasNoUseForBodies(operation)) {
      warnings.push(`No body is sent with ${operationId}: in a ${method} request, none has a use.`);
    }
    if (ERROR_IN_PATH.test(unsupported)) {
      warnings.push(`${operationId} is not tried: ${unsupported}.`);
    }
    for (const { status, unread } of Object.values(responses)) {
      if (unread !== undefined) {
        warnings.push(`The response ${status} of ${operationId} is not checked: ${unread}.`);
      }
    }
  }
  warnings.push(...warningOfBodies(contract));
  return warnings;
});

const MOST_NAMED = 3;

/** The warning about bodies of other media types, whose rules no requirement has. */
function warningOfBodies(contract: Contract): string[] {
  const untried: string[] = [];
  for (const { operationId, requestBody } of operationsOf(contract)) {
    const types = requestBody?.untried ?? [];
    if (types.length > 0) {
      untried.push(`${operationId} (${types.join(', ')})`);
    }
  }
  if (untried.length === 0) {
    return [];
  }
  const named = untried.slice(0, MOST_NAMED).join(', ');
  const others = untried.length - MOST_NAMED;
  const more = others > 0 ? `, and of ${others} others` : '';
  return [
    `Rules of bodies in a media type that has its own schema are not tried: ${named}${more}.`,
  ];
}

function hasPathItem(document: Record<string, unknown>, path: string): boolean {
  const item = pathItem(document, path);
  return item !== undefined && isObject(valueAt(document, item));
}

interface OperationPlace {
  path: string;
  /** JSON Pointer of the path item. */
  item: string;
  /** As it is sent. */
  method: string;
  /** JSON Pointer of the operation. */
  pointer: string;
}

/** The operation with a method at a path, if it can be tried. */
export const operationOn = (
  contract: Contract,
  method: string,
  path: string,
): Operation | undefined =>
  operationsOf(contract).find(
    (one) => one.method === method && one.path === path && one.unsupported === undefined,
  );

/** Whether a service of a level has what is of another one: the extended level has everything. */
export const includesLevel = (level: Level, other: Level): boolean =>
  other === 'core' || level === 'extended';

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Without an `x-level`, an operation has the core level. */
function operationAt(contract: Contract, place: OperationPlace): Operation {
  const { path, item, method, pointer } = place;
  const { operationId, tags, 'x-level': level = 'core' } = objectAt(contract.document, pointer);
  if (level !== 'core' && level !== 'extended') {
    throw new Error(`x-level at ${pointer} is neither core nor extended`);
  }
  const operation: Operation = {
    operationId: isName(operationId) ? operationId : `${method}${path}`,
    method,
    path,
    pointer,
    level,
    origin: originOf(contract, pointer),
    tags: Array.isArray(tags) ? tags.map(String) : [],
    parameters: [],
    requestBody: null,
    responses: {},
    security: [],
  };
  const serverPath = serverPathAt(contract, pointer) ?? serverPathAt(contract, item);
  if (serverPath !== undefined && serverPath !== serverPathOf(contract)) {
    operation.serverPath = serverPath;
  }
  return supported(
    () => ({ ...operation, ...contentsOf(contract, item, operation) }),
    (unsupported) => ({ ...operation, unsupported }),
  );
}

/**
 * Whether a body has no defined meaning in requests of the method (RFC 9110, 9.3.1, 9.3.2 and
 * 9.3.5): services may ignore or refuse it. It is sent where the contract requires it.
 */
export const hasNoUseForBodies = ({ method }: Pick<Operation, 'method'>): boolean =>
  ['GET', 'HEAD', 'DELETE'].includes(method);

type Contents = Pick<Operation, 'parameters' | 'requestBody' | 'responses' | 'security'>;

/** @throws Unsupported if some of it cannot be read */
function contentsOf(contract: Contract, item: string, operation: Operation): Contents {
  const { document } = contract;
  const { pointer, path, origin } = operation;
  const stated = objectAt(document, pointer);
  const security = waysToAuthorize(stated['security'] ?? document['security']);
  const schemes = security.flat();
  const parameters = parametersOf(contract, { item, pointer, path, origin, schemes });
  let requestBody: RequestBody | null = null;
  if (stated['requestBody'] !== undefined) {
    requestBody = requestBodyAt(contract, joinPointer(pointer, 'requestBody'));
  }
  if (requestBody?.required === false && hasNoUseForBodies(operation)) {
    requestBody = null;
  }
  const responses = responsesOf(contract, operation);
  return { parameters, requestBody, responses, security };
}

/** A status, a range of them, or `default`; other names are extensions (OpenAPI 3.1, 4.9). */
const STATUS = /^(\dxx|\d{3}|default)$/i;

function responsesOf(contract: Contract, { method, pointer, origin }: Operation): Responses {
  const places = joinPointer(pointer, 'responses');
  const stated = Object(valueAt(contract.document, places)) as Record<string, unknown>;
  const statuses = Object.keys(stated).filter((name) => STATUS.test(name));
  const responses: Responses = {};
  for (const status of statuses) {
    const at = joinPointer(places, status);
    responses[status] = responseAt(contract, { method, origin, status, at });
  }
  return responses;
}

/** The names of the security schemes of each way that `security` lists. */
function waysToAuthorize(security: unknown): string[][] {
  if (!Array.isArray(security)) {
    return [];
  }
  return security.filter(isObject).map((way) => Object.keys(way));
}
