/** Media types: which `Accept` allows JSON, which `Content-Type` declares JSON in UTF-8, and fields that come twice or empty. */
import { type Operation, successOf } from '../../engine/contract/operations.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { AT, INFO } from '../define.ts';
import { ruleOf, type Variant } from './variants.ts';

const RULES_JSON_OUT = [
  ...['text/html', 'application/xml', 'image/*', 'application/json;q=0, text/plain', 'application/json;q=0'],
  ...['application/json;q=0.000, */*;q=0.5', 'application/*;q=0, */*', '*/*;q=0', 'text/*;q=1, application/xml;q=0.1'],
  ...['application/jsonx', 'text/json', 'application/problem+json'],
];

/** An empty value takes the field away. */
const ALLOWS_JSON = [
  ...['', '*/*', 'application/*', 'text/html, application/json;q=0.5', 'APPLICATION/JSON'],
  ...['application/json;q=0.001, text/html;q=1', '*/*;q=0, application/json;q=1.000'],
  ...['application/*;q=0, application/json', 'text/html;level=1;q=0.9, application/* ; q=0.1', 'text/html,\t*/*;q=0.1'],
];

const NOT_JSON = [
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
];
const IS_JSON = [
  ...['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8'],
];

/** An empty value takes the field away. */
const RELATIVES = [
  ...['application/problem+json', 'application/vnd.api+json', 'application/merge-patch+json', 'application/json5'],
  ...['application/json-patch+json', 'application/x-json', 'text/json', 'application/jsonx', 'x-application/json'],
  ...['application', 'json', '*/*', 'application/*', ''],
];

const OTHER_CHARSETS = [
  ...['application/json; charset=iso-8859-1', 'application/json;charset=utf-16', 'application/json; charset=utf-80'],
  ...['application/json; charset="UTF-16LE"', 'application/json; charset=us-ascii'],
  ...['application/json; charset="windows-1252"', 'application/json; x=y; charset=latin1'],
];
const UTF_8 = [
  ...['application/json;charset="utf-8"', 'APPLICATION/JSON; CHARSET=UTF-8', 'application/json ; charset=Utf-8'],
  'application/json;\tcharset="UTF-8"',
];

const OTHER_PARAMETERS = [
  ...['application/json; version=1', 'application/json; profile="https://example.com/a;b"', 'application/json; q=0.5'],
  ...['application/json;', 'application/json; x="charset=latin1"'],
];

/** One request for each value of a header; `what` follows the value in the reason. */
function withHeader(name: string, values: readonly string[], due: Variant['due'], what: string): Variant[] {
  return values.map((value) => ({
    label: value === '' ? `no ${name}` : `${name}: ${value}`,
    change: (call) => ({ ...call, headers: { [name]: value } }),
    due,
    why: value === '' ? `There is no ${name}.` : `${name}: ${value} ${what}.`,
  }));
}

function contentTypes(operation: Operation): Requirement[] {
  const rule = ruleOf(operation);
  const clause = `${AT.responses}/UnsupportedMediaType`;
  const type = (values: readonly string[], due: Variant['due'], what: string) =>
    withHeader('content-type', values, due, what);
  return [
    rule(
      ['415', 'D29', clause, '| 415 |', '`Content-Type` is'],
      'returns 415 to a body that is not declared as JSON.',
      type(NOT_JSON, [415], 'is not JSON'),
      type(IS_JSON, 'success', 'is JSON'),
    ),
    rule(
      ['415.relatives', 'D29', clause, 'A `charset` is'],
      'returns 415 to media types that only look like JSON, and to a body without a media type.',
      type(RELATIVES, [415], 'is not JSON'),
    ),
    rule(
      ['415.charset', 'D29', clause, 'A `charset` is'],
      'returns 415 to another charset than UTF-8, and reads UTF-8 however it is written.',
      type(OTHER_CHARSETS, [415], 'is not UTF-8'),
      type(UTF_8, 'success', 'is JSON in UTF-8'),
    ),
    rule(
      ['415.parameters', 'D29', `${operation.pointer}/requestBody`, 'Other parameters'],
      'ignores other parameters of the media type, or refuses them as documented.',
      type(OTHER_PARAMETERS, 'either', 'may be read as JSON or refused'),
    ),
  ];
}

const ACCEPT_FIELDS: Variant[] = [
  {
    ...{ label: 'one of two fields allows JSON', due: 'success', why: 'One of the two `Accept` fields allows JSON.' },
    fields: ['text/html', 'application/json;q=0.5'].map((value) => ['Accept', value]),
  },
  { label: 'an empty field', fields: [['Accept', '']], due: 'either', why: 'It may be read as no `Accept`.' },
];

const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const TEXT_TYPE = ['content-type', 'text/plain'] as const;
const TWO_TYPES = 'There are two `Content-Type` fields.';
const TYPE_FIELDS: Variant[] = [
  { label: 'two that differ', fields: [JSON_TYPE, TEXT_TYPE], due: 'either', why: TWO_TYPES },
  { label: 'two that differ, the other way round', fields: [TEXT_TYPE, JSON_TYPE], due: 'either', why: TWO_TYPES },
  { label: 'an empty one', fields: [['Content-Type', '']], due: [415], why: 'The body is not declared.' },
];

const NO_BODY = 'The operation has no body.';
const withType = (type: string, body: string) => ({ body, headers: { 'content-type': type } });
const BODIES: Variant[] = [
  { label: 'an object', change: withType('application/json', '{}'), due: 'either', why: NO_BODY },
  { label: 'text that is not JSON', change: withType('text/plain', '{'), due: 'either', why: NO_BODY },
];

export function mediaTypeRequirements(operation: Operation): Requirement[] {
  const { requestBody, method, pointer } = operation;
  const rule = ruleOf(operation);
  const acceptable = rule(
    ['406', 'D29', `${AT.responses}/NotAcceptable`, '| 406 |'],
    'returns 406 when the Accept header rules JSON out, and only then.',
    withHeader('accept', RULES_JSON_OUT, [406], 'rules JSON out'),
    withHeader('accept', ALLOWS_JSON, 'success', 'allows JSON'),
  );
  const acceptFields = rule(
    ['accept.fields', 'D29', INFO, 'Several header fields of', 'An empty `Accept`'],
    'reads two `Accept` fields as one list, and an empty one as documented.',
    ACCEPT_FIELDS,
  );
  const typeFields = rule(
    ['415.fields', 'D29', INFO, 'A service may refuse two'],
    'responds as documented to two `Content-Type` fields and to an empty one.',
    TYPE_FIELDS,
  );
  const noBody = rule(
    ['no-body', 'D29', pointer, ...(method === 'DELETE' ? ['`DELETE` need not look'] : [])],
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
