/**
 * Errors of express-openapi-validator in the terms of the contract: JSON Pointers, stable codes,
 * and the rule in words.
 */
import type { FieldError, FieldErrorCode } from '../../domain/types.ts';
import { type JsonObject, pathOf, pointerTo, schemasOf } from '../../openapi/document.ts';

/** An error as the validator reports it. */
export interface SchemaError {
  /** Begins with `/body`, `/query` or `/params`. */
  path: string;
  message: string;
  /** Begins with the JSON Schema keyword. */
  errorCode?: string;
}

/** @param body what the errors are about */
export type ErrorTranslator = (errors: readonly SchemaError[], body: unknown) => FieldError[];

const CODES: Record<string, FieldErrorCode> = {
  required: 'required',
  dependentRequired: 'required',
  additionalProperties: 'unknown',
  type: 'type',
  pattern: 'format',
  format: 'format',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  maximum: 'too_large',
  exclusiveMinimum: 'too_small',
  exclusiveMaximum: 'too_large',
  minItems: 'too_few',
  maxItems: 'too_many',
  minProperties: 'too_few',
  maxProperties: 'too_many',
  uniqueItems: 'duplicate',
};

export function errorTranslator(document: JsonObject): ErrorTranslator {
  const words = wordsOf(document);
  return (errors, body) => {
    const places = new UnknownProperties(body);
    return withoutEchoes(errors).map((error) => {
      const rule = inWords(error, words);
      const [place, ...path] = pathOf(error.path);
      if (place !== undefined && place !== 'body') {
        return { parameter: path[0] ?? '', ...rule };
      }
      const isUnknownProperty = rule.code === 'unknown';
      const pointer = isUnknownProperty ? places.next(error.path) : path;
      return { pointer: pointerTo(pointer), ...rule };
    });
  };
}

/** The words of the contract for a rule, by the message of the validator. */
function wordsOf(document: JsonObject): Map<string, string> {
  const words = new Map<string, string>();
  for (const { schema } of schemasOf(document)) {
    const { pattern, format, 'x-pattern-description': description, 'x-max-bytes': bytes } = schema;
    if (description !== undefined) {
      words.set(`must match pattern "${String(pattern)}"`, `must be ${String(description)}`);
    }
    if (bytes !== undefined) {
      const limit = `must have at most ${String(bytes)} bytes of UTF-8`;
      words.set(`must match format "${String(format)}"`, limit);
    }
  }
  return words;
}

function keywordOf({ errorCode = '' }: SchemaError): string {
  const [keyword = ''] = errorCode.split('.', 1);
  return keyword;
}

/** Keywords whose error is that of their subschema. */
const WRAPPERS = new Set(['oneOf', 'if', 'propertyNames']);

/** Omits errors that repeat another one in other terms. */
function withoutEchoes(errors: readonly SchemaError[]): SchemaError[] {
  const withoutBranches = withoutNullBranches(errors);
  const real = withoutBranches.filter((error) => !WRAPPERS.has(keywordOf(error)));
  const wrongType = placesOf(real, (error) => isTypeError(error) && !requiresNull(error));
  const overBytes = placesOf(real, isByteLimit);
  return real.filter((error) => {
    const isBesideWrongType = wrongType.has(error.path) && !isTypeError(error);
    // `maxLength` is the weaker bound beside a limit in bytes.
    const isBesideByteLimit = overBytes.has(error.path) && keywordOf(error) === 'maxLength';
    return !isBesideWrongType && !isBesideByteLimit;
  });
}

/**
 * A value that may be null is `oneOf` an object and null: an error of the object is one of null,
 * too.
 */
function withoutNullBranches(errors: readonly SchemaError[]): SchemaError[] {
  const nullable = placesOf(errors, (error) => keywordOf(error) === 'oneOf');
  return errors.filter((error) => {
    // Deleted at its first occurrence: a second one at the same place is an error of a `then`.
    const isNullBranch = requiresNull(error) && nullable.delete(error.path);
    return !isNullBranch;
  });
}

