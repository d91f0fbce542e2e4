/** A call of an operation, and how it is written as a request: its path, query, cookies, headers and content. */
import { isScalar, stringifyJson } from '../contract/json-numbers.ts';
import { entry } from '../contract/load.ts';
import {
  IN_JSON,
  type Operation,
  type Parameter,
  type RequestBody,
} from '../contract/operations.ts';
import { isForm, isJson, isMultipart, isRaw } from '../contract/media-types.ts';

export interface Sending {
  method: string;
  /** Path and query as they go out, behind the base URL; or an absolute URL on the same host, or of SERVICE_ROOT. */
  target: string;
  /** Names in lower case. An empty value takes away what is sent by default. */
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface CallInput {
  /** Path parameters, undecoded. */
  path?: Record<string, string>;
  /** How path parameters are encoded; by default as little as RFC 3986 asks for. */
  encode?: (value: string) => string;
  /** Query parameters, undecoded. */
  query?: Record<string, string> | [string, string][];
  /** Sent as JSON, or as what the operation takes in its place, such as a form. */
  json?: unknown;
  /** Sent as it is, in place of `json`; the Content-Type is JSON unless `headers` says otherwise. */
  body?: string | Buffer;
  headers?: Record<string, string>;
}

export function requestOf(operation: Operation, input: CallInput): Sending {
  const target = requestTargetOf(operation, input);
  return {
    method: operation.method,
    target,
    ...contentOf(input, operation.requestBody ?? JSON_BODY),
  };
}

/**
 * The origin of targets that begin at the root of the service's host, not at the base URL: those of operations with
 * servers of their own. The client puts the host in its place.
 */
export const SERVICE_ROOT = 'http://service.invalid';

/** Texts and the names of parameters in turn. */
const templates = new WeakMap<Operation, string[]>();

/** A character that no path may have as it is (RFC 3986, 3.3), or a percent sign that begins no encoded byte. */
const NOT_IN_PATHS = /[^!$&'()*+,\-./0-9:;=@A-Z_a-z~%]|%(?![\da-fA-F]{2})/gu;

/** Templates of contracts may have spaces and letters of any script: they are sent percent-encoded in UTF-8. */
const escapedText = (text: string): string => text.replaceAll(NOT_IN_PATHS, encodeURIComponent);

export function requestTargetOf(operation: Operation, input: CallInput): string {
  const { path = {}, encode = encodeURIComponent } = input;
  const parts = entry(templates, operation, () => templateParts(operation));
  const segments = parts.map((part, index) => {
    if (index % 2 === 0) {
      return part;
    }
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === part);
    const encoded = encode(path[part] ?? '');
    return parameter ? segmentOf(parameter, encoded) : encoded;
  });
  const filled = segments.join('');
  const pairs = queryOf(input).map(([name, value]) => {
    const encoded = encodeURIComponent(value);
    const parameter = operation.parameters.find((one) => one.in === 'query' && one.name === name);
    const isList = parameter?.style === 'form' && parameter.holds !== undefined;
    return `${encodeURIComponent(name)}=${isList ? separated(encoded, /%2C/g) : encoded}`;
  });
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

function templateParts({ path, serverPath }: Operation): string[] {
  const parts = path.split(/\{([^{}]+)\}/);
  const [first = '', ...others] = parts.map((part, index) => {
    const isText = index % 2 === 0;
    return isText ? escapedText(part) : part;
  });
  const root = serverPath === undefined ? '' : SERVICE_ROOT + serverPath;
  return [root + first, ...others];
}

export const queryOf = ({ query = {} }: CallInput) =>
  Array.isArray(query) ? query : Object.entries(query);

const JSON_BODY = { mediaType: 'application/json', fields: {} };

function contentOf(
  { json, body, headers }: CallInput,
  form: typeof JSON_BODY,
): Pick<Sending, 'headers' | 'body'> {
  if (body === undefined && json === undefined) {
    return headers === undefined ? {} : { headers };
  }
  const [type, content] = body === undefined ? contentFor(json, form) : [form.mediaType, body];
  return { body: content, headers: { 'content-type': type, ...headers } };
}

/** A header with these cookies, each `name=value`, in place of those that have their names. */
export function withCookies(header: string | undefined, own: readonly string[]): string {
  const names = new Set(own.map(nameOf));
  return [...cookiesOf(header).filter((cookie) => !names.has(nameOf(cookie))), ...own].join('; ');
}

export const cookiesOf = (header = ''): string[] =>
  header.split('; ').filter((cookie) => cookie !== '');

const nameOf = (cookie: string): string => cookie.split('=', 1)[0]!;

/** The call with this parameter. Undefined for a value that the style cannot write, such as a list within a list. */
export function withParameter(
  call: CallInput,
  parameter: Parameter,
  value: unknown,
): CallInput | undefined {
  const pairs = pairsOf(parameter, value);
  if (pairs === undefined) {
    return undefined;
  }
  const text = pairs[0]?.[1] ?? '';
  const { name, in: place } = parameter;
  if (place === 'path') {
    return { ...call, path: { ...call.path, [name]: text } };
  }
  if (place === 'query') {
    return { ...call, query: [...othersOf(call, parameter), ...pairs] };
  }
  if (place === 'header') {
    return { ...call, headers: { ...call.headers, [name.toLowerCase()]: text } };
  }
  const own = pairs.map((pair) => pair.join('='));
  return {
    ...call,
    headers: { ...call.headers, cookie: withCookies(call.headers?.['cookie'], own) },
  };
}

export function withoutParameter(call: CallInput, parameter: Parameter): CallInput {
  if (parameter.in === 'query') {
    return { ...call, query: othersOf(call, parameter) };
  }
  if (parameter.in === 'header') {
    // An empty value takes away what is sent by default.
    return { ...call, headers: { ...call.headers, [parameter.name.toLowerCase()]: '' } };
  }
  const others = cookiesOf(call.headers?.['cookie']).filter(
    (cookie) => nameOf(cookie) !== parameter.name,
  );
  return { ...call, headers: { ...call.headers, cookie: others.join('; ') } };
}

/** The query without the parameter. An object may be written with a name of its own for each property. */
function othersOf(call: CallInput, { name, style, members }: Parameter): [string, string][] {
  const isOwn = (written: string) =>
    written === name ||
    members.includes(written) ||
    (style === 'deepObject' && written.startsWith(`${name}[`));
  return queryOf(call).filter(([written]) => !isOwn(written));
}

type Styled = Pick<Parameter, 'name' | 'style' | 'explode' | 'in'>;

/** Names and values of a parameter; undefined for what the style cannot write. */
function pairsOf(parameter: Styled, value: unknown): [string, string][] | undefined {
  const { name, style, explode, in: place } = parameter;
  if (style === IN_JSON) {
    return [[name, stringifyJson(value)]];
  }
  const isMarked = style === 'label' || style === 'matrix';
  if (isScalar(value)) {
    if (isMarked && /[;,=]/.test(String(value))) {
      return undefined;
    }
    return [[name, String(value)]];
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const entries = Object.entries(value).map(([key, one]): [string, string] => [key, String(one)]);
  // An empty list is not a parameter: a text between separators would be one.
  if (!Object.values(value).every(isScalar) || entries.length === 0) {
    return undefined;
  }
  const isSeparate = explode && (place === 'query' || place === 'cookie');
  const separator = separatorOf(parameter);
  const cannotHold = (text: string) =>
    text === '' || text.includes(separator) || (isMarked && /[;,=]/.test(text));
  if (Array.isArray(value)) {
    const texts = entries.map(([, text]) => text);
    if (isSeparate) {
      return texts.map((text) => [name, text]);
    }
    if (texts.some(cannotHold)) {
      return undefined;
    }
    return [[name, texts.join(separator)]];
  }
  if (style === 'deepObject') {
    return entries.map(([key, text]) => [`${name}[${key}]`, text]);
  }
  if (isSeparate) {
    return entries;
  }
  if (
    (explode && style === 'matrix') ||
    entries.flat().some((text) => cannotHold(text) || text.includes('='))
  ) {
    return undefined;
  }
  return [[name, entries.map((pair) => pair.join(explode ? '=' : separator)).join(separator)]];
}

function separatorOf({ name, style, explode }: Styled): string {
  if (style === 'label') {
    return explode ? '.' : ',';
  }
  if (style === 'matrix') {
    return explode ? `;${name}=` : ',';
  }
  return { spaceDelimited: ' ', pipeDelimited: '|' }[style] ?? ',';
}

/** What stands in a path for the encoded value of the parameter. */
function segmentOf({ name, style, holds }: Parameter, encoded: string): string {
  if (style === 'simple' && holds !== undefined) {
    return separated(encoded, holds === 'array' ? /%2C/g : /%(2C|3D)/g);
  }
  if (style !== 'label' && style !== 'matrix') {
    return encoded;
  }
  const text = separated(encoded, /%(2C|3B|3D)/g);
  return style === 'label' ? `.${text}` : `;${name}=${text}`;
}

/** With separators as they are: no part of a value has them. */
const separated = (encoded: string, separators: RegExp) =>
  encoded.replaceAll(separators, decodeURIComponent);

type Form = Pick<RequestBody, 'mediaType' | 'fields'>;

/** A body by its media type: JSON, a form, a form of several parts, or bytes alone. @returns its type and its bytes */
function contentFor(
  value: unknown,
  { mediaType, fields }: Form,
): [type: string, content: string | Buffer] {
  if (isForm(mediaType)) {
    return [mediaType, formOf(value, fields)];
  }
  if (isMultipart(mediaType)) {
    return [`${mediaType}; boundary=${BOUNDARY}`, partsOf(value, fields)];
  }
  if (!isRaw(mediaType)) {
    return [mediaType, stringifyJson(value)];
  }
  const isText = mediaType.startsWith('text/');
  const type = isText && !mediaType.includes(';') ? `${mediaType}; charset=utf-8` : mediaType;
  return [type, isText ? String(value) : bytesOf(value)];
}

const entriesOf = (value: unknown): [name: string, value: unknown][] =>
  Object.entries((value ?? {}) as object);

/** As OpenAPI writes forms by default: a list repeats its name, an object within is JSON. */
function formOf(value: unknown, fields: Form['fields']): string {
  const pairs = entriesOf(value).flatMap(([name, one]) => {
    const { style, explode = style === 'form' } = fields[name] ?? {};
    const styled =
      style === undefined ? undefined : pairsOf({ name, style, explode, in: 'query' }, one);
    return styled ?? [one].flat().map((item) => [name, textOf(item)]);
  });
  return new URLSearchParams(pairs as [string, string][]).toString();
}

const textOf = (value: unknown): string => {
  if (typeof value === 'object') {
    return stringifyJson(value);
  }
  return String(value);
};

const BOUNDARY = 'conformance-1f0c52e9a84b36d7';

function partsOf(value: unknown, fields: Form['fields']): Buffer {
  const parts = entriesOf(value).flatMap(([name, one]) =>
    [one].flat().map((item) => {
      const { contentType = typeof item === 'object' ? 'application/json' : undefined, isFile } =
        fields[name] ?? {};
      const safe = name.replaceAll(/["\r\n]/g, encodeURIComponent);
      const head = [
        `--${BOUNDARY}`,
        `Content-Disposition: form-data; name="${safe}"${isFile ? '; filename="conformance.bin"' : ''}`,
        ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
      ];
      const isText = contentType === undefined || !isJson(contentType);
      const content = isFile
        ? bytesOf(item)
        : Buffer.from(isText ? textOf(item) : stringifyJson(item));
      return Buffer.concat([
        Buffer.from(`${head.join('\r\n')}\r\n\r\n`),
        content,
        Buffer.from('\r\n'),
      ]);
    }),
  );
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** Each character is a byte, unless there are others: then the text is UTF-8. */
function bytesOf(value: unknown): Buffer {
  const text = textOf(value);
  return Buffer.from(text, /[^\0-\u00ff]/.test(text) ? 'utf8' : 'latin1');
}
