/** The operations of the contract with their parameters, bodies and responses, every reference followed. */
import type { Contract } from './load.ts';
import { originOf, UNSTATED } from './origins.ts';
import { dereference, dereferenceSchema, isObject, joinPointer, objectAt, valueAt } from './pointers.ts';
import { Unsupported } from './unsupported.ts';

/** An extended service offers every operation, a core one those of the core. */
export type Level = 'core' | 'extended';

export interface Operation {
  operationId: string;
  /** Upper case. */
  method: string;
  /** The path template, such as `/edges/https/{id}`. */
  path: string;
  /** JSON Pointer of the operation. */
  pointer: string;
  level: Level;
  origin: string;
  summary: string;
  /** Those of the path first, as far as the operation does not replace them. */
  parameters: Parameter[];
  /** Null when the operation takes no body. */
  requestBody: RequestBody | null;
  /** By status, such as `201`, `2XX` or `default`. */
  responses: Record<string, Response>;
  /** Names of security schemes: each list is one way to be let in, and an empty one needs nothing. */
  security: string[][];
  /** Why nothing of it can be tried. */
  unsupported?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
  /** How lists and objects are written; the default of its place where the contract does not say. */
  style: string;
  explode: boolean;
  /** JSON Pointer of the parameter (the component, where it is one). */
  pointer: string;
  /** JSON Pointer of its schema (the component, where it is one). */
  schema: string;
  origin: string;
}

export interface RequestBody {
  /** JSON Pointer of its schema (the component, where it is one). */
  pointer: string;
  required: boolean;
  mediaType: string;
  /** By name. */
  examples: Record<string, unknown>;
}

export interface Response {
  status: string;
  /** JSON Pointer of the response (the component, where it is one). */
  pointer: string;
  description: string;
  origin: string;
  /** By name as written. `schema`: JSON Pointer. */
  headers: Record<string, { pointer: string; required: boolean; schema: string }>;
  /** Media type -> JSON Pointer of its schema (the component, where it is one). Empty when there is no body. */
  content: Record<string, string>;
  /** A body is documented, and nothing is said of it. */
  anyBody: boolean;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** What the operation documents for a status: itself, its range such as `4XX`, or `default`. */
export function documentedFor({ responses }: Operation, status: number): Response | undefined {
  const hundred = String(Math.floor(status / 100));
  return responses[String(status)] ?? responses[`${hundred}XX`] ?? responses[`${hundred}xx`] ?? responses['default'];
}

/** The first success that the operation documents. Throws `Unsupported` when there is none. */
export function successOf({ operationId, responses }: Operation): Response {
  const success = Object.values(responses).find(({ status }) => status.startsWith('2')) ?? responses['default'];
  if (!success) throw new Unsupported(`the operation ${operationId} documents no success`);
  return success;
}

/** The hundred statuses from this one on. */
export function statusesFrom(first: number): number[] {
  return Array.from({ length: 100 }, (_, index) => first + index);
}

/** The statuses from `hundred` × 100 on that the operation documents, ranges in full; all where it has a `default` alone. */
export function documentedStatuses({ responses }: Operation, hundred: 2 | 4): number[] {
  const all = () => statusesFrom(hundred * 100);
  const listed = Object.keys(responses).filter((status) => status.startsWith(String(hundred)));
  if (listed.some((status) => /xx$/i.test(status))) return all();
  if (listed.length > 0 && (hundred === 2 || !('default' in responses))) return listed.map(Number);
  return 'default' in responses ? all() : [];
}

const lists = new WeakMap<Contract, Operation[]>();

/** All operations in the order of the contract, found once: do not change the list. */
export function operationsOf(contract: Contract): Operation[] {
  let operations = lists.get(contract);
  if (!operations) lists.set(contract, (operations = find(contract)));
  return operations;
}

function find(contract: Contract): Operation[] {
  const { document } = contract;
  if (!isObject(document['paths'])) throw new Error(`the contract ${contract.path} has no paths`);
  const found = Object.keys(document['paths'])
    .filter((path) => path.startsWith('/'))
    .flatMap((path) => {
      const item = dereference(document, joinPointer('/paths', path));
      return METHODS.filter((method) => isObject(valueAt(document, joinPointer(item, method)))).map((method) =>
        tryOperation(contract, path, item, method),
      );
    });
  // An id that several operations have names none of them.
  const repeated = ({ operationId }: Operation) => found.filter((one) => one.operationId === operationId).length > 1;
  return found.map((one) => (repeated(one) ? { ...one, operationId: `${one.method}${one.path}` } : one));
}

/** An operation with something that the suite cannot try is known by name, with the reason. */
function tryOperation(contract: Contract, path: string, item: string, method: string): Operation {
  try {
    return operation(contract, path, item, method);
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    return {
      ...identity(contract, path, joinPointer(item, method), method),
      parameters: [],
      requestBody: null,
      responses: {},
      security: [],
      unsupported: error.message,
    };
  }
}

/** What an operation without an `operationId` or an `x-level` has in their place: its method and path, and the core. */
function identity(contract: Contract, path: string, pointer: string, method: string) {
  const { operationId, summary, 'x-level': level = 'core' } = objectAt(contract.document, pointer);
  if (level !== 'core' && level !== 'extended') throw new Error(`x-level at ${pointer} is neither core nor extended`);
  const upper = method.toUpperCase();
  return {
    operationId: typeof operationId === 'string' ? operationId : `${upper}${path}`,
    method: upper,
    path,
    pointer,
    level: level as Level,
    origin: originOf(contract, pointer),
    summary: typeof summary === 'string' ? summary : '',
  };
}

function operation(contract: Contract, path: string, item: string, method: string): Operation {
  const pointer = joinPointer(item, method);
  const { requestBody, security = contract.document['security'] } = objectAt(contract.document, pointer);
  const named = identity(contract, path, pointer, method);
  const { origin } = named;
  const parameters = new Map<string, Parameter>();
  for (const list of [joinPointer(item, 'parameters'), joinPointer(pointer, 'parameters')]) {
    for (const index of ((valueAt(contract.document, list) ?? []) as unknown[]).keys()) {
      const one = parameter(contract, joinPointer(list, index), origin);
      parameters.set(`${one.in} ${one.name}`, one);
    }
  }
  const responses = joinPointer(pointer, 'responses');
  return {
    ...named,
    parameters: [...parameters.values()],
    security: Array.isArray(security) ? security.filter(isObject).map((scheme) => Object.keys(scheme)) : [],
    requestBody:
      requestBody === undefined
        ? null
        : body(contract, dereference(contract.document, joinPointer(pointer, 'requestBody'))),
    responses: Object.fromEntries(
      Object.keys(objectAt(contract.document, responses)).map((status) => [
        status,
        response(contract, status, joinPointer(responses, status), origin),
      ]),
    ),
  };
}

function parameter(contract: Contract, at: string, inherited: string): Parameter {
  const pointer = dereference(contract.document, at);
  const { name, in: place, required, style: written, explode } = objectAt(contract.document, pointer);
  if (valueAt(contract.document, joinPointer(pointer, 'schema')) === undefined)
    throw new Unsupported(`the parameter ${String(name)} at ${pointer} has no schema`);
  const style = typeof written === 'string' ? written : place === 'query' || place === 'cookie' ? 'form' : 'simple';
  return {
    name: String(name),
    in: place as Parameter['in'],
    required: required === true,
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form',
    pointer,
    schema: dereferenceSchema(contract.document, joinPointer(pointer, 'schema')),
    origin: stated(contract, pointer, inherited),
  };
}

function body(contract: Contract, pointer: string): RequestBody {
  const media = Object.entries(content(contract, pointer));
  const [type, schema] = media.find(([one]) => isJson(one)) ?? media.find(([one]) => isForm(one)) ?? [];
  if (type === undefined || schema === undefined) {
    const types = Object.keys((objectAt(contract.document, pointer)['content'] ?? {}) as object).join(', ') || 'none';
    throw new Unsupported(`no body is made of the media types at ${pointer}: ${types}`);
  }
  return {
    pointer: schema,
    required: objectAt(contract.document, pointer)['required'] === true,
    // A range says what is allowed, and a request names one.
    mediaType: type.includes('*') ? 'application/json' : type,
    examples: examples(contract, joinPointer(pointer, 'content', type)),
  };
}

/** Whether a body of this media type is JSON. */
export function isJson(mediaType: string): boolean {
  return /^(application\/json|[^;]+\+json|\*\/\*|application\/\*)\s*(;|$)/i.test(mediaType);
}

export function isForm(mediaType: string): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(mediaType);
}

