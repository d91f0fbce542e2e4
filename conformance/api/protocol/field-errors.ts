/**
 * The errors that a request has by the contract, so that those which a service reports can be compared with them. Which
 * of several it reports, and in which order it looks, is free.
 */
import { type FieldErrorRule, fieldErrorsOf, fieldErrorTable } from './field-error-table.ts';
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { Nonconformity, show } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { CallInput } from '../../engine/http/call.ts';
import { errorsBeyondSchema } from './errors-beyond-schema.ts';

export type RequestError = FieldErrorRule | ParameterError;

interface ParameterError {
  codes: readonly string[] | undefined;
  parameter: string;
  in?: Parameter['in'];
  clause: string;
}

/** None where the request is right, and where the contract has no table of field errors. Bodies that are sent as bytes are not read. */
export function requestErrors(
  { contract }: Implementation,
  operation: Operation,
  { json, body, query = [], path = {} }: CallInput,
): RequestError[] {
  if (!fieldErrorTable(contract)) return [];
  const errors: RequestError[] = [];
  const { requestBody } = operation;
  if (requestBody && json !== undefined && body === undefined) {
    errors.push(...(fieldErrorsOf(contract, requestBody.pointer, json) ?? []), ...errorsBeyondSchema(json));
  } else if (requestBody?.required && json === undefined && (body === undefined || body.length === 0)) {
    errors.push({ codes: ['required'], pointers: [''], clause: `${operation.pointer}/requestBody` });
  }
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  for (const [name, value] of pairs) {
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name);
    if (!parameter) errors.push({ codes: ['unknown'], parameter: name, clause: operation.pointer });
    else if (pairs.filter(([other]) => other === name).length > 1)
      errors.push({ codes: ['repeated'], parameter: name, clause: parameter.pointer });
    else errors.push(...parameterErrors(contract, parameter, value));
  }
  for (const parameter of operation.parameters.filter((one) => one.in === 'path'))
    errors.push(...parameterErrors(contract, parameter, path[parameter.name] ?? ''));
  return errors;
}

/** Decimal digits alone are a number. */
const DECIMAL = /^(0|[1-9]\d*)$/;

function parameterErrors(contract: Implementation['contract'], parameter: Parameter, raw: string): RequestError[] {
  const { name, pointer } = parameter;
  const table = fieldErrorTable(contract)!;
  const errors = schemasOf(contract).validate(`${pointer}/schema`, DECIMAL.test(raw) ? Number(raw) : raw);
  // A text of digits is a text where one is due.
  const real = errors.some(({ keyword }) => keyword === 'type')
    ? schemasOf(contract).validate(`${pointer}/schema`, raw)
    : errors;
  return real.map((error) => ({
    codes: codesOf(table.byKeyword.get(error.keyword)?.code),
    parameter: name,
    in: parameter.in,
    clause: error.pointer,
  }));
}

function codesOf(code: string | undefined): string[] | undefined {
  return code === undefined ? undefined : [code];
}

/** The contract allows no longer pointers: then the place around it is named. */
const MAX_POINTER = 4096;

function matchesPlace(error: RequestError, reported: Reported): boolean {
  if ('parameter' in error) return error.parameter === reported.parameter;
  const { pointer } = reported;
  if (pointer === undefined) return false;
  if (error.beside) return error.pointers.some((one) => pointer === one || pointer.startsWith(`${one}/`));
  return error.pointers.some((one) => one === pointer || (one.length > MAX_POINTER && one.startsWith(pointer)));
}

/** @throws Nonconformity unless the problem has one of these values of `code` */
export function expectCode(response: HttpResponse, codes: readonly string[]): void {
  const { code } = response.json as { code: string };
  if (codes.includes(code)) return;
  throw new Nonconformity('The problem has another `code` than the contract gives for the error.', {
    expected: `code ${codes.join(' or ')}`,
    got: `code ${code}`,
    clause: '/components/schemas/ProblemCode',
  });
}

interface Reported {
  pointer?: string;
  parameter?: string;
  code?: string;
}

/**
 * Each reported error is one that the request has, with its code and place. So at least one of them is named, and nothing
 * that is right.
 * @throws Nonconformity
 */
export function expectReported(response: HttpResponse, errors: readonly RequestError[]): void {
  const [first] = errors;
  if (!first) return;
  const { code, errors: reported = [] } = response.json as { code: string; errors?: Reported[] };
  // A path that names nothing may be one that cannot be read.
  if (code === 'malformed_request' && errors.every((error) => 'in' in error && error.in === 'path')) return;
  if (code !== 'invalid_request') {
    throw new Nonconformity('A request that can be read and breaks the contract is `invalid_request`.', {
      expected: 'code invalid_request',
      got: show(response.text),
      clause: '/components/schemas/ProblemCode',
    });
  }
  for (const one of reported) {
    const allowed = errors.filter((error) => matchesPlace(error, one));
    if (allowed.some(({ codes }) => codes === undefined || codes.includes(one.code ?? ''))) continue;
    const here = allowed.filter(isDue);
    if (here.length === 0) {
      throw new Nonconformity('An entry of `errors` names a place that has no error.', {
        expected: errors.filter(isDue).map(inWords).join('; or '),
        got: show(one),
        clause: first.clause,
      });
    }
    throw new Nonconformity('The code of an error is not the one that the contract gives for the broken rule.', {
      expected: here.map(inWords).join('; or '),
      got: show(one),
      clause: here[0]!.clause,
    });
  }
  // One that may be reported beside another one will do: a service may report a single error.
  if (!reported.some((one) => errors.some((error) => matchesPlace(error, one)))) {
    throw new Nonconformity('No entry of `errors` names an error of the request.', {
      expected: errors.filter(isDue).map(inWords).join('; or '),
      got: show(response.text),
      clause: first.clause,
    });
  }
}

/** A place of its own: what may be said beside it explains nothing. */
function isDue(error: RequestError): boolean {
  return 'parameter' in error || !error.beside;
}

function inWords(error: RequestError): string {
  const codes = error.codes?.join(' or ') ?? 'any code';
  const place =
    'parameter' in error
      ? `the parameter ${error.parameter}`
      : error.pointers.map((one) => JSON.stringify(one)).join(' or ');
  return `${codes} at ${place}`;
}
