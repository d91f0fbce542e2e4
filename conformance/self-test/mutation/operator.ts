/** An operator makes mutants of services from the contract. It knows no requirement: any failure kills a mutant. */
import { STATUS_CODES } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Contract } from '../../engine/contract/load.ts';
import { type Operation, operationsOf } from '../../engine/contract/operations.ts';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Shape, shapeOf, strictest } from '../../engine/contract/shape.ts';
import type { JsonType } from '../../engine/contract/json-types.ts';
import { parse } from '../../engine/http/response.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';

export interface Field {
  operation: Operation;
  /** The status of the response that has it; undefined for a field of a request. */
  status?: string;
  /** `*` stands for any item of a list or value of a map. */
  path: readonly string[];
  shape: Shape;
  required: boolean;
}

/** A resource with an address of its own below a collection. */
interface Resource {
  /** The property that names it in its collection. */
  key: string;
  create: Operation;
  read: Operation;
  update: Operation | undefined;
  remove: Operation | undefined;
}

export interface Subject {
  contract: Contract;
  operations: readonly Operation[];
  /** Fields of responses. */
  shown: readonly Field[];
  /** Fields of requests. */
  taken: readonly Field[];
  resources: readonly Resource[];
}

/** Deeper fields repeat what outer ones have. */
const DEEPEST = 5;

export function subjectOf(contract: Contract): Subject {
  const operations = operationsOf(contract).filter(({ unsupported }) => unsupported === undefined);
  function* walk(
    base: Pick<Field, 'operation' | 'status'>,
    shape: Shape,
    path: string[],
  ): Generator<Field> {
    const inner = shape.items ?? shape.additional;
    for (const [name, child] of [...shape.properties, ...(inner ? [['*', inner] as const] : [])]) {
      const at = [...path, name];
      yield { ...base, path: at, shape: child, required: shape.required.has(name) };
      if (at.length < DEEPEST) {
        yield* walk(base, child, at);
      }
    }
  }
  const fieldsAt = (schema: string | undefined, base: Pick<Field, 'operation' | 'status'>) => {
    if (schema === undefined) {
      return [];
    }
    return [...walk(base, shapeOf(contract, schema), [])];
  };
  // A refusal has its optional members where the request is invalid.
  const isCertain = ({ status = '', path, required }: Field) =>
    /^(2..|400|422)$/i.test(status) || (isMade(status) && path.length === 1 && required);
  return {
    contract,
    operations,
    resources: resourcesOf(operations),
    shown: operations.flatMap((operation) =>
      Object.values(operation.responses).flatMap(({ status, content }) =>
        fieldsAt(Object.values(content)[0], { operation, status }).filter(isCertain),
      ),
    ),
    taken: operations.flatMap((operation) =>
      fieldsAt(operation.requestBody?.pointer, { operation }),
    ),
  };
}

function resourcesOf(operations: readonly Operation[]): Resource[] {
  const at = (path: string, method: string) =>
    operations.find((one) => one.path === path && one.method === method);
  return operations.flatMap((read) => {
    const [, collection, key] =
      /^(.+)\/\{([^}]+)\}$/.exec(read.method === 'GET' ? read.path : '') ?? [];
    const create = collection === undefined ? undefined : at(collection, 'POST');
    if (!create) {
      return [];
    }
    const remove = at(read.path, 'DELETE');
    // The parameter may have a longer name than the property: `route_id` for `id`.
    const property = /[_-]id$/.test(key!) ? 'id' : key!;
    return [
      {
        key: property,
        create,
        read,
        update: at(read.path, 'PATCH') ?? at(read.path, 'PUT'),
        remove,
      },
    ];
  });
}

/** No test can make a service too busy. */
export const isMade = (status: string): boolean => /^(2|4(?!29))..$/.test(status);
export const has = ({ shape }: Field, ...types: JsonType[]): boolean =>
  types.some((type) => shape.types.has(type));
export const isProperty = ({ path }: Field): boolean => path.at(-1) !== '*';
export const isFreeText = (field: Field): boolean => has(field, 'string') && !field.shape.choices;

