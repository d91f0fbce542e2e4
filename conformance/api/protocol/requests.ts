/** Paths and queries in HTTP (D29, D35), input that is not HTTP, several errors in a request: the order is free. */
import fc from 'fast-check';
import { type Operation, type Parameter, statusesFrom } from '../../engine/contract/operations.ts';
import { valueAt } from '../../engine/contract/pointers.ts';
import { twoErrors } from '../../engine/generate/two-errors.ts';
import {
  type CallInput,
  requestOf,
  requestTargetOf,
  type Sending,
} from '../../engine/http/call.ts';
import {
  expectRefusal,
  expectRefusedAnyhow,
  expectStatus,
  expectSuccess,
  refuse,
  succeed,
} from '../../engine/http/expect-response.ts';
import { type Implementation, operationBeside } from '../../engine/http/implementation.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { forAll, once } from '../../engine/laws/law.ts';
import { callToRefuse, validCall } from '../../engine/requirements/calls.ts';
import { BROWSER } from '../../engine/requirements/header-field-rows.ts';
import {
  CLAUSE,
  each,
  eachText,
  type Property,
  type Requirement,
  withoutToken,
} from '../../engine/requirements/requirement.ts';
import { AT, core, define, INFO, ofOperation, rule, ruleOf, type Variant } from '../define.ts';
import { eachOffered, offers, targetFor, unknownId, unknownValue } from '../implementation.ts';
import { expectChallenge } from './authentication.ts';
import { expectProblem } from '../errors/problem.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ANY_SUCCESS = statusesFrom(200);

function methods(path: string, all: readonly Operation[]): Requirement {
  const operations = all.filter((one) => one.path === path);
  const send = async (session: Session, method: string, statuses: number[], why: string) => {
    const target = await targetFor(session, operations[0]!.operationId);
    await expectMethods(session, path, { method, target }, statuses, why);
  };
  const others = METHODS.filter((method) => !operations.some((one) => one.method === method));
  const id = `protocol.405.${path.replaceAll(/[{}]/g, '').slice(1).replaceAll('/', '.')}`;
  return define(operations.every((one) => one.level === 'extended') ? 'extended' : 'core')(
    rule(id, 'D29', INFO, 'A path responds with 405', '| 405 |'),
    `${path} returns 405 to a known method that it does not have, and \`Allow\` lists those that it has.`,
    eachText(others, (method, session) =>
      send(session, method, [405], `${path} has no ${method}.`),
    ),
    once('OPTIONS', (session) =>
      send(session, 'OPTIONS', ANY_SUCCESS, 'OPTIONS responds with `Allow`.'),
    ),
  );
}

/** In the response, `Allow` lists the methods of the path, where it must. @throws Nonconformity */
async function expectMethods(
  session: Session,
  path: string,
  sending: Sending,
  statuses: number[],
  why: string,
) {
  const { implementation } = session;
  const { method } = sending;
  const response = await session.send(sending);
  const { status, headers } = response;
  expectStatus(response, statuses, why);
  if (status >= 400) {
    expectProblem(implementation, response);
  }
  if (status >= 300 && status !== 405) {
    return;
  }
  const operations = [...implementation.operations.values()].filter((one) => one.path === path);
  // A service may offer more than its level asks for, and more than this contract knows.
  const due = operations
    .filter((one) => offers(implementation, one.operationId))
    .map((one) => one.method);
  const got = headers['allow'] ?? 'no Allow';
  const allowed = got.split(',').map((one) => one.trim().toUpperCase());
  for (const expected of due) {
    expectThat(allowed.includes(expected), '`Allow` lacks a method.', { expected, got });
  }
  const isWrong = status === 405 && allowed.includes(method);
  expectThat(!isWrong, '`Allow` lists the method that was refused.', {
    expected: `no ${method}`,
    got,
  });
}

