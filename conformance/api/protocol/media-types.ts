/**
 * Values of `Accept` that allow JSON, and of `Content-Type` that declare a body as JSON in UTF-8.
 */
import { type Operation, successOf } from '../../engine/contract/operations.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { AT, INFO } from '../define.ts';
import { type HeaderField, ruleOf, type Variant } from './variants.ts';

export function negotiationRequirements(operation: Operation): Requirement[] {
  const { method, requestBody } = operation;
  const requirements: Requirement[] = [];
  if (Object.keys(successOf(operation).content).length > 0) {
    requirements.push(acceptable(operation));
  }
  if (requestBody) {
    requirements.push(
      declaredAsJson(operation, requestBody.required),
      similarTypes(operation),
      charset(operation),
      parameters(operation),
    );
  }
  requirements.push(precedence(operation));
  requirements.push(method === 'DELETE' ? ignorable(operation) : acceptFields(operation));
  requirements.push(requestBody ? typeFields(operation) : noBody(operation));
  return requirements;
}

/**
 * One request for each value of a header; an empty one takes the field away.
 * @param what follows the value in the reason
 */
function withHeader(
  name: string,
  values: readonly string[],
  due: Variant['due'],
  what: string,
): Variant[] {
  return values.map((value) => {
    const isOmitted = value === '';
    return {
      label: isOmitted ? `no ${name}` : `${name}: ${value}`,
      change: (call) => ({ ...call, headers: { [name]: value } }),
      due,
      why: isOmitted ? `There is no ${name}.` : `${name}: ${value} ${what}.`,
    };
  });
}

