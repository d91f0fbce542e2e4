/**
 * A contract as each side sees it: `readOnly` is not sent, `writeOnly` need not be shown (3.1,
 * Schema Object).
 */
import { memberOf, setMember } from './by-name.ts';
import { NOT_SENT, Unsupported } from './keywords.ts';
import { type Contract, perContract, perPointers } from './load.ts';
import { isObject, joinPointer, parsePointer, referenced, valueAt, walk } from './pointers.ts';
import { type Shape, shapeOf } from './shape.ts';

type Mark = 'readOnly' | 'writeOnly';

/** Without the properties that are `readOnly`; the contract itself if it has none. */
export const asRequest = perContract((contract) => withoutMarked(contract, 'readOnly'));

/** With no property required that is `writeOnly`; the contract itself if it has none. */
export const asResponse = perContract((contract) => withoutMarked(contract, 'writeOnly'));

/**
 * Whether a property with this shape has the mark. It "declares the property" (OpenAPI 3.0.4,
 * Schema Object): a property that refers to one of another object, with another name, has the rules
 * of its values alone, as the `petId` of an order has those of the `id` of a pet.
 */
export function isMarked({ roots, parts }: Shape, mark: Mark): boolean {
  const names = new Set(roots.map(propertyAt));
  const isOfIt = (name: string | undefined): boolean => name === undefined || names.has(name);
  return parts.some(({ pointer, schema }) => schema[mark] === true && isOfIt(propertyAt(pointer)));
}

/** The name of the property whose schema is at the pointer; undefined if it is not one of those. */
function propertyAt(pointer: string): string | undefined {
  const [keyword, name] = parsePointer(pointer).slice(-2);
  if (keyword === 'properties') {
    return name;
  }
  return undefined;
}

function withoutMarked(contract: Contract, mark: Mark): Contract {
  const { objects, references } = survey(contract, mark);
  if (objects.length === 0) {
    return contract;
  }
  const copy = copier(contract.document);
  const places = objects.flatMap((pointer) => markedIn(contract, pointer, mark));
  for (const { pointer, names } of places) {
    const schema = copy.at(pointer);
    // A place within a property that is not sent is removed with it.
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
    const properties = copy.at(joinPointer(pointer, 'properties'));
    if (!isObject(properties)) {
      continue;
    }
    // The schema of a property to which a reference leads stays in its place: the parameter of a
    // path may have that of an id. It is a rule of that parameter, and of no body.
    for (const name of names) {
      if (!references.has(`#${joinPointer(pointer, 'properties', name)}`)) {
        delete properties[name];
      }
    }
  }
  return { ...contract, document: copy.document, whole: contract.whole ?? contract };
}

interface Survey {
  /** The places of schemas of objects that may have marked properties. */
  objects: string[];
  /** Every `$ref` of the document. */
  references: ReadonlySet<unknown>;
}

function survey(contract: Contract, mark: Mark): Survey {
  const mayBeMarked = anyPart(contract, (schema) => schema[mark] === true);
  const mayHold = anyPart(contract, (schema) =>
    Object.values(Object(schema['properties'])).some(mayBeMarked),
  );
  const references = new Set<unknown>();
  const objects: string[] = [];
  walk(contract.document, (value, pointer) => {
    references.add(value['$ref']);
    const isOfObject = isObject(value['properties']) || Array.isArray(value['allOf']);
    if (isOfObject && mayHold(value)) {
      objects.push(pointer);
    }
  });
  return { objects, references };
}

type Json = Record<string, unknown>;

/**
 * Whether something is true of a schema, or of one that it refers to or combines: fast, and true
 * too often.
 */
function anyPart(
  { document }: Contract,
  isTrue: (schema: Json) => boolean,
): (schema: unknown) => boolean {
  const known = new Map<unknown, boolean>();
  const found = (schema: unknown): boolean => {
    if (!isObject(schema)) {
      return false;
    }
    const before = known.get(schema);
    if (before !== undefined) {
      return before;
    }
    // A schema within itself decides nothing.
    known.set(schema, false);
    const { allOf, anyOf, oneOf } = schema;
    const applied = [targetOf(document, schema), allOf, anyOf, oneOf].flat();
    const result = isTrue(schema) || applied.some(found);
    known.set(schema, result);
    return result;
  };
  return found;
}

/** The target of the `$ref` of a schema, within the document. */
function targetOf(document: Json, { $ref }: Json): unknown {
  if (typeof $ref === 'string' && $ref.startsWith('#')) {
    return valueAt(document, $ref.slice(1));
  }
  return undefined;
}

