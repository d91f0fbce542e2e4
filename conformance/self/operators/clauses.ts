/**
 * One mutant for each clause of a body or parameter: the service does not enforce this clause, and enforces all
 * others. And for each limit: the service refuses what lies on it.
 */
import { proveBreaksOnly } from '../../engine/generate/proof.ts';
import { parameterClauses } from '../../engine/contract/implied.ts';
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import type { Contract } from '../../engine/contract/load.ts';
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { joinPointer, objectAt } from '../../engine/contract/pointers.ts';
import { invalid, invalidParameter, jsonOf } from '../mutate/response.ts';
import { acceptedBody } from '../mutate/operation.ts';
import { instead, type Mutate } from '../mutate/mutate.ts';
import { ask, isObject, jsonIn, queryOf, sending, withParameter } from '../mutate/request.ts';
import type { Service, ServiceRequest } from '../service.ts';
import { type Api, oneOfEach } from './api.ts';
import { idOf, type Operator, type Variant } from './operator.ts';

export const clauses: Operator[] = [
  {
    name: 'accept-clause',
    description: 'A clause of a body or parameter is not enforced, and all others are.',
    variants: (api) =>
      chosen(
        api.operations.flatMap((operation) => [
          ...acceptedBodies(api, operation),
          ...acceptedParameters(api, operation),
        ]),
        'accept-clause',
      ),
  },
  {
    name: 'tighten-clause',
    description: 'A value that a clause just allows is refused.',
    variants: (api) =>
      chosen(
        api.operations.flatMap((operation) => [...refusedBodies(api, operation), ...refusedParameters(api, operation)]),
        'tighten-clause',
      ),
  },
];

/** A variant, and the rule of the contract that it breaks. */
interface Breach extends Variant {
  rule: string | undefined;
}

/** Rules of inner fields stand for several operations, and most of them for several modules. */
function chosen(breaches: Breach[], operator: string): Variant[] {
  return oneOfEach(breaches, ({ rule }) => rule, operator);
}

function variant({ operationId, level }: Operation, id: string, { pointer, path }: Clause, mutate: Mutate): Breach {
  return {
    at: `${operationId}/${id}`,
    level,
    mutate,
    rule: path.length > 1 ? `${pointer} ${id.split('-')[1] ?? ''}` : undefined,
  };
}

function acceptedBodies({ contract }: Api, operation: Operation): Breach[] {
  const { requestBody: body } = operation;
  if (!body) return [];
  return clausesOf(contract, body.pointer).map((clause) =>
    variant(operation, clause.id, clause, acceptsBody(contract, body.pointer, operation, clause)),
  );
}

function refusedBodies({ contract }: Api, operation: Operation): Breach[] {
  const { requestBody: body } = operation;
  if (!body) return [];
  return clausesOf(contract, body.pointer).flatMap((clause) =>
    limitsOf(clause).map(({ name, lies }) =>
      variant(operation, `${clause.id}${name}`, clause, refusesBody(operation, clause, lies)),
    ),
  );
}

function acceptsBody(contract: Contract, schema: string, operation: Operation, clause: Clause): Mutate {
  const operationId = idOf(operation);
  return instead(operationId, (next, request) => {
    const body = jsonIn(request);
    if (body === undefined || !proveBreaksOnly(contract, schema, clause, body)) return next(request);
    return next(sending(request, acceptedBody(operationId)));
  });
}

interface Limit {
  /** Tells the limits of one clause apart. */
  name: string;
  lies(value: unknown): boolean;
}

/** Values that a clause just allows. */
function limitsOf({ keyword, schema }: Clause): Limit[] {
  const stated = schema[keyword];
  const limit = (lies: Limit['lies'], name = ''): Limit => ({ name, lies });
  const count = (value: unknown) => (typeof value === 'string' ? [...value].length : -1);
  switch (keyword) {
    case 'x-max-bytes':
      return [limit((value) => typeof value === 'string' && Buffer.byteLength(value) === stated)];
    case 'maxLength':
      // A limit in bytes is met first, and has a mutant of its own.
      return Number(schema['x-max-bytes'] ?? Infinity) <= Number(stated)
        ? []
        : [limit((value) => count(value) === stated)];
    case 'minLength':
      return [limit((value) => count(value) === stated)];
    case 'minItems':
    case 'maxItems':
      return [limit((value) => Array.isArray(value) && value.length === stated)];
    case 'minimum':
    case 'maximum':
      return [limit((value) => value === stated)];
    case 'enum':
      return (stated as unknown[]).map((choice) => limit((value) => value === choice, `-${String(choice)}`));
    default:
      return [];
  }
}

