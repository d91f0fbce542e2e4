/**
 * Bodies as bytes: JSON (RFC 8259) in UTF-8, without repeated names and lone surrogates, of at most
 * 1 MiB.
 */
import type { Operation } from '../../engine/contract/operations.ts';
import type { CallInput } from '../../engine/http/call.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { otherEncodings } from '../../engine/requirements/structure.ts';
import { AT, INFO } from '../define.ts';
import {
  bodiesWithRepeatedName,
  bodyWith,
  modulesWithRepeatedName,
  modulesWithSurrogate,
  textMember,
} from './body-texts.ts';
import { ruleOf, type Variant } from './variants.ts';

/** None if the operation has no body. */
export function bodyProtocolRequirements(operation: Operation): Requirement[] {
  const { requestBody } = operation;
  if (!requestBody) {
    return [];
  }
  const requirements = [json(operation), whiteSpace(operation), byteOrderMark(operation)];
  if (requestBody.required) {
    requirements.push(missing(operation));
  }
  return [
    ...requirements,
    repeatedNames(operation),
    utf8(operation),
    unicode(operation),
    size(operation),
    ...sizeInBytes(operation),
    chunked(operation),
  ];
}

/** The clause of the body. */
function clauseOf({ pointer }: Operation): string {
  return `${pointer}/requestBody`;
}