const RULES_OUT_JSON = [
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

/** Many members before one that decides. */
const MANY = Array.from({ length: 40 }, (_, index) => `text/x-${index};q=0.${index % 10}`);

/**
 * Lists in which order, precedence, weights or quotes tend to be read wrongly (RFC 9110, 12.4.2,
 * 12.5.1 and 5.6): each rules JSON out.
 */
const RULES_OUT_BY_PRECEDENCE = [
  '*/*, application/json;q=0',
  '*/*;q=1, application/*;q=1, application/json;q=0.000',
  'application/json;q=0., */*',
  'APPLICATION/JSON; Q=0.00 , */*',
  'text/html;a="x, application/json;q=1"',
  'text/html;a="\\", */*", application/json;q=0',
  'application/problem+json, */*;q=0',
  [...MANY, 'application/json;q=0', '*/*'].join(', '),
];

/** The same: each allows JSON. */
const ALLOWS_BY_PRECEDENCE = [
  'application/json;q=1.',
  'application/json;q=0.001, */*;q=0, application/*;q=0',
  '*/*;q=0.001',
  'APPLICATION/*;Q=0.5, */*;Q=0',
  'text/html;a="application/json;q=0", */*;q=0.1',
  'text/html;a="x\\",y";q=0.5,application/json',
  [...MANY, '*/*;q=0', 'application/json'].join(', '),
];

/** A list with empty members, which RFC 9110 has recipients ignore, and some libraries refuse. */
const EMPTY_MEMBERS = [', application/json ,,', ', ,*/*;q=0.5,, application/json;q=0,'];

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

function acceptable(operation: Operation): Requirement {
  return ruleOf(operation)(
    {
      part: '406',
      origin: 'D29',
      clause: `${AT.responses}/NotAcceptable`,
      quotes: ['| 406 |'],
      sentence: 'returns 406 when the Accept header rules JSON out, and only then.',
    },
    withHeader('accept', RULES_OUT_JSON, [406], 'rules JSON out'),
    withHeader('accept', ALLOWS_JSON, 'success', 'allows JSON'),
  );
}

function precedence(operation: Operation): Requirement {
  // A DELETE need not look at `Accept`.
  const due = operation.method === 'DELETE' ? 'either' : [406];
  return ruleOf(operation)(
    {
      part: 'accept.precedence',
      origin: 'D29',
      clause: `${AT.responses}/NotAcceptable`,
      quotes: ['Where the source document is silent on protocol', '| 406 |'],
      sentence:
        'reads the precedence, weights and quotes of long `Accept` headers as RFC 9110 says.',
    },
    withHeader('accept', RULES_OUT_BY_PRECEDENCE, due, 'rules JSON out'),
    withHeader('accept', ALLOWS_BY_PRECEDENCE, 'success', 'allows JSON'),
    withHeader('accept', EMPTY_MEMBERS, 'either', 'has empty members'),
  );
}

/** A DELETE has nothing to show, and need not look at `Accept`. */
function ignorable(operation: Operation): Requirement {
  return ruleOf(operation)(
    {
      part: 'accept',
      origin: 'D29',
      clause: `${AT.responses}/NotAcceptable`,
      quotes: ['`DELETE` need not look'],
      sentence: 'ignores an Accept header that rules JSON out, or returns 406 and changes nothing.',
    },
    withHeader('accept', ['text/html', '*/*;q=0'], 'either', 'may be refused or not'),
    withHeader('accept', ALLOWS_JSON, 'success', 'allows JSON'),
  );
}

const OTHER_TYPES = [
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
];
const JSON_TYPES = [
  'application/json',
  'Application/JSON',
  'application/json; charset=utf-8',
  'Application/JSON;charset=UTF-8',
];
const UNSUPPORTED_TYPE = `${AT.responses}/UnsupportedMediaType`;

/** Codings of a body, which is sent as plain JSON all the same; the last one does not exist. */
const OTHER_CODINGS = ['gzip', 'GZIP', 'x-gzip', 'deflate', 'br', 'gzip, identity', 'conformance'];

const WITHOUT_BODY: Variant[] = [
  {
    label: 'a type and no body',
    change: { json: undefined, headers: { 'content-type': 'text/plain' } },
    due: 'either',
    why: 'There is no body: its type may be refused or not.',
  },
  {
    label: 'an empty body in chunks',
    change: { body: '', headers: { 'transfer-encoding': 'chunked' } },
    due: 'success',
    why: 'There is no body.',
  },
];

function declaredAsJson(operation: Operation, isBodyRequired: boolean): Requirement {
  return ruleOf(operation)(
    {
      part: '415',
      origin: 'D29',
      clause: UNSUPPORTED_TYPE,
      quotes: [
        '| 415 |',
        '`Content-Type` is',
        'Where a body may be omitted',
        'Excepted are the fields that RFC 9110 defines',
      ],
      sentence:
        'returns 415 to a body that is not declared as JSON, and 400 or 415 to one that is not ' +
        'in the coding that `Content-Encoding` declares.',
    },
    withHeader('content-type', OTHER_TYPES, [415], 'is not JSON'),
    withHeader('content-type', JSON_TYPES, 'success', 'is JSON'),
    withHeader('content-encoding', OTHER_CODINGS, [400, 415], 'is not the coding of the body'),
    isBodyRequired ? [] : WITHOUT_BODY,
  );
}

/** Media types that only look like JSON; an empty value takes the field away. */
const SIMILAR_TYPES = [
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

function similarTypes(operation: Operation): Requirement {
  return ruleOf(operation)(
    {
      part: '415.relatives',
      origin: 'D29',
      clause: UNSUPPORTED_TYPE,
      quotes: ['A `charset` is'],
      sentence:
        'returns 415 to media types that only look like JSON, and to a body without a media type.',
    },
    withHeader('content-type', SIMILAR_TYPES, [415], 'is not JSON'),
  );
}

const OTHER_CHARSETS = [
  'application/json; charset=iso-8859-1',
  'application/json;charset=utf-16',
  'application/json; charset=utf-80',
  'application/json; charset="UTF-16LE"',
  'application/json; charset=us-ascii',
  'application/json; charset="windows-1252"',
  'application/json; x=y; charset=latin1',
];
const UTF_8 = [
  'application/json;charset="utf-8"',
  'APPLICATION/JSON; CHARSET=UTF-8',
  'application/json ; charset=Utf-8',
  'application/json;\tcharset="UTF-8"',
];

const UTF8 = ['application/json; charset=utf8', 'application/json;charset="UTF8"'];

function charset(operation: Operation): Requirement {
  return ruleOf(operation)(
    {
      part: '415.charset',
      origin: 'D29',
      clause: UNSUPPORTED_TYPE,
      quotes: ['A `charset` is', '`charset=utf8` may be read'],
      sentence: 'returns 415 to a charset other than UTF-8, and reads UTF-8 however it is written.',
    },
    withHeader('content-type', OTHER_CHARSETS, [415], 'is not UTF-8'),
    withHeader('content-type', UTF8, 'either', 'may be read as UTF-8 or refused'),
    withHeader('content-type', UTF_8, 'success', 'is JSON in UTF-8'),
  );
}

const OTHER_PARAMETERS = [
  'application/json; version=1',
  'application/json; profile="https://example.com/a;b"',
  'application/json; q=0.5',
  'application/json;',
  'application/json; x="charset=latin1"',
];

function parameters(operation: Operation): Requirement {
  return ruleOf(operation)(
    {
      part: '415.parameters',
      origin: 'D29',
      clause: `${operation.pointer}/requestBody`,
      quotes: ['Other parameters'],
      sentence: 'ignores other parameters of the media type, or refuses them as documented.',
    },
    withHeader('content-type', OTHER_PARAMETERS, 'either', 'may be read as JSON or refused'),
  );
}

const HTML: HeaderField = ['Accept', 'text/html'];
const JSON_AT_LAST: HeaderField = ['Accept', 'application/json;q=0.5'];
const ONE_ALLOWS_JSON = 'One of the two fields allows JSON.';

const ACCEPT_FIELDS: Variant[] = [
  {
    label: 'two fields, text/html and application/json;q=0.5',
    fields: [HTML, JSON_AT_LAST],
    due: 'success',
    why: ONE_ALLOWS_JSON,
  },
  {
    label: 'two fields, application/json;q=0.5 and text/html',
    fields: [JSON_AT_LAST, HTML],
    due: 'success',
    why: ONE_ALLOWS_JSON,
  },
  {
    label: 'an empty field',
    fields: [['Accept', '']],
    due: 'either',
    why: 'It may be read as no `Accept`.',
  },
];

function acceptFields(operation: Operation): Requirement {
  return ruleOf(operation)(
    {
      part: 'accept.fields',
      origin: 'D29',
      clause: INFO,
      quotes: ['Several header fields of', 'An empty `Accept`'],
      sentence: 'reads two `Accept` fields as one list, and an empty one as documented.',
    },
    ACCEPT_FIELDS,
  );
}

const JSON_TYPE: HeaderField = ['Content-Type', 'application/json'];
const TEXT_TYPE: HeaderField = ['content-type', 'text/plain'];
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

function typeFields(operation: Operation): Requirement {
  return ruleOf(operation)(
    {
      part: '415.fields',
      origin: 'D29',
      clause: INFO,
      quotes: ['A service may refuse two'],
      sentence: 'responds as documented to two `Content-Type` fields and to an empty one.',
    },
    TYPE_FIELDS,
  );
}

const NO_BODY = 'The operation has no body.';

const UNDOCUMENTED_BODIES: Variant[] = [
  {
    label: 'an object',
    change: { body: '{}', headers: { 'content-type': 'application/json' } },
    due: 'either',
    why: NO_BODY,
  },
  {
    label: 'text that is not JSON',
    change: { body: '{', headers: { 'content-type': 'text/plain' } },
    due: 'either',
    why: NO_BODY,
  },
];

function noBody(operation: Operation): Requirement {
  const { method, pointer } = operation;
  return ruleOf(operation)(
    {
      part: 'no-body',
      origin: 'D29',
      clause: pointer,
      quotes: method === 'DELETE' ? ['`DELETE` need not look'] : [],
      sentence: 'ignores a body that it does not document, or refuses the request as documented.',
    },
    UNDOCUMENTED_BODIES,
  );
}