const options = {
  ...core(
    rule('protocol.options.without-token', 'D29', INFO, '`OPTIONS` responds with any 2xx status'),
    'OPTIONS responds with a 2xx status and `Allow` without a token, too.',
    (implementation) =>
      eachOffered(implementation, async (operationId, session) => {
        const target = await targetFor(session, operationId);
        const sending = { method: 'OPTIONS', target, headers: { authorization: '' } };
        const why = 'OPTIONS responds with `Allow`, with or without a token.';
        await expectMethods(
          session,
          session.operation(operationId).path,
          sending,
          ANY_SUCCESS,
          why,
        );
      }),
  ),
  skip: withoutToken,
};

/** @param paths in them, `{id}` is the id of an edge that exists, and `{unknown}` one that does not */
function reads(due: readonly number[], why: string, paths: readonly string[]): Property[] {
  return eachText(paths, async (template, session) => {
    const id = template.includes('{id}')
      ? (await validCall(session, 'getEdge')).path!['edge_id']!
      : '';
    const target = template.replace('{id}', id).replace('{unknown}', unknownId());
    const response = await session.send({ method: 'GET', target });
    expectStatus(response, due, why);
    if (response.status === 200) {
      expectSame('Another edge is shown', response.json, { id });
    } else {
      expectProblem(session.implementation, response);
    }
  });
}

const pathRules = [
  core(
    rule(
      'protocol.404',
      'D29',
      `${AT.responses}/NotFound`,
      'Every error response',
      'A problem may have four more',
    ),
    'A path that the contract does not have gets 404.',
    reads([404], 'There is no such path.', [
      '/edges',
      '/edges/http',
      '/edges/https/{unknown}/y/z',
      '/event_subscriptions',
      '/event_subscriptions/{unknown}',
      '/{unknown}',
      '/Edges/Https/{unknown}',
    ]),
  ),
  core(
    rule('protocol.path.undecodable', 'D29', INFO, 'The HTTP server below'),
    'A path that is not valid percent-encoding is refused.',
    eachText(
      [
        'edges/https/%E0%A4%A',
        'edges/https/%',
        'edges/https/%zz',
        'event_subscriptions/%ff/sources',
        '%C3%28',
      ],
      (path, session) =>
        expectRefusedAnyhow(
          () => session.send({ method: 'GET', target: `/${path}` }),
          'The path cannot be decoded.',
        ),
    ),
  ),
  core(
    rule('protocol.path.encoded-slash', 'D29', INFO, 'A path is split into segments'),
    '`%2F` never separates two segments of a path.',
    reads([400, 404], 'An encoded slash is a part of a segment.', [
      '/edges%2Fhttps%2F{id}',
      '/edges/https%2F{id}',
      '/edges/https%2f{id}',
      '/edges%2fhttps/{id}',
      '/edges/https/{id}%2F',
    ]),
  ),
  core(
    rule('protocol.path.spellings', 'D29', INFO, 'Other spellings of a path'),
    'Another spelling of a path is understood, or refused with 400 or 404.',
    reads([200, 400, 404], 'It may be understood or not.', [
      '/edges/https/{id}/',
      '/edges//https/{id}',
      '/edges/./https/{id}',
      '/edges/https/../https/{id}',
      '/edges/https/%2e/{id}',
      '/%65dges/https/{id}',
      '/edges/https/{id};a=b',
      '/edges/https/{id}?',
      '/edges/https/{id}?&',
      '/EDGES/https/{id}',
    ]),
  ),
];

