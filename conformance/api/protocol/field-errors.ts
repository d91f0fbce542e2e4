/**
 * The errors that a request has by the contract, so that those which a service reports can be compared with them. Which
 * of several it reports, and in which order it looks, is free.
 */
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { type HttpResponse, parse } from '../../engine/http/response.ts';
import type { CallInput } from '../../engine/http/call.ts';
import { errorsBeyondSchema, type FieldErrorRule, fieldErrorsOf, fieldErrorTable } from './body-errors.ts';
import { demand } from './problem.ts';

export type RequestError = FieldErrorRule | ParameterError;

interface ParameterError {
  codes: readonly string[] | undefined;
  parameter: string;
  in?: Parameter['in'];
  clause: string;
}

/** Empty where the contract has no table of field errors. A body that is not JSON has none. */
export function requestErrors(
  { contract }: Implementation,
  operation: Operation,
  { json, body, query = [], path = {} }: CallInput,
): RequestError[] {
  if (!fieldErrorTable(contract)) return [];
  const errors: RequestError[] = [];
  const { requestBody, parameters } = operation;
  const read = body === undefined ? json : parse(body.toString());
  if (requestBody && read !== undefined) {
    errors.push(...(fieldErrorsOf(contract, requestBody.pointer, read) ?? []), ...errorsBeyondSchema(read));
  } else if (requestBody?.required && json === undefined && (body === undefined || body.length === 0)) {
    errors.push({ codes: ['required'], pointers: [''], clause: `${operation.pointer}/requestBody` });
  }
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  for (const [name, value] of pairs) {
    const parameter = parameters.find((one) => one.in === 'query' && one.name === name);
    if (!parameter) errors.push({ codes: ['unknown'], parameter: name, clause: operation.pointer });
    else if (pairs.filter(([other]) => other === name).length > 1)
      errors.push({ codes: ['repeated', ...(UNISSUED[name] ?? [])], parameter: name, clause: parameter.pointer });
    else errors.push(...parameterErrors(contract, parameter, value));
  }
  // Two places to begin at (D16).
  const before = parameters.find(({ name }) => name === 'before_id');
  if (before && ['cursor', 'before_id'].every((name) => pairs.some(([other]) => other === name)))
    errors.push({ codes: ['not_allowed_here'], parameter: 'before_id', clause: before.pointer });
  for (const parameter of parameters.filter((one) => one.in === 'path'))
    errors.push(...parameterErrors(contract, parameter, path[parameter.name] ?? ''));
  return errors;
}

/** A cursor that the suite made up has the right form by the schema alone (D16). */
const UNISSUED: Readonly<Record<string, readonly string[]>> = { cursor: ['format'] };

/** Decimal digits alone are a number. */
const DECIMAL = /^(0|[1-9]\d*)$/;

function parameterErrors(contract: Implementation['contract'], parameter: Parameter, raw: string): RequestError[] {
  const validate = (value: unknown) => schemasOf(contract).validate(`${parameter.pointer}/schema`, value);
  const errors = validate(DECIMAL.test(raw) ? Number(raw) : raw);
  // A text of digits is a text where one is due.
  const real = errors.some(({ keyword }) => keyword === 'type') ? validate(raw) : errors;
  return real.map(({ keyword, pointer: clause }) => {
    const rule = fieldErrorTable(contract)!.byKeyword.get(keyword);
    return { codes: rule && [rule.code], parameter: parameter.name, in: parameter.in, clause };
  });
}

/** @throws Nonconformity unless the problem has one of these values of `code` */
export function expectCode(response: HttpResponse, codes: readonly string[]): void {
  const { code } = response.json as { code: string };
  const what = 'The problem has another `code` than the contract gives for the error.';
  demand(codes.includes(code), what, `code ${codes.join(' or ')}`, `code ${code}`, '/components/schemas/ProblemCode');
}

interface Reported {
  pointer?: string;
  parameter?: string;
  code?: string;
}

/** Characters that the contract allows a pointer. */
const MAX_POINTER = 4096;

/** The place, and where it is too long or UTF-8 cannot hold a name in it, the next one around it that can be named. */
function namesOf(place: string): string[] {
  let named = place;
  while (named.length > MAX_POINTER || !named.isWellFormed()) named = named.slice(0, named.lastIndexOf('/'));
  return [place, place.toWellFormed(), named];
}

function matchesPlace(error: RequestError, { parameter, pointer }: Reported): boolean {
  if ('parameter' in error) return error.parameter === parameter;
  if (pointer === undefined) return false;
  if (error.beside) return error.pointers.some((one) => pointer === one || pointer.startsWith(`${one}/`));
  return error.pointers.some((one) => namesOf(one).includes(pointer));
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
  const isRead = code === 'invalid_request';
  const invalid = 'A request that can be read and breaks the contract is `invalid_request`.';
  demand(isRead, invalid, 'code invalid_request', response.text, '/components/schemas/ProblemCode');
  for (const one of reported) {
    const allowed = errors.filter((error) => matchesPlace(error, one));
    if (allowed.some(({ codes }) => codes === undefined || codes.includes(one.code ?? ''))) continue;
    const here = allowed.filter(isDue);
    const elsewhere = 'An entry of `errors` names a place where the suite finds nothing wrong.';
    demand(here.length > 0, elsewhere, inWords(errors), one, first.clause);
    const what = 'The code of an error is not the one that the contract gives for the broken rule.';
    demand(false, what, inWords(here), one, here[0]!.clause);
  }
  // One that may be reported beside another one will do: a service may report a single error.
  const isNamed = reported.some((one) => errors.some((error) => matchesPlace(error, one)));
  demand(isNamed, 'No entry of `errors` names an error of the request.', inWords(errors), response.text, first.clause);
}

/** A place of its own: what may be reported beside it explains nothing. */
function isDue(error: RequestError): boolean {
  return 'parameter' in error || !error.beside;
}

function inWords(errors: readonly RequestError[]): string {
  const texts = errors.filter(isDue).map((error) => {
    const codes = error.codes?.join(' or ') ?? 'any code';
    if ('parameter' in error) return `${codes} at the parameter ${error.parameter}`;
    return `${codes} at ${error.pointers.map((one) => JSON.stringify(one)).join(' or ')}`;
  });
  return texts.join('; or ');
}
