/**
 * A response is as the contract documents it for its operation and status: media type, header
 * fields and body.
 */
import { isUtf8 } from 'node:buffer';
import { memberOf } from '../contract/by-name.ts';
import { supported, Unsupported } from '../contract/keywords.ts';
import { branchesOf } from '../contract/kinds.ts';
import { type Contract, entry } from '../contract/load.ts';
import { isJson, isJsonSequence, isPlainText, mostSpecificKey } from '../contract/media-types.ts';
import type { Header, Response } from '../contract/operations.ts';
import { originOf, originOfError } from '../contract/origins.ts';
import { joinPointer, placeInWords, valueAt } from '../contract/pointers.ts';
import { type SchemaError, schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf, withoutNull } from '../contract/shape.ts';
import { isDoubtful, spelled } from '../contract/spelling.ts';
import { asResponse, isMarked } from '../contract/variants.ts';
import { headerValue } from './header-values.ts';
import type { Implementation } from './implementation.ts';
import { Nonconformity, show, type Violation } from './nonconformity.ts';
import { BYTE_ORDER_MARK, type HttpResponse } from './response.ts';

/**
 * Media type, headers and body are as one documented response of the contract states them.
 * @throws Nonconformity with all that is wrong; Unsupported if the contract does not say what is
 * due
 */
export function expectDocumented(
  implementation: Implementation,
  documented: Response,
  response: HttpResponse,
): void {
  // Of a refusal, the status alone is checked then; a success is not shown to be right.
  if (documented.unread !== undefined && response.status < 400) {
    throw new Unsupported(documented.unread);
  }
  const violations = [
    ...bodyViolations(implementation, documented, response),
    ...headerViolations(implementation, documented, response),
  ];
  throwAll(violations);
}

/** @throws Nonconformity whose message is the first of them, and that has all */
function throwAll(violations: readonly Violation[]): void {
  const [first, ...others] = violations;
  if (first === undefined) {
    return;
  }
  const { message, expected, got, clause } = first;
  const more = others.length === 0 ? '' : ` (and ${others.length} more in this response)`;
  const details: Nonconformity['details'] = { expected, got, violations };
  if (clause !== undefined) {
    details.clause = clause;
  }
  throw new Nonconformity(message + more, details);
}

function bodyViolations(
  implementation: Implementation,
  documented: Response,
  response: HttpResponse,
): Violation[] {
  const { status } = response;
  if (documented.hasNoBody && response.bytes > 0) {
    return [
      {
        what: 'body-beside-no-content',
        words: `sends a body with ${status}, which has none`,
        message: `A ${documented.status} has a body.`,
        expected: 'no body',
        got: show(response.text),
      },
    ];
  }
  // A contract that says nothing of a body leaves it open.
  const isStated = Object.keys(documented.content).length > 0;
  const isDue = implementation.origin === 'source' || applies(implementation, documented.origin);
  if (isStated && isDue) {
    return contentViolations(implementation, documented, response);
  }
  return [];
}

function headerViolations(
  implementation: Implementation,
  documented: Response,
  response: HttpResponse,
): Violation[] {
  const violations: Violation[] = [];
  for (const [name, header] of Object.entries(documented.headers)) {
    const value = memberOf(response.headers, name.toLowerCase());
    if (value !== undefined) {
      violations.push(...headerErrors(implementation, name, header, value));
    } else if (isRequired(implementation, header)) {
      violations.push({
        what: `header-${name}-missing`,
        words: `sends no header ${name}`,
        message: `A ${documented.status} lacks the header ${name}.`,
        expected: name,
        got: Object.keys(response.headers).join(', '),
        clause: header.pointer,
      });
    }
  }
  return violations;
}

function isRequired(implementation: Implementation, { required, pointer }: Header): boolean {
  return required && applies(implementation, originOf(implementation.contract, pointer));
}

function headerErrors(
  implementation: Implementation,
  name: string,
  header: Header,
  value: string,
): Violation[] {
  const { contract } = implementation;
  if (header.schema === undefined) {
    return [];
  }
  const read = headerValue(contract, header.schema, header, value);
  const errors = schemasOf(contract).validate(header.schema, read);
  return violationsOf(implementation, errors, value, {
    message: `The header ${name} breaks the contract`,
    words: `sends a header ${name} that breaks the contract`,
  });
}

