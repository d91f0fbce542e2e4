/** The writing of values of parameters: the styles of OpenAPI, with their separators (RFC 6570). */
import { isScalar, stringifyJson } from '../contract/json-numbers.ts';
import { IN_JSON, type Parameter } from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { separatorOfStyle } from '../contract/styles.ts';

/** The members of a parameter that decide how a value is written. */
export type Styled = Pick<Parameter, 'name' | 'style' | 'explode' | 'in' | 'holds'>;

/** As it goes into a query, a header or a cookie, undecoded. */
export type NameAndValue = [name: string, value: string];

/** Separators of the styles `label` and `matrix`: no part of a value can have them. */
const SEPARATORS = /[;,=]/;

const isMarked = (style: string): boolean => style === 'label' || style === 'matrix';

/**
 * The names and values that a parameter is written as: several if each item or member is a separate
 * parameter.
 * @returns undefined for a value that the style cannot write
 */
export function writtenPairs(parameter: Styled, value: unknown): NameAndValue[] | undefined {
  const { name, style } = parameter;
  if (style === IN_JSON) {
    return [[name, stringifyJson(value)]];
  }
  if (isScalar(value)) {
    const text = String(value);
    if (isMarked(style) && SEPARATORS.test(text)) {
      return undefined;
    }
    return [[name, text]];
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  if (style === 'deepObject' && !Array.isArray(value)) {
    return pairsOfDeepObject(name, value);
  }
  const parts = Object.entries(value);
  // An empty list is not a parameter: a text between separators would be one.
  if (parts.length === 0 || !parts.every(([, part]) => isScalar(part))) {
    return undefined;
  }
  const texts = parts.map(([key, part]): NameAndValue => [key, String(part)]);
  if (Array.isArray(value)) {
    return pairsOfList(
      parameter,
      texts.map(([, text]) => text),
    );
  }
  return pairsOfObject(parameter, texts);
}

/**
 * The members of an object, and of those within it: `filter[size][least]=1`, as the libraries write
 * it that read such names. How a list is written is nowhere defined (OpenAPI 3.1, Style Values).
 */
function pairsOfDeepObject(name: string, value: object): NameAndValue[] | undefined {
  const pairs: NameAndValue[] = [];
  for (const [key, member] of Object.entries(value)) {
    const at = `${name}[${key}]`;
    const inner = isObject(member) ? pairsOfDeepObject(at, member) : undefined;
    if (isScalar(member)) {
      pairs.push([at, String(member)]);
    } else if (inner !== undefined) {
      pairs.push(...inner);
    } else {
      return undefined;
    }
  }
  if (pairs.length === 0) {
    return undefined;
  }
  return pairs;
}

/** Whether each part of a value is a parameter. */
const isSeparate = ({ explode, in: place }: Styled): boolean =>
  explode && (place === 'query' || place === 'cookie');

function pairsOfList(parameter: Styled, texts: readonly string[]): NameAndValue[] | undefined {
  const { name } = parameter;
  if (isSeparate(parameter)) {
    return texts.map((text) => [name, text]);
  }
  if (!texts.every((text) => canHold(parameter, text))) {
    return undefined;
  }
  return [[name, texts.join(separatorOf(parameter))]];
}

function pairsOfObject(
  parameter: Styled,
  members: readonly NameAndValue[],
): NameAndValue[] | undefined {
  const { name, style, explode, holds } = parameter;
  if (isSeparate(parameter)) {
    return [...members];
  }
  const isWritten = (text: string): boolean => canHold(parameter, text) && !text.includes('=');
  const isMatrix = explode && style === 'matrix';
  const isNamed = !isMatrix || holds === 'object';
  if (!isNamed || !members.flat().every(isWritten)) {
    return undefined;
  }
  const separator = isMatrix ? ';' : separatorOf(parameter);
  const written = members.map((pair) => pair.join(explode ? '=' : separator));
  return [[name, written.join(separator)]];
}

/** Whether the text can be a part of a value of the parameter, between separators. */
function canHold(parameter: Styled, text: string): boolean {
  if (text === '' || text.includes(separatorOf(parameter))) {
    return false;
  }
  if (parameter.style === 'label' && text.includes('.')) {
    // Before OpenAPI 3.1.1, examples had a dot between the items, whether exploded or not.
    return false;
  }
  return !isMarked(parameter.style) || !SEPARATORS.test(text);
}

function separatorOf({ name, style, explode }: Styled): string {
  if (style === 'label') {
    return explode ? '.' : ',';
  }
  if (style === 'matrix') {
    return explode ? `;${name}=` : ',';
  }
  return separatorOfStyle(style);
}

/** Separators, percent-encoded. */
const COMMA = /%2C/g;
const COMMA_AND_EQUALS = /%(2C|3D)/g;
const ALL_SEPARATORS = /%(2C|3B|3D)/g;

/** The text in a path for the encoded value of the parameter. */
export function segmentOf(parameter: Parameter, encoded: string): string {
  const { name, style, holds, explode } = parameter;
  if (style === 'label') {
    return `.${withSeparators(encoded, ALL_SEPARATORS)}`;
  }
  if (style === 'matrix' && explode && holds === 'object') {
    // Each member has its own name: `;a=1;b=2`.
    return `;${withSeparators(encoded, ALL_SEPARATORS)}`;
  }
  if (style === 'matrix') {
    return `;${name}=${withSeparators(encoded, ALL_SEPARATORS)}`;
  }
  if (style === 'simple' && holds === 'array') {
    return withSeparators(encoded, COMMA);
  }
  if (style === 'simple' && holds === 'object') {
    return withSeparators(encoded, COMMA_AND_EQUALS);
  }
  return encoded;
}

/**
 * The text in a query for the encoded value of the parameter; undefined: the contract has no such
 * parameter.
 */
export function queryValueOf(parameter: Parameter | undefined, encoded: string): string {
  if (parameter?.style === 'form' && parameter.holds !== undefined) {
    return withSeparators(encoded, COMMA);
  }
  return encoded;
}

/** With separators as they are: no part of a value has them. */
const withSeparators = (encoded: string, separators: RegExp): string =>
  encoded.replaceAll(separators, decodeURIComponent);