function head(operation: Operation): Requirement {
  const { operationId } = operation;
  return define(operation.level)(
    rule(`${operationId}.head`, 'D29', INFO, '`HEAD` works wherever `GET` does'),
    `HEAD works where ${operationId} does: the same status, and no body (RFC 9110).`,
    once('HEAD beside GET', async (session) => {
      const target = await targetFor(session, operationId);
      const get = await session.send({ method: 'GET', target });
      // A connection of its own: what comes behind the headers comes before its end.
      const response = await session.send({
        method: 'HEAD',
        target,
        headers: { connection: 'close' },
      });
      expectSame('HEAD has another status than GET', response.status, get.status);
      expectThat(response.bytes === 0, 'HEAD has no body.', {
        expected: 'no body',
        got: response.text,
      });
      expectSame('HEAD has another media type than GET', response.mediaType, get.mediaType);
      if (!operationBeside(session.implementation, operation, 'DELETE')) {
        return;
      }
      await session.send({ method: 'DELETE', target });
      const gone = await session.send({ method: 'HEAD', target });
      expectSame(
        'HEAD shows what is gone',
        gone.status,
        (await session.send({ method: 'GET', target })).status,
      );
    }),
  );
}

function decoding(operation: Operation): Requirement {
  const { operationId, method } = operation;
  return ofOperation(operation)(
    rule('path.decoding', 'D29', INFO, 'A path is split into segments'),
    'takes percent-encoded path parameters for what they stand for (RFC 3986).',
    once('every character encoded', async (session) => {
      const call = await validCall(session, operationId);
      const encoded = { ...call, encode: encodeAll };
      const why = `${requestTargetOf(operation, encoded)} is ${requestTargetOf(operation, call)}.`;
      expectSuccess(
        session.implementation,
        operation,
        await session.call(operationId, encoded),
        why,
      );
    }),
    once('encoded twice', async (session) => {
      const { json, ...call } = await validCall(session, operationId);
      const target = requestTargetOf(operation, {
        ...call,
        encode: (text) => encodeURIComponent(encodeAll(text)),
      });
      const headers = { 'content-type': 'application/json' };
      const body = json === undefined ? {} : { body: JSON.stringify(json), headers };
      const response = await session.send({ method, target, ...body });
      const why = `${target} is decoded once: a percent sign is in no name.`;
      expectRefusal(session.implementation, operation, response, [400, 404], why);
    }),
  );
}

const encodeAll = (text: string) =>
  Buffer.from(text).toString('hex').toUpperCase().replaceAll(/../g, '%$&');

const notHttp = core(
  rule('protocol.not-http', 'D29', INFO, 'The HTTP server below', 'It responds with any status'),
  'What an HTTP server may refuse by itself gets a status of HTTP, or the connection is closed; the service goes on.',
  (implementation) =>
    each(inputs(implementation.client.base), async (text, session) => {
      const send = () => session.sendBytes(Buffer.from(text, 'latin1'));
      await expectRefusedAnyhow(send, 'An HTTP server need not read this.');
      const target = `/edges/https/${unknownId()}`;
      expectStatus(
        await session.send({ method: 'GET', target }),
        [404],
        'The next request is right.',
      );
    }),
);

/** Servers need not know them, or hand them on. */
const METHODS_OF_FEW = ['FOO', 'TRACE', 'CONNECT', 'PROPFIND'];

function inputs({ pathname, host }: URL): Record<string, string> {
  const base = pathname.replace(/\/$/, '');
  const fields = `Host: ${host}\r\nConnection: close\r\n`;
  const get = `GET ${base}/edges/https/${unknownId()} HTTP/1.1\r\n${fields}`;
  const post = `POST ${base}/event_subscriptions/${unknownId()}/sources HTTP/1.1\r\n${fields}`;
  return {
    ...Object.fromEntries(
      METHODS_OF_FEW.map((method) => [method, `${get.replace('GET', method)}\r\n`]),
    ),
    'bytes in a path that are not ASCII': `${get.replace(' HTTP', '\xe9\xff HTTP')}\r\n`,
    'a path of 200,000 bytes': `${get.replace(' HTTP', `${'x'.repeat(200_000)} HTTP`)}\r\n`,
    'a line of text': 'hello\r\n\r\n',
    'another protocol': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n',
    'another version of HTTP': `${get.replace('HTTP/1.1', 'HTTP/9.9')}\r\n`,
    'a header without a name': `${get}: x\r\n\r\n`,
    'a space in a name': `${get}X Y: x\r\n\r\n`,
    'a header of 200,000 bytes': `${get}X-Long: ${'x'.repeat(200_000)}\r\n\r\n`,
    'two lengths': `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    'a length that is not a number': `${post}Content-Length: two\r\n\r\n{}`,
    'a chunk without a size': `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  };
}

