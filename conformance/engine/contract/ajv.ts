/**
 * An Ajv for the schemas of a contract: keywords and formats of OpenAPI and of contracts, strict
 * dates, fast lengths.
 */
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { BOUNDS, EXACT_BOUNDS, keepsBound } from './exact-bounds.ts';
import { exactlyAt, exactValueAt, isMultipleOf, stringifyJson } from './json-numbers.ts';
import { BYTE_FORMAT, words } from './keywords.ts';
import { entry } from './load.ts';
import { type Matcher, matcherOf } from './patterns.ts';

/**
 * Libraries that are loaded when something is validated: that takes a while, and `--list` validates
 * nothing.
 */
const libraries = createRequire(import.meta.url);

type Schema = Record<string, unknown>;

type AjvModule = typeof import('ajv/dist/2020.js');

/** The keywords and formats of a document that Ajv has to know. */
export interface Vocabulary {
  /** Keywords that begin with `x-`. */
  extensions: ReadonlySet<string>;
  formats: ReadonlySet<string>;
}

/** The name of the document in references. */
export const DOCUMENT_ID = 'contract';

/**
 * An Ajv that knows the document as `DOCUMENT_ID`. It has no keyword `unevaluated…`: see
 * unevaluated.ts.
 */
export function ajvFor(document: Record<string, unknown>, vocabulary: Vocabulary): Ajv2020 {
  const module = libraries('ajv/dist/2020.js') as AjvModule;
  const ajv = new module.Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    // It would refuse an `if` that is compiled by itself, away from the `type` beside it.
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    // A keyword that is not known, or has no meaning in its place, is an annotation: see
    // `annotationsOf`.
    strictSchema: 'log',
    logger: false,
    // Names such as `constructor` are there if the value has them, and not because every object
    // does.
    ownProperties: true,
    // A reference is compiled; to check it would take a validator of all of JSON Schema.
    validateSchema: false,
    // Most functions run a few times only: shorter code is not worth the time that it takes to
    // make.
    code: { optimize: false, regExp: Object.assign(matcherForAjv, { code: 'matcherForAjv' }) },
  });
  // The data that Ajv keeps for its own `unevaluated…` breaks `patternProperties` beside a
  // condition.
  Object.assign(ajv.opts, { unevaluated: false });
  // The suite follows dynamic references itself: one that is left is a rule that it cannot check.
  ajv.removeKeyword('$dynamicRef');
  addFormats(ajv, vocabulary.formats);
  addByteLimit(ajv);
  addMultipleOf(ajv);
  addUniqueItems(ajv);
  if (vocabulary.extensions.has(EXACT_BOUNDS)) {
    addExactBounds(ajv);
  }
  addEnum(ajv);
  addLengths(ajv, module);
  addAnnotations(ajv, document, vocabulary.extensions);
  ajv.addSchema(document, DOCUMENT_ID, false, false);
  return ajv;
}

/**
 * A pattern that cannot be checked does not disable the other rules of its schema: any text matches
 * it.
 */
function matcherForAjv(pattern: string): Matcher {
  try {
    return matcherOf(pattern);
  } catch {
    return { test: () => true, toString: () => pattern };
  }
}

/**
 * The formats of JSON Schema 2020-12 (Validation, 7.3) and of the registry of OpenAPI that Ajv can
 * check.
 */
const REGISTERED_FORMATS: ReadonlySet<string> = new Set(
  words(`
    date-time date time duration email hostname ipv4 ipv6 uri uri-reference uri-template uuid
    json-pointer relative-json-pointer regex byte int32 int64 float double password binary`),
);

/**
 * Formats of which ajv-formats allows less than their definitions: mailboxes of RFC 5321 (4.1.2)
 * have quoted names, hosts without a dot and addresses in brackets; `time` is written without an
 * offset, and `duration` with a fraction, by the libraries of several languages; no pattern is
 * refused that only another language can read.
 */
