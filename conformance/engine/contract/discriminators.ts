/**
 * Discriminators: the schema that the value of a property chooses (OpenAPI 3.1, Discriminator
 * Object).
 */
import { memberOf } from './by-name.ts';
import { decode } from './percent-encoding.ts';
import { isObject, valueAt } from './pointers.ts';

type Schema = Record<string, unknown>;

interface Discriminator {
  propertyName: string;
  mapping?: Record<string, string> | null;
  /** The kind of values without the property, or with another value of it (OpenAPI 3.2). */
  defaultMapping?: string;
}

/** A schema that a value of the property chooses. */
interface Kind {
  /** The value of the property. */
  name: string;
  $ref: string;
}

/**
 * Writes discriminators as keywords of JSON Schema, in place.
 * @param discriminated schemas with a discriminator, by pointer
 * @param references objects with a `$ref`, by pointer
 */
export function nameKinds(
  document: Schema,
  discriminated: ReadonlyMap<string, Schema>,
  references: ReadonlyMap<string, Schema>,
): void {
  // Kinds are found before references get their branches.
  const parents = new Map<string, Kind[]>();
  for (const [pointer, schema] of discriminated) {
    if (!('oneOf' in schema) && !('anyOf' in schema)) {
      parents.set(`#${pointer}`, kindsOf(document, `#${pointer}`, discriminatorOf(schema)));
    }
  }
  for (const schema of discriminated.values()) {
    nameBranches(document, schema);
  }
  for (const [pointer, holder] of references) {
    const target = decode(String(holder['$ref']));
    const kinds = parents.get(target) ?? [];
    if (kinds.length > 0 && !isInheritance(pointer) && !('oneOf' in holder)) {
      const { propertyName } = discriminatorOf(referredBy(document, target));
      holder['oneOf'] = kinds.map(({ name, $ref }) => branchOf($ref, propertyName, [name]));
    }
  }
}

const discriminatorOf = (schema: Schema): Discriminator => schema['discriminator'] as Discriminator;

function branchOf($ref: string, propertyName: string, names: readonly string[]): Schema {
  return { $ref, required: [propertyName], properties: { [propertyName]: { enum: names } } };
}

const ITEM_OF_ALL_OF = /^\/components\/schemas\/[^/]+\/allOf\/\d+$/;

/**
 * A child refers to its parent by an item of `allOf`: this reference does not mean any kind of the
 * parent.
 */
const isInheritance = (pointer: string): boolean => ITEM_OF_ALL_OF.test(pointer);

/**
 * The kinds of a parent whose children refer to it by `allOf`: those of the mapping, and other
 * children by their names.
 */
function kindsOf(document: Schema, parent: string, { mapping }: Discriminator): Kind[] {
  const children = childrenOf(document, parent);
  if (children.length === 0) {
    return [];
  }
  const kinds: Kind[] = [];
  for (const [name, target] of Object.entries(mapping ?? {})) {
    const $ref = target.includes('/') ? target : `#/components/schemas/${target}`;
    kinds.push({ name, $ref });
  }
  const mapped = new Set(kinds.map(({ $ref }) => decode($ref)));
  for (const $ref of children) {
    if (!mapped.has(decode($ref))) {
      kinds.push({ name: componentOf($ref), $ref });
    }
  }
  return kinds.filter(
    ({ $ref }) => decode($ref) !== parent && isObject(referredBy(document, $ref)),
  );
}

/** References to the components that have the parent, or a child of it, in their `allOf`. */
function childrenOf(document: Schema, parent: string): string[] {
  const schemas = Object(valueAt(document, '/components/schemas')) as Record<string, unknown>;
  const family = new Set([parent]);
  const children: string[] = [];
  // A child may stand before its parent.
  for (let before = 0; before < family.size;) {
    before = family.size;
    for (const [name, schema] of Object.entries(schemas)) {
      const $ref = `#/components/schemas/${name}`;
      if (!family.has($ref) && extendsOneOf(schema, family)) {
        family.add($ref);
        children.push($ref);
      }
    }
  }
  return children;
}

function extendsOneOf(schema: unknown, family: ReadonlySet<string>): boolean {
  const { allOf } = Object(schema) as Schema;
  const parents = Array.isArray(allOf) ? allOf : [];
  return parents.some((one) => family.has(decode(String(Object(one)['$ref']))));
}

/** Each branch has its names in the property: those of the mapping, or that of its component. */
function nameBranches(document: Schema, { discriminator, ...schema }: Schema): void {
  const { propertyName, mapping: stated, defaultMapping } = discriminator as Discriminator;
  const mapping = stated ?? {};
  for (const branch of [schema['oneOf'], schema['anyOf']].flat()) {
    if (!isObject(branch) || typeof branch['$ref'] !== 'string' || 'properties' in branch) {
      continue;
    }
    const target = branch['$ref'];
    const component = componentOf(target);
    if (defaultMapping === target || defaultMapping === component) {
      continue;
    }
    const mapped = Object.keys(mapping).filter((name) =>
      [target, component].includes(memberOf(mapping, name) ?? ''),
    );
    const names = mapped.length > 0 ? mapped : [component];
    const listed = choicesIn(document, branch, propertyName);
    // The values that the schema itself lists are more exact, or contradict the names.
    const isStated = listed && (listed.length < 2 || !names.every((name) => listed.includes(name)));
    if (!isStated) {
      Object.assign(branch, branchOf(target, propertyName, names));
    }
  }
}

const componentOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/**
 * The schema that a reference within the document leads to; an empty schema for any other
 * reference.
 */
function referredBy(document: Schema, $ref: unknown): Schema {
  const reference = decode(String($ref));
  if (!reference.startsWith('#/')) {
    return {};
  }
  const target = valueAt(document, reference.slice(1));
  if (isObject(target)) {
    return target;
  }
  return {};
}

/**
 * The values of a property that a schema lists, or one that it refers to or combines; undefined if
 * none does.
 */
function choicesIn(document: Schema, schema: Schema, name: string): unknown[] | undefined {
  const { $ref, allOf = [], properties } = schema;
  const own = Object(memberOf(Object(properties) as Schema, name)) as Schema;
  if ('const' in own) {
    return [own['const']];
  }
  const listed = own['enum'] ?? referredBy(document, own['$ref'])['enum'];
  if (Array.isArray(listed)) {
    return listed;
  }
  const others = allOf as Schema[];
  const inherited = $ref === undefined ? others : [referredBy(document, $ref), ...others];
  return inherited.map((one) => choicesIn(document, one, name)).find(Array.isArray);
}