function examples(contract: Contract, pointer: string): Record<string, unknown> {
  const { examples: named, example } = objectAt(contract.document, pointer);
  if (!isObject(named)) return example === undefined ? {} : { example };
  const valueOf = (name: string) =>
    objectAt(contract.document, dereference(contract.document, joinPointer(pointer, 'examples', name)))['value'];
  return Object.fromEntries(Object.keys(named).map((name) => [name, valueOf(name)]));
}

function response(contract: Contract, status: string, at: string, inherited: string): Response {
  const pointer = dereference(contract.document, at);
  const { description, headers } = objectAt(contract.document, pointer);
  const names = isObject(headers) ? Object.keys(headers) : [];
  return {
    status,
    pointer,
    description: typeof description === 'string' ? description : '',
    origin: stated(contract, pointer, inherited),
    headers: Object.fromEntries(names.map((name) => [name, header(contract, joinPointer(pointer, 'headers', name))])),
    content: content(contract, pointer),
    // A range of statuses, or any, may have members without a body.
    anyBody: isObject(objectAt(contract.document, pointer)['content']) || !/^\d+$/.test(status),
  };
}

function header(contract: Contract, at: string): Response['headers'][string] {
  const pointer = dereference(contract.document, at);
  const { required } = objectAt(contract.document, pointer);
  return {
    pointer,
    required: required === true,
    schema: dereferenceSchema(contract.document, joinPointer(pointer, 'schema')),
  };
}

function content(contract: Contract, pointer: string): Record<string, string> {
  const types = objectAt(contract.document, pointer)['content'];
  if (!isObject(types)) return {};
  return Object.fromEntries(
    Object.keys(types)
      .map((type): [string, string] => [type, joinPointer(pointer, 'content', type, 'schema')])
      .filter(([, schema]) => valueAt(contract.document, schema) !== undefined)
      .map(([type, schema]) => [type, dereferenceSchema(contract.document, schema)]),
  );
}

/** A component that states no origin of its own takes that of the operation that uses it. */
function stated(contract: Contract, pointer: string, inherited: string): string {
  const own = originOf(contract, pointer);
  return own === UNSTATED ? inherited : own;
}