const TOLERANT: Readonly<Record<string, RegExp>> = {
  email: /^(?:[^\s@"]+|"(?:[^"\\]|\\.)*")@(?:[^\s@[\]]+|\[[^\s[\]]+\])$/u,
  time: /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?$/i,
  duration:
    /^P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/,
  regex: /^/,
};

/** RFC 3339, 5.6: ajv-formats allows a space for the T and an offset without its colon. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

function addFormats(ajv: Ajv2020, formats: ReadonlySet<string>): void {
  const library = libraries('ajv-formats') as typeof import('ajv-formats');
  library.default(ajv, { mode: 'full' });
  for (const name of Object.keys(ajv.formats)) {
    // Others, such as `url`, have no meaning that a contract can rely on.
    if (!REGISTERED_FORMATS.has(name)) {
      delete ajv.formats[name];
    }
  }
  const { validate: isDateTime } = ajv.formats['date-time'] as {
    validate: (text: string) => boolean;
  };
  ajv.addFormat('date-time', (text: string) => DATE_TIME.test(text) && isDateTime(text));
  for (const [name, expression] of Object.entries(TOLERANT)) {
    ajv.addFormat(name, expression);
  }
  for (const format of formats) {
    const mostBytes = Number(BYTE_FORMAT.exec(format)?.[1]);
    if (format === 're2') {
      ajv.addFormat(format, isRe2);
    } else if (mostBytes > 0) {
      ajv.addFormat(format, (text: string) => Buffer.byteLength(text, 'utf8') <= mostBytes);
    } else if (!(format in ajv.formats)) {
      // OpenAPI lets a contract define formats, which have no meaning for anybody else.
      ajv.addFormat(format, true);
    }
  }
}

/** Whether a text is an RE2 expression: known for each text, since to compile one takes long. */
const expressions = new Map<string, boolean>();

function isRe2(text: string): boolean {
  return entry(expressions, text, () => {
    const { RE2JS } = libraries('re2js') as typeof import('re2js');
    try {
      RE2JS.compile(text);
      return true;
    } catch {
      return false;
    }
  });
}

function addByteLimit(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    type: 'string',
    schemaType: 'number',
    validate: (limit: number, text: string) => Buffer.byteLength(text, 'utf8') <= limit,
    error: {
      message: ({ schemaCode }) => `must NOT have more than ${String(schemaCode)} bytes of UTF-8`,
    },
  });
}

/**
 * Replaces the keyword of Ajv, which divides binary fractions: 19.99 would be no multiple of 0.01.
 */
function addMultipleOf(ajv: Ajv2020): void {
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (step: number, value: number, _: unknown, place?: DataValidationCxt) =>
      isMultipleOf(exactlyAt(place?.instancePath ?? '', value), step),
    error: { message: ({ schemaCode }) => `must be multiple of ${String(schemaCode)}` },
  });
}

const COMPARISONS = { minimum: '>=', maximum: '<=', exclusiveMinimum: '>', exclusiveMaximum: '<' };

/** Replace the keywords of Ajv, which know doubles alone, where a schema states more digits. */
function addExactBounds(ajv: Ajv2020): void {
  for (const keyword of BOUNDS) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type: 'number',
      schemaType: 'number',
      validate: (_: number, value: number, schema?: Schema, place?: DataValidationCxt) =>
        keepsBound(schema ?? {}, keyword, exactlyAt(place?.instancePath ?? '', value)),
      error: {
        message: ({ schemaCode }) => `must be ${COMPARISONS[keyword]} ${String(schemaCode)}`,
      },
    });
  }
}

/**
 * Replaces the keyword of Ajv, which compares each item with each other one, and long integers by
 * their doubles.
 */
function addUniqueItems(ajv: Ajv2020): void {
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isDue: boolean, items: unknown[], _: unknown, place?: DataValidationCxt) =>
      !isDue || areUnique(items, place?.instancePath ?? ''),
    error: { message: 'must NOT have duplicate items' },
  });
}

