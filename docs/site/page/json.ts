/**
 * Walks the parts of an OpenAPI document that describe the API. Examples and defaults are data of
 * the API: skipped.
 */
import { isObject, type Json, readDocument } from '../../../clients/samples/json.ts';

export { isObject, type Json, readDocument };

type Path = readonly string[];

/** Every object that describes something, with its path: the document itself, too. */
export function* objectsIn(value: unknown, path: Path = []): Generator<[path: Path, object: Json]> {
  if (isData(path) || typeof value !== 'object' || value === null) {
    return;
  }
  if (isObject(value)) {
    yield [path, value];
  }
  for (const [name, one] of Object.entries(value)) {
    yield* objectsIn(one, [...path, name]);
  }
}

/** A copy in which each object that describes something is changed, from the inside out. */
export function mapObjects<Value>(
  value: Value,
  change: (object: Json) => Json,
  path: Path = [],
): Value {
  if (isData(path) || typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).map(
    ([name, one]) => [name, mapObjects(one, change, [...path, name])] as const,
  );
  if (Array.isArray(value)) {
    return entries.map(([, item]) => item) as Value;
  }
  return change(Object.fromEntries(entries)) as Value;
}

function isData(path: Path): boolean {
  const [parent, name] = path.slice(-2);
  const last = name ?? parent;
  return (
    last === 'example' || last === 'default' || (last === 'examples' && parent !== 'properties')
  );
}
