/**
 * A call of an operation, and how it is written as a request: its path, query, cookies, headers and
 * content.
 */
import { escapeRegExp } from '../contract/escape-reg-exp.ts';
import { memberOf } from '../contract/by-name.ts';
import { entry } from '../contract/load.ts';
import type { Operation, Parameter } from '../contract/operations.ts';
import { type BodyForm, writtenBody } from './call-bodies.ts';
import { queryValueOf, segmentOf, writtenPairs } from './parameter-styles.ts';

export interface Sending {
  method: string;
  /**
   * Path and query as they go out, behind the base URL; or an absolute URL on the same host, or of
   * SERVICE_ROOT.
   */
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
  /** Sent as JSON, or in the media type that the operation takes, such as a form. */
  json?: unknown;
  /** The form in which `json` is written; default: the one that the contract prefers. */
  form?: BodyForm;
  /**
   * Sent as it is, in place of `json`; the Content-Type is JSON unless `headers` says otherwise.
   */
  body?: string | Buffer;
  headers?: Record<string, string>;
}

export function requestOf(operation: Operation, input: CallInput): Sending {
  const target = requestTargetOf(operation, input);
  const content = contentOf(input, input.form ?? operation.requestBody ?? JSON_BODY);
  return { method: operation.method, target, ...content };
}

/**
 * The origin of targets that begin at the root of the service's host, not at the base URL: those of
 * operations that state their own servers. The client puts the host in its place.
 */
export const SERVICE_ROOT = 'http://service.invalid';

/** A path template: a text, and parameters with the texts behind them. */
interface Template {
  start: string;
  slots: Slot[];
}

interface Slot {
  name: string;
  /** Undefined if the contract has no parameter of this name. */
  parameter: Parameter | undefined;
  textBehind: string;
}

const templates = new WeakMap<Operation, Template>();

/** A name in braces; `split` gives texts and names in turn. */
const PATH_PARAMETER = /\{([^{}]+)\}/;

function templateOf({ path, serverPath, parameters }: Operation): Template {
  const root = serverPath === undefined ? '' : SERVICE_ROOT + serverPath;
  // A fragment is not sent (RFC 9110, 7.1), also if the paths of a contract differ in it alone.
  const [sent = ''] = path.split('#', 1);
  const [first = '', ...others] = sent.split(PATH_PARAMETER);
  const slots: Slot[] = [];
  for (let index = 0; index < others.length; index += 2) {
    const [name = '', text = ''] = others.slice(index, index + 2);
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    slots.push({ name, parameter, textBehind: escapedText(text) });
  }
  return { start: root + escapedText(first), slots };
}

/**
 * A character that no path may have as it is (RFC 3986, 3.3), or a percent sign that begins no
 * encoded byte. Behind a question mark, a template has a query, which goes out with every call.
 */
