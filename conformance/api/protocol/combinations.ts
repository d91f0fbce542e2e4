/**
 * Two and more errors in one request, with each kind of `Accept`, of method and of query: one of the errors is reported, in
 * the form that errors have. The order of checks is free.
 */
import fc from 'fast-check';
import type { Operation } from '../../engine/contract/operations.ts';
import { type CallInput, queryOf, requestOf } from '../../engine/http/call.ts';
import { expectRefusal, expectStatus, succeed } from '../../engine/http/expect-response.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { callToRefuse, validCall } from '../../engine/requirements/calls.ts';
import { BROWSER } from '../../engine/requirements/header-fields.ts';
import { forAll, once, type Requirement } from '../../engine/requirements/requirement.ts';
import { offers, unknownValue } from '../calls.ts';
import { INFO, ofOperation } from '../define.ts';
import { expectChallenge } from './authentication.ts';
import { ANY_SUCCESS, expectAllow, METHODS } from './paths.ts';
import { expectProblem } from './problem.ts';

/** A choice of one factor of a request. The first of each factor is right. */
interface Kind {
  label: string;
  /** With these statuses it is refused; none: nothing is wrong. */
  due: readonly number[];
  /** It may be refused with these. */
  may?: readonly number[];
  change?: (call: CallInput) => CallInput;
  method?: string;
  /** Whether the valid request is sent before, so that it contradicts what is there. */
  again?: true;
}

const kind = (
  label: string,
  due: readonly number[] = [],
  change: NonNullable<Kind['change']> = (call) => call,
): Kind => {
  return { label, due, change };
};

function withHeader(name: string, value: string, due: readonly number[] = []): Kind {
  const change = (call: CallInput) => ({ ...call, headers: { ...call.headers, [name]: value } });
  return kind(value === '' ? `no ${name}` : `${name}: ${value}`, due, change);
}

function withBody(label: string, body: string, status: number): Kind {
  return kind(label, [status], (call) => ({ ...call, json: undefined, body }));
}

function withQuery(label: string, due: readonly number[], ...pairs: [string, string][]): Kind {
  return kind(label, due, (call) => ({ ...call, query: [...queryOf(call), ...pairs] }));
}

const UNKNOWN: [string, string] = ['conformance_unknown', '1'];
const NO_JSON = withBody('no JSON', '{', 400);
const AGAIN: Kind = { ...kind('what exists already', [409]), again: true };
const TOO_LARGE = `{"x": "${'x'.repeat(1_048_576)}"}`;

/** The factors of a request to the operation. */
function factorsOf(
  { method, path, requestBody, parameters, responses }: Operation,
  { token, operations }: Implementation,
): Kind[][] {
  const others = [...operations.values()].filter((one) => one.path === path).map((one) => one.method);
  const absent = METHODS.find((one) => !others.includes(one));
  const id = parameters.findLast((one) => one.in === 'path')?.name;
  const hasLimit = parameters.some(({ name }) => name === 'limit');
  const lists = ['application/problem+json', 'text/html'];
  // `DELETE` need not look at `Accept`.
  const excludes = lists.map((value): Kind => {
    return method === 'DELETE' ? { ...withHeader('accept', value), may: [406] } : withHeader('accept', value, [406]);
  });
  const beside = withQuery('an unknown parameter beside a known one', [400], ['limit', '2'], UNKNOWN);
  return [
    [
      kind(method),
      ...(method === 'GET' ? [{ ...kind('HEAD'), method: 'HEAD' }] : []),
      { ...kind('OPTIONS'), method: 'OPTIONS' },
      ...(absent === undefined ? [] : [{ ...kind(absent, [405]), method: absent }]),
    ],
    [kind('any Accept'), withHeader('accept', BROWSER), withHeader('accept', ''), ...excludes],
    [kind('no query'), hasLimit ? beside : withQuery('an unknown parameter', [400], UNKNOWN)],
    ...(token === undefined ? [] : [[kind('a token'), withHeader('authorization', '', [401])]]),
    // Any subscription may exist.
    ...(id === undefined || id === 'subscription_id' ? [] : [[kind('an id'), missing(id)]]),
    requestBody
      ? [
          kind('a body'),
          NO_JSON,
          kind('an unknown property', [400], (call) => ({ ...call, json: { conformance_unknown: 1 } })),
          ...(requestBody.required ? [withBody('an empty body', '', 400)] : []),
          withBody('more than 1 MiB', TOO_LARGE, 413),
          ...(method === 'POST' && '409' in responses && id ? [AGAIN] : []),
        ]
      : [kind('no body'), withHeader('content-type', 'application/json')],
    ...(requestBody ? [[kind('JSON'), withHeader('content-type', 'text/plain', [415])]] : []),
  ];
}

