/** The operations of the contract with their parameters, bodies and responses, every reference followed. */
import type { Contract } from './load.ts';
import { originOf, UNSTATED } from './origins.ts';
import { dereference, isObject, joinPointer, objectAt, valueAt } from './pointers.ts';

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
  /** By status, such as `201`. */
  responses: Record<string, Response>;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required: boolean;
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
  /** Which `code` a problem may have; empty when it is no problem. */
  problemCodes: string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** What the operation documents for a status: itself, its range such as `4XX`, or `default`. */
export function documentedFor({ responses }: Operation, status: number): Response | undefined {
  const hundred = String(Math.floor(status / 100));
  return responses[String(status)] ?? responses[`${hundred}XX`] ?? responses[`${hundred}xx`] ?? responses['default'];
}

/** The first success that the operation documents. Throws an Error when there is none. */
export function successOf({ operationId, responses }: Operation): Response {
  const success = Object.values(responses).find(({ status }) => status.startsWith('2')) ?? responses['default'];
  if (!success) throw new Error(`the operation ${operationId} documents no success`);
  return success;
}

/** The statuses from `hundred` × 100 on that the operation documents, ranges in full; all where it has a `default` alone. */
export function documentedStatuses({ responses }: Operation, hundred: 2 | 4): number[] {
  const all = Array.from({ length: 100 }, (_, index) => hundred * 100 + index);
  const listed = Object.keys(responses).filter((status) => status.startsWith(String(hundred)));
  if (listed.some((status) => /xx$/i.test(status))) return all;
  if (listed.length > 0 && (hundred === 2 || !('default' in responses))) return listed.map(Number);
  return 'default' in responses ? all : [];
}

const lists = new WeakMap<Contract, Operation[]>();

/** All operations in the order of the contract, found once: do not change the list. */
export function operationsOf(contract: Contract): Operation[] {
  let operations = lists.get(contract);
  if (!operations) lists.set(contract, (operations = find(contract)));
  return operations;
}

function find(contract: Contract): Operation[] {
  return Object.keys(objectAt(contract.document, '/paths')).flatMap((path) => {
    const item = joinPointer('/paths', path);
    return METHODS.filter((method) => valueAt(contract.document, joinPointer(item, method)) !== undefined).map(
      (method) => operation(contract, path, item, method),
    );
  });
}

function operation(contract: Contract, path: string, item: string, method: string): Operation {
  const pointer = joinPointer(item, method);
  const { operationId, summary, requestBody, 'x-level': level } = objectAt(contract.document, pointer);
  if (typeof operationId !== 'string') throw new Error(`the operation at ${pointer} has no operationId`);
  if (level !== 'core' && level !== 'extended') throw new Error(`the operation ${operationId} has no x-level`);
  const origin = originOf(contract, pointer);
  const parameters = new Map<string, Parameter>();
  for (const list of [joinPointer(item, 'parameters'), joinPointer(pointer, 'parameters')]) {
    for (const index of ((valueAt(contract.document, list) ?? []) as unknown[]).keys()) {
      const one = parameter(contract, joinPointer(list, index), origin);
      parameters.set(`${one.in} ${one.name}`, one);
    }
  }
  const responses = joinPointer(pointer, 'responses');
  return {
    operationId,
    method: method.toUpperCase(),
    path,
    pointer,
    level,
    origin,
    summary: typeof summary === 'string' ? summary : '',
    parameters: [...parameters.values()],
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

/** What the schema of a problem in this response allows as `code`. */
function problemCodes({ document }: Contract, pointer: string): string[] {
  const codes = valueAt(
    document,
    joinPointer(pointer, 'content', 'application/problem+json', 'schema', 'properties', 'code', 'enum'),
  );
  return Array.isArray(codes) ? codes.map(String) : [];
}

function parameter(contract: Contract, at: string, inherited: string): Parameter {
  const pointer = dereference(contract.document, at);
  const { name, in: place, required } = objectAt(contract.document, pointer);
  return {
    name: String(name),
    in: place as Parameter['in'],
    required: required === true,
    pointer,
    schema: dereference(contract.document, joinPointer(pointer, 'schema')),
    origin: stated(contract, pointer, inherited),
  };
}

function body(contract: Contract, pointer: string): RequestBody {
  const [media] = Object.entries(content(contract, pointer));
  if (!media) throw new Error(`the request body at ${pointer} has no media type with a schema`);
  return {
    pointer: media[1],
    required: objectAt(contract.document, pointer)['required'] === true,
    mediaType: media[0],
    examples: examples(contract, joinPointer(pointer, 'content', media[0])),
  };
}

function examples(contract: Contract, pointer: string): Record<string, unknown> {
  const { examples: named } = objectAt(contract.document, pointer);
  if (!isObject(named)) return {};
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
    problemCodes: problemCodes(contract, pointer),
  };
}

function header(contract: Contract, at: string): Response['headers'][string] {
  const pointer = dereference(contract.document, at);
  const { required } = objectAt(contract.document, pointer);
  return {
    pointer,
    required: required === true,
    schema: dereference(contract.document, joinPointer(pointer, 'schema')),
  };
}

function content(contract: Contract, pointer: string): Record<string, string> {
  const types = objectAt(contract.document, pointer)['content'];
  if (!isObject(types)) return {};
  return Object.fromEntries(
    Object.keys(types)
      .map((type): [string, string] => [type, joinPointer(pointer, 'content', type, 'schema')])
      .filter(([, schema]) => valueAt(contract.document, schema) !== undefined)
      .map(([type, schema]) => [type, dereferenceSchema(contract, schema)]),
  );
}

/** A schema that is nothing but a reference is the component; one with more beside the `$ref` stays where it is. */
function dereferenceSchema(contract: Contract, pointer: string): string {
  const schema = objectAt(contract.document, pointer);
  return Object.keys(schema).length === 1 ? dereference(contract.document, pointer) : pointer;
}

/** A component that states no origin of its own takes that of the operation that uses it. */
function stated(contract: Contract, pointer: string, inherited: string): string {
  const own = originOf(contract, pointer);
  return own === UNSTATED ? inherited : own;
}
