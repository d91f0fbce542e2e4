/** Checks of requests: one clause is not checked while all others are, or a class of valid values is refused. */
import { clausesOf } from '../../engine/contract/clauses.ts';
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { joinPointer } from '../../engine/contract/pointers.ts';
import { shapeOf, spelled, strictest } from '../../engine/contract/shape.ts';
import { proveBreaksOnly } from '../../engine/generate/violations.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { editAt, jsonOf, problem, queryOf, succeeded } from './messages.ts';
import { instead, type Mutate, type Operator, type Operators } from './operator.ts';
import { type Field, has, pathOf } from './subject.ts';

/** A request that breaks the clause alone gets the last success of the operation, as if it had been done. */
function accepting(operation: Operation, breaks: (request: ServiceRequest) => boolean): Mutate {
  return (service) => {
    let last: ServiceResponse | undefined;
    return instead(operation, async (next, request) => {
      const response = await next(request);
      if (succeeded(response)) last = response;
      return !succeeded(response) && last && breaks(request) ? last : response;
    })(service);
  };
}

/** The value of a parameter of the query or the path, as it was sent. */
function rawOf({ name, in: place }: Parameter, { path }: Operation, request: ServiceRequest): string | undefined {
  if (place === 'query') return queryOf(request).find(([one]) => one === name)?.[1];
  const index = path.split('/').indexOf(`{${name}}`);
  return index < 0 ? undefined : decodeURIComponent(pathOf(request).split('/')[index] ?? '');
}

/** One mutant for each value of a request that is on the limit, null, empty or the like. */
const refusing = (fits: (field: Field) => boolean, isRefused: (value: any, field: Field) => boolean): Operator => {
  return ({ taken }) =>
    taken.filter(fits).map((field) => ({
      at: [field.operation.operationId, ...field.path].join('/'),
      level: field.level,
      mutate: instead(field.operation, async (next, request) => {
        let found = false;
        const look = (value: unknown) => ((found ||= isRefused(value, field)), value);
        editAt(jsonOf(request), field.path, look);
        const errors = [{ pointer: `/${field.path.join('/')}`, code: 'value', detail: 'It is refused.' }];
        return found ? problem(400, 'invalid_request', { errors }) : next(request);
      }),
    }));
};

const isEmptiable = (field: Field) => has(field, 'string', 'array', 'integer');
const limited = (keyword: string) => (field: Field) => strictest(field.shape, keyword) !== undefined;
const isText = (value: unknown) => typeof value === 'string';

export const clauses: Operators = {
  'unchecked-body': ({ contract, operations }) =>
    operations.flatMap((operation) => {
      const pointer = operation.requestBody?.pointer;
      if (pointer === undefined) return [];
      return clausesOf(contract, pointer).map((clause) => ({
        ...{ at: `${operation.operationId}/${clause.id}`, level: operation.level },
        mutate: accepting(operation, (request) => {
          const body = jsonOf(request);
          return body !== undefined && proveBreaksOnly(contract, pointer, clause, body);
        }),
      }));
    }),
  'unchecked-parameter': ({ contract, operations }) =>
    operations.flatMap((operation) =>
      operation.parameters.flatMap((parameter) => {
        const schema = joinPointer(parameter.pointer, 'schema');
        return clausesOf(contract, schema).map((clause) => ({
          ...{ at: `${operation.operationId}/${parameter.name}.${clause.keyword}`, level: operation.level },
          mutate: accepting(operation, (request) => {
            const raw = rawOf(parameter, operation, request);
            const value = raw === undefined ? raw : spelled(shapeOf(contract, schema), raw);
            return raw !== undefined && proveBreaksOnly(contract, schema, clause, value);
          }),
        }));
      }),
    ),
  'refuse-null': refusing(
    (field) => has(field, 'null'),
    (value) => value === null,
  ),
  'refuse-empty': refusing(
    isEmptiable,
    (value) => value === '' || value === 0 || (Array.isArray(value) && value.length === 0),
  ),
  'refuse-longest': refusing(
    limited('maxLength'),
    (value, { shape }) => isText(value) && [...value].length === strictest(shape, 'maxLength'),
  ),
  'refuse-fullest': refusing(
    limited('maxItems'),
    (value, { shape }) => Array.isArray(value) && value.length === strictest(shape, 'maxItems'),
  ),
  'refuse-largest': refusing(
    limited('maximum'),
    (value, { shape }) => typeof value === 'number' && value === strictest(shape, 'maximum'),
  ),
  'refuse-non-ascii': refusing(
    (field) => has(field, 'string') && !field.shape.choices,
    (value) => isText(value) && /[^\0-\x7F]/.test(value),
  ),
};
