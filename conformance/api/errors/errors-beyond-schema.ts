/** Errors of bodies that no schema can state. */
import { isObject, joinPointer } from '../../engine/contract/pointers.ts';
import { repeatsIn } from './repeats.ts';
import type { RequestError } from './request-error.ts';

/** Errors that the body has or may have: only a service reads XML. */
export function errorsBeyondSchema(body: unknown): RequestError[] {
  const errors = surrogateErrors(body);
  if (!isObject(body)) {
    return errors;
  }
  for (const name of ['request_headers', 'response_headers']) {
    errors.push(...headerErrors(name, body[name]));
  }
  const { saml } = body;
  if (isObject(saml) && typeof saml['idp_metadata'] === 'string') {
    errors.push(errorAt('format', '/saml/idp_metadata'));
  }
  return errors;
}

function errorAt(code: string, ...pointers: string[]): RequestError {
  return { codes: [code], pointers, clause: '/components/schemas/FieldErrorCode' };
}

/** A lone surrogate, as JSON escapes it. */
const ESCAPED_SURROGATE = /\\ud[89a-f]/;

function surrogateErrors(body: unknown): RequestError[] {
  // A search in the JSON text takes less time than a visit of each text in the body.
  if (!ESCAPED_SURROGATE.test(JSON.stringify(body))) {
    return [];
  }
  return [...loneSurrogates(body, '')].map((pointer) => errorAt('unicode', pointer));
}

/** Places of texts and names with a lone surrogate, which UTF-8 cannot hold. */
function* loneSurrogates(value: unknown, pointer: string): Generator<string> {
  if (typeof value === 'string' && !value.isWellFormed()) {
    yield pointer;
  }
  if (typeof value !== 'object' || value === null) {
    return;
  }
  for (const [name, item] of Object.entries(value)) {
    const at = joinPointer(pointer, name);
    if (!name.isWellFormed()) {
      yield at;
    }
    yield* loneSurrogates(item, at);
  }
}

/** Equal names of headers, in any case (D23). @param name of the module */
function headerErrors(name: string, module: unknown): RequestError[] {
  if (!isObject(module)) {
    return [];
  }
  const { add, remove } = module;
  const addPlace = joinPointer('', name, 'add');
  const added = isObject(add) ? Object.keys(add) : [];
  const removePlace = joinPointer('', name, 'remove');
  const removed = Array.isArray(remove) ? (remove as unknown[]) : [];
  return [
    ...duplicatesIn(
      addPlace,
      added.map((one) => ({ place: one, name: one })),
    ),
    ...duplicatesIn(
      removePlace,
      removed.map((one, index) => ({ place: index, name: one })),
    ),
  ];
}

/** A name of a header, and its last segment in a pointer. */
interface HeaderAt {
  place: string | number;
  name: unknown;
}

/** A service may report either of two equal names, or what holds them. */
function duplicatesIn(holder: string, headers: readonly HeaderAt[]): RequestError[] {
  const names = headers.map((one) => inLowerCase(one.name));
  return repeatsIn(names).map((repeat) => {
    const same = headers.filter((_, index) => names[index] === names[repeat]);
    const places = same.map(({ place }) => joinPointer(holder, place));
    return errorAt('duplicate', holder, ...places);
  });
}

function inLowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
