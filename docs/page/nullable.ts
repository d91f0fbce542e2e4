/** Shows an object that may be null with its fields, not as a choice that hides them. */
import { isData, isObject, type Json, mapObjects } from './json.ts';

export function showNullable(document: Json): Json {
  const schemas = (document['components'] as { schemas: Record<string, Json> }).schemas;
  return mapObjects(document, (object, path) => {
    const { oneOf, ...rest } = object;
    if (isData(path) || !Array.isArray(oneOf) || oneOf.length !== 2) return undefined;
    const other = oneOf.find((one) => isObject(one) && one['type'] !== 'null') as Json | undefined;
    if (other === undefined || !oneOf.some((one) => isObject(one) && one['type'] === 'null')) return undefined;
    const name = typeof other['$ref'] === 'string' ? other['$ref'].split('/').at(-1)! : undefined;
    const shown = name === undefined ? other : schemas[name]!;
    if (typeof shown['type'] !== 'string') return undefined;
    const { examples: _, ...fields } = shown;
    return { ...fields, ...(name === undefined ? {} : { title: name }), ...rest, type: [shown['type'], 'null'] };
  }) as Json;
}
