/** Values of parameters as texts, by the `style` and `explode` of OpenAPI. */
import type { Parameter } from '../contract/operations.ts';

type Styled = Pick<Parameter, 'name' | 'style' | 'explode' | 'in'>;

const SEPARATORS: Record<string, string> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Names and values of a parameter, by its `style` and `explode`. */
export function pairsOf({ name, style, explode, in: place }: Styled, value: unknown): [string, string][] | undefined {
  if (isScalar(value)) return [[name, String(value)]];
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value).map(([key, one]): [string, string] => [key, String(one)]);
  // An empty list is not a parameter: a text between separators would be one.
  if (!Object.values(value).every(isScalar) || entries.length === 0) return undefined;
  const isSeparate = explode && (place === 'query' || place === 'cookie');
  if (Array.isArray(value)) {
    const separator = SEPARATORS[style] ?? ',';
    const texts = entries.map(([, text]) => text);
    if (isSeparate) return texts.map((text) => [name, text]);
    return texts.some((text) => text.includes(separator) || text === '') ? undefined : [[name, texts.join(separator)]];
  }
  if (style === 'deepObject') return entries.map(([key, text]) => [`${name}[${key}]`, text]);
  if (isSeparate) return entries;
  if (entries.flat().some((text) => /[,=]/.test(text) || text === '')) return undefined;
  return [[name, entries.map((pair) => pair.join(explode ? '=' : ',')).join(',')]];
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
