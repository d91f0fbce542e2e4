/** Ajv over the schemas of the contract. An error names the place in the contract that states the broken rule. */
import type { Ajv2020, ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { isMultipleOf, withDoubles } from './json-numbers.ts';
import { BYTE_FORMAT, Unsupported } from './keywords.ts';
import { type Contract, entry, perContract } from './load.ts';
import { isObject, joinPointer, parsePointer, referenced, valueAt, walk } from './pointers.ts';
import { type Matcher, matcherOf } from './patterns.ts';
import { nullableBranch, patternsFor, type Schema } from './shape.ts';

export interface SchemaError {
  /** Instance path of what is wrong; of the object, for a property that is missing or unknown. */
  path: string[];
  keyword: string;
  /** JSON Pointer into the contract of the keyword that is broken. */
  pointer: string;
  message: string;
  /** The property that is missing or unknown, or whose name is wrong. */
  name?: string;
}

export interface Schemas {
  /** Without wrappers (`if`, `oneOf` over null, `propertyNames`): their contents are the errors. @throws Unsupported */
  validate(pointer: string, value: unknown): SchemaError[];
  isValid(pointer: string, value: unknown): boolean;
}

/** Libraries that are loaded where something is validated: that takes a while, and `--list` validates nothing. */
const libraries = createRequire(import.meta.url);

const ID = 'contract';
/** RFC 3339, 5.6: ajv-formats allows a space for the T and an offset without its colon. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

/** The schemas of a contract. One instance per contract, so that each schema is compiled once. */
export const schemasOf = perContract((contract): Schemas => {
  const found = surveyOf(contract);
  const ajv = ajvFor(contract, found);
  const compiled = new Map<string, ValidateFunction>();
  const compile = (pointer: string): ValidateFunction =>
    entry(compiled, pointer, () => {
      // Each segment by itself: a `/` between them stays, and braces of path templates do not.
      const fragment = pointer.split('/').map(encodeURIComponent).join('/');
      try {
        return ajv.compile({ $ref: `${ID}#${fragment}` });
      } catch (error) {
        throw new Unsupported(
          `the schema at ${pointer} cannot be compiled: ${(error as Error).message}`,
        );
      }
    });
  const isValid = (pointer: string, value: unknown): boolean =>
    compile(pointer)(withDoubles(value));
  addUnevaluated(ajv, contract, found, isValid);
  // What is made to be wrong is validated again where the response to it is checked.
  const wrong = new WeakMap<object, { pointer: string; errors: SchemaError[] }>();
  return {
    isValid,
    validate: (pointer, value) => {
      const known = wrong.get(value as object);
      if (known?.pointer === pointer) {
        return known.errors;
      }
      const validator = compile(pointer);
      if (validator(withDoubles(value))) {
        return [];
      }
      const real = (validator.errors ?? []).filter((error) => isReal(error, found.nothings));
      const errors = real.map((error) => errorOf(error, found.places));
      if (typeof value === 'object' && value !== null) {
        wrong.set(value, { pointer, errors });
      }
      return errors;
    },
  };
});

export const satisfies = (
  contract: Contract,
  pointers: readonly string[],
  value: unknown,
): boolean => pointers.every((pointer) => schemasOf(contract).isValid(pointer, value));

function ajvFor(contract: Contract, { keywords, formats }: Survey): Ajv2020 {
  const {
    Ajv2020: Ajv,
    _,
    str,
  } = libraries('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const addFormats = libraries('ajv-formats') as typeof import('ajv-formats');
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: true,
    // It would refuse an `if` that is compiled on its own, away from the `type` beside it.
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    // A keyword that is not known, or says nothing in its place, is an annotation: see `annotationsOf`.
    strictSchema: 'log',
    logger: false,
    // Names such as `constructor` are there when the value has them, and not because every object does.
    ownProperties: true,
    // A reference is compiled; to check it would take a validator of all of JSON Schema.
    validateSchema: false,
    // Most functions run a few times only: shorter code is not worth the time that it takes to make.
    code: { optimize: false, regExp: Object.assign(matcherForAjv, { code: 'matcherForAjv' }) },
  });
  // `addUnevaluated` has its own: what Ajv notes for them breaks `patternProperties` beside a condition.
  Object.assign(ajv.opts, { unevaluated: false });
  addFormats.default(ajv, { mode: 'full' });
  // A format that neither JSON Schema nor the registry of OpenAPI has says nothing, such as `url`.
  for (const name of Object.keys(ajv.formats).filter((one) => !REGISTERED_FORMATS.has(one))) {
    delete ajv.formats[name];
  }
  const { validate: isDateTime } = ajv.formats['date-time'] as {
    validate: (text: string) => boolean;
  };
  ajv.addFormat('date-time', (text: string) => DATE_TIME.test(text) && isDateTime(text));
  for (const format of formats) {
    const limit = Number(BYTE_FORMAT.exec(format)?.[1]);
    if (format === 're2') {
      ajv.addFormat(format, isRe2);
    } else if (limit > 0) {
      ajv.addFormat(format, (text: string) => Buffer.byteLength(text, 'utf8') <= limit);
    }
    // OpenAPI lets a contract name formats of its own, which say nothing to anybody else.
    else if (!(format in ajv.formats)) {
      ajv.addFormat(format, true);
    }
  }
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    type: 'string',
    schemaType: 'number',
    validate: (limit: number, text: string) => Buffer.byteLength(text, 'utf8') <= limit,
    error: {
      message: ({ schemaCode }) => `must NOT have more than ${String(schemaCode)} bytes of UTF-8`,
    },
  });
  // That of Ajv divides binary fractions: 19.99 would be no multiple of 0.01.
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: (step: number, value: number) => isMultipleOf(value, step),
    error: { message: ({ schemaCode }) => `must be multiple of ${String(schemaCode)}` },
  });
  // That of Ajv compares with each of the values, of which some contracts list tens of thousands.
  ajv.removeKeyword('enum');
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    compile: isAmong,
    error: { message: 'must be equal to one of the allowed values' },
  });
  // Those of Ajv count the characters of every text, a fortieth of a run.
  for (const [keyword, isWrong, what] of [
    ['maxLength', isLonger, 'more'],
    ['minLength', isShorter, 'fewer'],
  ] as const) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      error: {
        message: ({ schemaCode }) => str`must NOT have ${what} than ${schemaCode} characters`,
      },
      code(context) {
        const isBroken = context.gen.scopeValue('keyword', { ref: isWrong });
        context.fail(_`${isBroken}(${context.data}, ${context.schemaCode})`);
      },
    });
  }
  // The members of the document itself are among them, since Ajv takes the whole document for a schema too.
  const ofDocument = Object.keys(contract.document).filter((key) => !key.startsWith('x-'));
  const words = new Set([
    ...keywords,
    ...ofDocument,
    'example',
    'externalDocs',
    'discriminator',
    'xml',
  ]);
  words.delete('x-max-bytes');
  ajv.addVocabulary([...words]);
  ajv.addSchema(contract.document, ID, false, false);
  return ajv;
}

