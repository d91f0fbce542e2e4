/** A contract as each side sees it: `readOnly` is not sent, `writeOnly` need not be shown (3.1, Schema Object). */
import { NOT_SENT, Unsupported } from './keywords.ts';
import { type Contract, perContract, perPointers } from './load.ts';
import { isObject, joinPointer, parsePointer, referenced, valueAt, walk } from './pointers.ts';
import { type Shape, shapeOf } from './shape.ts';

type Mark = 'readOnly' | 'writeOnly';

/** Without the properties that are `readOnly`; the contract itself where it has none. */
export const asRequest = perContract((contract) => withoutMarked(contract, 'readOnly'));

/** With those that are `writeOnly` required of nobody; the contract itself where it has none. */
export const asResponse = perContract((contract) => withoutMarked(contract, 'writeOnly'));

export const isMarked = (shape: Shape, mark: Mark): boolean =>
  shape.parts.some(({ schema }) => schema[mark] === true);

function withoutMarked(contract: Contract, mark: Mark): Contract {
  const mayBeMarked = anyPart(contract, (schema) => schema[mark] === true);
  const mayHold = anyPart(contract, (schema) =>
    Object.values(Object(schema['properties'])).some(mayBeMarked),
  );
  const references = new Set<unknown>();
  /** Where schemas of objects may be. */
  const objects: string[] = [];
  walk(contract.document, (value, pointer) => {
    references.add(value['$ref']);
    if ((isObject(value['properties']) || Array.isArray(value['allOf'])) && mayHold(value)) {
      objects.push(pointer);
    }
  });
  if (objects.length === 0) {
    return contract;
  }
  const copy = copier(contract.document);
  for (const [place, names] of objects.flatMap((pointer) => placesOf(contract, pointer, mark))) {
    const schema = copy.at(place);
    // A place within a property that is not sent is gone with it.
    if (!isObject(schema)) {
      continue;
    }
    const { required } = schema;
    if (Array.isArray(required)) {
      schema['required'] = required.filter((name) => !names.includes(name as string));
    }
    if (mark === 'writeOnly') {
      continue;
    }
    schema[NOT_SENT] = names;
    const properties = copy.at(joinPointer(place, 'properties'));
    if (!isObject(properties)) {
      continue;
    }
    // A property that something else refers to stays: then it may be sent, too.
    for (const name of names) {
      if (!references.has(`#${joinPointer(place, 'properties', name)}`)) {
        delete properties[name];
      }
    }
  }
  return { ...contract, document: copy.document, whole: contract.whole ?? contract };
}

/** Whether something is true of a schema, or of one that it refers to or combines: fast, and true too often. */
function anyPart({ document }: Contract, isTrue: (schema: Record<string, unknown>) => boolean) {
  const known = new Map<unknown, boolean>();
  const found = (schema: unknown): boolean => {
    if (!isObject(schema)) {
      return false;
    }
    if (known.has(schema)) {
      return known.get(schema)!;
    }
    // A schema that contains itself is no reason.
    known.set(schema, false);
    const { $ref, allOf, anyOf, oneOf } = schema;
    const target =
      typeof $ref === 'string' && $ref.startsWith('#')
        ? valueAt(document, $ref.slice(1))
        : undefined;
    const result = isTrue(schema) || [target, allOf, anyOf, oneOf].flat().some(found);
    known.set(schema, result);
    return result;
  };
  return found;
}

/** A document that shares with the given one all that `at` was not asked for. */
function copier(original: Record<string, unknown>) {
  const document = { ...original };
  const copies = new Set<unknown>();
  const at = (pointer: string): unknown => {
    let value: unknown = document;
    for (const segment of parsePointer(pointer)) {
      const holder = value as Record<string, unknown>;
      const child = holder[segment];
      if (typeof child !== 'object' || child === null) {
        return undefined;
      }
      if (!copies.has(child)) {
        copies.add((holder[segment] = Array.isArray(child) ? [...child] : { ...child }));
      }
      value = holder[segment];
    }
    return value;
  };
  return { document, at };
}

/** The parts of the schema at `pointer`, and the names of properties of it that are marked. */
function placesOf(contract: Contract, pointer: string, mark: Mark): [string, string[]][] {
  try {
    const shape = shapeOf(contract, pointer);
    const names = [...shape.properties]
      .filter(([, one]) => isMarked(one, mark))
      .map(([name]) => name);
    if (names.length === 0) {
      return [];
    }
    return shape.parts.map((part) => [part.pointer, names]);
  } catch (error) {
    // The reason why it cannot be tried is given where the schema is needed.
    if (error instanceof Unsupported || valueAt(contract.document, pointer) === undefined) {
      return [];
    }
    throw error;
  }
}

/** No more of the contract than the schema at `pointer` and what it refers to: of a large one, all else takes long. */
const reduced = perPointers((contract, [root = '']): Contract => {
  const found = new Set([root]);
  for (const pointer of found) {
    walk(valueAt(contract.document, pointer), ({ $ref }) => {
      if (typeof $ref === 'string' && $ref.startsWith('#/')) {
        found.add(referenced($ref));
      }
    });
  }
  const document: Record<string, unknown> = {};
  // The shortest first: a place within another one comes with it.
  for (const pointer of [...found].toSorted((one, other) => one.length - other.length)) {
    let [from, to]: unknown[] = [contract.document, document];
    const segments = parsePointer(pointer);
    for (const [index, segment] of segments.entries()) {
      from = Object(from)[segment];
      const holder = to as Record<string, unknown>;
      to = holder[segment] ??= index < segments.length - 1 ? {} : from;
      if (to === from) {
        break;
      }
    }
  }
  return { ...contract, document, whole: contract.whole ?? contract };
});

/** The schema at `root` (`''`: the whole contract) without the keywords at `pointers`, whose values are moved to `setAside`. */
export const without = perPointers((contract, [root, ...pointers]): Contract => {
  // There are many such contracts: they share all that does not lead to the keywords.
  const { document, at } = copier((root ? reduced(contract, root) : contract).document);
  for (const pointer of new Set(pointers)) {
    const schema = at(holderOf(pointer)) as Record<string, unknown>;
    const keyword = keywordOf(pointer);
    schema[`x-${keyword}`] = schema[keyword];
    delete schema[keyword];
  }
  return { ...contract, document, whole: contract.whole ?? contract };
}, 500);

/** Where `without` puts what the keyword at `pointer` states: nothing there is a rule. */
export const setAside = (pointer: string): string =>
  joinPointer(holderOf(pointer), `x-${keywordOf(pointer)}`);

export const holderOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));

const keywordOf = (pointer: string): string => parsePointer(pointer).at(-1) ?? '';
