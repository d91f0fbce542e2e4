/**
 * Errors of several kinds in one request: the contract leaves open which of them is reported (D29).
 */
import fc from 'fast-check';
import type { Operation } from '../../engine/contract/operations.ts';
import { type CallInput, requestOf, type Sending } from '../../engine/http/call.ts';
import { expectRefusal, expectStatus, succeed } from '../../engine/http/expect-response.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { forAll, once } from '../../engine/laws/law.ts';
import { callToRefuse, validCall } from '../../engine/requirements/calls.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { INFO, ofOperation } from '../define.ts';
import { expectChallenge } from './authentication.ts';
import { type Choice, CONFLICT, factorsOf, UNREADABLE } from './factors.ts';
import { ANY_SUCCESS, expectMethods } from './methods.ts';

/** There are hundreds of combinations for each operation. */
const WEIGHT = 0.2;

export function errorsTogether(operation: Operation): Requirement {
  const requirement = ofOperation(operation)(
    {
      part: 'errors-together',
      origin: 'D29',
      clause: INFO,
      quotes: ['Where more than one', '409 comes only', 'Every error response'],
      sentence:
        'reports one of several errors in one request, whatever its method, query and `Accept`.',
    },
    (implementation) => {
      const factors = factorsOf(operation, implementation);
      const check = (row: readonly Choice[], session: Session) => tryRow(session, operation, row);
      const pairs = pairsOf(factors).filter(isWrong);
      const arbitraries = factors.map((choices) => fc.constantFrom(...choices));
      const rows = fc.tuple(...arbitraries).filter(isWrong);
      return [
        ...pairs.map((row) => once(labelOf(row), (session) => check(row, session))),
        forAll('any of them together', rows, check),
      ];
    },
  );
  return { ...requirement, weight: WEIGHT };
}

function labelOf(row: readonly Choice[]): string {
  return row.map(({ label }) => label).join(', ');
}

/**
 * Each choice that is not the first of its factor, with each such choice of a later factor. No
 * third one hides an error.
 */
function pairsOf(factors: readonly Choice[][]): Choice[][] {
  const unusual = factors.map((choices) => choices.slice(1));
  const pairs: Choice[][] = [];
  for (const [index, choices] of unusual.entries()) {
    const later = unusual.slice(index + 1).flat();
    for (const first of choices) {
      pairs.push(...later.map((second) => [first, second]));
    }
  }
  return pairs;
}

/**
 * Whether the row has an error or another method. Other requirements try good requests of the
 * operation itself.
 */
function isWrong(row: readonly Choice[]): boolean {
  return row.some(({ due, method }) => due.length > 0 || method !== undefined);
}

/** The statuses that the choices of a row lead to. */
interface DueOfRow {
  /** It must be refused with one of these; none: it succeeds. */
  due: readonly number[];
  /** It may have one of these. */
  allowed: readonly number[];
  why: string;
}

function dueOf(row: readonly Choice[]): DueOfRow {
  const errors = row.filter((one) => one.due.length > 0);
  // 409 comes only to a request that is otherwise valid.
  const reported = errors.filter((one) => one !== CONFLICT || errors.length === 1);
  const due = reported.flatMap((one) => one.due);
  const allowed = [...due, ...row.flatMap(({ may = [] }) => may)];
  const labels = errors.map(({ label }) => label).join('; ');
  return { due, allowed, why: `Errors in the request: ${labels === '' ? 'none' : labels}.` };
}

async function tryRow(
  session: Session,
  operation: Operation,
  row: readonly Choice[],
): Promise<void> {
  const input = await inputOf(session, operation, row);
  const method = row.find((one) => one.method !== undefined)?.method;
  if (method === undefined) {
    return tryCall(session, operation, row, input);
  }
  const sending = withMethod(requestOf(operation, input), method);
  const { due, allowed, why } = dueOf(row);
  if (method === 'HEAD') {
    const response = await session.send(sending);
    expectStatus(response, due.length > 0 ? allowed : ANY_SUCCESS, why);
    const details = { expected: 'no body', got: response.text };
    return expectThat(response.bytes === 0, 'The response to HEAD has a body.', details);
  }
  const statuses = method === 'OPTIONS' ? statusesOfOptions(allowed) : allowed;
  await expectMethods(session, operation.path, sending, { statuses, why });
}

/** Content means nothing to them, and a service may refuse it (RFC 9110, 9.3.1 and 9.3.5). */
const WITHOUT_CONTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE']);

/** The request by another method, without a body where that method has none. */
function withMethod(sending: Sending, method: string): Sending {
  if (!WITHOUT_CONTENT.has(method)) {
    return { ...sending, method };
  }
  const { body: _body, headers = {}, ...rest } = sending;
  const { 'content-type': _type, ...others } = headers;
  return { ...rest, method, headers: others };
}

/** OPTIONS may succeed, and needs no token. */
function statusesOfOptions(allowed: readonly number[]): number[] {
  return [...ANY_SUCCESS, ...allowed.filter((status) => status !== 401)];
}

/** The valid call with the changes of the row. */
async function inputOf(
  session: Session,
  operation: Operation,
  row: readonly Choice[],
): Promise<CallInput> {
  const { operationId } = operation;
  const hasConflict = row.includes(CONFLICT);
  const valid = await (hasConflict ? validCall : callToRefuse)(session, operationId);
  if (hasConflict) {
    await succeed(session, operationId, valid);
  }
  const input = { ...valid };
  for (const { change } of row) {
    Object.assign(input, typeof change === 'function' ? change(input) : change);
  }
  return input;
}

/** Sends the call by the method of the operation: it is refused with one of the errors. */
async function tryCall(
  session: Session,
  operation: Operation,
  row: readonly Choice[],
  input: CallInput,
): Promise<void> {
  const { implementation } = session;
  const { allowed, why } = dueOf(row);
  const response = await session.call(operation.operationId, input);
  const refused: { input: CallInput; codes?: readonly string[] } = { input };
  // A body that cannot be read has no errors, and may be reported in place of an error in the
  // query.
  if (response.status === 400 && row.includes(UNREADABLE)) {
    refused.codes = ['malformed_request', 'invalid_request'];
  }
  expectRefusal(implementation, operation, response, { statuses: allowed, why, ...refused });
  if (response.status === 401) {
    expectChallenge(response);
  }
}
