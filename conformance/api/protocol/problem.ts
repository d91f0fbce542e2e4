/** The form of errors of this API: problem details, with a code for programs and the places of errors in a request. */
import type { Response } from '../../engine/contract/operations.ts';
import { isObject, joinPointer, valueAt } from '../../engine/contract/pointers.ts';
import { expectSchema } from '../../engine/http/expect-response.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { Nonconformity, show, toText } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';

const PROBLEM_TYPE = 'application/problem+json';
const PROBLEM = '/components/schemas/Problem';

/** The members for clients of the older form of errors (D29) equal others, as far as they are sent. */
const OLDER_FORM = { error_code: 'code', status_code: 'status', msg: 'detail' };

/**
 * Any error: a problem that satisfies the contract, with the `status` of the response and a `code` that the contract
 * documents for it. @throws Nonconformity
 */
export function expectProblem(implementation: Implementation, response: HttpResponse, documented?: Response): void {
  const { status, mediaType, headers } = response;
  const type = `Content-Type: ${headers['content-type'] ?? 'none'}`;
  demand(mediaType === PROBLEM_TYPE, 'An error must be a problem.', `Content-Type: ${PROBLEM_TYPE}`, type);
  expectSchema(implementation, PROBLEM, response);
  const problem = response.json as Record<string, unknown>;
  const { code } = problem;
  const equal = (name: string, due: unknown, message: string) =>
    demand(problem[name] === due, message, due, problem[name], `${PROBLEM}/properties/${name}`);
  equal('status', status, '`status` of a problem is the status of the response.');
  for (const [name, of] of Object.entries(OLDER_FORM))
    if (problem[name] !== undefined) equal(name, problem[of], `\`${name}\` of a problem equals \`${of}\`.`);
  const codes = codesFor(implementation, status, documented);
  const isDue = codes.size === 0 || codes.has(code);
  const due = [...codes].join(' or ');
  demand(isDue, '`code` of a problem belongs to its status.', due, code, '/components/schemas/ProblemCode');
  const found = internalIn(response);
  demand(found === undefined, 'An error must not show the inside of the service.', 'words for a client', found);
}

/** @throws Nonconformity unless the condition holds */
export function demand(condition: boolean, message: string, expected: unknown, got: unknown, clause?: string): void {
  if (condition) return;
  const details = { expected: show(expected), got: show(got) };
  throw new Nonconformity(message, clause === undefined ? details : { ...details, clause });
}

/** Those of the documented response; where the operation does not document it, those of the status anywhere. */
function codesFor({ contract, operations }: Implementation, status: number, documented?: Response): Set<unknown> {
  const anywhere = () => [...operations.values()].flatMap(({ responses }) => responses[String(status)] ?? []);
  const codes = (documented ? [documented] : anywhere()).map(({ pointer }) => joinPointer(pointer, 'x-problem-codes'));
  return new Set(codes.flatMap((pointer) => valueAt(contract.document, pointer) ?? []));
}

/** Frames of the stack traces of common platforms, and paths of their files. */
const INTERNALS = [
  /\bat [\w$.<>]+ \(.*:\d+:\d+\)/,
  /Traceback \(most recent call last\)/,
  /\bFile "[^"]+", line \d+/,
  /\bat [\w$.]+\([\w$]+\.(java|kt|scala):\d+\)/,
  /goroutine \d+ \[/,
  /panicked at /,
  /\b(node_modules|site-packages)\//,
  /(^|[\s"'(])\/(home|root|usr|var|opt|srv)\/[\w./-]+/,
  /\b[A-Z]:\\\\?\w/,
];

/** Further on, the patterns would take too long on a text that is made for it. */
const MAX_SEARCHED = 20_000;

/** A part of a stack trace or a path of the service that an error shows. */
function internalIn({ json, text }: HttpResponse): string | undefined {
  // The path in `instance` was sent by the client: it is not a secret of the service.
  const { instance: _, ...rest } = isObject(json) ? json : { text };
  const words = Object.values(rest).map((value) => (typeof value === 'string' ? value : toText(value)));
  const searched = words.join('\n').slice(0, MAX_SEARCHED);
  return INTERNALS.map((pattern) => pattern.exec(searched)?.[0]).find((match) => match !== undefined);
}
