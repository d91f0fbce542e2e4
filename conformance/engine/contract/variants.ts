/**
 * A contract as requests and as responses see it, and without some rules. A property that is `readOnly` is not sent, one
 * that is `writeOnly` need not be shown, and being required binds the other side alone (OpenAPI 3.0 and 3.1, Schema
 * Object).
 */
import { NOT_SENT, Unsupported } from './keywords.ts';
import { type Contract, perContract, perPointers } from './load.ts';
import { isObject, joinPointer, parsePointer, valueAt, walk } from './pointers.ts';
import { type Shape, shapeOf } from './shape.ts';

type Mark = 'readOnly' | 'writeOnly';

/** Without the properties that are `readOnly`; the contract itself where it has none. */
export const asRequest = perContract((contract) => withoutMarked(contract, 'readOnly'));

/** With those that are `writeOnly` required of nobody; the contract itself where it has none. */
export const asResponse = perContract((contract) => withoutMarked(contract, 'writeOnly'));

/** Whether some part of what a property must satisfy says so. */
export function isMarked(shape: Shape, mark: Mark): boolean {
  return shape.parts.some(({ schema }) => schema[mark] === true);
}

function withoutMarked(contract: Contract, mark: Mark): Contract {
  let isMarkedAnywhere = false;
  const references = new Set<unknown>();
  /** Where schemas of objects may be. */
  const objects: string[] = [];
  walk(contract.document, (value, pointer) => {
    isMarkedAnywhere ||= value[mark] === true;
    references.add(value['$ref']);
    if (isObject(value['properties']) || Array.isArray(value['allOf'])) objects.push(pointer);
  });
  if (!isMarkedAnywhere) return contract;
  const document = structuredClone(contract.document);
  for (const [place, names] of objects.flatMap((pointer) => placesOf(contract, pointer, mark))) {
    const schema = valueAt(document, place);
    // A place within a property that is not sent is gone with it.
    if (!isObject(schema)) continue;
    const { required, properties } = schema;
    if (Array.isArray(required)) schema['required'] = required.filter((name) => !names.includes(name as string));
    if (mark === 'writeOnly') continue;
    schema[NOT_SENT] = names;
    if (!isObject(properties)) continue;
    // A property that something else refers to stays: then it may be sent, too.
    for (const name of names)
      if (!references.has(`#${joinPointer(place, 'properties', name)}`)) delete properties[name];
  }
  return { ...contract, document, whole: contract.whole ?? contract };
}

/** The parts of the schema at `pointer`, and the names of properties of it that are marked. */
function placesOf(contract: Contract, pointer: string, mark: Mark): [string, string[]][] {
  try {
    const shape = shapeOf(contract, pointer);
    const names = [...shape.properties].filter(([, one]) => isMarked(one, mark)).map(([name]) => name);
    return names.length === 0 ? [] : shape.parts.map((part) => [part.pointer, names]);
  } catch (error) {
    // The reason why it cannot be tried is given where the schema is needed.
    if (error instanceof Unsupported || valueAt(contract.document, pointer) === undefined) return [];
    throw error;
  }
}

/** The contract without the keywords at `pointers`, whose values are moved to `setAside`. */
export const without = perPointers((contract, pointers): Contract => {
  // There are many such contracts: they share all that does not lead to the keywords.
  const document = { ...contract.document };
  for (const pointer of new Set(pointers)) {
    let schema: Record<string, unknown> = document;
    for (const segment of parsePointer(holderOf(pointer))) {
      const child = schema[segment] as Record<string, unknown>;
      schema = schema[segment] = (Array.isArray(child) ? [...child] : { ...child }) as Record<string, unknown>;
    }
    const keyword = keywordOf(pointer);
    schema[`x-${keyword}`] = schema[keyword];
    delete schema[keyword];
  }
  return { ...contract, document, whole: contract.whole ?? contract };
});

/** Where `without` puts what the keyword at `pointer` states: nothing there is a rule. */
export function setAside(pointer: string): string {
  return joinPointer(holderOf(pointer), `x-${keywordOf(pointer)}`);
}

/** The schema that holds the keyword at `pointer`. */
export function holderOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'));
}

function keywordOf(pointer: string): string {
  return parsePointer(pointer).at(-1) ?? '';
}