function repeated(operation: Operation, { name, pointer }: Parameter): Requirement {
  const twice = (second: string): Variant => {
    const query: [string, string][] = ['1', second].map((value) => [name, value]);
    return {
      label: `1 and ${second}`,
      change: { query },
      due: [400],
      why: `\`${name}\` is there twice.`,
    };
  };
  return ruleOf(operation)(
    rule(`query.${name}.repeated`, 'D35', pointer, 'Six errors have no keyword'),
    `refuses a query with \`${name}\` twice.`,
    [twice('1'), twice('2')],
  );
}

/** Names that a careless service would take for something else. */
const TEMPTING = [
  'page',
  'offset',
  'Limit',
  'LIMIT',
  'limit[]',
  'type',
  'id',
  '__proto__',
  'constructor',
  'x',
  '\u0000',
  'limit\u0000',
  '%s%n',
  "'",
];

function unknown(operation: Operation): Requirement {
  const known = operation.parameters.map(({ name }) => name);
  const names = () => fc.stringMatching(/^[a-z_]{1,12}$/).filter((name) => !known.includes(name));
  const refuses = async (name: string, session: Session) => {
    const input = {
      ...(await callToRefuse(session, operation.operationId)),
      query: { [name]: '1' },
    };
    await refuse(
      session,
      operation.operationId,
      input,
      [400],
      `There is no parameter \`${name}\`.`,
    );
  };
  const stated = ofOperation(operation)(
    rule(
      'query.unknown',
      'D35',
      INFO,
      'An unknown query',
      'Six errors have no keyword',
      'Each error has a `code`',
    ),
    'refuses a query parameter that it does not know.',
    eachText(TEMPTING, refuses),
    () => forAll('an unknown name', names(), refuses),
  );
  return { ...stated, weight: CLAUSE };
}

const WORDS = [
  'Where more than one',
  'Where a condition',
  'The code of an error follows',
  'Each error has a `code`',
];

function twoErrorsAtOnce(operation: Operation): Requirement {
  const { operationId, requestBody } = operation;
  return ofOperation(operation)(
    rule('body.two-errors', 'D29', `${AT.schemas}/FieldError`, ...WORDS),
    'refuses a body with two errors, and names at least one of them and nothing else.',
    ({ contract, hints }) => {
      const values = twoErrors(contract, requestBody!.pointer, hints);
      if (!values) {
        return [];
      }
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
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`x${index}`.padEnd(length, 'x'), '1']),
    );
  const refuses = (
    label: string,
    more: (most: number) => { query?: Record<string, string>; unknown?: object },
  ) =>
    once(label, async (session) => {
      const most = Number(valueAt(session.implementation.contract.document, `${errors}/maxItems`));
      const { query, unknown: properties } = more(most + 1);
      const { json, ...input } = await callToRefuse(session, operationId);
      const body = properties ? { ...(json as object), ...properties } : json;
      const sent = { ...input, ...(query && { query }), ...(requestBody && { json: body }) };
      await refuse(session, operationId, sent, [400], `The request has more than ${most} errors.`);
    });
  return ofOperation(operation)(
    rule('errors.many', 'D29', errors, '`invalid_request` has `errors`'),
    'refuses a request with more errors than a problem can list.',
    refuses('in the query', (count) => ({ query: named(count, 1) })),
    requestBody ? refuses('in the body', (count) => ({ unknown: named(count, 2_000) })) : [],
    requestBody
      ? refuses('in both', (count) => ({ query: named(count, 1), unknown: named(count, 1) }))
      : [],
  );
}

