/** Bodies of calls, by their media type: JSON, a form, a form of several parts, or bytes. */
import { memberOf } from '../contract/by-name.ts';
import { stringifyJson } from '../contract/json-numbers.ts';
import { isForm, isJson, isJsonSequence, isMultipart, isRaw } from '../contract/media-types.ts';
import type { FormField, RequestBody } from '../contract/operations.ts';
import { type NameAndValue, writtenPairs } from './parameter-styles.ts';

export type BodyForm = Pick<RequestBody, 'mediaType' | 'fields'>;

export interface WrittenBody {
  contentType: string;
  content: string | Buffer;
}

export function writtenBody(value: unknown, { mediaType, fields }: BodyForm): WrittenBody {
  if (isForm(mediaType)) {
    return { contentType: mediaType, content: formOf(value, fields) };
  }
  if (isMultipart(mediaType)) {
    const contentType = `${mediaType}; boundary=${BOUNDARY}`;
    return { contentType, content: partsOf(value, fields) };
  }
  const isShown = typeof value === 'string' && !isJson(mediaType);
  if (isJsonSequence(mediaType)) {
    return { contentType: mediaType, content: isShown ? value : linesOf(value) };
  }
  if (!isRaw(mediaType)) {
    // A text of XML is an example of the contract.
    return { contentType: mediaType, content: isShown ? value : stringifyJson(value) };
  }
  if (!mediaType.startsWith('text/')) {
    return { contentType: mediaType, content: bytesOf(value) };
  }
  const content = String(value);
  if (mediaType.includes(';')) {
    return { contentType: mediaType, content };
  }
  return { contentType: `${mediaType}; charset=utf-8`, content };
}

/** A line of JSON for each item (OpenAPI 3.2, Sequential Media Types: the schema is of a list). */
const linesOf = (value: unknown): string =>
  [value]
    .flat()
    .map((item) => `${stringifyJson(item)}\n`)
    .join('');

const membersOf = (value: unknown): [name: string, value: unknown][] =>
  Object.entries((value ?? {}) as object);

/** As OpenAPI writes forms by default: a list repeats its name, an object within is JSON. */
function formOf(value: unknown, fields: BodyForm['fields']): string {
  const pairs: NameAndValue[] = [];
  for (const [name, member] of membersOf(value)) {
    pairs.push(...pairsOfField(name, member, memberOf(fields, name) ?? {}));
  }
  return new URLSearchParams(pairs).toString();
}

function pairsOfField(name: string, value: unknown, field: FormField): NameAndValue[] {
  const { style, explode = style === 'form' } = field;
  if (style !== undefined) {
    const styled = writtenPairs({ name, style, explode, in: 'query' }, value);
    if (styled) {
      return styled;
    }
    if (isEmptyHolder(value)) {
      // No style has a text for nothing.
      return [];
    }
  }
  return [value].flat().map((item) => [name, textOf(item)]);
}

const isEmptyHolder = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function textOf(value: unknown): string {
  if (typeof value === 'object') {
    return stringifyJson(value);
  }
  return String(value);
}

/** Between the parts of a body: no value has it. */
const BOUNDARY = 'conformance-1f0c52e9a84b36d7';

function partsOf(value: unknown, fields: BodyForm['fields']): Buffer {
  const parts: Buffer[] = [];
  for (const [name, member] of membersOf(value)) {
    for (const item of [member].flat()) {
      parts.push(partOf(name, item, memberOf(fields, name) ?? {}));
    }
  }
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** Characters that end a quoted name, or its line. */
const NOT_IN_NAMES = /["\r\n]/g;

function partOf(name: string, item: unknown, field: FormField): Buffer {
  const { isFile } = field;
  const contentType = field.contentType ?? defaultTypeOf(item);
  const safe = name.replaceAll(NOT_IN_NAMES, encodeURIComponent);
  const file = isFile ? '; filename="conformance.bin"' : '';
  const head = [`--${BOUNDARY}`, `Content-Disposition: form-data; name="${safe}"${file}`];
  if (contentType !== undefined) {
    head.push(`Content-Type: ${contentType}`);
  }
  const content = isFile ? bytesOf(item) : Buffer.from(textOfPart(item, contentType));
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n')]);
}

/** OpenAPI 3.1, 4.8.14: JSON for objects; undefined for a plain text. */
function defaultTypeOf(item: unknown): string | undefined {
  if (typeof item === 'object') {
    return 'application/json';
  }
  return undefined;
}

function textOfPart(item: unknown, contentType: string | undefined): string {
  if (contentType !== undefined && isJson(contentType)) {
    return stringifyJson(item);
  }
  return textOf(item);
}

/** A character that is not one byte. */
const WIDE = /[^\0-\u00ff]/;

/** Each character is a byte, unless one of them is not a byte: then the text is UTF-8. */
function bytesOf(value: unknown): Buffer {
  const text = textOf(value);
  return Buffer.from(text, WIDE.test(text) ? 'utf8' : 'latin1');
}