/** Bodies that are not JSON, among them numbers and texts that some parsers read. */
const NOT_JSON = [
  '{"a":05}',
  '{"a":+5}',
  '{"a":.5}',
  '{"a":5.}',
  '{"a":0x5}',
  '{"a":1e}',
  '{"a":1_000}',
  '{"a":-}',
  '{"a":NaN}',
  '{"a":Infinity}',
  '{"a":-Infinity}',
  '{"a":None}',
  '{"a":True}',
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

function json(operation: Operation): Requirement {
  return ruleOf(operation)(
    {
      part: 'body.json',
      origin: 'source',
      clause: clauseOf(operation),
      quotes: ['A body is JSON'],
      sentence: 'refuses a body that is not well-formed JSON.',
    },
    malformed(NOT_JSON, 'The body is not JSON.'),
  );
}

/** Bodies that are sent as they are, and refused as malformed. */
function malformed(bodies: readonly (string | Buffer)[], why: string): Variant[] {
  return refused(bodies, why, ['malformed_request']);
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

function whiteSpace(operation: Operation): Requirement {
  const why = 'White space around JSON means nothing.';
  return ruleOf(operation)(
    {
      part: 'body.white-space',
      origin: 'source',
      clause: clauseOf(operation),
      quotes: ['A body is JSON'],
      sentence: 'reads a body with white space around it.',
    },
    [
      { ...textAround('\r\n\t ', ' \n\t\r\n'), due: 'success', why },
      { ...textAround('\n', ''), due: 'success', why },
      { ...textAround('', '\n'), due: 'success', why },
    ],
  );
}

/** A label, and the valid call with texts before and behind its JSON. */
function textAround(before: string, behind: string): Pick<Variant, 'label' | 'change'> {
  const label = JSON.stringify([before, behind]);
  return { label, change: asText((text) => `${before}${text}${behind}`) };
}

/** The valid call with its JSON sent as the text that the function makes of it. */
function asText(
  textFor: (json: string) => string,
  headers: Record<string, string> = {},
): (call: CallInput) => CallInput {
  return ({ json: value, ...call }) => ({
    ...call,
    body: textFor(JSON.stringify(value)),
    headers,
  });
}

function byteOrderMark(operation: Operation): Requirement {
  const why = 'A byte order mark may be ignored or refused.';
  return ruleOf(operation)(
    {
      part: 'body.byte-order-mark',
      origin: 'D29',
      clause: clauseOf(operation),
      quotes: ['A byte order mark'],
      sentence: 'reads a body with a byte order mark or refuses it.',
    },
    [{ ...textAround('\ufeff', ''), due: 'either', why }],
  );
}

const EMPTY_CHUNKS = { body: '', headers: { 'transfer-encoding': 'chunked' } };

function missing(operation: Operation): Requirement {
  const empty = 'The body is empty.';
  return ruleOf(operation)(
    {
      part: 'body.missing',
      origin: 'D29',
      clause: clauseOf(operation),
      quotes: ['A missing body is one error', '`invalid_request` has `errors`'],
      sentence: 'refuses a request without a body.',
    },
    [
      { label: 'no body', change: { json: undefined }, due: [400], why: 'The body is missing.' },
      { label: 'an empty body', change: { body: '' }, due: [400], why: empty },
      { label: 'an empty body in chunks', change: EMPTY_CHUNKS, due: [400], why: empty },
    ],
  );
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

/**
 * Bodies that would be valid without an additional property, which holds one of these JSON texts.
 */
function inUnknownProperty(operation: Operation, values: readonly string[]): string[] {
  return values.map((value) => bodyWith(operation, `"x":${value}`));
}

function repeatedNames(operation: Operation): Requirement {
  const twice = 'An object has one name twice.';
  const bodies = [...bodiesWithRepeatedName(operation), ...modulesWithRepeatedName(operation)];
  const nested = inUnknownProperty(operation, REPEATED_NAMES);
  return ruleOf(operation)(
    {
      part: 'body.repeated-names',
      origin: 'D35',
      clause: INFO,
      quotes: ['A name that', 'Names are compared'],
      sentence: 'refuses a body with an object that has one name twice.',
    },
    malformed(bodies, twice),
    // A service may report the unknown property in place of the name.
    refused(nested, twice, ['malformed_request', 'invalid_request']),
  );
}

/** Bytes that are not UTF-8; each character stands for one byte. */
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

/** A body whose member for texts has this text, as JSON writes it. */
function bodyWithText(operation: Operation, text: string): string {
  const name = textMember(operation);
  return bodyWith(operation, `"${name}":"${text}"`, name);
}

function utf8(operation: Operation): Requirement {
  const bodies: Buffer[] = [];
  for (const text of NOT_UTF_8) {
    bodies.push(Buffer.from(bodyWithText(operation, text), 'latin1'));
  }
  for (const [, encoded] of otherEncodings(bodyWithText(operation, 'a.v0'))) {
    bodies.push(encoded);
  }
  return ruleOf(operation)(
    {
      part: 'body.utf-8',
      origin: 'D29',
      clause: clauseOf(operation),
      quotes: ['Bodies are JSON in UTF-8', '| 400 | `malformed_request`'],
      sentence: 'refuses a body that is not UTF-8.',
    },
    malformed(bodies, 'The body is not UTF-8.'),
  );
}

/** Texts with a lone surrogate, as JSON escapes them. */
const SURROGATE_TEXTS = ['\\ud800', '\\udfff', 'a\\ud83d', '\\ude00\\ud83d', '\\uD83D\\u0000'];

/** JSON texts with a lone surrogate in values and in names. */
const NESTED_SURROGATES = [
  '"\\ud800"',
  '["\\udfff"]',
  '{"a":[0,{"b":"a\\ud83d"}]}',
  '{"\\udc00":0}',
  '{"a":{"b\\ud800":0}}',
];

function unicode(operation: Operation): Requirement {
  const bodies = [
    ...SURROGATE_TEXTS.map((text) => bodyWithText(operation, text)),
    ...modulesWithSurrogate(operation),
    ...inUnknownProperty(operation, NESTED_SURROGATES),
  ];
  return ruleOf(operation)(
    {
      part: 'body.unicode',
      origin: 'D30',
      clause: INFO,
      quotes: ['A lone surrogate', 'Six errors have no keyword', 'Where no pointer'],
      sentence: 'refuses a text with a lone surrogate.',
    },
    refused(bodies, 'A lone surrogate is not Unicode text.', ['invalid_request']),
  );
}

/** The largest body that a service must read, in bytes (D32). */
const MAX_BYTES = 1_048_576;
const CHUNKED = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };

/**
 * The valid call with a body of at least this many bytes: white space around JSON means nothing.
 */
function ofSize(
  bytes: number,
  headers: Record<string, string> = {},
): (call: CallInput) => CallInput {
  return asText((text) => text.padEnd(bytes), headers);
}

function size(operation: Operation): Requirement {
  return ruleOf(operation)(
    {
      part: 'body.size',
      origin: 'D32',
      clause: `${AT.responses}/ContentTooLarge`,
      quotes: ['| 413 |'],
      sentence:
        'returns 413 to a body of more than 1,048,576 bytes, and reads one of exactly that size.',
    },
    [
      {
        label: 'one byte more',
        change: ofSize(MAX_BYTES + 1),
        due: [413],
        why: 'The body has 1,048,577 bytes.',
      },
      {
        label: 'exactly 1,048,576 bytes',
        change: ofSize(MAX_BYTES),
        due: 'success',
        why: 'The body has 1,048,576 bytes.',
      },
    ],
  );
}

/** As long in bytes as it can be, and far shorter in characters. */
const WIDE_TEXT = { description: '漢'.repeat(85) };

/** The valid call with a text of wide characters, and white space up to this many bytes. */
function ofWideSize(bytes: number): (call: CallInput) => CallInput {
  return ({ json: value, ...call }) => {
    const text = JSON.stringify({ ...(value as object), ...WIDE_TEXT });
    const padding = Math.max(0, bytes - Buffer.byteLength(text));
    return { ...call, body: text + ' '.repeat(padding) };
  };
}

/** A body of an event source has ASCII characters alone. */
function sizeInBytes(operation: Operation): Requirement[] {
  if (operation.operationId.endsWith('EventSource')) {
    return [];
  }
  const requirement = ruleOf(operation)(
    {
      part: 'body.size-in-bytes',
      origin: 'D32',
      clause: `${AT.responses}/ContentTooLarge`,
      quotes: ['| 413 |'],
      sentence:
        'counts the size of a body in bytes: also if characters of several bytes are in it, ' +
        '1,048,576 bytes are read, and one more gets 413.',
    },
    [
      {
        label: 'one byte more, of fewer characters',
        change: ofWideSize(MAX_BYTES + 1),
        due: [413],
        why: 'The body has 1,048,577 bytes, and fewer characters.',
      },
      {
        label: 'exactly 1,048,576 bytes, of fewer characters',
        change: ofWideSize(MAX_BYTES),
        due: 'success',
        why: 'The body has 1,048,576 bytes.',
      },
    ],
  );
  return [requirement];
}

function chunked(operation: Operation): Requirement {
  return ruleOf(operation)(
    {
      part: 'body.chunked',
      origin: 'D32',
      clause: clauseOf(operation),
      quotes: ['The limit of 1 MiB'],
      sentence:
        'reads a body that comes in chunks, and returns 413 to one of more than 1,048,576 bytes.',
    },
    [
      {
        label: 'a short body in chunks',
        change: ofSize(0, CHUNKED),
        due: 'success',
        why: 'The body comes in chunks.',
      },
      {
        label: 'one byte more than 1,048,576 in chunks',
        change: ofSize(MAX_BYTES + 1, CHUNKED),
        due: [413],
        why: 'The body has 1,048,577 bytes, in chunks and without a length.',
      },
    ],
  );
}
