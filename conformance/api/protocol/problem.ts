/** The form of errors of this API: problem details, with a code for programs and the places of errors in a request. */
import type { Contract } from '../../engine/contract/load.ts';
import type { Response } from '../../engine/contract/operations.ts';
import { joinPointer, valueAt } from '../../engine/contract/pointers.ts';
import { expectSchema } from '../../engine/http/expect-response.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { Nonconformity, show, toText } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';

const PROBLEM_TYPE = 'application/problem+json';
const PROBLEM = '/components/schemas/Problem';

/**
 * Any error: a problem that satisfies the contract, with the `status` of the response and a `code` that the contract
 * documents for it. @throws Nonconformity
 */
export function expectProblem(implementation: Implementation, response: HttpResponse, documented?: Response): void {
  if (response.mediaType !== PROBLEM_TYPE) {
    throw new Nonconformity('An error must be a problem.', {
      expected: `Content-Type: ${PROBLEM_TYPE}`,
      got: `Content-Type: ${response.headers['content-type'] ?? 'none'}`,
    });
  }
  expectSchema(implementation, PROBLEM, response);
  const problem = response.json as {
    status: number;
    code: string;
    errors?: { pointer?: string; parameter?: string }[];
  };
  if (problem.status !== response.status) {
    throw new Nonconformity('`status` of a problem is the status of the response.', {
      expected: String(response.status),
      got: String(problem.status),
      clause: `${PROBLEM}/properties/status`,
    });
  }
  expectOlderForm(response.json as Record<string, unknown>);
  const codes = codesFor(implementation, response, documented);
  if (codes.size > 0 && !codes.has(problem.code)) {
    throw new Nonconformity('`code` of a problem belongs to its status.', {
      expected: [...codes].join(' or '),
      got: problem.code,
      clause: '/components/schemas/ProblemCode',
    });
  }
  if (problem.code === 'invalid_request' && problem.errors === undefined) {
    throw new Nonconformity('A problem `invalid_request` names the field errors.', {
      expected: '`errors` with at least one field error',
      got: show(problem),
      clause: `${PROBLEM}/properties/errors`,
    });
  }
  for (const error of problem.errors ?? []) {
    if ((error.pointer === undefined) === (error.parameter === undefined)) {
      throw new Nonconformity('A field error has either a `pointer` or a `parameter`.', {
        expected: 'exactly one of them',
        got: show(error),
        clause: '/components/schemas/FieldError',
      });
    }
  }
  expectNoInternals(response);
}

/** The members for clients of the older form of errors (D29), as far as they are sent. */
const OLDER_FORM = { error_code: 'code', status_code: 'status', msg: 'detail' };

function expectOlderForm(problem: Record<string, unknown>): void {
  for (const [name, of] of Object.entries(OLDER_FORM)) {
    if (problem[name] === undefined || problem[name] === problem[of]) continue;
    throw new Nonconformity(`\`${name}\` of a problem equals \`${of}\`.`, {
      expected: String(problem[of]),
      got: String(problem[name]),
      clause: `${PROBLEM}/properties/${name}`,
    });
  }
}

/** Those of the documented response; where the operation does not document it, those of the status anywhere. */
function codesFor(
  { contract, operations }: Implementation,
  { status }: HttpResponse,
  documented: Response | undefined,
): Set<string> {
  const responses = documented
    ? [documented]
    : [...operations.values()].flatMap((operation) => operation.responses[String(status)] ?? []);
  return new Set(responses.flatMap(({ pointer }) => codesOf(contract, pointer)));
}

/** What the schema of a problem in this response allows as `code`. */
function codesOf({ document }: Contract, response: string): string[] {
  const schema = joinPointer(response, 'content', PROBLEM_TYPE, 'schema', 'properties', 'code', 'enum');
  const codes = valueAt(document, schema);
  return Array.isArray(codes) ? codes.map(String) : [];
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

/** @throws Nonconformity when an error shows a stack trace or a path of the service */
function expectNoInternals(response: HttpResponse): void {
  // What the client sent itself, such as the path in `instance`, is no secret of the service.
  const { instance: _, ...rest } = (
    typeof response.json === 'object' && response.json !== null ? response.json : { text: response.text }
  ) as Record<string, unknown>;
  const text = Object.values(rest)
    .map((value) => (typeof value === 'string' ? value : toText(value)))
    .join('\n')
    .slice(0, MAX_SEARCHED);
  const found = INTERNALS.map((pattern) => pattern.exec(text)?.[0]).find((match) => match !== undefined);
  if (found !== undefined) {
    throw new Nonconformity('An error must not show the inside of the service.', {
      expected: 'words for a client',
      got: found,
    });
  }
}
