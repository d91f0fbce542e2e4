/**
 * One mutant for each clause of a body or parameter: the service does not enforce this clause, and enforces all
 * others. And for each limit: the service refuses what lies on it.
 */
import { proveBreaksOnly } from '../../engine/generate/proof.ts';
import { parameterClauses } from '../../engine/contract/implied.ts';
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import type { Contract } from '../../engine/contract/load.ts';
import { type Operation, operationsOf, type Parameter } from '../../engine/contract/operations.ts';
import { objectAt, joinPointer } from '../../engine/contract/pointers.ts';
import { requirementsOf } from '../../api/index.ts';
import { type Mutant, mutantsOf } from '../mutant.ts';
import { invalid, invalidParameter, jsonOf } from '../mutate/response.ts';
import { acceptedBody, type OperationId } from '../mutate/operation.ts';
import { instead, type Mutate } from '../mutate/mutate.ts';
import { ask, isObject, jsonIn, queryOf, sending, sourcesPath, withParameter } from '../mutate/request.ts';

const mutant = mutantsOf('clauses');

export function clauseMutants(contract: Contract): Mutant[] {
  const tried = new Set(requirementsOf(contract).map(({ id }) => id));
  return operationsOf(contract)
    .flatMap((operation) => [
      ...bodyMutants(contract, operation),
      ...operation.parameters.flatMap((parameter) => parameterMutants(contract, operation, parameter)),
    ])
    .filter(({ killedBy }) => tried.has(killedBy));
}

function bodyMutants(contract: Contract, operation: Operation): Mutant[] {
  const { requestBody: body, operationId } = operation;
  if (!body) return [];
  return clausesOf(contract, body.pointer).flatMap((clause) => {
    const id = `${operationId}.body.${clause.id}`;
    const accepts = mutant(
      `accepts-${id}`,
      id,
      `${operationId} does not enforce \`${clause.id}\` of its body.`,
      acceptsBody(contract, body.pointer, operation, clause),
    );
    return [
      accepts,
      ...limitsOf(clause).map(({ name, words, lies }) =>
        mutant(
          `refuses-${id}${name}`,
          id,
          `${operationId} refuses ${words} of \`${clause.path.join('.')}\`.`,
          refusesBody(operation, clause, lies),
        ),
      ),
    ];
  });
}

function acceptsBody(contract: Contract, schema: string, operation: Operation, clause: Clause): Mutate {
  const operationId = operation.operationId as OperationId;
  return instead(operationId, (next, request) => {
    const body = jsonIn(request);
    if (body === undefined || !proveBreaksOnly(contract, schema, clause, body)) return next(request);
    return next(sending(request, acceptedBody(operationId)));
  });
}

interface Limit {
  /** Tells the limits of one clause apart. */
  name: string;
  words: string;
  lies(value: unknown): boolean;
}

/** Values that a clause just allows. */
function limitsOf({ keyword, schema }: Clause): Limit[] {
  const stated = schema[keyword];
  switch (keyword) {
    case 'x-max-bytes':
      return [
        {
          name: '',
          words: `a text of ${String(stated)} bytes`,
          lies: (value) => typeof value === 'string' && Buffer.byteLength(value) === stated,
        },
      ];
    case 'maxLength':
      // A limit in bytes is met first, and has a mutant of its own.
      if (Number(schema['x-max-bytes'] ?? Infinity) <= Number(stated)) return [];
      return [
        {
          name: '',
          words: `a text of ${String(stated)} characters`,
          lies: (value) => typeof value === 'string' && [...value].length === stated,
        },
      ];
    case 'maxItems':
      return [
        {
          name: '',
          words: `a list of ${String(stated)} items`,
          lies: (value) => Array.isArray(value) && value.length === stated,
        },
      ];
    case 'minimum':
    case 'maximum':
      return [{ name: '', words: String(stated), lies: (value) => value === stated }];
    case 'enum':
      return (stated as unknown[]).map((choice) => ({
        name: `-${String(choice)}`,
        words: `\`${String(choice)}\``,
        lies: (value) => value === choice,
      }));
    default:
      return [];
  }
}

function refusesBody(operation: Operation, clause: Clause, lies: (value: unknown) => boolean): Mutate {
  return instead(operation.operationId as OperationId, async (next, request) => {
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

function parameterMutants(contract: Contract, operation: Operation, parameter: Parameter): Mutant[] {
  const { operationId } = operation;
  const own = clausesOf(contract, joinPointer(parameter.pointer, 'schema'));
  return parameterClauses(contract, parameter.pointer).flatMap((clause, index) => {
    const id = `${operationId}.${parameter.in}.${clause.id}`;
    const breaks = (raw: string) =>
      proveBreaksOnly(
        contract,
        joinPointer(parameter.pointer, 'schema'),
        own[index]!,
        spelled(contract, parameter, raw),
      );
    const accepts = mutant(
      `accepts-${id}`,
      id,
      `${operationId} does not enforce \`${clause.id}\`.`,
      parameter.in === 'path' ? acceptsPath(operation, parameter, breaks) : acceptsQuery(operation, parameter, breaks),
    );
    // A value on a limit of a path names another resource, and a cursor is the service's own.
    const limits = parameter.in === 'query' && parameter.name !== 'cursor' ? limitsOf(clause) : [];
    return [
      accepts,
      ...limits.map(({ words, lies }) =>
        mutant(
          `refuses-${id}`,
          id,
          `${operationId} refuses ${words} for \`${parameter.name}\`.`,
          refusesQuery(operation, parameter, (raw) => lies(spelled(contract, parameter, raw))),
        ),
      ),
    ];
  });
}

/** The JSON value that a parameter stands for. */
function spelled(contract: Contract, parameter: Parameter, raw: string): unknown {
  return objectAt(contract.document, parameter.schema)['type'] === 'integer' && /^-?(0|[1-9]\d*)$/.test(raw)
    ? Number(raw)
    : raw;
}

function acceptsQuery(operation: Operation, parameter: Parameter, breaks: (raw: string) => boolean): Mutate {
  return instead(operation.operationId as OperationId, (next, request) =>
    next(withParameter(request, parameter.name, (raw) => (breaks(raw) ? undefined : raw))),
  );
}

function refusesQuery(operation: Operation, parameter: Parameter, lies: (raw: string) => boolean): Mutate {
  return instead(operation.operationId as OperationId, async (next, request) =>
    queryOf(request).some(([name, raw]) => name === parameter.name && lies(raw))
      ? invalidParameter(parameter.name, 'value')
      : next(request),
  );
}

/** In place of what cannot exist, something else that does. */
function acceptsPath(operation: Operation, parameter: Parameter, breaks: (raw: string) => boolean): Mutate {
  return instead(operation.operationId as OperationId, async (next, request, { path }) => {
    if (!breaks(path[parameter.name]!)) return next(request);
    const made = async (target: string, body: unknown) =>
      jsonOf(await ask(next, request, 'POST', target, body)) as { id: string };
    const at = async () => {
      if ('subscription_id' in path) {
        if (!('type' in path)) return sourcesPath('accepted');
        await made(sourcesPath('accepted'), { type: 'accepted.v0' });
        return sourcesPath('accepted', 'accepted.v0');
      }
      const edge = `/edges/https/${(await made('/edges/https', {})).id}`;
      if (!('edge_id' in path)) return edge;
      return 'id' in path
        ? `${edge}/routes/${(await made(`${edge}/routes`, acceptedBody('createRoute'))).id}`
        : `${edge}/routes`;
    };
    return next({ ...request, target: await at() });
  });
}