const requestIds = core(
  rule('problems.request-id', 'D29', `${AT.schemas}/Problem/properties/request_id`),
  'Where problems have a `request_id`, no two responses have the same.',
  once('the same request five times, twice at once', async (session) => {
    const send = () => session.send({ method: 'GET', target: `/edges/https/${unknownId()}` });
    const alone = [await send(), await send(), await send()];
    const responses = [...alone, ...(await session.together(() => [send(), send()]))];
    const got = responses.flatMap(
      ({ json }) => (json as { request_id?: unknown } | undefined)?.request_id ?? [],
    );
    const isUnique = new Set(got).size === got.length;
    expectThat(isUnique, '`request_id` is the same in two responses.', {
      expected: 'another one in each',
      got,
    });
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

function kind(
  label: string,
  due: readonly number[] = [],
  change: NonNullable<Kind['change']> = {},
): Kind {
  return { label, due, change };
}

function withHeader(name: string, value: string, due: readonly number[] = []): Kind {
  return {
    ...withHeaders({ [name]: value }),
    label: value === '' ? `no ${name}` : `${name}: ${value}`,
    due,
  };
}

function withHeaders(fields: Record<string, string>): Kind {
  return kind(Object.keys(fields).join(', '), [], ({ headers }) => ({
    headers: { ...headers, ...fields },
  }));
}

/** An error is one in spite of them. */
const LONG_ID = 'x'.repeat(200);
const TRACED = { 'x-request-id': LONG_ID, 'x-correlation-id': LONG_ID };
const OTHER_FIELDS = { prefer: 'handling=lenient', origin: 'https://other.example.com', ...TRACED };

const withBody = (label: string, body: string, status: number) =>
  kind(label, [status], { json: undefined, body });
const NO_JSON = withBody('no JSON', '{', 400);
const TOO_LARGE = withBody('more than 1 MiB', `{"x": "${'x'.repeat(1_048_576)}"}`, 413);
/** The valid request is sent before. */
const AGAIN = kind('what exists already', [409]);

function factorsOf(operation: Operation, { token, operations }: Implementation): Kind[][] {
  const { method, path, requestBody, parameters, responses } = operation;
  const others = [...operations.values()]
    .filter((one) => one.path === path)
    .map((one) => one.method);
  const absent = METHODS.find((one) => !others.includes(one))!;
  const id = parameters.findLast((one) => one.in === 'path')?.name;
  const known = parameters.some(({ name }) => name === 'limit') ? { limit: '2' } : {};
  // `DELETE` need not look at `Accept`.
  const [due, may] = method === 'DELETE' ? [[], [406]] : [[406], []];
  const excludes = ['application/problem+json', 'text/html'].map((one) => ({
    ...withHeader('accept', one, due),
    may,
  }));
  const heads: Kind[] = method === 'GET' ? [{ ...kind('HEAD'), method: 'HEAD' }] : [];
  const missing = (name: string) =>
    kind('an id of nothing', [404], (call) => ({
      path: { ...call.path, [name]: unknownValue(name) },
    }));
  const bodies = [kind('a body'), NO_JSON, kind('{"x": 1}', [400], { json: { x: 1 } }), TOO_LARGE];
  if (requestBody?.required) {
    bodies.push(withBody('an empty body', '', 400));
  }
  if (requestBody && id && method === 'POST' && '409' in responses) {
    bodies.push(AGAIN);
  }
  return [
    [
      kind(method),
      ...heads,
      { ...kind('OPTIONS'), method: 'OPTIONS' },
      { ...kind(absent, [405]), method: absent },
    ],
    [
      kind('any Accept'),
      ...[BROWSER, '', 'application/json'].map((one) => withHeader('accept', one)),
      ...excludes,
    ],
    [kind('no other fields'), withHeaders(OTHER_FIELDS)],
    [
      kind('no query'),
      kind('an unknown parameter', [400], {
        query: { ...known, x: '1' } as Record<string, string>,
      }),
    ],
    [kind('a token'), ...(token === undefined ? [] : [withHeader('authorization', '', [401])])],
    // Any subscription may exist.
    [kind('an id'), ...(id === undefined || id === 'subscription_id' ? [] : [missing(id)])],
    requestBody ? bodies : [kind('no body'), withHeader('content-type', 'application/json')],
    [kind('JSON'), ...(requestBody ? [withHeader('content-type', 'text/plain', [415])] : [])],
  ];
}

function combinations(operation: Operation): Requirement {
  const stated = ofOperation(operation)(
    rule(
      'errors-together',
      'D29',
      INFO,
      'Where more than one',
      '409 comes only',
      'Every error response',
    ),
    'reports one of several errors in one request, whatever its method, query and `Accept`.',
    (implementation) => {
      const factors = factorsOf(operation, implementation);
      const check = (row: readonly Kind[], session: Session) => tryRow(session, operation, row);
      const rows = pairsOf(factors).filter(isTried);
      const random = fc.tuple(...factors.map((kinds) => fc.constantFrom(...kinds))).filter(isTried);
      return [
        ...rows.map((row) =>
          once(row.map(({ label }) => label).join(', '), (session) => check(row, session)),
        ),
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
  if (again) {
    await succeed(session, operationId, valid);
  }
  const input: CallInput = { ...valid };
  for (const { change } of row) {
    Object.assign(input, typeof change === 'function' ? change(input) : change);
  }
  const method = row.find((one) => one.method !== undefined)?.method;
  const errors = row.filter((one) => one.due.length > 0);
  // 409 comes only to a request that is otherwise valid.
  const due = errors
    .filter((one) => one !== AGAIN || errors.length === 1)
    .flatMap((one) => one.due);
  const allowed = [...due, ...row.flatMap(({ may = [] }) => may)];
  const why = `Errors in the request: ${errors.map(({ label }) => label).join('; ') || 'none'}.`;
  if (method === undefined) {
    const response = await session.call(operationId, input);
    // A body that cannot be read has no errors of its own, and may be reported in place of what stands in the query.
    const isUnread = response.status === 400 && row.includes(NO_JSON);
    const codes = isUnread ? { codes: ['malformed_request', 'invalid_request'] } : {};
    expectRefusal(implementation, operation, response, allowed, why, { input, ...codes });
    if (response.status === 401) {
      expectChallenge(response);
    }
    return;
  }
  const sending = { ...requestOf(operation, input), method };
  if (method === 'HEAD') {
    const response = await session.send(sending);
    expectStatus(response, due.length > 0 ? allowed : ANY_SUCCESS, why);
    return expectThat(response.bytes === 0, 'HEAD has no body.', {
      expected: 'no body',
      got: response.text,
    });
  }
  // With or without a token.
  const open =
    method === 'OPTIONS' ? [...ANY_SUCCESS, ...allowed.filter((one) => one !== 401)] : allowed;
  await expectMethods(session, path, sending, open, why);
}

export function requestRequirements(
  operations: readonly Operation[],
  offered: readonly Operation[],
): Requirement[] {
  const paths = [...new Set(operations.map(({ path }) => path))];
  const ofEach = offered.flatMap((operation) => [
    ...operation.parameters
      .filter((one) => one.in === 'query')
      .map((parameter) => repeated(operation, parameter)),
    ...(operation.requestBody ? [twoErrorsAtOnce(operation)] : []),
    unknown(operation),
    manyErrors(operation),
    combinations(operation),
    ...(operation.method === 'GET' ? [head(operation)] : []),
    ...(operation.path.includes('{') ? [decoding(operation)] : []),
  ]);
  return [
    ...ofEach,
    ...paths.map((path) => methods(path, operations)),
    options,
    ...pathRules,
    notHttp,
    requestIds,
  ];
}
