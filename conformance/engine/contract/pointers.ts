/** JSON Pointers (RFC 6901) into a parsed document. */
import { Unsupported } from './keywords.ts';

/**
 * The segments of a JSON Pointer, unescaped; empty for `''`. @throws Error for a text that is not a
 * JSON Pointer
 */
export function parsePointer(pointer: string): string[] {
  if (pointer === '') {
    return [];
  }
  if (!pointer.startsWith('/')) {
    throw new Error(`not a JSON Pointer: ${JSON.stringify(pointer)}`);
  }
  const segments = pointer.slice(1).split('/');
  if (!pointer.includes('~')) {
    return segments;
  }
  return segments.map((one) => {
    if (one.includes('~')) {
      return one.replaceAll('~1', '/').replaceAll('~0', '~');
    }
    return one;
  });
}

/** A segment as a JSON Pointer has it. */
export function escapeSegment(segment: string | number): string {
  const text = String(segment);
  if (/[~/]/.test(text)) {
    return text.replaceAll('~', '~0').replaceAll('/', '~1');
  }
  return text;
}

/** The pointer of the place at `segments` below `base`. */
export function joinPointer(base: string, ...segments: (string | number)[]): string {
  let pointer = base;
  for (const segment of segments) {
    pointer += `/${escapeSegment(segment)}`;
  }
  return pointer;
}

/** The value at `pointer`; undefined if there is none. Only own properties count. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const segment of parsePointer(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

/** An object with another value at the path, whose names lead through objects. */
export function replacedAt(value: unknown, path: readonly string[], by: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) {
    return by;
  }
  const members = value as Record<string, unknown>;
  return { ...members, [name]: replacedAt(members[name], rest, by) };
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Visit = (found: Record<string, unknown>, pointer: string) => void;

/** Visits every object and list in the value, the inner ones first. */
export function walk(value: unknown, visit: Visit, pointer = ''): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    walk(child, visit, joinPointer(pointer, key));
  }
  visit(value as Record<string, unknown>, pointer);
}

export interface ParameterSchema {
  /** JSON Pointer of the schema of the parameter, or of its media type. */
  schema: string;
  /** Whether the value is written as JSON. */
  inJson: boolean;
}

/** The schema of the parameter or header at `pointer`. */
export function parameterSchema(document: unknown, pointer: string): ParameterSchema {
  const content = valueAt(document, joinPointer(pointer, 'content'));
  const [type] = Object.keys(isObject(content) ? content : {});
  if (type === undefined) {
    return { schema: joinPointer(pointer, 'schema'), inJson: false };
  }
  return {
    schema: joinPointer(pointer, 'content', type, 'schema'),
    inJson: /[/+]json\b/i.test(type),
  };
}

/**
 * The schemas of the body or response at `pointer` by media type. Each media type has one: see
 * dialect.ts.
 */
export function schemasByMediaType(document: unknown, pointer: string): Record<string, string> {
  const { content } = objectAt(document, pointer);
  return mapMembers(content, joinPointer(pointer, 'content'), (at) => {
    // Since OpenAPI 3.2, a media type may be a reference (Media Type Object).
    const mediaType = dereference(document, at);
    return dereference(document, joinPointer(mediaType, 'schema'), false);
  });
}

/** The results of `make` for each member of the value at `pointer`, by name. */
export function mapMembers<T>(
  value: unknown,
  pointer: string,
  make: (at: string, name: string) => T,
): Record<string, T> {
  const names = Object.keys((value ?? {}) as object);
  return Object.fromEntries(names.map((name) => [name, make(joinPointer(pointer, name), name)]));
}

/** The object at `pointer`. @throws Unsupported that names the pointer if there is none */
export function objectAt(document: unknown, pointer: string): Record<string, unknown> {
  const value = valueAt(document, pointer);
  if (!isObject(value)) {
    throw new Unsupported(`the contract has no object at ${JSON.stringify(pointer)}`);
  }
  return value;
}

/**
 * The pointer that `pointer` leads to by any number of `$ref`.
 * @param mayHaveSiblings if false, a `$ref` with other members beside it is not followed, because
 * these add rules to its target
 * @throws Unsupported for a `$ref` out of the document, and for a circle
 */
export function dereference(document: unknown, pointer: string, mayHaveSiblings = true): string {
  const seen = new Set<string>();
  let current = pointer;
  for (;;) {
    const value = valueAt(document, current);
    if (!isObject(value) || typeof value['$ref'] !== 'string') {
      return current;
    }
    if (!mayHaveSiblings && Object.keys(value).length > 1) {
      return current;
    }
    if (seen.has(current)) {
      throw new Unsupported(`the references at ${pointer} go in a circle`);
    }
    seen.add(current);
    current = referenced(value['$ref']);
  }
}

/**
 * The pointer that a `$ref` names.
 * @throws Unsupported unless it is a pointer within the document (`#/…`)
 */
export function referenced(reference: string): string {
  if (!reference.startsWith('#/')) {
    throw new Unsupported(`only references within the contract are followed, not ${reference}`);
  }
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    throw new Unsupported(`the reference ${reference} is not percent-encoded as a URI is`);
  }
}

const NAME = /^[A-Za-z_$@][\w.-]{0,40}$/;

/** A place in a value without indices, and without names that are values themselves: `*`. */
export function placeInWords(pointer: string): string {
  const names = parsePointer(pointer).map((name) => (NAME.test(name) ? name : '*'));
  return names.map((name) => `/${name}`).join('');
}

const MOST_NAMED = 3;

/** The first places, and how many others there are. */
export function firstInWords(pointers: readonly string[]): string {
  const named = pointers.slice(0, MOST_NAMED).join(', ');
  const others = pointers.length - MOST_NAMED;
  if (others <= 0) {
    return named;
  }
  return `${named}, and ${others} others`;
}
