/** All errors that a request has by the contract: a service may report any of them. */
import type { Contract } from '../../engine/contract/load.ts';
import type { Operation } from '../../engine/contract/operations.ts';
import { type CallInput, queryOf } from '../../engine/http/call.ts';
import { parse } from '../../engine/http/response.ts';
import { errorsBeyondSchema } from './errors-beyond-schema.ts';
import { type ErrorRules, fieldErrorTable } from './field-error-table.ts';
import type { RequestError } from './request-error.ts';
import { fieldErrorsOf, parameterErrors } from './schema-errors.ts';

/**
 * Empty if the contract has no table of field errors. A body that is not JSON has no errors here.
 */
export function requestErrors(
  contract: Contract,
  operation: Operation,
  input: CallInput,
): RequestError[] {
  const table = fieldErrorTable(contract);
  if (!table) {
    return [];
  }
  const rules = { contract, table };
  const pairs = queryOf(input);
  return [
    ...bodyErrors(rules, operation, input),
    ...queryErrors(rules, operation, pairs),
    ...startErrors(operation, pairs),
    ...pathErrors(rules, operation, input),
  ];
}

function bodyErrors(
  rules: ErrorRules,
  { requestBody, pointer }: Operation,
  { json, body }: CallInput,
): RequestError[] {
  if (!requestBody) {
    return [];
  }
  const value = body === undefined ? json : parse(body.toString());
  if (value !== undefined) {
    return [...fieldErrorsOf(rules, requestBody.pointer, value), ...errorsBeyondSchema(value)];
  }
  const isMissing = json === undefined && (body === undefined || body.length === 0);
  if (requestBody.required && isMissing) {
    return [{ codes: ['required'], pointers: [''], clause: `${pointer}/requestBody` }];
  }
  return [];
}

type Pairs = readonly (readonly [name: string, value: string])[];

function queryErrors(rules: ErrorRules, operation: Operation, pairs: Pairs): RequestError[] {
  const errors: RequestError[] = [];
  for (const [name, value] of pairs) {
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name);
    if (!parameter) {
      errors.push({ codes: ['unknown'], parameter: name, clause: operation.pointer });
      continue;
    }
    const isRepeated = pairs.filter(([other]) => other === name).length > 1;
    const refused = REFUSED_AS.get(name) ?? [];
    if (!isRepeated) {
      errors.push(...parameterErrors(rules, parameter, value));
    }
    const codes = isRepeated ? ['repeated', ...refused] : refused;
    if (codes.length > 0) {
      errors.push({ codes, parameter: name, clause: parameter.pointer });
    }
  }
  return errors;
}

/**
 * The errors of values that the schema allows and a service may refuse (D16): a cursor that it did
 * not issue, or that it has under another name, and the id of no edge.
 */
const REFUSED_AS: ReadonlyMap<string, readonly string[]> = new Map([
  ['cursor', ['format', 'unknown']],
  ['before_id', ['format']],
]);

/**
 * `cursor` and `before_id` both name the beginning of a page: a request may have one of them only
 * (D16).
 */
function startErrors({ parameters }: Operation, pairs: Pairs): RequestError[] {
  const before = parameters.find(({ name }) => name === 'before_id');
  const isSent = (name: string) => pairs.some(([other]) => other === name);
  if (!before || !isSent('cursor') || !isSent('before_id')) {
    return [];
  }
  return [{ codes: ['not_allowed_here'], parameter: 'before_id', clause: before.pointer }];
}

function pathErrors(
  rules: ErrorRules,
  { parameters }: Operation,
  { path = {} }: CallInput,
): RequestError[] {
  const inPath = parameters.filter((one) => one.in === 'path');
  return inPath.flatMap((one) => parameterErrors(rules, one, path[one.name] ?? ''));
}
