/** The bytes of JSON bodies (RFC 8259): syntax, encoding, repeated names, size, chunks, and what may stand around JSON. */
import type { Operation } from '../../engine/contract/operations.ts';
import { expectRefusal } from '../../engine/http/expect-response.ts';
import type { CallInput } from '../../engine/http/call.ts';
import { each, type Property, type Requirement } from '../../engine/requirements/requirement.ts';
import { callToRefuse } from '../../engine/requirements/calls.ts';
import { AT, INFO, ofOperation } from '../define.ts';
import { BARE } from '../values/routes.ts';
import { tries, type Variant } from './variants.ts';

export function bodyRequirements(operation: Operation): Requirement[] {
  if (!operation.requestBody) return [];
  return [...syntax(operation), ...texts(operation), ...sizes(operation)];
}

/** Numbers and texts in JSON that some parsers read. */
const NOT_JSON = [
  ...['05', '+5', '.5', '5.', '0x5', '1e', '1_000', '-', 'NaN', 'Infinity', '-Infinity', 'None', 'True'].map(
    (number) => `{"a":${number}}`,
  ),
  ...['{"a":1}//', '/**/{}', '{a:1}', '\u00a0{}', '{}\u2028', '{"a":"\t"}', '{"a":"\\x41"}', '{"a":"\\u12"}'],
  ...['[1,]', '{,}', '\ufeff\ufeff{}', '{', '{"type":', "{'type':1}", '{"a":1,}', 'undefined', '{}{}', '\u0000'],
  ...['[', '"\n"'],
];

function syntax(operation: Operation): Requirement[] {
  const clause = `${operation.pointer}/requestBody`;
  const around = (before: string, behind: string, due: Variant['due'], why: string) => ({
    ...{ label: JSON.stringify([before, behind]), due, why },
    change: asText((json) => `${before}${json}${behind}`),
  });
  const space = 'White space around JSON means nothing.';
  return [
    ofOperation(
      operation,
      ['body.json', 'source', clause, 'A body is JSON'],
      'refuses a body that is not well-formed JSON.',
      unreadable(operation, NOT_JSON, 'The body is not JSON.'),
    ),
    ofOperation(
      operation,
      ['body.white-space', 'source', clause, 'A body is JSON'],
      'reads a body with white space around it.',
      tries(operation, [
        around('\r\n\t ', ' \n\t\r\n', 'success', space),
        around('\n', '', 'success', space),
        around('', '\n', 'success', space),
      ]),
    ),
    ofOperation(
      operation,
      ['body.byte-order-mark', 'D29', clause, 'A byte order mark'],
      'reads a body with a byte order mark or refuses it.',
      tries(operation, [around('\ufeff', '', 'either', 'A byte order mark may be ignored or refused.')]),
    ),
    ...(operation.requestBody!.required ? [missing(operation)] : []),
  ];
}

function missing(operation: Operation): Requirement {
  return ofOperation(
    operation,
    [
      ...(['body.missing', 'D29', `${operation.pointer}/requestBody`] as const),
      ...['A missing body is one error', '`invalid_request` has `errors`'],
    ],
    'refuses a request without a body.',
    tries(operation, [
      { label: 'no body', change: { json: undefined }, due: [400], why: 'The body is missing.' },
      { label: 'an empty body', change: { body: '' }, due: [400], why: 'The body is empty.' },
    ]),
  );
}

/** JSON texts that hold one name twice in an object. */
const REPEATED_NAMES = [
  ...['{"a":1,"a":1}', '[{"a":0},{"a":1,"b":[],"a":2}]', '{"b":{"c":[[{"":0,"":1}]]}}', '{"/":0,"\\/":1}'],
  ...['{"\\u00e9":0,"é":1}', '{"__proto__":0,"__proto__":1}'],
];

const NOT_UTF_8 = [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc0, 0xaf]];

const LONE_SURROGATES = ['\\ud800', '\\udfff', 'a\\ud83d', '\\ude00\\ud83d', '\\uD83D\\u0000'];

