/** Bodies as bytes of JSON (RFC 8259); which `Accept` allows JSON, which `Content-Type` declares it in UTF-8. */
import { type Operation, successOf } from '../../engine/contract/operations.ts';
import type { CallInput } from '../../engine/http/call.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { otherEncodings } from '../../engine/requirements/structure.ts';
import { AT, INFO, rule, ruleOf, type Variant } from '../define.ts';
import { BARE } from '../values/bodies.ts';

export function bodyProtocolRequirements(operation: Operation): Requirement[] {
  const ofBody = operation.requestBody
    ? [...syntax(operation), ...texts(operation), ...sizes(operation)]
    : [];
  return [...mediaTypes(operation), ...ofBody];
}

/** Numbers and texts in JSON that some parsers read. */
const NOT_JSON = [
  ...[
    '05',
    '+5',
    '.5',
    '5.',
    '0x5',
    '1e',
    '1_000',
    '-',
    'NaN',
    'Infinity',
    '-Infinity',
    'None',
    'True',
  ].map((number) => `{"a":${number}}`),
  '{"a":1}//',
  '/**/{}',
  '{a:1}',
  '\u00a0{}',
  '{}\u2028',
  '{"a":"\t"}',
  '{"a":"\\x41"}',
  '{"a":"\\u12"}',
  '[1,]',
  '{,}',
  '\ufeff\ufeff{}',
  '{',
  '{"type":',
  "{'type':1}",
  '{"a":1,}',
  'undefined',
  '{}{}',
  '\u0000',
  '[',
  '"\n"',
];

function syntax(operation: Operation): Requirement[] {
  const requirement = ruleOf(operation);
  const clause = `${operation.pointer}/requestBody`;
  const around = (before: string, behind: string, due: Variant['due'], why: string): Variant => {
    const change = asText((json) => `${before}${json}${behind}`);
    return { label: JSON.stringify([before, behind]), change, due, why };
  };
  const space = 'White space around JSON means nothing.';
  const missing = requirement(
    rule(
      'body.missing',
      'D29',
      clause,
      'A missing body is one error',
      '`invalid_request` has `errors`',
    ),
    'refuses a request without a body.',
    [
      { label: 'no body', change: { json: undefined }, due: [400], why: 'The body is missing.' },
      { label: 'an empty body', change: { body: '' }, due: [400], why: 'The body is empty.' },
      {
        label: 'an empty body in chunks',
        change: EMPTY_CHUNKS,
        due: [400],
        why: 'The body is empty.',
      },
    ],
  );
  return [
    requirement(
      rule('body.json', 'source', clause, 'A body is JSON'),
      'refuses a body that is not well-formed JSON.',
      malformed(NOT_JSON, 'The body is not JSON.'),
    ),
    requirement(
      rule('body.white-space', 'source', clause, 'A body is JSON'),
      'reads a body with white space around it.',
      [
        around('\r\n\t ', ' \n\t\r\n', 'success', space),
        around('\n', '', 'success', space),
        around('', '\n', 'success', space),
      ],
    ),
    requirement(
      rule('body.byte-order-mark', 'D29', clause, 'A byte order mark'),
      'reads a body with a byte order mark or refuses it.',
      [around('\ufeff', '', 'either', 'A byte order mark may be ignored or refused.')],
    ),
    ...(operation.requestBody!.required ? [missing] : []),
  ];
}

/** JSON texts that hold one name twice in an object. */
const REPEATED_NAMES = [
  '{"a":1,"a":1}',
  '[{"a":0},{"a":1,"b":[],"a":2}]',
  '{"b":{"c":[[{"":0,"":1}]]}}',
  '{"/":0,"\\/":1}',
  '{"\\u00e9":0,"é":1}',
  '{"__proto__":0,"__proto__":1}',
];

/** Each character stands for one byte. */
const NOT_UTF_8 = [
  '\xff',
  '\xc3',
  '\xed\xa0\x80',
  '\xf5\x80\x80\x80',
  '\xc0\xaf',
  '\xc0\x80',
  // CESU-8: the two halves of a pair, each in three bytes.
  '\xed\xa0\xbd\xed\xb8\x80',
];

const LONE_SURROGATES = ['\\ud800', '\\udfff', 'a\\ud83d', '\\ude00\\ud83d', '\\uD83D\\u0000'];

/** JSON texts that hold a lone surrogate, in values and in names. */
const NESTED_SURROGATES =
  '"\\ud800" ["\\udfff"] {"a":[0,{"b":"a\\ud83d"}]} {"\\udc00":0} {"a":{"b\\ud800":0}}'.split(' ');