function contentViolations(
  implementation: Implementation,
  { content }: Response,
  response: HttpResponse,
): Violation[] {
  const { mediaType, headers } = response;
  const sent = headers['content-type'];
  const types = Object.keys(content);
  const type = mostSpecificKey(types, sent ?? '');
  const schema = type === undefined ? undefined : content[type];
  if (schema === undefined) {
    const named = mediaType === '' ? 'no media type' : mediaType;
    return [
      {
        what: `media-type-${mediaType === '' ? 'missing' : mediaType}`,
        words: `sends ${named} in place of ${types.join(' or ')}`,
        message: 'The media type is not the documented one.',
        expected: `Content-Type: ${types.join(' or ')}`,
        got: `Content-Type: ${sent ?? 'none'}`,
      },
    ];
  }
  if (isJsonSequence(mediaType)) {
    return supported(
      () => sequenceViolations(implementation, schema, response),
      () => [],
    );
  }
  if (response.isPartial) {
    return [];
  }
  if (isJson(mediaType)) {
    return schemaViolations(implementation, schema, response);
  }
  // The schema of another media type describes a value that a reader makes of the body.
  if (!isPlainText(mediaType)) {
    return [];
  }
  const find = (): Violation[] => textViolations(implementation, schema, response);
  return supported(find, () => []);
}

/**
 * The items of a sequence of JSON texts. Before OpenAPI 3.2, nobody said whether a schema is that
 * of a list or of each text: one of anything else than lists says nothing.
 */
function sequenceViolations(
  implementation: Implementation,
  schema: string,
  response: HttpResponse,
): Violation[] {
  const contract = asResponse(implementation.contract);
  const { types } = shapeOf(contract, schema);
  if (types.size !== 1 || !types.has('array')) {
    return [];
  }
  const { sequence, isPartial } = response;
  if (sequence === undefined) {
    return [notJson(response)];
  }
  const { isValid, validate } = schemasOf(contract);
  const isOfItems = sequence.length > 0 && sequence.every((item) => isValid(schema, item));
  if (isOfItems) {
    return [];
  }
  const errors = validate(schema, sequence);
  // Of a list that did not end, nobody knows the length.
  const counting = isPartial ? errors.filter(({ path }) => path.length > 0) : errors;
  return violationsOf(implementation, counting, sequence, {
    message: 'The response body breaks the contract',
    words: 'sends a body that breaks the contract',
  });
}

const LINE_BREAK_AT_END = /\r?\n$/;

/** A text that is one value, such as a word or a number; a line break may end it. */
function textViolations(
  implementation: Implementation,
  schema: string,
  { text, status }: HttpResponse,
): Violation[] {
  const contract = asResponse(implementation.contract);
  const shape = withoutNull(contract, shapeOf(contract, schema));
  const isOther = shape.types.has('object') || shape.types.has('array');
  const line = text.replace(LINE_BREAK_AT_END, '');
  const values = [text, line].map((one) => spelled(shape, one));
  const { isValid, validate } = schemasOf(contract);
  const isRight = values.some((value) => isValid(schema, value));
  if (isOther || isRight || isDoubtful(shape, line)) {
    return [];
  }
  const body = status >= 400 ? 'an error whose body' : 'a body that';
  return violationsOf(implementation, validate(schema, values[1]), values[1], {
    message: 'The response body breaks the contract',
    words: `sends ${body} breaks the contract`,
  });
}

/**
 * Valid bodies, behind the pointers of their schemas: many reads show a body that others have
 * shown.
 */
const valid = new WeakMap<Implementation, Set<string>>();
const MAX_KEPT = 1000;
/** In characters: to look up a text of megabytes would take longer than it saves. */
const MAX_LENGTH_KEPT = 10_000;

/**
 * The body is JSON that the schema at this pointer of the contract allows.
 * @throws Nonconformity with all that is wrong
 */
export function expectSchema(
  implementation: Implementation,
  schema: string,
  response: HttpResponse,
): void {
  throwAll(schemaViolations(implementation, schema, response));
}

function schemaViolations(
  implementation: Implementation,
  schema: string,
  response: HttpResponse,
): Violation[] {
  if (response.text.length > MAX_LENGTH_KEPT) {
    return violationsIn(implementation, schema, response);
  }
  const known = entry(valid, implementation, () => new Set<string>());
  const key = `${schema} ${response.text}`;
  if (known.has(key)) {
    return [];
  }
  const violations = violationsIn(implementation, schema, response);
  if (violations.length > 0) {
    return violations;
  }
  if (known.size >= MAX_KEPT) {
    known.clear();
  }
  known.add(key);
  return [];
}

