/** What the errors of a problem say about a broken clause: see "Field errors" in the contract. */
import type { Clause } from '../../engine/contract/clauses.ts';
import { escapeSegment } from '../../engine/contract/pointers.ts';
import { expectThat, Nonconformity } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';

/** The place of the fault is named: itself, or for a missing or unknown property or a bound on a list, where it stands. */
export function expectPlace(clause: Clause, json: unknown, response: HttpResponse): void {
  const { code, errors = [] } = response.json as { code: string; errors?: { pointer?: string; code?: string }[] };
  if (code === 'malformed_request') {
    throw new Nonconformity('A body that was read and breaks the contract is `invalid_request`.', {
      expected: 'code invalid_request',
      got: response.text,
      clause: '/components/schemas/ProblemCode',
    });
  }
  const place = clause.path.map((name) => (name === '*' ? '[^/]+' : escapeRegExp(escapeSegment(name))));
  const pattern = new RegExp(`^${place.map((name) => `/${name}`).join('')}`);
  const named = errors.filter(
    ({ pointer }) => pointer !== undefined && (pattern.test(pointer) || isAbove(pointer, clause.path)),
  );
  expectThat(named.length > 0, 'No entry of `errors` points to the fault.', {
    expected: `a pointer to /${clause.path.join('/')} in ${JSON.stringify(json)?.slice(0, 300)}`,
    got: errors,
  });
  const codes = CODES[clause.keyword] ?? [];
  expectThat(
    named.some((error) => codes.includes(error.code ?? '')),
    'No entry of `errors` has the code that the contract gives for the broken keyword.',
    { expected: `${codes.join(' or ')} at /${clause.path.join('/')}`, got: errors },
  );
}

/** See "Field errors" in the contract. A number or a list of the wrong length may come as the text that it is in. */
const CODES: Record<string, string[]> = {
  // A property that must be null beside another one may be reported for that instead.
  type: ['type', 'not_allowed_here'],
  enum: ['value', 'type'],
  const: ['value', 'type'],
  pattern: ['format'],
  format: ['format'],
  minLength: ['too_short'],
  maxLength: ['too_long', 'too_many_bytes'],
  'x-max-bytes': ['too_many_bytes'],
  minimum: ['too_small'],
  maximum: ['too_large'],
  minItems: ['too_few'],
  maxItems: ['too_many'],
  minProperties: ['too_few'],
  maxProperties: ['too_many'],
  uniqueItems: ['duplicate'],
  required: ['required'],
  additionalProperties: ['unknown'],
  if: ['required', 'not_allowed_here', 'too_few', 'type'],
};

/** A rule over several properties may be reported where they meet. */
function isAbove(pointer: string, path: readonly string[]): boolean {
  const segments = pointer.split('/').slice(1);
  return (
    pointer.startsWith('/') &&
    segments.length < path.length &&
    segments.every((name, index) => path[index] === '*' || escapeSegment(path[index]!) === name)
  );
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

export function expectNamed(response: HttpResponse, parameter: string): void {
  const { code, errors = [] } = response.json as { code: string; errors?: { parameter?: string }[] };
  if (code === 'malformed_request') return;
  expectThat(
    errors.some((error) => error.parameter === parameter),
    'No entry of `errors` names the parameter.',
    { expected: parameter, got: errors },
  );
}
