/**
 * Values of header fields in responses, which have the style `simple` (OpenAPI 3.1, Header Object).
 */
import type { Contract } from '../contract/load.ts';
import type { Header } from '../contract/operations.ts';
import { schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf } from '../contract/shape.ts';
import { spelled } from '../contract/spelling.ts';
import { parse } from './response.ts';

/**
 * The JSON value that the text of a field stands for: `1,2` a list, `a,1,b,2` (exploded: `a=1,b=2`)
 * an object.
 * @param schema JSON Pointer of the schema of the field
 * @returns the text itself if it cannot be read as the schema describes it
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
  // Each branch of a `oneOf` may read the text in its own way.
  const whole = shapeOf(contract, schema);
  const branches = whole.alternatives.flat().map((branch) => shapeOf(contract, schema, branch));
  const readings = [...branches, whole].map((shape) => readingOf(shape, explode, text));
  const isRight = (value: unknown) => schemasOf(contract).isValid(schema, value);
  return readings.find(isRight) ?? readings.at(-1);
}

function readingOf(shape: Shape, explode: boolean, text: string): unknown {
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

/**
 * Elements of a list may have white space around the commas, and may be empty (RFC 9110, 5.6.1).
 */
function elementsOf(text: string): string[] {
  const elements = text.split(',').map((element) => element.trim());
  return elements.filter((element) => element !== '');
}

function listIn(shape: Shape, text: string): unknown[] {
  return elementsOf(text).map((element, index) => {
    return readAs(shape.prefix[index] ?? shape.items, element);
  });
}

/** @param shape undefined if the contract says nothing of the value */
function readAs(shape: Shape | undefined, text: string): unknown {
  return shape ? spelled(shape, text) : text;
}

/** Undefined if the text is not an object. */
function objectIn(shape: Shape, explode: boolean, text: string): object | undefined {
  const elements = elementsOf(text);
  const members = explode ? explodedMembers(elements) : membersInTurn(elements);
  if (members === undefined) {
    return undefined;
  }
  const values = members.map(({ name, value }) => {
    const property = shape.property(name);
    return [name, readAs(property, value)];
  });
  return Object.fromEntries(values) as object;
}

interface Member {
  name: string;
  value: string;
}

const NAME_AND_VALUE = /^([^=]+)=(.*)$/s;

/** From `name=value`; undefined if an element is not written like this. */
function explodedMembers(elements: readonly string[]): Member[] | undefined {
  const members: Member[] = [];
  for (const element of elements) {
    const [, name, value] = NAME_AND_VALUE.exec(element) ?? [];
    if (name === undefined || value === undefined) {
      return undefined;
    }
    members.push({ name, value });
  }
  return members;
}

/** From names and values in turn; undefined if the last value is missing. */
function membersInTurn(elements: readonly string[]): Member[] | undefined {
  const members: Member[] = [];
  for (let index = 0; index < elements.length; index += 2) {
    const [name, value] = elements.slice(index, index + 2);
    if (name === undefined || value === undefined) {
      return undefined;
    }
    members.push({ name, value });
  }
  return members;
}
