/** The content of errors: one of two errors in a body, unknown and repeated query parameters (D35), and the request. */
import fc from 'fast-check';
import type { Operation, Parameter } from '../../engine/contract/operations.ts';
import { valueAt } from '../../engine/contract/pointers.ts';
import { twoErrors } from '../../engine/generate/cases.ts';
import { type CallInput, requestOf } from '../../engine/http/call.ts';
import { expectRefusal, expectStatus, refuse, succeed } from '../../engine/http/expect-response.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { forAll, once } from '../../engine/laws/steps.ts';
import { callToRefuse, validCall } from '../../engine/requirements/calls.ts';
import { BROWSER } from '../../engine/requirements/header-fields.ts';
import { eachText, type Requirement } from '../../engine/requirements/requirement.ts';
import { AT, core, INFO, ofOperation, ruleOf, type Variant } from '../define.ts';
import { unknownId, unknownValue } from '../implementation.ts';
import { expectChallenge } from './authentication.ts';
import { ANY_SUCCESS, expectMethods, METHODS } from './paths.ts';

export function errorRequirements(operations: readonly Operation[]): Requirement[] {
  const ofEach = operations.flatMap((operation) => [
    ...operation.parameters.filter((one) => one.in === 'query').map((parameter) => repeated(operation, parameter)),
    ...(operation.requestBody ? [twoErrorsAtOnce(operation)] : []),
    ...[unknown(operation), manyErrors(operation), combinations(operation)],
  ]);
  return [...ofEach, requestIds];
}

function repeated(operation: Operation, { name, pointer }: Parameter): Requirement {
  const twice = (second: string): Variant => {
    const query: [string, string][] = ['1', second].map((value) => [name, value]);
    return { label: `1 and ${second}`, change: { query }, due: [400], why: `\`${name}\` is there twice.` };
  };
  return ruleOf(operation)(
    [`query.${name}.repeated`, 'D35', pointer, 'Six errors have no keyword'],
    `refuses a query with \`${name}\` twice.`,
    [twice('1'), twice('2')],
  );
}

/** Names that a careless service would take for something else. */
const TEMPTING = [
  ...['page', 'offset', 'Limit', 'LIMIT', 'limit[]', 'type', 'id', '__proto__', 'constructor', 'x'],
  ...['\u0000', 'limit\u0000', '%s%n', "'"],
];

function unknown(operation: Operation): Requirement {
  const known = operation.parameters.map(({ name }) => name);
  const names = () => fc.stringMatching(/^[a-z_]{1,12}$/).filter((name) => !known.includes(name));
  const refuses = async (name: string, session: Session) => {
    const input = { ...(await validCall(session, operation.operationId)), query: { [name]: '1' } };
    await refuse(session, operation.operationId, input, [400], `There is no parameter \`${name}\`.`);
  };
  return ofOperation(operation)(
    ['query.unknown', 'D35', INFO, 'An unknown query', 'Six errors have no keyword', 'Each error has a `code`'],
    'refuses a query parameter that it does not know.',
    eachText(TEMPTING, refuses),
    () => forAll('an unknown name', names(), refuses),
  );
}

const WORDS = ['Where more than one', 'Where a condition', 'The code of an error follows', 'Each error has a `code`'];

function twoErrorsAtOnce(operation: Operation): Requirement {
  const { operationId, requestBody } = operation;
  return ofOperation(operation)(
    ['body.two-errors', 'D29', `${AT.schemas}/FieldError`, ...WORDS],
    'refuses a body with two errors, and names at least one of them and nothing else.',
    ({ contract, hints }) => {
      const values = twoErrors(contract, requestBody!.pointer, hints);
      if (!values) return [];
      return forAll('two errors', values, async (json: unknown, session) => {
        const input = { ...(await callToRefuse(session, operationId)), json };
        await refuse(session, operationId, input, [400], 'The body has two errors.');
      });
    },
  );
}

