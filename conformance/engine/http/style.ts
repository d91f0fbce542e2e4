/** Values of parameters as texts, by the `style` and `explode` of OpenAPI. */
import { IN_JSON, type Parameter } from '../contract/operations.ts';

type Styled = Pick<Parameter, 'name' | 'style' | 'explode' | 'in'>;

/** Names and values of a parameter; undefined for what the style cannot write. */
export function pairsOf(parameter: Styled, value: unknown): [string, string][] | undefined {
  const { name, style, explode, in: place } = parameter;
  if (style === IN_JSON) return [[name, JSON.stringify(value)]];
  const isMarked = style === 'label' || style === 'matrix';
  if (isScalar(value)) return isMarked && /[;,=]/.test(String(value)) ? undefined : [[name, String(value)]];
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value).map(([key, one]): [string, string] => [key, String(one)]);
  // An empty list is not a parameter: a text between separators would be one.
  if (!Object.values(value).every(isScalar) || entries.length === 0) return undefined;
  const isSeparate = explode && (place === 'query' || place === 'cookie');
  const separator = separatorOf(parameter);
  const cannotHold = (text: string) => text === '' || text.includes(separator) || (isMarked && /[;,=]/.test(text));
  if (Array.isArray(value)) {
    const texts = entries.map(([, text]) => text);
    if (isSeparate) return texts.map((text) => [name, text]);
    return texts.some(cannotHold) ? undefined : [[name, texts.join(separator)]];
  }
  if (style === 'deepObject') return entries.map(([key, text]) => [`${name}[${key}]`, text]);
  if (isSeparate) return entries;
  if ((explode && style === 'matrix') || entries.flat().some((text) => cannotHold(text) || text.includes('=')))
    return undefined;
  return [[name, entries.map((pair) => pair.join(explode ? '=' : separator)).join(separator)]];
}

function separatorOf({ name, style, explode }: Styled): string {
  if (style === 'label') return explode ? '.' : ',';
  if (style === 'matrix') return explode ? `;${name}=` : ',';
  return { spaceDelimited: ' ', pipeDelimited: '|' }[style] ?? ',';
}

/** What stands in a path for the encoded value of the parameter. */
export function segmentOf({ name, style }: Styled, encoded: string): string {
  if (style !== 'label' && style !== 'matrix') return encoded;
  const text = encoded.replaceAll(/%(2C|3B|3D)/g, decodeURIComponent);
  return style === 'label' ? `.${text}` : `;${name}=${text}`;
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
