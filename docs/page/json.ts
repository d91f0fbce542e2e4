/** Walks JSON documents. */
import { isObject, type Json } from '../../clients/samples/json.ts';

export { isObject, type Json };

/** Every object within the value, itself too, with its path. */
export function* objectsIn(
  value: unknown,
  path: readonly string[] = [],
): Generator<[path: readonly string[], object: Json]> {
  if (isObject(value)) yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, one] of Object.entries(value)) yield* objectsIn(one, [...path, name]);
}

/** A copy in which each object was changed, from the inside out. Undefined keeps it as it is. */
export function mapObjects(
  value: unknown,
  change: (object: Json, path: readonly string[]) => Json | undefined,
  path: readonly string[] = [],
): unknown {
  if (Array.isArray(value)) return value.map((item, index) => mapObjects(item, change, [...path, String(index)]));
  if (!isObject(value)) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, mapObjects(one, change, [...path, name])]),
  );
  return change(copy, path) ?? copy;
}

/** Whether the object at the path is data of the API, not part of its description. */
export function isData(path: readonly string[]): boolean {
  return (
    path.includes('example') ||
    path.some((name, index) => name === 'examples' && path[index - 1] !== 'properties') ||
    path.includes('default')
  );
}

/** The same text with a paragraph more. */
export function withParagraph(text: unknown, paragraph: string): string {
  const before = typeof text === 'string' ? text.trimEnd() : '';
  return before === '' ? paragraph : `${before}\n\n${paragraph}`;
}
