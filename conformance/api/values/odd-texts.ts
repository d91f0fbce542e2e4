/** Forms whose free texts are such as services tend to change on their way to the store and back. */
import type { Contract } from '../../engine/contract/load.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';
import type { Json } from '../model/route.ts';
import { ODD_TEXT } from './edge-examples.ts';

/** The values with odd texts wherever the schema takes any text; without those where it takes none. */
export function withOddTexts(contract: Contract, schema: string, values: readonly Json[]): Json[] {
  const schemas = schemasOf(contract);
  const odd = values.map((value) =>
    textsIn(value).reduce((now, path) => {
      const next = replaced(now, path) as Json;
      return schemas.isValid(schema, next) ? next : now;
    }, value),
  );
  const changed = odd.filter((value, index) => value !== values[index]);
  return [...new Map(changed.map((value) => [JSON.stringify(value), value])).values()];
}

/** Its schema takes any text, and the contract says that it is XML. */
const XML = 'idp_metadata';

function textsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => (name === XML ? [] : textsIn(inner, [...path, name])));
}

function replaced(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return ODD_TEXT;
  if (Array.isArray(value)) return value.with(Number(name), replaced(value[Number(name)], rest));
  return { ...(value as Json), [name]: replaced((value as Json)[name], rest) };
}