/** The formats of JSON Schema 2020-12 (Validation, 7.3) and of OpenAPI's registry that Ajv can check. */
const REGISTERED_FORMATS = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
  'regex',
  'byte',
  'int32',
  'int64',
  'float',
  'double',
  'password',
  'binary',
]);

/** Whether a value is one of these. @throws Error for an empty list, which no value satisfies */
function isAmong(choices: readonly unknown[]): (value: unknown) => boolean {
  if (choices.length === 0) {
    throw new Error('enum must have non-empty array');
  }
  const isHolder = (choice: unknown) => typeof choice === 'object' && choice !== null;
  const scalars = new Set(choices.filter((choice) => !isHolder(choice)));
  const holders = choices.filter(isHolder);
  return (value) =>
    scalars.has(value) || holders.some((choice) => isDeepStrictEqual(choice, value));
}

/** One rule that cannot be checked does not take the others of its schema with it: any text matches. */
function matcherForAjv(pattern: string): Matcher {
  try {
    return matcherOf(pattern);
  } catch {
    return { test: () => true };
  }
}

/** Each value is validated several times on its way, and to compile an expression takes long. */
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

/** In characters, of which each has one or two units: for most texts, the number of units says it. */
const isLonger = (text: string, limit: number): boolean =>
  text.length > limit && charactersOf(text) > limit;
const isShorter = (text: string, limit: number): boolean =>
  text.length < 2 * limit && charactersOf(text) < limit;

const charactersOf = (text: string): number =>
  text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

type Survey = ReturnType<typeof surveyOf>;

/** The place of each object of the document, the null branches, and the words that Ajv has to be told. */
function surveyOf({ document }: Contract) {
  const places = new Map<object, string>();
  const nothings = new Set<object>();
  const keywords = new Set<string>();
  const formats = new Set<string>();
  walk(document, (value, pointer) => {
    places.set(value, pointer);
    if (isObject(value['properties']) && Object.hasOwn(value['properties'], '__proto__')) {
      throw new Unsupported(`a property named __proto__ at ${pointer} is not one that Ajv checks`);
    }
    for (const key of Object.keys(value)) {
      if (key.startsWith('x-')) {
        keywords.add(key);
      }
    }
    if (typeof value['format'] === 'string') {
      formats.add(value['format']);
    }
    const branch = nullableBranch(value);
    if (branch) {
      nothings.add((value[branch.keyword] as object[])[branch.nothing] as object);
    }
  });
  return { places, nothings, keywords, formats };
}

