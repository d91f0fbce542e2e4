/** Holds one answer to what the contract documents for its operation and status. */
import { originOf } from '../contract/origins.ts';
import type { Operation, Response } from '../contract/operations.ts';
import { type SchemaFault, schemasOf } from '../contract/schemas.ts';
import type { Target } from '../target/target.ts';
import type { Answer } from './answer.ts';
import { Nonconformity, show, toText } from './nonconformity.ts';

/**
 * The answer is the success that is documented: status, media type, headers and body.
 * @throws Nonconformity
 */
export function expectSuccess(
  target: Target,
  operation: Operation,
  answer: Answer,
  why = 'The request is valid.',
): void {
  const statuses = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
  expectStatus(answer, statuses.map(Number), why);
  expectDocumented(target, operation.responses[String(answer.status)]!, answer);
}

/**
 * The answer is a refusal with one of the statuses, as a problem. Judged by the source document alone, any status from
 * 400 to 499 will do, and any body: the source shows neither (§7).
 * @throws Nonconformity
 */
export function expectRefusal(
  target: Target,
  operation: Operation,
  answer: Answer,
  statuses: number[],
  why: string,
): void {
  if (target.origin === 'source') {
    if (answer.status >= 400 && answer.status < 500) return;
    throw new Nonconformity(`${why} It must be refused.`, {
      expected: 'a status from 400 to 499',
      got: statusOf(answer),
    });
  }
  expectStatus(answer, statuses, why);
  const response = operation.responses[String(answer.status)];
  if (response) expectDocumented(target, response, answer);
  expectProblem(target, answer, response);
}

export function expectStatus(answer: Answer, statuses: readonly number[], why: string): void {
  if (statuses.includes(answer.status)) return;
  throw new Nonconformity(`${why} The status is another one.`, {
    expected: statuses.join(' or '),
    got: statusOf(answer),
  });
}

function statusOf(answer: Answer): string {
  return `${answer.status}${answer.text === '' ? '' : `, ${show(answer.text)}`}`;
}

const PROBLEM = '/components/schemas/Problem';

/** Any error: a problem that satisfies the contract, with the `status` of the answer and a `code` that the response documents. */
export function expectProblem(target: Target, answer: Answer, response?: Response): void {
  if (answer.mediaType !== 'application/problem+json') {
    throw new Nonconformity('An error must be a problem.', {
      expected: 'Content-Type: application/problem+json',
      got: `Content-Type: ${answer.headers['content-type'] ?? 'none'}`,
    });
  }
  expectSchema(target, PROBLEM, answer);
  const problem = answer.json as { status: number; code: string; errors?: { pointer?: string; parameter?: string }[] };
  if (problem.status !== answer.status) {
    throw new Nonconformity('`status` of a problem is the status of the answer.', {
      expected: String(answer.status),
      got: String(problem.status),
      clause: `${PROBLEM}/properties/status`,
    });
  }
  expectOlderForm(answer.json as Record<string, unknown>);
  const codes = codesFor(target, answer, response);
  if (codes.size > 0 && !codes.has(problem.code)) {
    throw new Nonconformity('`code` of a problem belongs to its status.', {
      expected: [...codes].join(' or '),
      got: problem.code,
      clause: '/components/schemas/ProblemCode',
    });
  }
  if (problem.code === 'invalid_request' && problem.errors === undefined) {
    throw new Nonconformity('A problem `invalid_request` names the faults.', {
      expected: '`errors` with at least one fault',
      got: show(problem),
      clause: `${PROBLEM}/properties/errors`,
    });
  }
  for (const error of problem.errors ?? []) {
    if ((error.pointer === undefined) === (error.parameter === undefined)) {
      throw new Nonconformity('A fault has either a `pointer` or a `parameter`.', {
        expected: 'exactly one of them',
        got: show(error),
        clause: '/components/schemas/FieldError',
      });
    }
  }
  expectNoInternals(answer);
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

/** Those that the response documents; where the operation does not have it, those of the status anywhere. */
function codesFor({ operations }: Target, answer: Answer, response: Response | undefined): Set<string> {
  const responses = response
    ? [response]
    : [...operations.values()].flatMap((operation) => operation.responses[String(answer.status)] ?? []);
  return new Set(responses.flatMap(({ problemCodes }) => problemCodes));
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
export function expectNoInternals(answer: Answer): void {
  // What the client sent itself, such as the path in `instance`, is no secret of the service.
  const { instance: _, ...rest } = (
    typeof answer.json === 'object' && answer.json !== null ? answer.json : { text: answer.text }
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

/** Media type, headers and body as one response of the contract states them. @throws Nonconformity */
export function expectDocumented(target: Target, response: Response, answer: Answer): void {
  const types = Object.keys(response.content);
  if (types.length === 0) {
    if (answer.bytes > 0) {
      throw new Nonconformity(`A ${response.status} has no body.`, { expected: 'no body', got: show(answer.text) });
    }
  } else if (judges(target, response.origin) || target.origin === 'source') {
    expectContent(target, response, types, answer);
  }
  for (const [name, header] of Object.entries(response.headers)) {
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined) {
      if (header.required && judges(target, originOf(target.contract, header.pointer))) {
        throw new Nonconformity(`A ${response.status} has the header ${name}.`, {
          expected: name,
          got: Object.keys(answer.headers).join(', '),
          clause: header.pointer,
        });
      }
      continue;
    }
    throwFirst(
      target,
      schemasOf(target.contract).validate(header.schema, value),
      value,
      `The header ${name} breaks the contract`,
    );
  }
}

function expectContent(target: Target, response: Response, types: string[], answer: Answer): void {
  if (!types.includes(answer.mediaType)) {
    throw new Nonconformity('The media type is not the documented one.', {
      expected: `Content-Type: ${types.join(' or ')}`,
      got: `Content-Type: ${answer.headers['content-type'] ?? 'none'}`,
    });
  }
  expectSchema(target, response.content[answer.mediaType]!, answer);
}

function expectSchema(target: Target, schema: string, answer: Answer): void {
  const { json } = answer;
  if (json === undefined) {
    throw new Nonconformity('The body is not JSON.', { expected: 'JSON', got: show(answer.text) });
  }
  throwFirst(target, schemasOf(target.contract).validate(schema, json), json, 'The body breaks the contract');
}

function throwFirst(target: Target, faults: SchemaFault[], value: unknown, what: string): void {
  const fault = faults.find((one) => judges(target, originAt(target, one.pointer)));
  if (!fault) return;
  const at = fault.path.length === 0 ? '' : ` at /${fault.path.join('/')}`;
  throw new Nonconformity(`${what}${at}: it ${fault.message}.`, {
    expected: `${fault.keyword} as in ${fault.pointer}`,
    got: show(value),
    clause: fault.pointer,
  });
}

/** The origin of a clause by the pointer of its keyword. */
export function originAt(target: Target, clause: string): string {
  const cut = clause.lastIndexOf('/');
  return originOf(target.contract, clause.slice(0, cut), clause.slice(cut + 1));
}

function judges(target: Target, origin: string): boolean {
  return target.origin === 'all' || origin.startsWith('source');
}
