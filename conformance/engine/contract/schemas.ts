/**
 * Ajv over the schemas of the contract: which checks every response and every value that the suite generates. It
 * names errors by the place in the contract that states the broken rule.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { entry } from './entry.ts';
import { BYTE_FORMAT } from './formats.ts';
import type { Contract } from './load.ts';
import { isObject, joinPointer, parsePointer } from './pointers.ts';
import { nullableBranch, type Schema } from './shape.ts';
import { unevaluated } from './unevaluated.ts';
import { Unsupported } from './unsupported.ts';

export interface SchemaError {
  /** Instance path of what is wrong. For a property that is missing or unknown, the object. */
  path: string[];
  keyword: string;
  /** JSON Pointer into the contract of the keyword that is broken. */
  pointer: string;
  message: string;
  /** The property that is missing or unknown, or whose name is wrong. */
  name?: string;
}

export interface Schemas {
  /**
   * The errors of `value` (as JSON.parse gives it) by the schema at `pointer`; none when it is valid. Wrappers (`if`, a
   * `oneOf` over null, `propertyNames`) are left out: their contents are the errors. Compiles on first use of a
   * pointer. Throws `Unsupported` when there is no schema, or one that Ajv cannot compile in strict mode.
   */
  validate(pointer: string, value: unknown): SchemaError[];
  isValid(pointer: string, value: unknown): boolean;
}

const ID = 'contract';
/** RFC 3339, 5.6: ajv-formats lets pass a space for the T and an offset without its colon. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

const made = new WeakMap<Contract, Schemas>();

/** The schemas of a contract. One instance per contract, so that each schema is compiled once. */
export function schemasOf(contract: Contract): Schemas {
  return entry(made, contract, () => make(contract));
}

function make(contract: Contract): Schemas {
  const places = new Map<object, string>();
  const nothings = new Set<object>();
  const words = { keywords: new Set<string>(), formats: new Set<string>() };
  survey(contract.document, '', { places, nothings, ...words });

  const refuseUnknown = (message: unknown): void => {
    if (/unknown keyword/.test(String(message))) throw new Unsupported(String(message));
  };
  // `strictTypes` would refuse an `if` that is compiled on its own, away from the `type` beside it.
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    // A keyword that says nothing where it stands is no error; one that nobody knows is.
    strictSchema: 'log',
    logger: { log: refuseUnknown, warn: refuseUnknown, error: refuseUnknown },
    // Names such as `constructor` are there when the value has them, and not because every object does.
    ownProperties: true,
    // What is compiled is a reference; to check it would take a validator of all of JSON Schema.
    validateSchema: false,
    // Most functions run a few times only: shorter code is not worth the time that it takes to make.
    code: { optimize: false },
  });
  addFormats.default(ajv, { mode: 'full' });
  const { validate: isDateTime } = ajv.formats['date-time'] as { validate: (text: string) => boolean };
  ajv.addFormat('date-time', (text: string) => DATE_TIME.test(text) && isDateTime(text));
  if (words.formats.has('re2')) ajv.addFormat('re2', isRe2);
  for (const format of words.formats) {
    const limit = Number(BYTE_FORMAT.exec(format)?.[1]);
    // OpenAPI lets a contract name formats of its own, which say nothing to anybody else.
    if (!(format in ajv.formats) && !(limit > 0)) ajv.addFormat(format, true);
    if (limit > 0) ajv.addFormat(format, (text: string) => Buffer.byteLength(text, 'utf8') <= limit);
  }
  ajv.addKeyword({
    keyword: 'x-max-bytes',
    type: 'string',
    schemaType: 'number',
    validate: (limit: number, text: string) => Buffer.byteLength(text, 'utf8') <= limit,
    error: { message: ({ schemaCode }) => `must NOT have more than ${String(schemaCode)} bytes of UTF-8` },
  });
  words.keywords.delete('x-max-bytes');
  // The members of the document itself are among them, since Ajv takes the whole document for a schema too.
  const ofDocument = Object.keys(contract.document).filter((key) => !key.startsWith('x-'));
  // A word may be one of a schema and one of the document, such as `externalDocs`.
  ajv.addVocabulary([
    ...new Set([...words.keywords, ...ofDocument, 'example', 'externalDocs', 'discriminator', 'xml']),
  ]);
  ajv.addSchema(contract.document, ID, false, false);

  const compiled = new Map<string, ValidateFunction>();
  const compile = (pointer: string): ValidateFunction => {
    let validator = compiled.get(pointer);
    if (!validator) {
      // Each segment by itself: a `/` between them stays, and braces of path templates do not.
      const fragment = pointer.split('/').map(encodeURIComponent).join('/');
      try {
        validator = ajv.compile({ $ref: `${ID}#${fragment}` });
      } catch (error) {
        throw new Unsupported(`the schema at ${pointer} cannot be compiled: ${(error as Error).message}`);
      }
      compiled.set(pointer, validator);
    }
    return validator;
  };
  const isValid = (pointer: string, value: unknown): boolean => compile(pointer)(value);
  for (const [keyword, type] of [
    ['unevaluatedProperties', 'object'],
    ['unevaluatedItems', 'array'],
  ] as const) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type,
      schemaType: ['boolean', 'object'],
      errors: false,
      error: { message: `must have ${keyword} that its schema allows` },
      validate: (_: unknown, value: Record<string, unknown>, holder?: object) => {
        const pointer = places.get(holder as object) ?? '';
        const left = unevaluated(contract.document, isValid, pointer, value);
        return left.every((name) => isValid(joinPointer(pointer, keyword), value[name]));
      },
    });
  }
  return {
    isValid,
    validate: (pointer, value) => {
      const validator = compile(pointer);
      if (validator(value)) return [];
      return (validator.errors ?? []).filter((error) => isReal(error, nothings)).map((error) => faultOf(error, places));
    },
  };
}