function isReal({ keyword, params, parentSchema }: ErrorObject, nothings: Set<object>): boolean {
  if (keyword === 'if' || keyword === 'propertyNames') {
    return false;
  }
  // Null where both branches allow it: then nothing but the oneOf itself is broken.
  if (
    /^(any|one)Of$/.test(keyword) &&
    nullableBranch(parentSchema as Schema)?.keyword === keyword
  ) {
    return ((params as { passingSchemas?: unknown }).passingSchemas ?? null) !== null;
  }
  return !(parentSchema !== undefined && nothings.has(parentSchema));
}

function errorOf(error: ErrorObject, places: Map<object, string>): SchemaError {
  const place = places.get(error.parentSchema as object);
  if (place === undefined) {
    throw new Error(`no place in the contract for the error at ${error.schemaPath}`);
  }
  const params = error.params as Record<string, unknown>;
  const trigger = error.keyword === 'dependentRequired' ? `${String(params['property'])}.` : '';
  const name = error.propertyName ?? params['missingProperty'] ?? params['additionalProperty'];
  return {
    path: parsePointer(error.instancePath),
    keyword: error.keyword,
    pointer: joinPointer(place, error.keyword),
    message: error.message ?? `breaks ${error.keyword}`,
    ...(name === undefined ? {} : { name: `${trigger}${String(name)}` }),
  };
}

type IsValid = Schemas['isValid'];

/** `unevaluated…` in place of those of Ajv, wrong where the value decides: `contains`, `if`, branches of `anyOf`. */
function addUnevaluated(
  ajv: Ajv2020,
  { document }: Contract,
  { places }: Survey,
  isValid: IsValid,
): void {
  const types = { unevaluatedProperties: 'object', unevaluatedItems: 'array' } as const;
  for (const [keyword, type] of Object.entries(types)) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type,
      schemaType: ['boolean', 'object'],
      errors: false,
      error: { message: `must have ${keyword} that its schema allows` },
      validate: (_: unknown, value: Record<string, unknown>, holder?: object) => {
        const pointer = places.get(holder as object) ?? '';
        const left = unevaluated(document, isValid, pointer, keyword, value);
        return left.every((name) => isValid(joinPointer(pointer, keyword), value[name]));
      },
    });
  }
}

/** The names (or positions of items) in `value` that the schema at `pointer` leaves to its own `keyword`. */
function unevaluated(
  document: unknown,
  isValid: IsValid,
  pointer: string,
  keyword: string,
  value: object,
): string[] {
  const rest = new Map(Object.entries(value));
  const seen = new Set<string>();
  const visit = (at: string): void => {
    const schema = valueAt(document, at);
    if (seen.has(at) || !isObject(schema)) {
      return;
    }
    seen.add(at);
    const prefix = (schema['prefixItems'] ?? []) as unknown[];
    const evaluatesItem = (position: string, item: unknown) =>
      Number(position) < prefix.length ||
      ('contains' in schema && isValid(joinPointer(at, 'contains'), item));
    const evaluatesProperty = (name: string) =>
      Object.hasOwn(schema['properties'] ?? {}, name) || patternsFor(schema, name).length > 0;
    const evaluates = Array.isArray(value) ? evaluatesItem : evaluatesProperty;
    const others = Array.isArray(value) ? 'items' : 'additionalProperties';
    const evaluatesAll = others in schema || (at !== pointer && keyword in schema);
    for (const [name, inner] of rest) {
      if (evaluatesAll || evaluates(name, inner)) {
        rest.delete(name);
      }
    }
    for (const applied of inPlace(schema, at, value, isValid)) {
      visit(applied);
    }
  };
  visit(pointer);
  return [...rest.keys()];
}

/** The schemas that apply to the value itself, as far as it satisfies them. */
function inPlace(schema: Schema, at: string, value: object, isValid: IsValid): string[] {
  const applied = typeof schema['$ref'] === 'string' ? [referenced(schema['$ref'])] : [];
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    for (const index of ((schema[keyword] ?? []) as unknown[]).keys()) {
      applied.push(joinPointer(at, keyword, index));
    }
  }
  for (const name of Object.keys(schema['dependentSchemas'] ?? {})) {
    if (Object.hasOwn(value, name)) {
      applied.push(joinPointer(at, 'dependentSchemas', name));
    }
  }
  if ('if' in schema) {
    const branches = isValid(joinPointer(at, 'if'), value) ? ['if', 'then'] : ['else'];
    applied.push(...branches.filter((word) => word in schema).map((word) => joinPointer(at, word)));
  }
  return applied.filter((one) => isValid(one, value));
}