function refusesBody(operation: Operation, clause: Clause, lies: (value: unknown) => boolean): Mutate {
  return instead(idOf(operation), async (next, request) => {
    const at = placesOf(jsonIn(request), clause).find(([, value]) => lies(value));
    return at ? invalid(at[0], 'value') : next(request);
  });
}

/** The values at a path, each with its pointer; where a clause binds names, these. */
function placesOf(
  value: unknown,
  { path, onNames }: Pick<Clause, 'path' | 'onNames'>,
  pointer = '',
): [string, unknown][] {
  const [name, ...rest] = path;
  if (name === undefined)
    return onNames ? (isObject(value) ? Object.keys(value).map((key) => [pointer, key]) : []) : [[pointer, value]];
  const inside = (key: string | number, one: unknown) =>
    placesOf(one, { path: rest, ...(onNames ? { onNames } : {}) }, joinPointer(pointer, key));
  if (Array.isArray(value) && name === '*') return value.flatMap((item, index) => inside(index, item));
  if (!isObject(value)) return [];
  if (name === '*') return Object.entries(value).flatMap(([key, one]) => inside(key, one));
  return Object.hasOwn(value, name) ? inside(name, value[name]) : [];
}

function acceptedParameters(api: Api, operation: Operation): Breach[] {
  const { contract } = api;
  return operation.parameters.flatMap((parameter) => {
    const schema = joinPointer(parameter.pointer, 'schema');
    const own = clausesOf(contract, schema);
    return parameterClauses(contract, parameter.pointer).map((clause, index) => {
      const breaks = (raw: string) => proveBreaksOnly(contract, schema, own[index]!, spelled(contract, parameter, raw));
      return variant(
        operation,
        `${parameter.in}.${clause.id}`,
        clause,
        parameter.in === 'path'
          ? acceptsPath(api, operation, parameter, breaks)
          : acceptsQuery(operation, parameter, breaks),
      );
    });
  });
}

function refusedParameters({ contract }: Api, operation: Operation): Breach[] {
  return (
    operation.parameters
      // A value on a limit of a path names another resource, and a cursor is the service's own.
      .filter((parameter) => parameter.in === 'query' && parameter.name !== 'cursor')
      .flatMap((parameter) =>
        parameterClauses(contract, parameter.pointer).flatMap((clause) =>
          limitsOf(clause).map(({ lies }) =>
            variant(
              operation,
              `query.${clause.id}`,
              clause,
              refusesQuery(operation, parameter, (raw) => lies(spelled(contract, parameter, raw))),
            ),
          ),
        ),
      )
  );
}

/** The JSON value that a parameter stands for. */
function spelled(contract: Contract, parameter: Parameter, raw: string): unknown {
  return objectAt(contract.document, parameter.schema)['type'] === 'integer' && /^-?(0|[1-9]\d*)$/.test(raw)
    ? Number(raw)
    : raw;
}

function acceptsQuery(operation: Operation, parameter: Parameter, breaks: (raw: string) => boolean): Mutate {
  return instead(idOf(operation), (next, request) =>
    next(withParameter(request, parameter.name, (raw) => (breaks(raw) ? undefined : raw))),
  );
}

function refusesQuery(operation: Operation, parameter: Parameter, lies: (raw: string) => boolean): Mutate {
  return instead(idOf(operation), async (next, request) =>
    queryOf(request).some(([name, raw]) => name === parameter.name && lies(raw))
      ? invalidParameter(parameter.name, 'value')
      : next(request),
  );
}

/** In place of what cannot exist, something else that does. */
function acceptsPath(api: Api, operation: Operation, parameter: Parameter, breaks: (raw: string) => boolean): Mutate {
  return instead(idOf(operation), async (next, request, { path }) =>
    breaks(path[parameter.name]!)
      ? next({ ...request, target: await existing(api, next, request, operation.path) })
      : next(request),
  );
}

/** The path of something that exists, made for this purpose. */
async function existing(api: Api, service: Service, request: ServiceRequest, template: string): Promise<string> {
  const { create, collection, item, key, parent } = api.resources.find((one) =>
    [one.item, one.collection].includes(template),
  )!;
  const above = parent ? await existing(api, service, request, parent.item) : '';
  const below = collection.split('/').slice(parent?.item.split('/').length ?? 0);
  const list = [above, ...below]
    .filter((segment, index) => index > 0 || segment !== '')
    .join('/')
    .replaceAll(/\{[^}]+\}/g, 'accepted');
  const path = list.startsWith('/') ? list : `/${list}`;
  if (template !== item) return path;
  const made = await ask(service, request, 'POST', path, acceptedBody(idOf(create)));
  return `${path}/${encodeURIComponent(jsonOf(made)[key])}`;
}
