/** Whether the errors that a service reports are errors of the request. */
import type { HttpResponse } from '../../engine/http/response.ts';
import { expectByClause } from './problem.ts';
import type { RequestError } from './request-error.ts';

const CODE = '/components/schemas/ProblemCode';

/** An entry of `errors`. */
interface Reported {
  pointer?: string;
  parameter?: string;
  code?: string;
}

/**
 * At least one error of the request is reported, with its code and place, and nothing else is
 * reported.
 * @param errors of the request; if there are none, nothing is expected @throws Nonconformity
 */
export function expectReported(response: HttpResponse, errors: readonly RequestError[]): void {
  const [first] = errors;
  if (!first) {
    return;
  }
  const { code, errors: reported = [] } = response.json as { code: string; errors?: Reported[] };
  // A service may not be able to read a path with a wrong id.
  const isPathOnly = errors.every((error) => error.in === 'path');
  if (code === 'malformed_request' && isPathOnly) {
    return;
  }
  const rule = 'A request that can be read and breaks the contract is `invalid_request`.';
  expectByClause(code === 'invalid_request', CODE, rule, {
    expected: 'code invalid_request',
    got: response.text,
  });
  for (const one of reported) {
    expectError(one, errors, first);
  }
  // An error that may be reported beside another one counts: a service may report a single error.
  const isNamed = reported.some((one) => errors.some((error) => isAt(error, one)));
  if (!isNamed) {
    expectByClause(false, first.clause, 'No entry of `errors` names an error of the request.', {
      expected: inWords(errors),
      got: response.text,
    });
  }
}

/** The entry is one of the errors. @param first of them */
function expectError(got: Reported, errors: readonly RequestError[], first: RequestError): void {
  const here = errors.filter((error) => isAt(error, got));
  if (here.some(({ codes }) => codes === undefined || codes.includes(got.code ?? ''))) {
    return;
  }
  // The message names no error that may only be reported beside another one.
  const due = here.filter(({ beside }) => !beside);
  const [firstDue] = due;
  if (!firstDue) {
    const what = 'An entry of `errors` names a place where the suite finds nothing wrong.';
    return expectByClause(false, first.clause, what, { expected: inWords(errors), got });
  }
  const what = 'The code of an error is not the one that the contract gives for the broken rule.';
  expectByClause(false, firstDue.clause, what, { expected: inWords(due), got });
}

/** Whether the entry names the parameter, or one of the places, of the error. */
function isAt(error: RequestError, { parameter, pointer }: Reported): boolean {
  if (error.parameter !== undefined) {
    return parameter !== undefined && isNameOf(error.parameter, parameter);
  }
  if (pointer === undefined) {
    return false;
  }
  const { pointers = [], beside } = error;
  if (beside) {
    return pointers.some((one) => pointer === one || pointer.startsWith(`${one}/`));
  }
  return pointers.some((one) => pointersFor(one).includes(pointer));
}

/** The largest number of characters that the contract allows in a place. */
const MAX_PLACE = 4096;

/** The name of a parameter, or the beginning of a name that is too long. */
function isNameOf(name: string, reported: string): boolean {
  if (name.length <= MAX_PLACE) {
    return name === reported;
  }
  return reported !== '' && name.startsWith(reported);
}

/**
 * The pointers that may stand for a place: the pointer itself, without lone surrogates, and that of
 * the nearest value around it that is short enough and has no lone surrogate in its name.
 */
function pointersFor(place: string): string[] {
  let outer = place;
  while (outer.length > MAX_PLACE || !outer.isWellFormed()) {
    outer = outer.slice(0, outer.lastIndexOf('/'));
  }
  return [place, place.toWellFormed(), outer];
}

/** The errors, except those that need not be reported. */
function inWords(errors: readonly RequestError[]): string {
  const texts: string[] = [];
  for (const { codes, parameter, pointers = [], beside } of errors) {
    if (beside) {
      continue;
    }
    const code = codes?.join(' or ') ?? 'any code';
    const places = pointers.map((one) => JSON.stringify(one)).join(' or ');
    texts.push(`${code} at ${parameter === undefined ? places : `the parameter ${parameter}`}`);
  }
  return texts.join('; or ');
}