function texts(operation: Operation): Requirement[] {
  const requirement = ruleOf(operation);
  const clause = `${operation.pointer}/requestBody`;
  const twice = 'An object has one name twice.';
  const field = textField(operation);
  const withText = (text: string) => bodyWith(operation, `"${field}":"${text}"`, field);
  /** Bodies that are valid but for a property more, which holds one of these JSON texts. */
  const nested = (values: readonly string[]) =>
    values.map((value) => bodyWith(operation, `"x":${value}`));
  const bytes = NOT_UTF_8.map((one) => Buffer.from(withText(one), 'latin1'));
  const notUtf8 = [...bytes, ...otherEncodings(withText('a.v0')).map(([, encoded]) => encoded)];
  const inRoutes = atDepth(operation, [], SURROGATES_IN_ROUTES);
  const surrogates = [...LONE_SURROGATES.map(withText), ...inRoutes, ...nested(NESTED_SURROGATES)];
  return [
    requirement(
      rule('body.repeated-names', 'D35', INFO, 'A name that', 'Names are compared'),
      'refuses a body with an object that has one name twice.',
      malformed(
        [...repeatedNames(operation), ...atDepth(operation, REPEATED_IN_EDGES, REPEATED_IN_ROUTES)],
        twice,
      ),
      // With an unknown property around it: a service may report that one instead.
      refused(nested(REPEATED_NAMES), twice, ['malformed_request', 'invalid_request']),
    ),
    requirement(
      rule('body.utf-8', 'D29', clause, 'Bodies are JSON in UTF-8', '| 400 | `malformed_request`'),
      'refuses a body that is not UTF-8.',
      malformed(notUtf8, 'The body is not UTF-8.'),
    ),
    requirement(
      rule(
        'body.unicode',
        'D30',
        INFO,
        'A lone surrogate',
        'Six errors have no keyword',
        'Where no pointer',
      ),
      'refuses a text with a lone surrogate.',
      refused(surrogates, 'A lone surrogate is not Unicode text.', ['invalid_request']),
    ),
  ];
}

/** D32. */
const MAX_BYTES = 1_048_576;
const CHUNKED = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };

function sizes(operation: Operation): Requirement[] {
  const requirement = ruleOf(operation);
  /** White space around JSON means nothing, so that a body may have any size. */
  const sized = (
    label: string,
    bytes: number,
    due: Variant['due'],
    why: string,
    headers = {},
  ): Variant => {
    return { label, change: asText((json) => json.padEnd(bytes), headers), due, why };
  };
  const inChunks = 'The body has 1,048,577 bytes, in chunks and without a length.';
  return [
    requirement(
      rule('body.size', 'D32', `${AT.responses}/ContentTooLarge`, '| 413 |'),
      'returns 413 to a body of more than 1,048,576 bytes, and reads one of exactly that size.',
      [
        sized('one byte more', MAX_BYTES + 1, [413], 'The body has 1,048,577 bytes.'),
        sized('exactly 1,048,576 bytes', MAX_BYTES, 'success', 'The body has 1,048,576 bytes.'),
      ],
    ),
    requirement(
      rule('body.chunked', 'D32', `${operation.pointer}/requestBody`, 'The limit of 1 MiB'),
      'reads a body that comes in chunks, and returns 413 to one of more than 1,048,576 bytes.',
      [
        sized('a short body in chunks', 0, 'success', 'The body comes in chunks.', CHUNKED),
        sized('one byte more than 1,048,576 in chunks', MAX_BYTES + 1, [413], inChunks, CHUNKED),
      ],
    ),
  ];
}

/** The valid call with its JSON sent as this text. */
function asText(text: (json: string) => string, headers: Record<string, string> = {}) {
  return ({ json, ...call }: CallInput): CallInput => ({
    ...call,
    body: text(JSON.stringify(json)),
    headers,
  });
}

/** Bodies that are sent as they are, and refused with one of the codes. */
function refused(
  bodies: readonly (string | Buffer)[],
  why: string,
  codes: readonly string[],
): Variant[] {
  return bodies.map((body) => {
    const label = JSON.stringify(body.toString('latin1'));
    return { label, change: { body }, due: [400], codes, why };
  });
}

const malformed = (bodies: readonly (string | Buffer)[], why: string) =>
  refused(bodies, why, ['malformed_request']);

function minimalBody({ operationId }: Operation): Record<string, unknown> {
  if (operationId === 'createEventSource') {
    return { type: 'a.v0' };
  }
  return operationId === 'createRoute' ? BARE : {};
}

function textField({ path }: Operation): string {
  return path.startsWith('/edges/') ? 'description' : 'type';
}