/** Names that no operation knows: more than a problem can list, and so long that all of them are too long for a text. */
function manyErrors(operation: Operation): Requirement {
  const { operationId, requestBody } = operation;
  const errors = `${AT.schemas}/Problem/properties/errors`;
  const named = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`.padEnd(length, 'x'), '1']));
  const refuses = (label: string, more: (most: number) => { query?: Record<string, string>; unknown?: object }) =>
    once(label, async (session) => {
      const most = Number(valueAt(session.implementation.contract.document, `${errors}/maxItems`));
      const { query, unknown: properties } = more(most + 1);
      const { json, ...input } = await callToRefuse(session, operationId);
      const body = properties ? { ...(json as object), ...properties } : json;
      const sent = { ...input, ...(query && { query }), ...(requestBody && { json: body }) };
      await refuse(session, operationId, sent, [400], `The request has more than ${most} errors.`);
    });
  return ofOperation(operation)(
    ['errors.many', 'D29', errors, '`invalid_request` has `errors`'],
    'refuses a request with more errors than a problem can list.',
    refuses('in the query', (count) => ({ query: named(count, 1) })),
    requestBody ? refuses('in the body', (count) => ({ unknown: named(count, 2_000) })) : [],
    requestBody ? refuses('in both', (count) => ({ query: named(count, 1), unknown: named(count, 1) })) : [],
  );
}

const requestIds = core(
  ['problems.request-id', 'D29', `${AT.schemas}/Problem/properties/request_id`],
  'Where problems have a `request_id`, no two responses have the same.',
  once('the same request five times, twice at once', async (session) => {
    const send = () => session.send({ method: 'GET', target: `/edges/https/${unknownId()}` });
    const alone = [await send(), await send(), await send()];
    const responses = [...alone, ...(await session.together(() => [send(), send()]))];
    const got = responses.flatMap(({ json }) => (json as { request_id?: unknown } | undefined)?.request_id ?? []);
    const isUnique = new Set(got).size === got.length;
    expectThat(isUnique, '`request_id` is the same in two responses.', { expected: 'another one in each', got });
  }),
);

/** A choice of one factor of a request. The first of each factor is right. */
interface Kind {
  label: string;
  /** With these statuses it is refused; none: nothing is wrong. */
  due: readonly number[];
  /** It may be refused with these. */
  may?: readonly number[];
  /** A function for parts that stand beside those of others. */
  change?: Partial<CallInput> | ((call: CallInput) => Partial<CallInput>);
  method?: string;
}

function kind(label: string, due: readonly number[] = [], change: NonNullable<Kind['change']> = {}): Kind {
  return { label, due, change };
}

function withHeader(name: string, value: string, due: readonly number[] = []): Kind {
  return { ...withHeaders({ [name]: value }), label: value === '' ? `no ${name}` : `${name}: ${value}`, due };
}

function withHeaders(fields: Record<string, string>): Kind {
  return kind(Object.keys(fields).join(', '), [], ({ headers }) => ({ headers: { ...headers, ...fields } }));
}

/** An error is one in spite of them. */
const OTHER_FIELDS: Record<string, string>[] = [
  { prefer: 'handling=lenient', 'x-request-id': 'x'.repeat(200), 'x-correlation-id': 'x'.repeat(200) },
];

const withBody = (label: string, body: string, status: number) => kind(label, [status], { json: undefined, body });
const NO_JSON = withBody('no JSON', '{', 400);
const TOO_LARGE = withBody('more than 1 MiB', `{"x": "${'x'.repeat(1_048_576)}"}`, 413);
/** The valid request is sent before. */
const AGAIN = kind('what exists already', [409]);

/** The factors of a request to the operation. */
function factorsOf(operation: Operation, { token, operations }: Implementation): Kind[][] {
  const { method, path, requestBody, parameters, responses } = operation;
  const others = [...operations.values()].filter((one) => one.path === path).map((one) => one.method);
  const absent = METHODS.find((one) => !others.includes(one))!;
  const id = parameters.findLast((one) => one.in === 'path')?.name;
  const known = parameters.some(({ name }) => name === 'limit') ? { limit: '2' } : {};
  // `DELETE` need not look at `Accept`.
  const [due, may] = method === 'DELETE' ? [[], [406]] : [[406], []];
  const excludes = ['application/problem+json', 'text/html'].map((one) => ({ ...withHeader('accept', one, due), may }));
  const heads: Kind[] = method === 'GET' ? [{ ...kind('HEAD'), method: 'HEAD' }] : [];
  const missing = (name: string) =>
    kind('an id of nothing', [404], (call) => ({ path: { ...call.path, [name]: unknownValue(name) } }));
  const bodies = [kind('a body'), NO_JSON, kind('{"x": 1}', [400], { json: { x: 1 } }), TOO_LARGE];
  if (requestBody?.required) bodies.push(withBody('an empty body', '', 400));
  if (requestBody && id && method === 'POST' && '409' in responses) bodies.push(AGAIN);
  return [
    [kind(method), ...heads, { ...kind('OPTIONS'), method: 'OPTIONS' }, { ...kind(absent, [405]), method: absent }],
    [kind('any Accept'), ...[BROWSER, '', 'application/json'].map((one) => withHeader('accept', one)), ...excludes],
    [kind('no other fields'), ...OTHER_FIELDS.map((headers) => withHeaders(headers))],
    [kind('no query'), kind('an unknown parameter', [400], { query: { ...known, x: '1' } as Record<string, string> })],
    [kind('a token'), ...(token === undefined ? [] : [withHeader('authorization', '', [401])])],
    // Any subscription may exist.
    [kind('an id'), ...(id === undefined || id === 'subscription_id' ? [] : [missing(id)])],
    requestBody ? bodies : [kind('no body'), withHeader('content-type', 'application/json')],
    [kind('JSON'), ...(requestBody ? [withHeader('content-type', 'text/plain', [415])] : [])],
  ];
}

function combinations(operation: Operation): Requirement {
  const stated = ofOperation(operation)(
    ['errors-together', 'D29', INFO, 'Where more than one', '409 comes only', 'Every error response'],
    'reports one of several errors in one request, whatever its method, query and `Accept`.',
    (implementation) => {
      const factors = factorsOf(operation, implementation);
      const check = (row: readonly Kind[], session: Session) => tryRow(session, operation, row);
      const rows = pairsOf(factors).filter(isTried);
      const random = fc.tuple(...factors.map((kinds) => fc.constantFrom(...kinds))).filter(isTried);
      return [
        ...rows.map((row) => once(row.map(({ label }) => label).join(', '), (session) => check(row, session))),
        forAll('any of them together', random, check),
      ];
    },
  );
  return { ...stated, weight: 0.2 };
}

/** Each choice that is not the first of its factor with each one of another factor: none hides behind a third one. */
function pairsOf(factors: readonly Kind[][]): Kind[][] {
  const wrong = factors.flatMap((kinds, factor) => kinds.slice(1).map((one) => ({ factor, one })));
  return wrong.flatMap((first) =>
    wrong.filter(({ factor }) => factor > first.factor).map((second) => [first.one, second.one]),
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
  const input: CallInput = { ...valid };
  for (const { change } of row) Object.assign(input, typeof change === 'function' ? change(input) : change);
  const method = row.find((one) => one.method !== undefined)?.method;
  const errors = row.filter((one) => one.due.length > 0);
  // 409 comes only to a request that is otherwise valid.
  const due = errors.filter((one) => one !== AGAIN || errors.length === 1).flatMap((one) => one.due);
  const allowed = [...due, ...row.flatMap(({ may = [] }) => may)];
  const why = `Errors in the request: ${errors.map(({ label }) => label).join('; ') || 'none'}.`;
  if (method === undefined) {
    const response = await session.call(operationId, input);
    // A body that cannot be read has no errors of its own, and may be reported in place of what stands in the query.
    const isUnread = response.status === 400 && row.includes(NO_JSON);
    const codes = isUnread ? { codes: ['malformed_request', 'invalid_request'] } : {};
    expectRefusal(implementation, operation, response, allowed, why, { input, ...codes });
    if (response.status === 401) expectChallenge(response);
    return;
  }
  const sending = { ...requestOf(operation, input), method };
  if (method === 'HEAD') {
    const response = await session.send(sending);
    expectStatus(response, due.length > 0 ? allowed : ANY_SUCCESS, why);
    return expectThat(response.bytes === 0, 'HEAD has no body.', { expected: 'no body', got: response.text });
  }
  // With or without a token.
  const open = method === 'OPTIONS' ? [...ANY_SUCCESS, ...allowed.filter((one) => one !== 401)] : allowed;
  await expectMethods(session, path, sending, open, why);
}