interface Copier {
  /** Shares with the original document all that `at` was not asked for. */
  document: Json;
  /**
   * The value at the pointer in the copy, which may be changed; undefined if no object or list is
   * there.
   */
  at(pointer: string): unknown;
}

function copier(original: Json): Copier {
  const document = { ...original };
  const copies = new Set<unknown>();
  const at = (pointer: string): unknown => {
    let holder: Json = document;
    for (const segment of parsePointer(pointer)) {
      const child = memberOf(holder, segment);
      if (typeof child !== 'object' || child === null) {
        return undefined;
      }
      let own = child as Json;
      if (!copies.has(child)) {
        own = shallowCopy(own);
        copies.add(own);
        setMember(holder, segment, own);
      }
      holder = own;
    }
    return holder;
  };
  return { document, at };
}

function shallowCopy<T extends object>(value: T): T {
  if (Array.isArray(value)) {
    return [...(value as unknown[])] as T;
  }
  return { ...value };
}

/** A schema object with some marked properties. */
interface MarkedPart {
  pointer: string;
  /** The names of the marked properties. */
  names: string[];
}

/** The parts of the schema at `pointer`, if some of its properties are marked. */
function markedIn(contract: Contract, pointer: string, mark: Mark): MarkedPart[] {
  try {
    const shape = shapeOf(contract, pointer);
    const names = [...shape.properties]
      .filter(([, one]) => isMarked(one, mark))
      .map(([name]) => name);
    if (names.length === 0) {
      return [];
    }
    return shape.parts.map((part) => ({ pointer: part.pointer, names }));
  } catch (error) {
    // Requirements that need the schema give the reason why it cannot be tried.
    if (error instanceof Unsupported || valueAt(contract.document, pointer) === undefined) {
      return [];
    }
    throw error;
  }
}

/**
 * The contract with nothing but the schema at `root` and what it refers to: all else of a large one
 * takes long.
 */
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
    copyPlace(contract.document, document, pointer);
  }
  return { ...contract, document, whole: contract.whole ?? contract };
});

/**
 * What the schema at `root` needs of the contract, with each `oneOf` as an `anyOf`. The branches of
 * many contracts allow the same values, so that none of these is one of a single branch.
 */
export const withOverlaps = perPointers((contract, [root = '']): Contract => {
  const { document, ...rest } = reduced(contract, root);
  const copy = structuredClone(document);
  walk(copy, (schema) => {
    const { oneOf, anyOf, allOf } = schema;
    if (!Array.isArray(oneOf)) {
      return;
    }
    delete schema['oneOf'];
    if (anyOf === undefined) {
      schema['anyOf'] = oneOf;
      return;
    }
    const others: unknown[] = Array.isArray(allOf) ? allOf : [];
    schema['allOf'] = [...others, { anyOf: oneOf }];
  });
  return { ...rest, document: copy };
});

/**
 * Puts the value at `pointer` of one document into the other one, which shares it, with new objects
 * around it.
 */
function copyPlace(from: Json, to: Json, pointer: string): void {
  const segments = parsePointer(pointer);
  const last = segments.pop();
  if (last === undefined) {
    return;
  }
  let source: unknown = from;
  let copy = to;
  for (const segment of segments) {
    source = memberOf(Object(source) as Json, segment);
    if (!Object.hasOwn(copy, segment)) {
      setMember(copy, segment, {});
    }
    const inner = copy[segment] as Json;
    // A place within another one is there already.
    if (inner === source) {
      return;
    }
    copy = inner;
  }
  if (!Object.hasOwn(copy, last)) {
    setMember(copy, last, memberOf(Object(source) as Json, last));
  }
}

/**
 * The contract without the keywords at `pointers`, whose values are moved to `setAside`. Of the
 * rest, it has what the schema at `root` needs; everything for the root `''`.
 */
export const without = perPointers((contract, [root, ...pointers]): Contract => {
  // There are many such contracts: they share all that does not lead to the keywords.
  const kept = root ? reduced(contract, root) : contract;
  const { document, at } = copier(kept.document);
  for (const pointer of new Set(pointers)) {
    const schema = at(holderOf(pointer)) as Record<string, unknown>;
    const keyword = keywordOf(pointer);
    schema[`x-${keyword}`] = schema[keyword];
    delete schema[keyword];
  }
  return { ...contract, document, whole: contract.whole ?? contract };
}, 500);

/**
 * The place to which `without` moves the value of the keyword at `pointer`: nothing there is a
 * rule.
 */
export const setAside = (pointer: string): string =>
  joinPointer(holderOf(pointer), `x-${keywordOf(pointer)}`);

/** The pointer of the schema that holds the keyword at `pointer`. */
export const holderOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));

const keywordOf = (pointer: string): string => parsePointer(pointer).at(-1) ?? '';