/** The minimal body as JSON text, with these members in place of the one with this name. */
function bodyWith(operation: Operation, members: string, but?: string): string {
  const others = Object.entries(minimalBody(operation)).filter(([name]) => name !== but);
  return `{${others.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`).join('')}${members}}`;
}

/** Bodies that are valid, whichever of the two properties of one name is kept. */
function repeatedNames(operation: Operation): string[] {
  const field = textField(operation);
  const escaped = `\\u${field.charCodeAt(0).toString(16).padStart(4, '0')}${field.slice(1)}`;
  const pairs = [`"${field}":"a.v0","${field}":"a.v0"`, `"${field}":"a.v0","${field}":"b.v0"`];
  return [...pairs, `"${field}":"a.v0","${escaped}" :"b.v0"`].map((pair) =>
    bodyWith(operation, pair, field),
  );
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
function atDepth(
  { operationId }: Operation,
  inEdges: readonly string[],
  inRoutes: readonly string[],
): string[] {
  if (operationId.endsWith('Edge')) {
    return [...inEdges];
  }
  const routes = inRoutes.map((module) => `{"match_type":"path_prefix","match":"/",${module}}`);
  return operationId.endsWith('Route') ? routes : [];
}

const RULES_JSON_OUT = [
  'text/html',
  'application/xml',
  'image/*',
  'application/json;q=0, text/plain',
  'application/json;q=0',
  'application/json;q=0.000, */*;q=0.5',
  'application/*;q=0, */*',
  '*/*;q=0',
  'text/*;q=1, application/xml;q=0.1',
  'application/jsonx',
  'text/json',
  'application/problem+json',
  'application/json;Q=0',
];

/** An empty value takes the field away. */
const ALLOWS_JSON = [
  '',
  '*/*',
  'application/*',
  'text/html, application/json;q=0.5',
  'APPLICATION/JSON',
  'application/json;q=0.001, text/html;q=1',
  '*/*;q=0, application/json;q=1.000',
  'application/*;q=0, application/json',
  'text/html;level=1;q=0.9, application/* ; q=0.1',
  'text/html,\t*/*;q=0.1',
];

const OTHER_TYPES =
  'text/plain|application/xml|application/x-www-form-urlencoded|multipart/form-data; boundary=x'.split(
    '|',
  );
const JSON_TYPES =
  'application/json|Application/JSON|application/json; charset=utf-8|Application/JSON;charset=UTF-8'.split(
    '|',
  );

const RELATIVES = [
  'application/problem+json',
  'application/vnd.api+json',
  'application/merge-patch+json',
  'application/json5',
  'application/json-patch+json',
  'application/x-json',
  'text/json',
  'application/jsonx',
  'x-application/json',
  'application',
  'json',
  '*/*',
  'application/*',
  '',
];

const OTHER_CHARSETS = [
  'application/json; charset=iso-8859-1',
  'application/json;charset=utf-16',
  'application/json; charset=utf-80',
  'application/json; charset="UTF-16LE"',
  'application/json; charset=us-ascii',
  'application/json; charset=utf8',
  'application/json; charset="windows-1252"',
  'application/json; x=y; charset=latin1',
];
const UTF_8 = [
  'application/json;charset="utf-8"',
  'APPLICATION/JSON; CHARSET=UTF-8',
  'application/json ; charset=Utf-8',
  'application/json;\tcharset="UTF-8"',
];

const OTHER_PARAMETERS = [
  'application/json; version=1',
  'application/json; profile="https://example.com/a;b"',
  'application/json; q=0.5',
  'application/json;',
  'application/json; x="charset=latin1"',
];

/** One request for each value of a header; `what` follows the value in the reason. */
function withHeader(
  name: string,
  values: readonly string[],
  due: Variant['due'],
  what: string,
): Variant[] {
  return values.map((value) => ({
    label: value === '' ? `no ${name}` : `${name}: ${value}`,
    change: (call) => ({ ...call, headers: { [name]: value } }),
    due,
    why: value === '' ? `There is no ${name}.` : `${name}: ${value} ${what}.`,
  }));
}

const EMPTY_CHUNKS = { body: '', headers: { 'transfer-encoding': 'chunked' } };
const UNDECLARED = { json: undefined, headers: { 'content-type': 'text/plain' } };
const WITHOUT_BODY: Variant[] = [
  { label: 'a type and no body', change: UNDECLARED, due: 'success', why: 'There is no body.' },
  {
    label: 'an empty body in chunks',
    change: EMPTY_CHUNKS,
    due: 'success',
    why: 'There is no body.',
  },
];

function contentTypes(operation: Operation): Requirement[] {
  const requirement = ruleOf(operation);
  const clause = `${AT.responses}/UnsupportedMediaType`;
  return [
    requirement(
      rule('415', 'D29', clause, '| 415 |', '`Content-Type` is'),
      'returns 415 to a body that is not declared as JSON.',
      withHeader('content-type', OTHER_TYPES, [415], 'is not JSON'),
      withHeader('content-type', JSON_TYPES, 'success', 'is JSON'),
      operation.requestBody!.required ? [] : WITHOUT_BODY,
    ),
    requirement(
      rule('415.relatives', 'D29', clause, 'A `charset` is'),
      'returns 415 to media types that only look like JSON, and to a body without a media type.',
      withHeader('content-type', RELATIVES, [415], 'is not JSON'),
    ),
    requirement(
      rule('415.charset', 'D29', clause, 'A `charset` is'),
      'returns 415 to another charset than UTF-8, and reads UTF-8 however it is written.',
      withHeader('content-type', OTHER_CHARSETS, [415], 'is not UTF-8'),
      withHeader('content-type', UTF_8, 'success', 'is JSON in UTF-8'),
    ),
    requirement(
      rule('415.parameters', 'D29', `${operation.pointer}/requestBody`, 'Other parameters'),
      'ignores other parameters of the media type, or refuses them as documented.',
      withHeader('content-type', OTHER_PARAMETERS, 'either', 'may be read as JSON or refused'),
    ),
  ];
}

const HTML_AND_JSON = ['text/html', 'application/json;q=0.5'];
const ACCEPT_FIELDS: Variant[] = [
  ...[HTML_AND_JSON, HTML_AND_JSON.toReversed()].map((values): Variant => {
    const label = `two fields, ${values.join(' and ')}`;
    const why = 'One of the two fields allows JSON.';
    return { label, fields: values.map((value) => ['Accept', value]), due: 'success', why };
  }),
  {
    label: 'an empty field',
    fields: [['Accept', '']],
    due: 'either',
    why: 'It may be read as no `Accept`.',
  },
];

const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const TEXT_TYPE = ['content-type', 'text/plain'] as const;
const TWO_TYPES = 'There are two `Content-Type` fields.';
const TYPE_FIELDS: Variant[] = [
  { label: 'two that differ', fields: [JSON_TYPE, TEXT_TYPE], due: 'either', why: TWO_TYPES },
  {
    label: 'two that differ, the other way round',
    fields: [TEXT_TYPE, JSON_TYPE],
    due: 'either',
    why: TWO_TYPES,
  },
  {
    label: 'an empty one',
    fields: [['Content-Type', '']],
    due: [415],
    why: 'The body is not declared.',
  },
];

const NO_BODY = 'The operation has no body.';
const withType = (type: string, body: string) => ({ body, headers: { 'content-type': type } });
const BODIES: Variant[] = [
  { label: 'an object', change: withType('application/json', '{}'), due: 'either', why: NO_BODY },
  {
    label: 'text that is not JSON',
    change: withType('text/plain', '{'),
    due: 'either',
    why: NO_BODY,
  },
];

function mediaTypes(operation: Operation): Requirement[] {
  const { requestBody, method, pointer } = operation;
  const requirement = ruleOf(operation);
  const acceptable = requirement(
    rule('406', 'D29', `${AT.responses}/NotAcceptable`, '| 406 |'),
    'returns 406 when the Accept header rules JSON out, and only then.',
    withHeader('accept', RULES_JSON_OUT, [406], 'rules JSON out'),
    withHeader('accept', ALLOWS_JSON, 'success', 'allows JSON'),
  );
  const acceptFields = requirement(
    rule('accept.fields', 'D29', INFO, 'Several header fields of', 'An empty `Accept`'),
    'reads two `Accept` fields as one list, and an empty one as documented.',
    ACCEPT_FIELDS,
  );
  const typeFields = requirement(
    rule('415.fields', 'D29', INFO, 'A service may refuse two'),
    'responds as documented to two `Content-Type` fields and to an empty one.',
    TYPE_FIELDS,
  );
  const noBody = requirement(
    rule('no-body', 'D29', pointer, ...(method === 'DELETE' ? ['`DELETE` need not look'] : [])),
    'ignores a body that it does not have, or refuses the request as documented.',
    BODIES,
  );
  return [
    ...(Object.keys(successOf(operation).content).length > 0 ? [acceptable] : []),
    ...(requestBody ? contentTypes(operation) : []),
    ...(method === 'DELETE' ? [] : [acceptFields]),
    requestBody ? typeFields : noBody,
  ];
}
