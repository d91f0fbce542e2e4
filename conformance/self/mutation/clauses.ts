/** Checks of requests: one clause is not checked while all others are, or a class of valid values is refused. */
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { joinPointer } from '../../engine/contract/pointers.ts';
import { shapeOf, spelled, strictest } from '../../engine/contract/shape.ts';
import { proveBreaksOnly } from '../../engine/generate/violations.ts';
import type { ServiceRequest } from '../service.ts';
import { editAt, jsonOf, pathOf, problem, queryOf, succeeded, withHeaders, withQuery } from './messages.ts';
import { breaking, fromEach, type Handle, type Operator, type Operators, perField, repeating } from './operator.ts';
import { type Field, has, isFreeText, type Subject } from './operator.ts';

type ValueOf = (request: ServiceRequest) => unknown;

/** A request that breaks the clause alone gets the last success of the operation, as if it had been done. */
function unchecked({ contract }: Subject, schema: string, clause: Clause, valueOf: ValueOf): Handle {
  return repeating((response, request) => {
    const value = succeeded(response) ? undefined : valueOf(request);
    return value !== undefined && proveBreaksOnly(contract, schema, clause, value);
  });
}

/** The value of a parameter of the path, as it was sent. */
function segmentOf({ name }: Parameter, { path }: Operation, request: ServiceRequest): string {
  return decodeURIComponent(pathOf(request).split('/')[path.split('/').indexOf(`{${name}}`)] ?? '');
}

/** The request with the value that a parameter had in another one, or without it. */
function withParameter({ name, in: place }: Parameter, request: ServiceRequest, from?: ServiceRequest): ServiceRequest {
  const header = place === 'cookie' ? 'cookie' : name.toLowerCase();
  if (place !== 'query') return withHeaders(request, { [header]: from?.headers[header] });
  const isOwn = ([one]: [string, string]) => one === name || one.startsWith(`${name}[`);
  const others = queryOf(request).filter((one) => !isOwn(one));
  return withQuery(request, [...others, ...(from ? queryOf(from).filter(isOwn) : [])]);
}

/** A request that is refused for a parameter is done with the value of one that succeeded. */
function forgiving(parameter: Parameter): Handle {
  let good: ServiceRequest | undefined;
  return async (next, request) => {
    const response = await next(request);
    if (succeeded(response)) good = request;
    if (response.status !== 400) return response;
    const second = await next(withParameter(parameter, request, good));
    return succeeded(second) ? second : response;
  };
}

const isText = (value: unknown) => typeof value === 'string';
const isList = (value: unknown) => Array.isArray(value);
const limited = (keyword: string) => (field: Field) => strictest(field.shape, keyword) !== undefined;

/** Requests with a value that is on the limit, null, empty or the like are refused. */
const REFUSED: Record<string, [fits: (field: Field) => boolean, isRefused: (value: any, field: Field) => boolean]> = {
  'refuse-null': [(field) => has(field, 'null'), (value) => value === null],
  'refuse-empty': [
    (field) => has(field, 'string', 'array', 'integer'),
    (value) => value === '' || value === 0 || (isList(value) && value.length === 0),
  ],
  'refuse-longest': [
    limited('maxLength'),
    (value, { shape }) => isText(value) && [...value].length === strictest(shape, 'maxLength'),
  ],
  'refuse-fullest': [
    limited('maxItems'),
    (value, { shape }) => isList(value) && value.length === strictest(shape, 'maxItems'),
  ],
  'refuse-largest': [limited('maximum'), (value, { shape }) => value === strictest(shape, 'maximum')],
  'refuse-non-ascii': [isFreeText, (value) => isText(value) && /[^\0-\x7F]/.test(value)],
  'refuse-case-pairs': [
    (field) => has(field, 'array'),
    (value) => isList(value) && new Set(value.map((one) => String(one).toLowerCase())).size < new Set(value).size,
  ],
};

export const clauses: Operators = {
  'unchecked-body': (subject) =>
    subject.operations.flatMap((operation) => {
      const schema = operation.requestBody?.pointer;
      if (schema === undefined) return [];
      return clausesOf(subject.contract, schema).map((clause) =>
        breaking(operation, `${operation.operationId}/${clause.id}`, () => unchecked(subject, schema, clause, jsonOf)),
      );
    }),
  'unchecked-segment': (subject) =>
    subject.operations.flatMap((operation) =>
      operation.parameters.flatMap((parameter) => {
        const schema = joinPointer(parameter.pointer, 'schema');
        const shape = shapeOf(subject.contract, schema);
        // A segment is always a text.
        const isTested = ({ keyword }: Clause) => keyword !== 'type' || !shape.types.has('string');
        const valueOf = (request: ServiceRequest) => spelled(shape, segmentOf(parameter, operation, request));
        return (parameter.in === 'path' ? clausesOf(subject.contract, schema).filter(isTested) : []).map((clause) => {
          const at = `${operation.operationId}/${parameter.name}.${clause.keyword}`;
          return breaking(operation, at, () => unchecked(subject, schema, clause, valueOf));
        });
      }),
    ),
  'unchecked-parameter': ({ operations }) =>
    operations.flatMap((operation) =>
      operation.parameters
        .filter((one) => one.in !== 'path')
        .map((one) => breaking(operation, `${operation.operationId}/${one.name}`, () => forgiving(one))),
    ),
  ...fromEach(REFUSED, ([fits, isRefused]): Operator =>
    perField('taken', fits, (field) => async (next, request) => {
      let found = false;
      editAt(jsonOf(request), field.path, (value) => ((found ||= isRefused(value, field)), value));
      const errors = [{ pointer: `/${field.path.join('/')}`, code: 'value', detail: 'It is refused.' }];
      return found ? problem(400, 'invalid_request', { errors }) : next(request);
    }),
  ),
};
