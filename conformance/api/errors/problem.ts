/** The form of errors of this API: problem details (RFC 9457) with a `code` for programs. */
import { entry, perContract } from '../../engine/contract/load.ts';
import { operationsOf, type Response } from '../../engine/contract/operations.ts';
import { joinPointer, valueAt } from '../../engine/contract/pointers.ts';
import { expectSchema } from '../../engine/http/expect-documented.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { expectThat, Nonconformity, show } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import { internalIn } from './internals.ts';

export const PROBLEM_TYPE = 'application/problem+json';
const PROBLEM = '/components/schemas/Problem';
const CODE = '/components/schemas/ProblemCode';

/**
 * Members for clients of the older form of errors (D29), each with the member that it equals, if it
 * is sent.
 */
const OLDER_MEMBERS = { error_code: 'code', status_code: 'status', msg: 'detail' };

type Problem = Record<string, unknown>;

/**
 * The response is a problem, with the status of the response and a `code` documented for it.
 * @throws Nonconformity
 */
export function expectProblem(
  implementation: Implementation,
  response: HttpResponse,
  documented?: Response,
): void {
  const { status, mediaType, headers } = response;
  expectThat(mediaType === PROBLEM_TYPE, 'An error is not a problem document.', {
    expected: `Content-Type: ${PROBLEM_TYPE}`,
    got: `Content-Type: ${headers['content-type'] ?? 'none'}`,
  });
  expectSchema(implementation, PROBLEM, response);
  const problem = response.json as Problem;
  const statusRule = '`status` of a problem is the status of the response.';
  expectMember(problem, 'status', status, statusRule);
  for (const [older, member] of Object.entries(OLDER_MEMBERS)) {
    if (problem[older] !== undefined) {
      const rule = `\`${older}\` of a problem equals \`${member}\`.`;
      expectMember(problem, older, problem[member], rule);
    }
  }
  expectCodeOfStatus(problem, codesFor(implementation, status, documented));
  const internal = internalIn(response);
  expectThat(internal === undefined, 'An error shows the inside of the service.', {
    expected: 'words for a client',
    got: internal,
  });
}

function expectMember(problem: Problem, name: string, expected: unknown, rule: string): void {
  const got = problem[name];
  expectByClause(got === expected, `${PROBLEM}/properties/${name}`, rule, { expected, got });
}

/** @param codes empty if the contract documents no code for the status */
function expectCodeOfStatus({ code }: Problem, codes: ReadonlySet<unknown>): void {
  const isDocumented = codes.size === 0 || codes.has(code);
  const expected = [...codes].join(' or ');
  const rule = '`code` of a problem belongs to its status.';
  expectByClause(isDocumented, CODE, rule, { expected, got: code });
}

/** The response is a problem with one of these codes. @throws Nonconformity */
export function expectCode(response: HttpResponse, codes: readonly string[]): void {
  const { code } = response.json as { code: string };
  const what = 'The problem has another `code` than the contract gives for the error.';
  const expected = `code ${codes.join(' or ')}`;
  expectByClause(codes.includes(code), CODE, what, { expected, got: `code ${code}` });
}

/**
 * @param clause of the contract, which states it more exactly than the requirement
 * @throws Nonconformity
 */
export function expectByClause(
  condition: boolean,
  clause: string,
  message: string,
  details: { expected: unknown; got: unknown },
): void {
  if (!condition) {
    const expected = show(details.expected);
    const got = show(details.got);
    throw new Nonconformity(message, { expected, got, clause });
  }
}

/** The documented codes, by the pointer of a response or by a status. */
const codesOf = perContract(() => new Map<string, Set<unknown>>());

/**
 * The codes of the documented response; if the operation does not document it, those of the status
 * anywhere.
 */
function codesFor(
  { contract }: Implementation,
  status: number,
  documented?: Response,
): Set<unknown> {
  const key = documented?.pointer ?? String(status);
  return entry(codesOf(contract), key, () => {
    const operations = operationsOf(contract);
    const anywhere = operations.flatMap(({ responses }) => responses[String(status)] ?? []);
    const codes = new Set<unknown>();
    for (const { pointer } of documented ? [documented] : anywhere) {
      const listed = valueAt(contract.document, joinPointer(pointer, 'x-problem-codes'));
      for (const code of [listed ?? []].flat()) {
        codes.add(code);
      }
    }
    return codes;
  });
}