function areUnique(items: readonly unknown[], pointer: string): boolean {
  const keys = items.map((item, index) => {
    const place = `${pointer}/${index}`;
    const value = typeof item === 'number' ? exactlyAt(place, item) : exactValueAt(place, item);
    return keyOf(value);
  });
  return new Set(keys).size === keys.length;
}

/** The same text for equal values, whatever the order of their members. */
function keyOf(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(keyOf).join()}]`;
  }
  if (typeof value !== 'object' || value === null) {
    return stringifyJson(value);
  }
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}:${keyOf(one)}`,
  );
  return `{${members.toSorted().join()}}`;
}

/**
 * Replaces the keywords of Ajv, which compare with each of the values, of which some contracts list
 * tens of thousands, and long integers by their doubles.
 */
function addEnum(ajv: Ajv2020): void {
  ajv.removeKeyword('enum');
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    compile: isAmong,
    error: { message: 'must be equal to one of the allowed values' },
  });
  ajv.removeKeyword('const');
  ajv.addKeyword({
    keyword: 'const',
    compile: (only: unknown) => isAmong([only]),
    error: { message: 'must be equal to constant' },
  });
}

/** Whether a value is one of these: none is if there are none (JSON Schema Validation, 6.1.2). */
function isAmong(choices: readonly unknown[]): DataValidateFunction {
  const isHolder = (choice: unknown) => typeof choice === 'object' && choice !== null;
  const scalars = new Set(choices.filter((choice) => !isHolder(choice)).map(asExact));
  const holders = choices.filter(isHolder);
  return (value: unknown, place?: DataValidationCxt) => {
    const exact = exactValueAt(place?.instancePath ?? '', value);
    return (
      scalars.has(asExact(exact)) || holders.some((choice) => isDeepStrictEqual(choice, exact))
    );
  };
}

/** Of an integer beyond 2^53, the BigInt: `9007199254740992.0` is the same number without `.0`. */
function asExact(value: unknown): unknown {
  const isLarge = Number.isInteger(value) && !Number.isSafeInteger(value);
  if (isLarge) {
    return BigInt(value as number);
  }
  return value;
}

/**
 * Replace the keywords of Ajv, which count the characters of every text: a fortieth of the time of
 * a run.
 */
const LENGTHS = [
  { keyword: 'maxLength', isBroken: isLonger, comparison: 'more' },
  { keyword: 'minLength', isBroken: isShorter, comparison: 'fewer' },
];

function addLengths(ajv: Ajv2020, { _, str }: AjvModule): void {
  for (const { keyword, isBroken, comparison } of LENGTHS) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      error: {
        message: ({ schemaCode }) => str`must NOT have ${comparison} than ${schemaCode} characters`,
      },
      code(context) {
        const check = context.gen.scopeValue('keyword', { ref: isBroken });
        context.fail(_`${check}(${context.data}, ${context.schemaCode})`);
      },
    });
  }
}

/** A character has one or two units of UTF-16: for most texts, the number of units decides. */
function isLonger(text: string, limit: number): boolean {
  return text.length > limit && charactersIn(text) > limit;
}

function isShorter(text: string, limit: number): boolean {
  return text.length < 2 * limit && charactersIn(text) < limit;
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

function charactersIn(text: string): number {
  const pairs = text.match(SURROGATE_PAIR) ?? [];
  return text.length - pairs.length;
}

/** Keywords of OpenAPI that Ajv does not know. */
const OPENAPI_KEYWORDS = ['example', 'externalDocs', 'discriminator', 'xml', '$dynamicRef'];

function addAnnotations(
  ajv: Ajv2020,
  document: Record<string, unknown>,
  extensions: ReadonlySet<string>,
): void {
  // Ajv takes the whole document for a schema, too.
  const members = Object.keys(document).filter((key) => !key.startsWith('x-'));
  const annotations = new Set([...extensions, ...members, ...OPENAPI_KEYWORDS]);
  // A document may have a member such as `definitions`, which is a word of JSON Schema, too.
  const known = ajv.RULES.keywords;
  ajv.addVocabulary([...annotations].filter((keyword) => !known[keyword]));
}
