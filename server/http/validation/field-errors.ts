/** Errors of express-openapi-validator in the terms of the contract: JSON Pointers, stable codes, and the rule in words. */
import type { FieldError, FieldErrorCode } from '../../domain/types.ts';
import { type JsonObject, pathOf, pointerTo, schemasOf } from '../../openapi/document.ts';
import { RE2 } from '../../openapi/formats.ts';

/** As the validator reports it: `path` begins with `/body`, `/query` or `/params`; the code is a JSON Schema keyword. */
export type SchemaError = { path: string; message: string; errorCode?: string };

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

export function errorTranslator(document: JsonObject) {
  const words = wordsOf(document);
  return (errors: readonly SchemaError[], body: unknown): FieldError[] => {
    const emptyNames = errors.some((error) => error.path === '') ? placesOfEmptyName(body) : [];
    return withoutEchoes(errors).map((error) => {
      const said = inWords(error, words);
      const [place, ...path] = pathOf(error.path);
      if (place !== undefined && place !== 'body') {
        return { parameter: path[0] ?? '', ...said };
      }
      if (said.code !== 'unknown') {
        return { pointer: pointerTo(path), ...said };
      }
      // An unknown property with an empty name has no path at all.
      const unknown =
        error.path === '' ? (emptyNames.shift() ?? ['']) : unknownProperty(error.path, body);
      return { pointer: pointerTo(unknown), ...said };
    });
  };
}

/** By message of the validator: what the contract says in words. */
function wordsOf(document: JsonObject): Map<string, string> {
  const words = new Map([
    [`must match format "${RE2}"`, 'must be a regular expression in RE2 syntax'],
  ]);
  for (const { schema } of schemasOf(document)) {
    const { pattern, format, 'x-pattern-description': description, 'x-max-bytes': bytes } = schema;
    if (description) {
      words.set(`must match pattern "${String(pattern)}"`, `must be ${String(description)}`);
    }
    if (bytes) {
      words.set(
        `must match format "${String(format)}"`,
        `must have at most ${String(bytes)} bytes of UTF-8`,
      );
    }
  }
  return words;
}

const keywordOf = (error: SchemaError): string => (error.errorCode ?? '').split('.', 1)[0] ?? '';

/** Keywords whose error is that of their subschema. */
const WRAPPERS = new Set(['oneOf', 'if', 'propertyNames']);

/** Omits wrappers, null branches of a nullable `oneOf`, errors beside a wrong type, `maxLength` beside a byte limit. */
function withoutEchoes(errors: readonly SchemaError[]): SchemaError[] {
  const nullable = new Set(
    errors.filter((error) => keywordOf(error) === 'oneOf').map((error) => error.path),
  );
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

const isNullOnly = (error: SchemaError): boolean =>
  keywordOf(error) === 'type' && error.message === 'must be null';

function isByteLimit(error: SchemaError): boolean {
  return keywordOf(error) === 'format' && error.message.includes('-utf8-bytes');
}

const DETAILS: Record<string, string> = {
  required: 'is required',
  dependentRequired: 'is required with these other properties',
  additionalProperties: 'is not a property of this request',
  // A conditional requires more properties than there are, where all of them are null (D20).
  minProperties: 'must have more properties that are not null',
};

function inWords(
  error: SchemaError,
  words: ReadonlyMap<string, string>,
): Pick<FieldError, 'code' | 'detail'> {
  const keyword = keywordOf(error);
  const { message } = error;
  const notAllowed = (what: string) => ({
    code: 'not_allowed_here' as const,
    detail: `must be ${what} with these other properties`,
  });
  if (isNullOnly(error)) {
    return notAllowed('null or omitted');
  }
  // Inside a `then`, the contract requires a module to be off where another one is on (D21).
  if (keyword === 'const' || (keyword === 'required' && error.path.endsWith('/enabled'))) {
    return notAllowed('false');
  }
  // A conditional requires an empty list.
  if (keyword === 'maxItems' && message.endsWith(' 0 items')) {
    return notAllowed('empty or omitted');
  }
  const detail = words.get(message) ?? DETAILS[keyword];
  return {
    code: isByteLimit(error) ? 'too_many_bytes' : (CODES[keyword] ?? 'value'),
    detail: detail ?? message.replace('NOT', 'not').replace('items ## ', 'items '),
  };
}

/** The shortest path to an object with the rest of the text as a name: the validator appends names unescaped. */
function unknownProperty(path: string, body: unknown): string[] {
  let value = body;
  let rest = path.slice('/body/'.length);
  const parents: string[] = [];
  while (typeof value === 'object' && value !== null && !Object.hasOwn(value, rest)) {
    const slash = rest.indexOf('/');
    if (slash < 0) {
      break;
    }
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
  if (typeof value !== 'object' || value === null || at.length > MAX_DEPTH) {
    return [];
  }
  const here = !Array.isArray(value) && Object.hasOwn(value, '') ? [[...at, '']] : [];
  return [
    ...here,
    ...Object.entries(value).flatMap(([name, inner]) => placesOfEmptyName(inner, [...at, name])),
  ];
}
