/** Errors of express-openapi-validator in the terms of the contract: JSON Pointers, stable codes, and the rule in words. */
import type { Operation } from '../../contract.ts';
import type { FieldError, FieldErrorCode } from '../../domain/types.ts';
import { type JsonObject, resolve } from '../../openapi/document.ts';
import { RE2 } from './formats.ts';
import { pathOf, pointerTo } from '../response/json-pointer.ts';

/** As the validator reports it: `path` begins with `/body`, `/query`, `/params` or `/headers`; the code is a JSON Schema keyword. */
export interface SchemaError {
  path: string;
  message: string;
  errorCode?: string;
}

/** Where the validator looks for a parameter. */
const PLACES = { path: 'params', query: 'query', header: 'headers' };

const CODES: Record<string, FieldErrorCode> = {
  required: 'required',
  dependentRequired: 'required',
  additionalProperties: 'unknown',
  type: 'type',
  enum: 'value',
  const: 'value',
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

const MUST_BE_NULL = 'must be null';

export function toFieldErrors(
  document: JsonObject,
  operation: Operation,
  body: unknown,
  errors: readonly SchemaError[],
): FieldError[] {
  const emptyNames = errors.some((error) => error.path === '') ? placesOfEmptyName(body) : [];
  return withoutEchoes(errors).map((error) => {
    const keyword = keywordOf(error);
    const [place, ...rest] = pathOf(error.path);
    if (place !== undefined && place !== 'body') {
      const sent = rest[0] ?? '';
      // The validator has names of headers in lower case.
      const found = operation.parameters.find(
        (one) => (one.in === 'header' ? one.name.toLowerCase() : one.name) === sent && PLACES[one.in] === place,
      );
      return { parameter: found?.name ?? sent, ...inWords(keyword, error, found?.schema) };
    }
    // An unknown property with an empty name comes without any path.
    const unknown = () => (error.path === '' ? (emptyNames.shift() ?? ['']) : unknownProperty(error.path, body));
    const path = keyword === 'additionalProperties' ? unknown() : rest;
    const schema =
      operation.requestBody && namesOrValues(document, schemaAt(document, operation.requestBody.schema, path), keyword);
    return { pointer: pointerTo(path), ...inWords(keyword, error, schema) };
  });
}

/** A rule on texts that is broken at a map is one on the names in it. */
function namesOrValues(document: JsonObject, schema: JsonObject | undefined, keyword: string): JsonObject | undefined {
  const ofTexts = ['pattern', 'minLength', 'maxLength'].includes(keyword);
  return ofTexts && schema?.propertyNames ? resolve(document, schema.propertyNames) : schema;
}

function keywordOf(error: SchemaError): string {
  return (error.errorCode ?? '').split('.', 1)[0] ?? '';
}

/** Keywords whose error is that of what they hold. */
const WRAPPERS = new Set(['oneOf', 'if', 'propertyNames']);

/**
 * Leaves out what only repeats another error: the wrappers, the null branch of a
 * nullable `oneOf`, whatever else is said of a value that has the wrong type, and `maxLength` beside a limit in bytes.
 */
function withoutEchoes(errors: readonly SchemaError[]): SchemaError[] {
  const nullable = new Set(errors.filter((error) => keywordOf(error) === 'oneOf').map((error) => error.path));
  // Deleted when it is met: a second one at the same place is a error, from a `then`.
  const isNullBranch = (error: SchemaError) =>
    keywordOf(error) === 'type' && error.message === MUST_BE_NULL && nullable.delete(error.path);
  const real = errors.filter((error) => !WRAPPERS.has(keywordOf(error)) && !isNullBranch(error));
  const wrongType = new Set(
    real.filter((error) => keywordOf(error) === 'type' && error.message !== MUST_BE_NULL).map((error) => error.path),
  );
  const overBytes = new Set(real.filter(isByteLimit).map((error) => error.path));
  return real.filter(
    (error) =>
      (keywordOf(error) === 'type' || !wrongType.has(error.path)) &&
      (keywordOf(error) !== 'maxLength' || !overBytes.has(error.path)),
  );
}

function isByteLimit(error: SchemaError): boolean {
  return keywordOf(error) === 'format' && error.message.includes('-utf8-bytes');
}

function inWords(
  keyword: string,
  error: SchemaError,
  schema: JsonObject | undefined,
): Pick<FieldError, 'code' | 'detail'> {
  if (isByteLimit(error)) {
    return { code: 'too_many_bytes', detail: `must have at most ${schema?.['x-max-bytes']} bytes of UTF-8` };
  }
  if (keyword === 'type' && error.message === MUST_BE_NULL) {
    return { code: 'not_allowed_here', detail: 'must be null or omitted with these other properties' };
  }
  // Inside a `then`, the contract asks a module to be off where another one is on (D21).
  if (keyword === 'const' || (keyword === 'required' && error.path.endsWith('/enabled'))) {
    return { code: 'not_allowed_here', detail: 'must be false with these other properties' };
  }
  const code = CODES[keyword] ?? 'value';
  const words = schema?.['x-pattern-description'];
  if (keyword === 'pattern' && typeof words === 'string') return { code, detail: `must be ${words}` };
  if (keyword === 'format' && schema?.['format'] === RE2)
    return { code, detail: 'must be a regular expression in RE2 syntax' };
  // What a conditional asks to be empty has no room at all.
  if (keyword === 'maxItems' && error.message.endsWith(' 0 items')) {
    return { code: 'not_allowed_here', detail: 'must be empty or omitted with these other properties' };
  }
  // A conditional asks for more properties than there are, where all of them are null (D20).
  const least = keyword === 'minProperties' ? Number(/\d+/.exec(error.message)?.[0]) : 0;
  if (least > Object.keys((schema?.['properties'] ?? {}) as JsonObject).length) {
    return { code, detail: 'must have a property that is not null' };
  }
  if (keyword === 'required') return { code, detail: 'is required' };
  if (keyword === 'dependentRequired') return { code, detail: 'is required with these other properties' };
  if (keyword === 'additionalProperties') return { code, detail: 'is not a property of this request' };
  return { code, detail: error.message.replace('NOT', 'not').replace('items ## ', 'items ') };
}

/**
 * The path of an unknown property. The validator appends its name unescaped, so that a name with `/` or `~` has to be
 * told from a path: the shortest path to an object of the body that has the rest of the text as a name.
 */
function unknownProperty(path: string, body: unknown): string[] {
  let value = body;
  let rest = path.slice('/body/'.length);
  const parents: string[] = [];
  while (typeof value === 'object' && value !== null && !Object.hasOwn(value, rest)) {
    const slash = rest.indexOf('/');
    if (slash < 0) break;
    const name = pathOf(`/${rest.slice(0, slash)}`)[0] ?? '';
    parents.push(name);
    value = (value as JsonObject)[name];
    rest = rest.slice(slash + 1);
  }
  return [...parents, rest];
}

/** The paths of all properties named `""`, in the order in which the validator meets them. */
function placesOfEmptyName(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || at.length > MAX_DEPTH) return [];
  const here = !Array.isArray(value) && Object.hasOwn(value, '') ? [[...at, '']] : [];
  return [...here, ...Object.entries(value).flatMap(([name, inner]) => placesOfEmptyName(inner, [...at, name]))];
}

/** Bodies of the contract are far flatter; a deeper one is refused for other errors. */
const MAX_DEPTH = 32;

/** The schema of a place in the body, through `$ref`, properties, items, map values and nullable `oneOf`. */
function schemaAt(document: JsonObject, schema: JsonObject, path: readonly string[]): JsonObject | undefined {
  let current: JsonObject | undefined = notNull(document, schema);
  for (const name of path) {
    if (!current) return undefined;
    const properties = (current.properties ?? {}) as JsonObject;
    const inner: unknown = Object.hasOwn(properties, name)
      ? properties[name]
      : (current.items ?? current.additionalProperties);
    current = typeof inner === 'object' && inner !== null ? notNull(document, inner as JsonObject) : undefined;
  }
  return current;
}

function notNull(document: JsonObject, schema: JsonObject): JsonObject {
  const resolved = resolve(document, schema);
  if (!Array.isArray(resolved.oneOf)) return resolved;
  const branch = resolved.oneOf.find((one: JsonObject) => one.type !== 'null');
  return resolve(document, branch);
}