/** JSON texts that hold a lone surrogate, in values and in names. */
const NESTED_SURROGATES = [
  ...['"\\ud800"', '["\\udfff"]', '{"a":[0,{"b":"a\\ud83d"}]}', '{"\\udc00":0}', '{"a":{"b\\ud800":0}}'],
];

function texts(operation: Operation): Requirement[] {
  const clause = `${operation.pointer}/requestBody`;
  const twice = 'An object has one name twice.';
  return [
    ofOperation(
      operation,
      ['body.repeated-names', 'D35', INFO, 'A name that', 'Names are compared'],
      'refuses a body with an object that has one name twice.',
      unreadable(
        operation,
        [...repeatedNames(operation), ...atDepth(operation, REPEATED_IN_EDGES, REPEATED_IN_ROUTES)],
        twice,
      ),
      // With an unknown property around it: a service may report that one instead.
      readable(operation, nested(operation, REPEATED_NAMES), twice, ['malformed_request', 'invalid_request']),
    ),
    ofOperation(
      operation,
      ['body.utf-8', 'D29', clause, 'Bodies are JSON in UTF-8', '| 400 | `malformed_request`'],
      'refuses a body that is not UTF-8.',
      unreadable(
        operation,
        NOT_UTF_8.map((bytes) => withText(operation, Buffer.from(bytes))),
        'The body is not UTF-8.',
      ),
    ),
    ofOperation(
      operation,
      ['body.unicode', 'D30', INFO, 'A lone surrogate', 'Five errors have no keyword'],
      'refuses a text with a lone surrogate.',
      readable(
        operation,
        [
          ...LONE_SURROGATES.map((text) => withText(operation, Buffer.from(text))),
          ...atDepth(operation, [], SURROGATES_IN_ROUTES),
          ...nested(operation, NESTED_SURROGATES),
        ],
        'A lone surrogate is not Unicode text.',
      ),
    ),
  ];
}

/** D32. */
const MAX_BYTES = 1_048_576;
const CHUNKED = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };

function sizes(operation: Operation): Requirement[] {
  /** White space around JSON means nothing, so that a body may have any size. */
  const tooLarge = (headers = {}) => ({
    change: { body: JSON.stringify(minimalBody(operation)).padEnd(MAX_BYTES + 1), ...headers },
    due: [413],
  });
  return [
    ofOperation(
      operation,
      ['body.size', 'D32', `${AT.responses}/ContentTooLarge`, '| 413 |'],
      'returns 413 to a body of more than 1,048,576 bytes, and reads one of exactly that size.',
      () =>
        tries(operation, [
          { label: 'one byte more', ...tooLarge(), why: 'The body has 1,048,577 bytes.' },
          {
            label: 'exactly 1,048,576 bytes',
            change: asText((json) => json.padEnd(MAX_BYTES)),
            due: 'success',
            why: 'The body has 1,048,576 bytes.',
          },
        ]),
    ),
    ofOperation(
      operation,
      ['body.chunked', 'D32', `${operation.pointer}/requestBody`, 'The limit of 1 MiB'],
      'reads a body that comes in chunks, and returns 413 to one of more than 1,048,576 bytes.',
      () =>
        tries(operation, [
          {
            label: 'a short body in chunks',
            change: asText((json) => json, CHUNKED),
            due: 'success',
            why: 'The body comes in chunks.',
          },
          {
            label: 'one byte more than 1,048,576 in chunks',
            ...tooLarge({ headers: CHUNKED }),
            why: 'The body has 1,048,577 bytes, in chunks and without a length.',
          },
        ]),
    ),
  ];
}

/** The valid call with its JSON sent as this text. */
function asText(text: (json: string) => string, headers?: Record<string, string>) {
  return ({ json, ...call }: CallInput): CallInput => ({
    ...call,
    body: text(JSON.stringify(json)),
    ...(headers ? { headers } : {}),
  });
}

/** Bodies that cannot be read, sent as they are. */
function unreadable(operation: Operation, bodies: readonly (string | Buffer)[], why: string): Property[] {
  const codes = ['malformed_request'];
  return tries(
    operation,
    bodies.map((body) => ({
      ...{ label: JSON.stringify(body.toString('latin1')), change: { body }, due: [400] },
      ...{ codes, why },
    })),
  );
}

