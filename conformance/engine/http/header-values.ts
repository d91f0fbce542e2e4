/** Values of header fields in responses, which have the style `simple` (OpenAPI 3.1, Header Object). */
import type { Contract } from '../contract/load.ts';
import type { Header } from '../contract/operations.ts';
import { type Shape, shapeOf } from '../contract/shape.ts';
import { spelled } from '../contract/spelling.ts';
import { parse } from './response.ts';

/**
 * The JSON value that the text of a field stands for: `1,2` a list, `a,1,b,2` (exploded: `a=1,b=2`) an object.
 * @param schema JSON Pointer of the schema of the field
 * @returns the text itself if it cannot be read as what the schema describes
 */
export function headerValue(
  contract: Contract,
  schema: string,
  { explode, inJson }: Pick<Header, 'explode' | 'inJson'>,
  text: string,
): unknown {
  if (inJson) {
    return parse(text) ?? text;
  }
  const shape = shapeOf(contract, schema);
  if (shape.types.has('string')) {
    return text;
  }
  if (shape.types.has('array')) {
    return listIn(shape, text);
  }
  if (shape.types.has('object')) {
    return objectIn(shape, explode, text) ?? text;
  }
  return spelled(shape, text);
}

/** Elements of a list may have white space around the commas, and may be empty (RFC 9110, 5.6.1). */
function elementsOf(text: string): string[] {
  const elements = text.split(',').map((element) => element.trim());
  return elements.filter((element) => element !== '');
}

function listIn(shape: Shape, text: string): unknown[] {
  return elementsOf(text).map((element, index) => {
    const item = shape.prefix[index] ?? shape.items;
    return item ? spelled(item, element) : element;
  });
}

function objectIn(shape: Shape, explode: boolean, text: string): object | undefined {
  const elements = elementsOf(text);
  const pairs = explode ? elements.map(pairIn) : pairsOf(elements);
  if (pairs.some((pair) => pair === undefined)) {
    return undefined;
  }
  const members = (pairs as Pair[]).map(([name, value]) => {
    const property = shape.property(name);
    return [name, property ? spelled(property, value) : value];
  });
  return Object.fromEntries(members) as object;
}

type Pair = [name: string, value: string];

/** Of `name=value`. */
function pairIn(element: string): Pair | undefined {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(element) ?? [];
  return name === undefined || value === undefined ? undefined : [name, value];
}

/** Names and values in turn; undefined at the end if a value is missing. */
function pairsOf(elements: readonly string[]): (Pair | undefined)[] {
  const pairs: (Pair | undefined)[] = [];
  for (let index = 0; index < elements.length; index += 2) {
    const name = elements[index];
    const value = elements[index + 1];
    pairs.push(name === undefined || value === undefined ? undefined : [name, value]);
  }
  return pairs;
}