/** Each value is validated several times on its way, and to compile an expression takes long. */
const expressions = new Map<string, boolean>();

function isRe2(text: string): boolean {
  return entry(expressions, text, () => canBeCompiled(text));
}

function canBeCompiled(text: string): boolean {
  try {
    RE2JS.compile(text);
    return true;
  } catch {
    return false;
  }
}

interface Survey {
  places: Map<object, string>;
  nothings: Set<object>;
  keywords: Set<string>;
  formats: Set<string>;
}

/** Finds where each object of the document stands, the null branches, and the words that Ajv has to be told. */
function survey(value: unknown, pointer: string, found: Survey): void {
  if (typeof value !== 'object' || value === null) return;
  found.places.set(value, pointer);
  for (const [key, child] of Object.entries(value)) survey(child, joinPointer(pointer, key), found);
  if (!isObject(value)) return;
  if (isObject(value['properties']) && Object.hasOwn(value['properties'], '__proto__'))
    throw new Unsupported(`a property named __proto__ at ${pointer} is nothing that Ajv checks`);
  for (const key of Object.keys(value)) if (key.startsWith('x-')) found.keywords.add(key);
  if (typeof value['format'] === 'string') found.formats.add(value['format']);
  const branch = nullableBranch(value);
  if (branch) found.nothings.add((value['oneOf'] as object[])[branch.nothing] as object);
}

function isReal({ keyword, params, parentSchema }: ErrorObject, nothings: Set<object>): boolean {
  if (keyword === 'if' || keyword === 'propertyNames') return false;
  // Null where both branches allow it: then nothing but the oneOf itself is broken.
  if (keyword === 'oneOf' && nullableBranch(parentSchema as Schema))
    return (params as { passingSchemas: unknown }).passingSchemas !== null;
  return !(parentSchema !== undefined && nothings.has(parentSchema));
}

function faultOf(error: ErrorObject, places: Map<object, string>): SchemaError {
  const place = places.get(error.parentSchema as object);
  if (place === undefined) throw new Error(`no place in the contract for the error at ${error.schemaPath}`);
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
