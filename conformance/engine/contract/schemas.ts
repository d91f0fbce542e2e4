/**
 * Ajv over the schemas of the contract. An error names the place in the contract that states the
 * broken rule.
 */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ajvFor, DOCUMENT_ID, type Vocabulary } from './ajv.ts';
import { leadsNowhere } from './dead-references.ts';
import { validatedBy } from './json-numbers.ts';
import { Unsupported } from './keywords.ts';
import { type Contract, entry, perContract } from './load.ts';
import { joinPointer, parsePointer, walk } from './pointers.ts';
import { readableByAjv } from './readable-by-ajv.ts';
import { nullableBranch, type Schema } from './schema-parts.ts';
import { addUnevaluated } from './unevaluated.ts';

export interface SchemaError {
  /** Instance path of the wrong value; of the object, for a property that is missing or unknown. */
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
   * Without wrappers (`if`, `oneOf` over null, `propertyNames`): their contents are the errors.
   * @throws Unsupported
   */
  validate(pointer: string, value: unknown): SchemaError[];
  isValid(pointer: string, value: unknown): boolean;
}

/** The errors of a value that was made to be wrong. */
interface KnownErrors {
  /** The pointer of the schema. */
  pointer: string;
  errors: SchemaError[];
}

/** The schemas of a contract. One instance per contract, so that each schema is compiled once. */
export const schemasOf = perContract((contract): Schemas => {
  const survey = surveyOf(contract);
  const ajv = ajvFor(survey.document, survey);
  const compiled = new Map<string, ValidateFunction>();
  const compile = (pointer: string): ValidateFunction =>
    entry(compiled, pointer, () => {
      if (leadsNowhere(contract.document, pointer)) {
        throw new Unsupported(`no schema is at ${pointer}: a reference leads nowhere`);
      }
      // Each segment by itself: a `/` between them stays, and braces of path templates do not.
      const fragment = pointer.split('/').map(encodeURIComponent).join('/');
      try {
        return ajv.compile({ $ref: `${DOCUMENT_ID}#${fragment}` });
      } catch (error) {
        const reason = (error as Error).message;
        throw new Unsupported(`the schema at ${pointer} cannot be compiled: ${reason}`);
      }
    });
  // A value that is made to be wrong is validated again when the response to it is checked.
  const wrong = new WeakMap<object, KnownErrors>();
  const isValid = (pointer: string, value: unknown): boolean => {
    const isKnownWrong = wrong.get(value as object)?.pointer === pointer;
    return !isKnownWrong && validatedBy(compile(pointer), value);
  };
  addUnevaluated(ajv, { document: contract.document, isValid }, survey.places);
  const validate = (pointer: string, value: unknown): SchemaError[] => {
    const known = wrong.get(value as object);
    if (known?.pointer === pointer) {
      return known.errors;
    }
    const validator = compile(pointer);
    if (validatedBy(validator, value)) {
      return [];
    }
    const errors = (validator.errors ?? [])
      .filter((error) => !isWrapper(error, survey.nothings))
      .map((error) => errorOf(error, survey.places));
    if (typeof value === 'object' && value !== null) {
      wrong.set(value, { pointer, errors });
    }
    return errors;
  };
  return { isValid, validate };
});

/** Whether the value satisfies each of the schemas. */
export const satisfies = (
  contract: Contract,
  pointers: readonly string[],
  value: unknown,
): boolean => pointers.every((pointer) => schemasOf(contract).isValid(pointer, value));

interface Survey extends Vocabulary {
  /** The document as Ajv reads it. */
  document: Record<string, unknown>;
  /** The pointer of each object of the document. */
  places: Map<object, string>;
  /** The branches `{type: 'null'}` beside one other branch. */
  nothings: Set<object>;
}

function surveyOf(contract: Contract): Survey {
  const { document, moved } = readableByAjv(contract.document);
  const places = new Map<object, string>();
  const nothings = new Set<object>();
  const extensions = new Set<string>();
  const formats = new Set<string>();
  walk(document, (value, pointer) => {
    places.set(value, pointer);
    for (const key of Object.keys(value)) {
      if (key.startsWith('x-')) {
        extensions.add(key);
      }
    }
    if (typeof value['format'] === 'string') {
      formats.add(value['format']);
    }
    const branch = nullableBranch(value);
    if (branch) {
      const branches = value[branch.keyword] as object[];
      nothings.add(branches[branch.nothing] as object);
    }
  });
  for (const [schema, pointer] of moved) {
    walk(schema, (value, at) => places.set(value, at), pointer);
  }
  return { document, places, nothings, extensions, formats };
}

/**
 * Whether an error only says that there are others, or that a value is not null although it need
 * not be.
 */
function isWrapper(error: ErrorObject, nothings: ReadonlySet<object>): boolean {
  const { keyword, parentSchema } = error;
  if (keyword === 'if' || keyword === 'propertyNames') {
    return true;
  }
  const isChoice = keyword === 'anyOf' || keyword === 'oneOf';
  if (isChoice && nullableBranch(parentSchema as Schema)?.keyword === keyword) {
    // Null, if both branches allow it: then nothing but the oneOf itself is broken.
    const { passingSchemas } = error.params as { passingSchemas?: unknown };
    const isBrokenItself = passingSchemas !== undefined && passingSchemas !== null;
    return !isBrokenItself;
  }
  return parentSchema !== undefined && nothings.has(parentSchema);
}

function errorOf(error: ErrorObject, places: ReadonlyMap<object, string>): SchemaError {
  const place = places.get(error.parentSchema as object);
  if (place === undefined) {
    throw new Error(`no place in the contract for the error at ${error.schemaPath}`);
  }
  const found: SchemaError = {
    path: parsePointer(error.instancePath),
    keyword: error.keyword,
    pointer: joinPointer(place, error.keyword),
    message: error.message ?? `breaks ${error.keyword}`,
  };
  const name = nameIn(error);
  if (name !== undefined) {
    found.name = name;
  }
  return found;
}

/**
 * The property that an error is about, such as a missing one; for `dependentRequired`, its trigger
 * first.
 */
function nameIn({ keyword, propertyName, params }: ErrorObject): string | undefined {
  const { property, missingProperty, additionalProperty } = params as Record<string, unknown>;
  const name = propertyName ?? missingProperty ?? additionalProperty;
  if (name === undefined) {
    return undefined;
  }
  if (keyword === 'dependentRequired') {
    return `${String(property)}.${String(name)}`;
  }
  return String(name);
}
