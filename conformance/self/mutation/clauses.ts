/** Checks of requests: one clause is not checked while all others are, or a class of valid values is refused. */
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import type { Contract } from '../../engine/contract/load.ts';
import type { Parameter } from '../../engine/contract/operations.ts';
import { joinPointer } from '../../engine/contract/pointers.ts';
import { shapeOf, spelled, strictest } from '../../engine/contract/shape.ts';
import { proveBreaksOnly } from '../../engine/generate/cases.ts';
import type { ServiceRequest } from '../service.ts';
import { editAt, jsonOf, pathOf, problem, queryOf, succeeded, withHeaders, withQuery } from './messages.ts';
import { type Field, fromEach, type Handle, has, isFreeText, type Operator, type Operators } from './operator.ts';
import { perField, perPlace, type Named, repeating } from './operator.ts';

/** For each clause: a request that breaks it alone gets the last success of the operation, as if it had been done. */
function unchecked(
  contract: Contract,
  schema: string,
  valueOf: (one: ServiceRequest) => unknown,
): [Clause, () => Handle][] {
  const ignoring = (clause: Clause) =>
    repeating((response, request) => {
      const value = succeeded(response) ? undefined : valueOf(request);
      return value !== undefined && proveBreaksOnly(contract, schema, clause, value);
    });
  return clausesOf(contract, schema).map((clause) => [clause, () => ignoring(clause)]);
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

const perParameter = (make: (parameter: Parameter) => Handle): Operator =>
  perPlace(({ parameters }) => parameters.filter((one) => one.in !== 'path').map((one) => [one.name, () => make(one)]));

const LIMITS = ['maxLength', 'maxItems', 'maximum'];
const isList = (value: unknown) => Array.isArray(value);
const sizeOf = (value: unknown) =>
  typeof value === 'string' ? [...value].length : isList(value) ? value.length : value;

/** Requests with a value that is on the limit, null, empty or the like are refused. */
const REFUSED: Record<string, [fits: (field: Field) => boolean, isRefused: (value: any, field: Field) => boolean]> = {
  'refuse-null': [(field) => has(field, 'null'), (value) => value === null],
  'refuse-empty': [
    (field) => has(field, 'string', 'array', 'integer'),
    (value) => value === '' || value === 0 || (isList(value) && value.length === 0),
  ],
  'refuse-limit': [
    ({ shape }) => LIMITS.some((keyword) => strictest(shape, keyword) !== undefined),
    (value, { shape }) => LIMITS.some((keyword) => strictest(shape, keyword) === sizeOf(value)),
  ],
  'refuse-non-ascii': [isFreeText, (value) => typeof value === 'string' && /[^\0-\x7F]/.test(value)],
  'refuse-case-pairs': [
    (field) => has(field, 'array'),
    (value) => isList(value) && new Set(value.map((one) => String(one).toLowerCase())).size < new Set(value).size,
  ],
};

export const clauses: Operators = {
  'unchecked-body': perPlace(({ requestBody }, contract) =>
    requestBody ? unchecked(contract, requestBody.pointer, jsonOf).map(([{ id }, make]) => [id, make]) : [],
  ),
  'unchecked-segment': perPlace((operation, contract) =>
    operation.parameters
      .filter((one) => one.in === 'path')
      .flatMap((parameter) => {
        const schema = joinPointer(parameter.pointer, 'schema');
        const shape = shapeOf(contract, schema);
        const index = operation.path.split('/').indexOf(`{${parameter.name}}`);
        const valueOf = (one: ServiceRequest) => spelled(shape, decodeURIComponent(pathOf(one).split('/')[index]!));
        // A segment is always a text.
        return unchecked(contract, schema, valueOf)
          .filter(([{ keyword }]) => keyword !== 'type' || !shape.types.has('string'))
          .map(([{ keyword }, make]): Named => [`${parameter.name}.${keyword}`, make]);
      }),
  ),
  'unchecked-parameter': perParameter(forgiving),
  'ignore-parameter': perParameter((parameter) => (next, request) => next(withParameter(parameter, request))),
  ...fromEach(REFUSED, ([fits, isRefused]): Operator =>
    perField('taken', fits, (field) => async (next, request) => {
      let found = false;
      editAt(jsonOf(request), field.path, (value) => ((found ||= isRefused(value, field)), value));
      const errors = [{ pointer: `/${field.path.join('/')}`, code: 'value', detail: 'It is refused.' }];
      return found ? problem(400, { code: 'invalid_request', errors }) : next(request);
    }),
  ),
};