function missing(id: string): Kind {
  return kind('an id of nothing', [404], (call) => ({ ...call, path: { ...call.path, [id]: unknownValue(id) } }));
}

export function combinations(operation: Operation): Requirement {
  const check = (row: readonly Kind[]) => (session: Session) => tryRow(session, operation, row);
  const labelOf = (row: readonly Kind[]) => row.map(({ label }) => label).join(', ');
  const stated = ofOperation(operation)(
    [
      'errors-together',
      'D29',
      INFO,
      'Where more than one',
      '409 comes only',
      'Every error response',
      '`OPTIONS` responds with any 2xx',
    ],
    'reports one of several errors in one request, whatever its method, query and `Accept`.',
    (implementation) => {
      const factors = factorsOf(operation, implementation);
      const random = fc.tuple(...factors.map((kinds) => fc.constantFrom(...kinds))).filter(isTried);
      return [
        ...pairsOf(factors)
          .filter(isTried)
          .map((row) => once(labelOf(row), check(row))),
        forAll('any of them together', random, (row, session) => check(row)(session)),
      ];
    },
  );
  return { ...stated, weight: 0.2 };
}

/** Each choice that is not the first of its factor with each one of another factor. An error must not hide behind a third. */
function pairsOf(factors: readonly Kind[][]): Kind[][] {
  return factors.flatMap((kinds, index) =>
    factors
      .slice(0, index)
      .flatMap((others) => kinds.slice(1).flatMap((one) => others.slice(1).map((other) => [other, one]))),
  );
}

/** A good request of the operation itself is tried elsewhere. */
function isTried(row: readonly Kind[]): boolean {
  return row.some(({ due, method }) => due.length > 0 || method !== undefined);
}

async function tryRow(session: Session, operation: Operation, row: readonly Kind[]): Promise<void> {
  const { implementation } = session;
  const { operationId, path } = operation;
  const again = row.includes(AGAIN);
  const valid = await (again ? validCall : callToRefuse)(session, operationId);
  if (again) await succeed(session, operationId, valid);
  const input = row.reduce((call, { change }) => change?.(call) ?? call, valid);
  const method = row.find((one) => one.method !== undefined)?.method;
  const errors = row.filter((one) => one.due.length > 0);
  // 409 comes only to a request that is otherwise valid.
  const due = (errors.length > 1 ? errors.filter((one) => one !== AGAIN) : errors).flatMap((one) => one.due);
  const allowed = [...due, ...row.flatMap(({ may = [] }) => may)];
  const wrong = errors.map(({ label }) => label);
  const why = wrong.length > 0 ? `There is an error in the request: ${wrong.join('; ')}.` : 'The request is valid.';
  if (method === undefined) {
    const response = await session.call(operationId, input);
    // A body that cannot be read has no errors of its own, and may be reported in place of what stands in the query.
    const isUnread = response.status === 400 && row.includes(NO_JSON);
    const codes = isUnread ? { codes: ['malformed_request', 'invalid_request'] } : {};
    expectRefusal(implementation, operation, response, allowed, why, { input, ...codes });
    if (response.status === 401) expectChallenge(response);
    return;
  }
  const response = await session.send({ ...requestOf(operation, input), method });
  if (method === 'HEAD') {
    expectStatus(response, due.length > 0 ? allowed : ANY_SUCCESS, why);
    return expectThat(response.bytes === 0, 'HEAD has no body.', { expected: 'no body', got: response.text });
  }
  // With or without a token, and without a look at the rest.
  const isOptions = method === 'OPTIONS';
  expectStatus(response, isOptions ? [...ANY_SUCCESS, ...allowed.filter((one) => one !== 401)] : allowed, why);
  if (response.status >= 400) expectProblem(implementation, response);
  const all = [...implementation.operations.values()].filter((one) => one.path === path);
  const offered = all.filter((one) => offers(implementation, one.operationId)).map((one) => one.method);
  if (response.status === 405 || response.status < 300) expectAllow(response, offered, method);
}