/** Bodies that parsers can read, sent as they are: their errors are those of what they mean. */
function readable(
  operation: Operation,
  bodies: readonly (string | Buffer)[],
  why: string,
  codes = ['invalid_request'],
): Property[] {
  const labelled = Object.fromEntries(bodies.map((body) => [JSON.stringify(body.toString()), body]));
  return each(labelled, async (body, session) => {
    const call = await callToRefuse(session, operation.operationId);
    const response = await session.call(operation.operationId, { ...call, body });
    const { code } = (response.json ?? {}) as { code?: unknown };
    const input = { ...call, json: JSON.parse(body.toString()) as unknown };
    const refused = { codes, ...(code === 'invalid_request' ? { input } : {}) };
    expectRefusal(session.implementation, operation, response, [400], why, refused);
  });
}

function minimalBody({ operationId }: Operation): Record<string, unknown> {
  if (operationId === 'createEventSource') return { type: 'a.v0' };
  return operationId === 'createRoute' ? BARE : {};
}

/** A property that holds a text. */
function textField({ path }: Operation): string {
  return path.startsWith('/edges/') ? 'description' : 'type';
}

/** The members of the minimal body as JSON texts, each with a comma behind it, but for the one with this name. */
function membersBut(operation: Operation, but?: string): string {
  const others = Object.entries(minimalBody(operation)).filter(([name]) => name !== but);
  return others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`).join('');
}

/** A body that is valid but for the bytes in a text of it. */
function withText(operation: Operation, text: Buffer): Buffer {
  const field = textField(operation);
  return Buffer.concat([Buffer.from(`{${membersBut(operation, field)}"${field}":"`), text, Buffer.from('"}')]);
}

/** Bodies that are valid but for a property more, which holds one of these JSON texts. */
function nested(operation: Operation, values: readonly string[]): string[] {
  return values.map((value) => `{${membersBut(operation)}"x":${value}}`);
}

/** Bodies that are valid, whichever of the two properties of one name is kept. */
function repeatedNames(operation: Operation): string[] {
  const field = textField(operation);
  const escaped = `\\u${field.charCodeAt(0).toString(16).padStart(4, '0')}${field.slice(1)}`;
  const pairs = [`"${field}":"a.v0","${field}":"a.v0"`, `"${field}":"a.v0","${field}":"b.v0"`];
  return [...pairs, `"${field}":"a.v0","${escaped}" :"b.v0"`].map((pair) => `{${membersBut(operation, field)}${pair}}`);
}

const REPEATED_IN_EDGES = [
  '{"tls_termination":{"enabled":true,"enabled":true}}',
  '{"mutual_tls":{"certificate_authority_ids":[],"enabled":true,"certificate_authority_ids":[]}}',
];
const REPEATED_IN_ROUTES = [
  '"compression":{"enabled":true,"enabled":false}',
  '"request_headers":{"add":{"X-A":"1","X-A":"1"}}',
  '"response_headers":{"add":{"X-A":"1","X-B":"2","X-\\u0041":"3"}}',
  '"oauth":{"provider":{"github":{"teams":[],"scopes":[],"teams":[]}}}',
];
const SURROGATES_IN_ROUTES = [
  '"request_headers":{"add":{"X-A":"\\ud800"}}',
  '"traffic_policy":{"value":"\\udc00\\ud800"}',
  '"oidc":{"issuer":"https://login.example.com","client_id":"a","scopes":["openid","a","\\uD83D"]}',
  '"webhook_verification":{"provider":"sns","secret":"a\\udfffb"}',
];

/** Bodies of edges and routes that are valid but for what is below the top; a route is given one of the modules. */
function atDepth({ operationId }: Operation, inEdges: readonly string[], inRoutes: readonly string[]): string[] {
  if (operationId.endsWith('Edge')) return [...inEdges];
  const routes = inRoutes.map((module) => `{"match_type":"path_prefix","match":"/",${module}}`);
  return operationId.endsWith('Route') ? routes : [];
}