function violationsIn(
  implementation: Implementation,
  schema: string,
  response: HttpResponse,
): Violation[] {
  const { json, text, status } = response;
  const { contract } = implementation;
  const body = status >= 400 ? 'an error whose body' : 'a body that';
  if (json === undefined) {
    return [notJson(response)];
  }
  if (!isUtf8(response.content)) {
    return [
      {
        what: 'body-not-utf-8',
        words: `sends ${body} is not in UTF-8`,
        message: 'The body is not in UTF-8, in which all JSON is (RFC 8259, 8.1).',
        expected: 'UTF-8',
        got: show(text),
      },
    ];
  }
  const errors = schemasOf(asResponse(contract)).validate(schema, json);
  const violations = violationsOf(implementation, errors, json, {
    message: 'The response body breaks the contract',
    words: `sends ${body} breaks the contract`,
  });
  if (text.startsWith(BYTE_ORDER_MARK)) {
    violations.push({
      what: 'byte-order-mark',
      words: `sends ${body} begins with a byte order mark`,
      message: 'The body begins with a byte order mark, which some readers of JSON refuse.',
      expected: 'none: "Implementations MUST NOT add a byte order mark" (RFC 8259, 8.1)',
      got: 'U+FEFF before the JSON',
    });
  }
  // If no property is writeOnly, the contract of responses is the contract itself.
  const pointer =
    asResponse(contract) === contract ? undefined : writeOnlyIn(contract, [schema], json, '');
  if (pointer !== undefined) {
    violations.push({
      what: `write-only${placeInWords(pointer)}`,
      words: `shows what is writeOnly at ${placeInWords(pointer)}`,
      message: `The response shows what is writeOnly at ${pointer}.`,
      expected: 'nothing, as it is writeOnly',
      got: show(valueAt(json, pointer)),
    });
  }
  return violations;
}

function notJson({ status, text }: HttpResponse): Violation {
  const body = status >= 400 ? 'an error whose body' : 'a body that';
  return {
    what: 'body-not-json',
    words: `sends ${body} is not JSON`,
    message: 'The body is not JSON.',
    expected: 'JSON',
    got: show(text),
  };
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

/** The errors of a value, as the beginnings of sentences. */
interface Beginnings {
  message: string;
  words: string;
}

/** The errors that count for the implementation. */
function violationsOf(
  { contract, origin }: Implementation,
  errors: readonly SchemaError[],
  value: unknown,
  { message, words }: Beginnings,
): Violation[] {
  const violations: Violation[] = [];
  for (const error of errors) {
    const stated = originOfError(contract, error, 'response');
    if (violations.length >= MOST_VIOLATIONS || !isStatedBy(stated, origin)) {
      continue;
    }
    const pointer = joinPointer('', ...error.path);
    const at = pointer === '' ? '' : `at ${pointer}: `;
    const expected = `it ${error.message}`;
    const place = pointer === '' ? '' : ` at ${pointer}`;
    const placed = pointer === '' ? '' : ` at ${placeInWords(pointer)}`;
    violations.push({
      what: placeOfError(error),
      words: `${words}${placed}: ${expected}`,
      message: `${message}${place}: ${expected}.`,
      expected: at + expected,
      got: at + show(valueAt(value, pointer)),
      clause: error.pointer,
    });
  }
  return violations;
}

/** After a reader has fixed the first ones, the next run shows the others. */
const MOST_VIOLATIONS = 20;

/** The schema of an error response within an operation: other operations have the same one. */
const OF_ERRORS = /^\/paths\/.*\/responses\/(?:[45]..|default)\/content\/[^/]+\/schema/;
const OF_RESPONSES = /^\/paths\/.*\/responses\/([^/]+)\/content\/[^/]+\/schema/;
const COMPONENTS = /^\/components\/(schemas\/)?/;

/** The shortest pointer of the place in the contract; with the name of a missing property. */
function placeOfError({ pointer, name }: SchemaError): string {
  const place = pointer
    .replace(OF_ERRORS, 'errors')
    .replace(OF_RESPONSES, '$1')
    .replace(COMPONENTS, '');
  return name === undefined ? place : `${place}/${name}`;
}

/** Whether a rule of this origin counts. */
const applies = (implementation: Implementation, origin: string): boolean =>
  isStatedBy(origin, implementation.origin);

const isStatedBy = (stated: string, origin: Implementation['origin']): boolean =>
  origin === 'all' || stated.startsWith('source');
