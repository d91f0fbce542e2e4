/** Checks of requests: one clause is not checked while all others are, or a class of valid values is refused. */
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { joinPointer } from '../../engine/contract/pointers.ts';
import { shapeOf, spelled, strictest } from '../../engine/contract/shape.ts';
import { proveBreaksOnly } from '../../engine/generate/violations.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { editAt, jsonOf, problem, queryOf, succeeded, withHeaders, withQuery } from './messages.ts';
import { instead, type Mutate, type Operator, type Operators, perField } from './operator.ts';
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

/** The value of a parameter of the path, as it was sent. */
function segmentOf({ name }: Parameter, { path }: Operation, request: ServiceRequest): string {
  return decodeURIComponent(pathOf(request).split('/')[path.split('/').indexOf(`{${name}}`)] ?? '');
}

/** The request with the value that a parameter had in another one, or without it. */
function withParameter({ name, in: place }: Parameter, request: ServiceRequest, from?: ServiceRequest): ServiceRequest {
  const header = place === 'cookie' ? 'cookie' : name.toLowerCase();
  if (place !== 'query') return withHeaders(request, { [header]: from?.headers[header] });
  const isOwn = ([one]: readonly [string, string]) => one === name || one.startsWith(`${name}[`);
  return withQuery(request, [
    ...queryOf(request).filter((one) => !isOwn(one)),
    ...(from ? queryOf(from).filter(isOwn) : []),
  ]);
}

/** Requests with a value that is on the limit, null, empty or the like are refused. */
const refusing = (fits: (field: Field) => boolean, isRefused: (value: any, field: Field) => boolean): Operator =>
  perField('taken', fits, (field) =>
    instead(field.operation, async (next, request) => {
      let found = false;
      const look = (value: unknown) => ((found ||= isRefused(value, field)), value);
      editAt(jsonOf(request), field.path, look);
      const errors = [{ pointer: `/${field.path.join('/')}`, code: 'value', detail: 'It is refused.' }];
      return found ? problem(400, 'invalid_request', { errors }) : next(request);
    }),
  );

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
  'unchecked-segment': ({ contract, operations }) =>
    operations.flatMap((operation) =>
      operation.parameters.flatMap((parameter) => {
        const schema = joinPointer(parameter.pointer, 'schema');
        // A segment is always a text.
        const isTested = ({ keyword }: Clause) => keyword !== 'type' || !shapeOf(contract, schema).types.has('string');
        return (parameter.in === 'path' ? clausesOf(contract, schema).filter(isTested) : []).map((clause) => ({
          ...{ at: `${operation.operationId}/${parameter.name}.${clause.keyword}`, level: operation.level },
          mutate: accepting(operation, (request) =>
            proveBreaksOnly(
              contract,
              schema,
              clause,
              spelled(shapeOf(contract, schema), segmentOf(parameter, operation, request)),
            ),
          ),
        }));
      }),
    ),
  // A request that is refused for a parameter is done with the value of one that succeeded.
  'unchecked-parameter': ({ operations }) =>
    operations.flatMap((operation) =>
      operation.parameters
        .filter((one) => one.in !== 'path')
        .map((parameter) => ({
          ...{ at: `${operation.operationId}/${parameter.name}`, level: operation.level },
          mutate: (service) => {
            let good: ServiceRequest | undefined;
            return instead(operation, async (next, request) => {
              const response = await next(request);
              if (succeeded(response)) good = request;
              if (response.status !== 400) return response;
              const second = await next(withParameter(parameter, request, good));
              return succeeded(second) ? second : response;
            })(service);
          },
        })),
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
  'refuse-case-pairs': refusing(
    (field) => has(field, 'array'),
    (value) =>
      Array.isArray(value) && new Set(value.map((one) => String(one).toLowerCase())).size < new Set(value).size,
  ),
};