const NOT_IN_PATHS = /[^!$&'()*+,\-./0-9:;=?@A-Z_a-z~%]|%(?![\da-fA-F]{2})/gu;

/**
 * Templates of contracts may have spaces and letters of any script: they are sent percent-encoded
 * in UTF-8.
 */
const escapedText = (text: string): string => text.replaceAll(NOT_IN_PATHS, encodeURIComponent);

export function requestTargetOf(operation: Operation, input: CallInput): string {
  const { path = {}, encode = encodeURIComponent } = input;
  const { start, slots } = entry(templates, operation, () => templateOf(operation));
  let target = start;
  for (const { name, parameter, textBehind } of slots) {
    const encoded = encode(memberOf(path, name) ?? '');
    target += parameter ? segmentOf(parameter, encoded) : encoded;
    target += textBehind;
  }
  const query = queryTextOf(operation, input);
  if (query === '') {
    return target;
  }
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

/**
 * Whether the path of the call has its parameters in one way alone: of `/{a}-{b}`, `1--2` may be
 * `1` and `-2`, or `1-` and `2`.
 */
export function isReadInOneWay({ path: template }: Operation, { path = {} }: CallInput): boolean {
  return template.split('/').every((segment) => {
    const parts = segment.split(PATH_PARAMETER);
    const texts = parts.filter((_, index) => index % 2 === 0);
    const names = parts.filter((_, index) => index % 2 === 1);
    const values = names.map((name) => memberOf(path, name) ?? '');
    const written = texts.map((text, index) => text + (values[index] ?? '')).join('');
    const literals = texts.map((text) => escapeRegExp(text));
    return ['(.*?)', '(.*)'].every((any) => {
      const [, ...read] = new RegExp(`^${literals.join(any)}$`, 's').exec(written) ?? [];
      return read.every((one, index) => one === values[index]);
    });
  });
}

function queryTextOf({ parameters }: Operation, input: CallInput): string {
  const pairs = queryOf(input).map(([name, value]) => {
    const parameter = parameters.find((one) => one.in === 'query' && one.name === name);
    const encoded = queryValueOf(parameter, encodeURIComponent(value));
    return `${encodeURIComponent(name)}=${encoded}`;
  });
  return pairs.join('&');
}

export function queryOf({ query = {} }: CallInput): [name: string, value: string][] {
  if (Array.isArray(query)) {
    return query;
  }
  return Object.entries(query);
}

const JSON_BODY: BodyForm = { mediaType: 'application/json', fields: {} };

function contentOf(input: CallInput, form: BodyForm): Pick<Sending, 'headers' | 'body'> {
  const { json, body, headers } = input;
  if (body !== undefined) {
    return { body, headers: { 'content-type': form.mediaType, ...headers } };
  }
  if (json !== undefined) {
    const { content, contentType } = writtenBody(json, form);
    return { body: content, headers: { 'content-type': contentType, ...headers } };
  }
  if (headers === undefined) {
    return {};
  }
  return { headers };
}

/** A header with these cookies, each `name=value`, in place of those that have their names. */
export function withCookies(header: string | undefined, own: readonly string[]): string {
  const names = new Set(own.map(nameOfCookie));
  const others = cookiesOf(header).filter((cookie) => !names.has(nameOfCookie(cookie)));
  return [...others, ...own].join('; ');
}

export const cookiesOf = (header = ''): string[] =>
  header.split('; ').filter((cookie) => cookie !== '');

function nameOfCookie(cookie: string): string {
  const [name = ''] = cookie.split('=', 1);
  return name;
}

/**
 * The call with this parameter. Undefined for a value that the style cannot write, such as a list
 * within a list.
 */
export function withParameter(
  call: CallInput,
  parameter: Parameter,
  value: unknown,
): CallInput | undefined {
  const pairs = writtenPairs(parameter, value);
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
  const cookie = withCookies(call.headers?.['cookie'], own);
  return { ...call, headers: { ...call.headers, cookie } };
}

export function withoutParameter(call: CallInput, parameter: Parameter): CallInput {
  if (parameter.in === 'query') {
    return { ...call, query: othersOf(call, parameter) };
  }
  if (parameter.in === 'header') {
    // An empty value takes away what is sent by default.
    return { ...call, headers: { ...call.headers, [parameter.name.toLowerCase()]: '' } };
  }
  const cookies = cookiesOf(call.headers?.['cookie']);
  const others = cookies.filter((cookie) => nameOfCookie(cookie) !== parameter.name);
  return { ...call, headers: { ...call.headers, cookie: others.join('; ') } };
}

/**
 * The query without the parameter. An object may be written with a name for each of its properties.
 */
function othersOf(call: CallInput, parameter: Parameter): [name: string, value: string][] {
  const { name, style, members } = parameter;
  const isOfParameter = (written: string): boolean => {
    if (style === 'deepObject' && written.startsWith(`${name}[`)) {
      return true;
    }
    return written === name || members.includes(written);
  };
  return queryOf(call).filter(([written]) => !isOfParameter(written));
}
