/**
 * A response is as the contract documents it for its operation and status: media type, header
 * fields and body.
 */
import { branchesOf } from '../contract/inferred.ts';
import { type Contract, entry } from '../contract/load.ts';
import { isJson, mostSpecificKey } from '../contract/media-types.ts';
import type { Header, Response } from '../contract/operations.ts';
import { originOf, originOfError } from '../contract/origins.ts';
import { joinPointer, valueAt } from '../contract/pointers.ts';
import { type SchemaError, schemasOf } from '../contract/schemas.ts';
import type { Shape } from '../contract/shape.ts';
import { asResponse, isMarked } from '../contract/variants.ts';
import { headerValue } from './header-values.ts';
import type { Implementation } from './implementation.ts';
import { Nonconformity, show } from './nonconformity.ts';
import type { HttpResponse } from './response.ts';

/**
 * Media type, headers and body are as one documented response of the contract states them.
 * @throws Nonconformity
 */
export function expectDocumented(
  implementation: Implementation,
  documented: Response,
  response: HttpResponse,
): void {
  expectBody(implementation, documented, response);
  for (const [name, header] of Object.entries(documented.headers)) {
    const value = response.headers[name.toLowerCase()];
    if (value !== undefined) {
      expectHeader(implementation, name, header, value);
    } else if (isRequired(implementation, header)) {
      const got = Object.keys(response.headers).join(', ');
      const details = { expected: name, got, clause: header.pointer };
      throw new Nonconformity(`A ${documented.status} has the header ${name}.`, details);
    }
  }
}

function expectBody(
  implementation: Implementation,
  documented: Response,
  response: HttpResponse,
): void {
  if (documented.hasNoBody && response.bytes > 0) {
    const details = { expected: 'no body', got: show(response.text) };
    throw new Nonconformity(`A ${documented.status} has no body.`, details);
  }
  // A contract that says nothing of a body leaves it open.
  const isStated = Object.keys(documented.content).length > 0;
  if (!isStated) {
    return;
  }
  if (implementation.origin === 'source' || applies(implementation, documented.origin)) {
    expectContent(implementation, documented, response);
  }
}

function isRequired(implementation: Implementation, { required, pointer }: Header): boolean {
  return required && applies(implementation, originOf(implementation.contract, pointer));
}

function expectHeader(
  implementation: Implementation,
  name: string,
  header: Header,
  value: string,
): void {
  const { contract } = implementation;
  if (header.schema === undefined) {
    return;
  }
  const read = headerValue(contract, header.schema, header, value);
  const errors = schemasOf(contract).validate(header.schema, read);
  throwFirst(implementation, errors, value, `The header ${name} breaks the contract`);
}

function expectContent(
  implementation: Implementation,
  { content }: Response,
  response: HttpResponse,
): void {
  const { mediaType, headers } = response;
  const sent = headers['content-type'];
  const types = Object.keys(content);
  const type = mostSpecificKey(types, sent ?? '');
  const schema = type === undefined ? undefined : content[type];
  if (schema === undefined) {
    throw new Nonconformity('The media type is not the documented one.', {
      expected: `Content-Type: ${types.join(' or ')}`,
      got: `Content-Type: ${sent ?? 'none'}`,
    });
  }
  // The schema of another media type describes what a reader makes of the body.
  if (isJson(mediaType) && !response.isPartial) {
    expectSchema(implementation, schema, response);
  }
}

/**
 * Valid bodies, behind the pointers of their schemas: many reads show again what others have shown.
 */
const valid = new WeakMap<Implementation, Set<string>>();
const MAX_KEPT = 1000;
/** In characters: to look up a text of megabytes would take longer than it saves. */
const MAX_LENGTH_KEPT = 10_000;

/**
 * The body is JSON that the schema at this pointer of the contract allows.
 * @throws Nonconformity
 */
export function expectSchema(
  implementation: Implementation,
  schema: string,
  response: HttpResponse,
): void {
  if (response.text.length > MAX_LENGTH_KEPT) {
    return expectValid(implementation, schema, response);
  }
  const known = entry(valid, implementation, () => new Set<string>());
  const key = `${schema} ${response.text}`;
  if (known.has(key)) {
    return;
  }
  expectValid(implementation, schema, response);
  if (known.size >= MAX_KEPT) {
    known.clear();
  }
  known.add(key);
}

function expectValid(
  implementation: Implementation,
  schema: string,
  { json, text }: HttpResponse,
): void {
  const { contract } = implementation;
  if (json === undefined) {
    throw new Nonconformity('The body is not JSON.', { expected: 'JSON', got: show(text) });
  }
  const errors = schemasOf(asResponse(contract)).validate(schema, json);
  throwFirst(implementation, errors, json, 'The response body breaks the contract');
  // If no property is writeOnly, the contract of responses is the contract itself.
  if (asResponse(contract) === contract) {
    return;
  }
  const pointer = writeOnlyIn(contract, [schema], json, '');
  if (pointer !== undefined) {
    const got = show(valueAt(json, pointer));
    throw new Nonconformity(`The response shows what is writeOnly at ${pointer}.`, {
      expected: 'nothing, as it is writeOnly',
      got,
    });
  }
}

/** The place of a value that no response may show. */
function writeOnlyIn(
  contract: Contract,
  roots: readonly string[],
  value: unknown,
  at: string,
): string | undefined {
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const shapes = branchesOf(contract, ...roots);
  for (const [name, child] of Object.entries(value)) {
    const place = joinPointer(at, name);
    for (const shape of childrenOf(shapes, value, name)) {
      if (child !== null && isMarked(shape, 'writeOnly')) {
        return place;
      }
      const found = writeOnlyIn(contract, shape.roots, child, place);
      if (found !== undefined) {
        return found;
      }
    }
  }
  return undefined;
}

/** The shapes of an item or a property of a value, by the shapes of the value. */
function childrenOf(shapes: readonly Shape[], value: object, name: string): Shape[] {
  const children: Shape[] = [];
  for (const shape of shapes) {
    const child = Array.isArray(value) ? shape.items : shape.properties.get(name);
    if (child) {
      children.push(child);
    }
  }
  return children;
}

/**
 * Reports the first of the errors that counts for the implementation.
 * @param what is wrong, as the beginning of a sentence
 */
function throwFirst(
  implementation: Implementation,
  errors: readonly SchemaError[],
  value: unknown,
  what: string,
): void {
  const error = errors.find((one) =>
    applies(implementation, originOfError(implementation.contract, one, 'response')),
  );
  if (!error) {
    return;
  }
  const pointer = joinPointer('', ...error.path);
  const expected = `it ${error.message}`;
  const got = show(valueAt(value, pointer));
  const clause = error.pointer;
  if (pointer === '') {
    throw new Nonconformity(`${what}: ${expected}.`, { expected, got, clause });
  }
  throw new Nonconformity(`${what} at ${pointer}: ${expected}.`, {
    expected: `at ${pointer}: ${expected}`,
    got: `at ${pointer}: ${got}`,
    clause,
  });
}

/** Whether a rule of this origin counts. */
const applies = (implementation: Implementation, origin: string): boolean =>
  implementation.origin === 'all' || origin.startsWith('source');
