/** Walks the parts of an OpenAPI document that describe the API. Examples and defaults are data of the API: skipped. */
import { isObject, type Json } from '../../clients/samples/json.ts';

export { isObject, type Json };

type Path = readonly string[];

/** Every object that describes something, with its path: the document itself, too. */
export function* objectsIn(value: unknown, path: Path = []): Generator<[path: Path, object: Json]> {
  if (isData(path) || typeof value !== 'object' || value === null) return;
  if (isObject(value)) yield [path, value];
  for (const [name, one] of Object.entries(value)) yield* objectsIn(one, [...path, name]);
}

/** A copy in which each object that describes something is changed, from the inside out. Undefined keeps it as it is. */
export function mapObjects<Value>(value: Value, change: (object: Json) => Json | undefined): Value {
  return mapped(value, change, []) as Value;
}

function mapped(value: unknown, change: (object: Json) => Json | undefined, path: Path): unknown {
  if (isData(path)) return value;
  if (Array.isArray(value)) return value.map((item, index) => mapped(item, change, [...path, String(index)]));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, mapped(one, change, [...path, name])]);
  const copy = Object.fromEntries(entries) as Json;
  return change(copy) ?? copy;
}

function isData(path: Path): boolean {
  const [parent, name] = path.slice(-2);
  const last = name ?? parent;
  return last === 'example' || last === 'default' || (last === 'examples' && parent !== 'properties');
}
