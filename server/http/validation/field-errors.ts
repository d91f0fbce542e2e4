/** Errors of express-openapi-validator in the terms of the contract: JSON Pointers, stable codes, and the rule in words. */
import type { Operation } from '../../contract.ts';
import type { FieldError, FieldErrorCode } from '../../domain/types.ts';
import { isObject, type JsonObject, pathOf, pointerTo, resolve } from '../../openapi/document.ts';
import { RE2 } from './formats.ts';

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
      // The validator has names of headers in lower case.
      const found = operation.parameters.find(
        (one) => PLACES[one.in] === place && (one.in === 'header' ? one.name.toLowerCase() : one.name) === rest[0],
      );
      return { parameter: found?.name ?? rest[0] ?? '', ...inWords(keyword, error, found?.schema) };
    }
    let path = rest;
    // An unknown property with an empty name has no path at all.
    if (keyword === 'additionalProperties')
      path = error.path === '' ? (emptyNames.shift() ?? ['']) : unknownProperty(error.path, body);
    const schema = operation.requestBody && schemaAt(document, operation.requestBody.schema, path, keyword);
    return { pointer: pointerTo(path), ...inWords(keyword, error, schema) };
  });
}

function keywordOf(error: SchemaError): string {
  return (error.errorCode ?? '').split('.', 1)[0] ?? '';
}

/** Keywords whose error is that of their subschema. */
const WRAPPERS = new Set(['oneOf', 'if', 'propertyNames']);

/**
 * Omits what only repeats another error: the wrappers, the null branch of a nullable `oneOf`, other errors of a value that
 * has the wrong type, and `maxLength` beside a limit in bytes.
 */
function withoutEchoes(errors: readonly SchemaError[]): SchemaError[] {
  const nullable = new Set(errors.filter((error) => keywordOf(error) === 'oneOf').map((error) => error.path));
  // Deleted at its first occurrence: a second one at the same place is an error of a `then`.
  const isNullBranch = (error: SchemaError) => isNullOnly(error) && nullable.delete(error.path);
  const real = errors.filter((error) => !WRAPPERS.has(keywordOf(error)) && !isNullBranch(error));
  const isTypeError = (error: SchemaError) => keywordOf(error) === 'type' && !isNullOnly(error);
  const wrongType = new Set(real.filter(isTypeError).map((error) => error.path));
  const overBytes = new Set(real.filter(isByteLimit).map((error) => error.path));
  return real.filter(
    (error) =>
      (keywordOf(error) === 'type' || !wrongType.has(error.path)) &&
      (keywordOf(error) !== 'maxLength' || !overBytes.has(error.path)),
  );
}

function isNullOnly(error: SchemaError): boolean {
  return keywordOf(error) === 'type' && error.message === MUST_BE_NULL;
}

function isByteLimit(error: SchemaError): boolean {
  return keywordOf(error) === 'format' && error.message.includes('-utf8-bytes');
}

/** @param schema of the value; undefined where it is not known */
function inWords(keyword: string, error: SchemaError, schema: JsonObject = {}): Pick<FieldError, 'code' | 'detail'> {
  const notAllowed = (words: string) => ({
    code: 'not_allowed_here' as const,
    detail: `must be ${words} with these other properties`,
  });
  if (isByteLimit(error))
    return { code: 'too_many_bytes', detail: `must have at most ${schema['x-max-bytes']} bytes of UTF-8` };
  if (isNullOnly(error)) return notAllowed('null or omitted');
  // Inside a `then`, the contract requires a module to be off where another one is on (D21).
  if (keyword === 'const' || (keyword === 'required' && error.path.endsWith('/enabled'))) return notAllowed('false');
  // A conditional requires an empty list.
  if (keyword === 'maxItems' && error.message.endsWith(' 0 items')) return notAllowed('empty or omitted');
  return { code: CODES[keyword] ?? 'value', detail: detailOf(keyword, error, schema) };
}

const DETAILS: Record<string, string> = {
  required: 'is required',
  dependentRequired: 'is required with these other properties',
  additionalProperties: 'is not a property of this request',
};

function detailOf(keyword: string, { message }: SchemaError, schema: JsonObject): string {
  const words = schema['x-pattern-description'];
  if (keyword === 'pattern' && typeof words === 'string') return `must be ${words}`;
  if (keyword === 'format' && schema['format'] === RE2) return 'must be a regular expression in RE2 syntax';
  // A conditional requires more properties than there are, where all of them are null (D20).
  const least = keyword === 'minProperties' ? Number(/\d+/.exec(message)?.[0]) : 0;
  if (least > Object.keys(schema['properties'] ?? {}).length) return 'must have a property that is not null';
  return DETAILS[keyword] ?? message.replace('NOT', 'not').replace('items ## ', 'items ');
}

/**
 * The path of an unknown property. The validator appends its name unescaped, so that a name with `/` or `~` is ambiguous:
 * the shortest path to an object of the body that has the rest of the text as a name.
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

/** Bodies of the contract are far flatter; a deeper one is refused for other errors. */
const MAX_DEPTH = 32;

/** The paths of all properties named `""`, in the order in which the validator reports them. */
function placesOfEmptyName(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null || at.length > MAX_DEPTH) return [];
  const here = !Array.isArray(value) && Object.hasOwn(value, '') ? [[...at, '']] : [];
  return [...here, ...Object.entries(value).flatMap(([name, inner]) => placesOfEmptyName(inner, [...at, name]))];
}

/** The schema of a place in the body, through `$ref`, properties, items, map values and nullable `oneOf`. */
function schemaAt(
  document: JsonObject,
  schema: JsonObject,
  path: readonly string[],
  keyword: string,
): JsonObject | undefined {
  let current = notNull(document, schema);
  for (const name of path) {
    const properties = (current['properties'] ?? {}) as JsonObject;
    const inner = Object.hasOwn(properties, name)
      ? properties[name]
      : (current['items'] ?? current['additionalProperties']);
    if (!isObject(inner)) return undefined;
    current = notNull(document, inner);
  }
  // A rule about texts that is broken at a map is about the names in it.
  const names = ['pattern', 'minLength', 'maxLength'].includes(keyword) ? current['propertyNames'] : undefined;
  return names ? resolve(document, names) : current;
}

function notNull(document: JsonObject, schema: JsonObject): JsonObject {
  const resolved = resolve(document, schema);
  const branches = resolved['oneOf'] as JsonObject[] | undefined;
  return branches === undefined
    ? resolved
    : resolve(
        document,
        branches.find((one) => one['type'] !== 'null'),
      );
}