function placesOf(
  errors: readonly SchemaError[],
  condition: (error: SchemaError) => boolean,
): Set<string> {
  return new Set(errors.filter(condition).map(({ path }) => path));
}

function isTypeError(error: SchemaError): boolean {
  return keywordOf(error) === 'type';
}

function requiresNull(error: SchemaError): boolean {
  return isTypeError(error) && error.message === 'must be null';
}

function isByteLimit(error: SchemaError): boolean {
  return keywordOf(error) === 'format' && error.message.includes('-utf8-bytes');
}

/** A broken rule, without its place. */
type Rule = Pick<FieldError, 'code' | 'detail'>;

function inWords(error: SchemaError, words: ReadonlyMap<string, string>): Rule {
  const keyword = keywordOf(error);
  const { message } = error;
  if (requiresNull(error)) {
    return notAllowed('null or omitted');
  }
  // Within a `then`, the contract requires a module to be off if another one is on (D21).
  const requiresOff =
    keyword === 'const' || (keyword === 'required' && error.path.endsWith('/enabled'));
  if (requiresOff) {
    return notAllowed('false');
  }
  // A conditional requires an empty list.
  if (keyword === 'maxItems' && message.endsWith(' 0 items')) {
    return notAllowed('empty or omitted');
  }
  return {
    code: isByteLimit(error) ? 'too_many_bytes' : (CODES[keyword] ?? 'value'),
    detail: words.get(message) ?? DETAILS[keyword] ?? corrected(message),
  };
}

/** The rule depends on other properties. */
function notAllowed(required: string): Rule {
  return { code: 'not_allowed_here', detail: `must be ${required} with these other properties` };
}

/** By keyword, if the message of the validator does not say it. */
const DETAILS: Record<string, string> = {
  required: 'is required',
  dependentRequired: 'is required with these other properties',
  additionalProperties: 'is not a property of this request',
  // A conditional requires more properties than there are, if all of them are null (D20).
  minProperties: 'must have a property that is not null',
};

/** Errors in the English of the validator. */
function corrected(message: string): string {
  return message.replace('NOT', 'not').replace('items ## ', 'items ');
}

/** The places of properties that the request does not have. */
class UnknownProperties {
  readonly #body: unknown;
  /** The places of properties with an empty name: the validator gives them no path at all. */
  #emptyNames: string[][] | undefined;

  constructor(body: unknown) {
    this.#body = body;
  }

  /** @param path of the next error, in the order of the validator */
  next(path: string): string[] {
    if (path !== '') {
      return unknownProperty(path, this.#body);
    }
    this.#emptyNames ??= placesOfEmptyName(this.#body);
    return this.#emptyNames.shift() ?? [''];
  }
}

/**
 * The shortest path to an object with the rest of the text as a name: the validator appends names
 * unescaped.
 */
function unknownProperty(path: string, body: unknown): string[] {
  const parents: string[] = [];
  let value = body;
  let rest = path.slice('/body/'.length);
  while (typeof value === 'object' && value !== null && !Object.hasOwn(value, rest)) {
    const slash = rest.indexOf('/');
    if (slash < 0) {
      break;
    }
    const [name = ''] = pathOf(`/${rest.slice(0, slash)}`);
    parents.push(name);
    value = (value as JsonObject)[name];
    rest = rest.slice(slash + 1);
  }
  return [...parents, rest];
}

/** Bodies of the contract are far flatter; a deeper one is refused for other errors. */
const MAX_DEPTH = 32;

/** The paths of all properties named `""`, in the order in which the validator reports them. */
function placesOfEmptyName(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || at.length > MAX_DEPTH) {
    return [];
  }
  const places: string[][] = [];
  if (!Array.isArray(value) && Object.hasOwn(value, '')) {
    places.push([...at, '']);
  }
  for (const [name, inner] of Object.entries(value)) {
    places.push(...placesOfEmptyName(inner, [...at, name]));
  }
  return places;
}
