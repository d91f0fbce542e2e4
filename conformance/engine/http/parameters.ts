/** How parameters are written: scalars, lists and objects by their `style` and `explode`. */
import type { Parameter } from '../contract/operations.ts';
import type { CallInput } from './session.ts';

/** The call with this parameter. Undefined for a value that the style cannot write, such as a list within a list. */
export function withParameter(call: CallInput, parameter: Parameter, value: unknown): CallInput | undefined {
  const pairs = pairsOf(parameter, value);
  if (pairs === undefined) return undefined;
  const text = pairs[0]?.[1] ?? '';
  switch (parameter.in) {
    case 'path':
      return { ...call, path: { ...call.path, [parameter.name]: text } };
    case 'query':
      return { ...call, query: [...queryOf(call).filter(([name]) => !isOf(parameter, name)), ...pairs] };
    case 'header':
      return { ...call, headers: { ...call.headers, [parameter.name.toLowerCase()]: text } };
    case 'cookie':
      return { ...call, headers: { ...call.headers, cookie: withCookies(call.headers?.['cookie'], pairs) } };
  }
}

/** The call without the parameter. */
export function withoutParameter(call: CallInput, parameter: Parameter): CallInput {
  if (parameter.in === 'query') return { ...call, query: queryOf(call).filter(([name]) => !isOf(parameter, name)) };
  const { [parameter.name.toLowerCase()]: _, ...headers } = call.headers ?? {};
  if (parameter.in === 'header') return { ...call, headers };
  const cookies = cookiesOf(call.headers?.['cookie']).filter(([name]) => name !== parameter.name);
  return { ...call, headers: { ...call.headers, cookie: writeCookies(cookies) } };
}

function queryOf({ query = {} }: CallInput): [string, string][] {
  return Array.isArray(query) ? query : Object.entries(query);
}

/** `deepObject` writes a name of its own for each property. */
function isOf({ name, style }: Parameter, written: string): boolean {
  return written === name || (style === 'deepObject' && written.startsWith(`${name}[`));
}

const SEPARATORS: Record<string, string> = { spaceDelimited: ' ', pipeDelimited: '|' };

function pairsOf({ name, style, explode, in: place }: Parameter, value: unknown): [string, string][] | undefined {
  const separate = place === 'query' || place === 'cookie';
  if (Array.isArray(value)) {
    const items = value as unknown[];
    // No items are no parameter: a text between separators would be one.
    if (!items.every(isScalar) || items.length === 0) return undefined;
    const separator = SEPARATORS[style] ?? ',';
    const texts = items.map(String);
    if (separate && explode) return texts.map((text) => [name, text]);
    if (texts.some((text) => text.includes(separator) || text === '')) return undefined;
    return [[name, texts.join(separator)]];
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, one]): [string, unknown] => [key, one]);
    if (!entries.every(([, one]) => isScalar(one)) || entries.length === 0) return undefined;
    const texts = entries.map(([key, one]): [string, string] => [key, String(one)]);
    if (style === 'deepObject') return texts.map(([key, text]) => [`${name}[${key}]`, text]);
    if (separate && explode) return texts;
    if (texts.flat().some((text) => /[,=]/.test(text) || text === '')) return undefined;
    return [[name, texts.map(([key, text]) => (explode ? `${key}=${text}` : `${key},${text}`)).join(',')]];
  }
  return isScalar(value) ? [[name, String(value)]] : undefined;
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function cookiesOf(header = ''): [string, string][] {
  return header
    .split('; ')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
}

function withCookies(header: string | undefined, pairs: [string, string][]): string {
  const names = new Set(pairs.map(([name]) => name));
  return writeCookies([...cookiesOf(header).filter(([name]) => !names.has(name)), ...pairs]);
}

function writeCookies(cookies: [string, string][]): string {
  return cookies.map(([name, value]) => `${name}=${value}`).join('; ');
}