/** Whether the request is for the operation. A version may stand before the paths of a contract. */
function calls(operation: Operation | undefined, request: ServiceRequest): boolean {
  if (operation?.method !== request.method) {
    return false;
  }
  return new RegExp(`^(?:/v\\d+)?${operation.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(
    pathOf(request),
  );
}

export interface Variant {
  /** What is broken, such as `getEdge/200/hostports`. */
  at: string;
  mutate: (service: Service) => Service;
}

export type Operator = (subject: Subject) => Variant[];

/** By a name that says what it does to a service. */
export type Operators = Record<string, Operator>;

export function fromEach<T>(rows: Record<string, T>, operator: (row: T) => Operator): Operators {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, operator(row)]));
}

/** One operator whose mutants are those of several. */
export function together<T>(all: readonly T[], operator: (one: T) => Operator): Operator {
  return (subject) => all.flatMap((one) => operator(one)(subject));
}

export type Handle = (next: Service, request: ServiceRequest) => Promise<ServiceResponse>;

/** @param make called once for each service: what it remembers is of that service @param at ends the mutant's name */
function breaking(operation: Operation, make: () => Handle, at = ''): Variant {
  const mutate = (next: Service): Service => {
    const handle = make();
    return async (request) => {
      if (calls(operation, request)) {
        return handle(next, request);
      }
      return next(request);
    };
  };
  return { at: [operation.operationId, at].filter(Boolean).join('/'), mutate };
}

export function showing(
  change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse,
): Handle {
  return async (next, request) => change(await next(request), request);
}

type IsReplaced = (
  response: ServiceResponse,
  request: ServiceRequest,
  last: ServiceRequest,
) => boolean;

/** The last success is shown again, in place of each response for which `isReplaced` holds. */
export function repeating(isReplaced: IsReplaced): Handle {
  let last: { response: ServiceResponse; request: ServiceRequest } | undefined;
  return showing((response, request) => {
    const shown = last && isReplaced(response, request, last.request) ? last.response : response;
    if (succeeded(response)) {
      last = { response, request };
    }
    return shown;
  });
}

export type Choice = (operation: Operation) => boolean;
export const everywhere: Choice = () => true;
export const isWrite = ({ method }: { method: string }): boolean => method !== 'GET';

/** One mutant for each operation that `of` chooses. */
export function perOperation(
  of: Choice,
  make: (operation: Operation) => Handle,
  at?: string,
): Operator {
  return ({ operations }) =>
    operations.filter(of).map((operation) => breaking(operation, () => make(operation), at));
}

/** Handles the calls of an operation; and the end of the mutant's name. */
export type Named = [at: string, make: () => Handle];

/** One mutant for each place in an operation. */
export function perPlace(
  placesOf: (operation: Operation, contract: Contract) => Named[],
): Operator {
  return ({ contract, operations }) =>
    operations.flatMap((operation) =>
      placesOf(operation, contract).map(([at, make]) => breaking(operation, make, at)),
    );
}

export type Fits = (field: Field, subject: Subject) => boolean;

/** One mutant for each field of responses or requests that `fits` chooses. */
export function perField(
  side: 'shown' | 'taken',
  fits: Fits,
  make: (field: Field) => Handle,
): Operator {
  return (subject) =>
    subject[side]
      .filter((one) => fits(one, subject))
      .map((one) =>
        breaking(one.operation, () => make(one), [one.status ?? [], ...one.path].flat().join('/')),
      );
}

/** What a service made, by path and in the order of creation: what requests stated of each. */
type Known = Map<string, Json>;

export type Role = 'create' | 'read' | 'update' | 'remove';

type MakeForResource = (known: Known, resource: Resource) => Handle;

/** One mutant for each operation of a resource in one of the roles. Calls of `other` are handled, too. */
export function perResource(
  roles: readonly Role[],
  make: MakeForResource,
  of = everywhere,
  other?: Role,
): Operator {
  const variantOf = (resource: Resource, role: Role): Variant => ({
    at: resource[role]!.operationId,
    mutate: (service) => {
      const known: Known = new Map();
      const next = remembering(known, resource, service);
      const handle = make(known, resource);
      const handled = [resource[role], other && resource[other]];
      return async (request) => {
        if (handled.some((one) => calls(one, request))) {
          return handle(next, request);
        }
        return next(request);
      };
    },
  });
  return ({ resources }) =>
    resources.flatMap((resource) =>
      roles
        .filter((role) => resource[role] && of(resource[role]))
        .map((role) => variantOf(resource, role)),
    );
}

export const isNested: Choice = ({ path }) => path.includes('}/');

function remembering(known: Known, resource: Resource, service: Service): Service {
  return async (request) => {
    const response = await service(request);
    if (!succeeded(response)) {
      return response;
    }
    const path = pathOf(request);
    const json = jsonOf(request);
    const sent: Json = isObject(json) ? json : {};
    if (calls(resource.create, request)) {
      known.set(createdAt(request, response, resource), sent);
    } else if (calls(resource.remove, request)) {
      known.delete(path);
    } else if (known.has(path) && calls(resource.update, request)) {
      known.set(path, { ...known.get(path), ...sent });
    }
    return response;
  };
}

/** The path of a resource that was created. */
export function createdAt(
  request: ServiceRequest,
  response: ServiceResponse,
  { key }: Resource,
): string {
  return `${pathOf(request)}/${encodeURIComponent(String(jsonOf(response)?.[key]))}`;
}

export { isObject };
export type Json = Record<string, unknown>;

/** Stands for a property or item that is left out. */
export const DROP = Symbol('left out');

/** The JSON of a message; undefined where its body is not JSON. */
export const jsonOf = ({ body }: { body: Buffer | string }): any => parse(body.toString());

/** The JSON of a request; undefined where a parser and a serialiser would change it, as with a name that occurs twice. */
export function plainJsonOf(request: ServiceRequest): any {
  const json = jsonOf(request);
  if (JSON.stringify(json) === request.body.toString()) {
    return json;
  }
  return undefined;
}

export function sending(request: ServiceRequest, json: unknown): ServiceRequest {
  return { ...request, body: Buffer.from(JSON.stringify(json)) };
}

/** @param headers undefined removes one */
export function withHeaders<T extends Pick<ServiceRequest, 'headers'>>(
  message: T,
  headers: NodeJS.Dict<string>,
): T {
  const all = Object.entries({ ...message.headers, ...headers }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...message, headers: Object.fromEntries(all) };
}

export const succeeded = ({ status }: ServiceResponse): boolean => status >= 200 && status < 300;

/** Where the code is not the name of the status. */
const CODES: Record<number, string> = { 400: 'malformed_request', 500: 'internal_error' };

/** A refusal that is right in itself. */
export function problem(status: number, more: object = {}): ServiceResponse {
  const code = CODES[status] ?? STATUS_CODES[status]!.toLowerCase().replaceAll(' ', '_');
  const body = {
    type: 'about:blank',
    title: code,
    status,
    detail: 'It was refused.',
    code,
    request_id: 'm',
    ...more,
  };
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify(body),
  };
}

export const pathOf = ({ target }: ServiceRequest): string => target.split('?', 1)[0]!;
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Pairs of the query, decoded. */
export function queryOf({ target }: ServiceRequest): [string, string][] {
  return [...new URLSearchParams(target.split('?').slice(1).join('?'))];
}

export function withQuery(request: ServiceRequest, pairs: [string, string][]): ServiceRequest {
  const query = String(new URLSearchParams(pairs));
  return { ...request, target: `${pathOf(request)}${query && '?'}${query}` };
}

/** Sends another request on behalf of the same client. */
export function ask(
  service: Service,
  request: ServiceRequest,
  method: string,
  target: string,
  json?: unknown,
) {
  const {
    accept: _,
    'content-length': __,
    'content-type': type = 'application/json',
    ...headers
  } = request.headers;
  if (json === undefined) {
    return service({ method, target, headers, body: Buffer.of() });
  }
  return service(
    sending({ ...request, method, target, headers: { ...headers, 'content-type': type } }, json),
  );
}

/** A moment: far longer than a request, far shorter than a run. */
export const pause = () => setTimeout(15);

/** Another value of the same kind; null, lists and objects stay. */
export function altered(value: unknown, shape: Shape): unknown {
  if (value === null) {
    return null;
  }
  const choice = shape.choices?.find((one) => one !== value && one !== null);
  if (choice !== undefined) {
    return choice;
  }
  if (typeof value === 'boolean') {
    return !value;
  }
  if (typeof value === 'number') {
    if (value < (strictest(shape, 'maximum') ?? Infinity)) {
      return value + 1;
    }
    return value - 1;
  }
  if (typeof value !== 'string') {
    return value;
  }
  // Five minutes earlier.
  if (/^\d{4}-\d\d-\d\dT/.test(value)) {
    return new Date(Date.parse(value) - 300_000).toISOString();
  }
  if (/^https?:/.test(value)) {
    return value.replace(/\/\/[^/]+/, '//other.example.com');
  }
  if (/^\/.*\d$/.test(value)) {
    return value.replace(/\d+$/, (index) => String(Number(index) + 1));
  }
  return `${value}x`;
}

/** A copy with the value at each occurrence of the path changed. `*` stands for any item or property. */
export function editAt(
  value: unknown,
  path: readonly string[],
  change: (value: unknown) => unknown,
): unknown {
  const [name, ...rest] = path;
  if (name === undefined) {
    return change(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value)
    .map(
      ([key, inner]) =>
        [key, name === '*' || key === name ? editAt(inner, rest, change) : inner] as const,
    )
    .filter(([, inner]) => inner !== DROP);
  if (Array.isArray(value)) {
    return entries.map(([, inner]) => inner);
  }
  return Object.fromEntries(entries);
}

/** Adds a property at each object of the path that lacks it. */
export function fillAt(value: unknown, path: readonly string[], fill: unknown): unknown {
  const name = path.at(-1)!;
  const add = (holder: unknown) => {
    if (isObject(holder) && !Object.hasOwn(holder, name)) {
      return { ...holder, [name]: fill };
    }
    return holder;
  };
  if (path.length === 1) {
    return add(value);
  }
  return editAt(value, path.slice(0, -1), add);
}

export const onText = (change: (text: string) => string) => (value: unknown) =>
  typeof value === 'string' ? change(value) : value;
export const onList = (change: (items: unknown[]) => unknown[]) => (value: unknown) =>
  Array.isArray(value) ? change(value) : value;
