/** Schemas of OpenAPI 3.0, and by name, in the words of 3.1: the rest of the suite knows no other. */
import { isObject, joinPointer, valueAt } from './pointers.ts';

/** Members that hold examples and values, not schemas. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const']);

const SCHEMAS = ['schema', 'items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['schemas', '$defs', 'properties', 'patternProperties', 'dependentSchemas'];

/** Writes schemas in place in the words of OpenAPI 3.1; a `$ref` by `$id` or `$anchor` gets a pointer, and all stay. */
export function toWordsOf31(document: Record<string, unknown>, version: string): void {
  const isOld = version.startsWith('3.0');
  const mayLackType = /^3\.0\.[012]$/.test(version);
  const named = new Map<string, string>();
  const references: Record<string, unknown>[] = [];
  const discriminated: Schema[] = [];
  const visit = (value: unknown, pointer: string, key = ''): void => {
    if (typeof value !== 'object' || value === null) {
      return;
    }
    const isMap = MAPS.includes(key);
    const isList = LISTS.includes(key);
    if (!isMap && isObject(value)) {
      if (isOld) {
        upgradeSchema(value, mayLackType);
      }
      delete value['nullable'];
      for (const [word, mark] of Object.entries({ $id: '', $anchor: '#' })) {
        if (typeof value[word] === 'string') {
          named.set(mark + value[word], pointer);
        }
        delete value[word];
      }
      if (typeof value['$ref'] === 'string') {
        references.push(value);
      }
      if (typeof Object(value['discriminator']).propertyName === 'string') {
        discriminated.push(value);
      }
    }
    for (const [name, child] of Object.entries(value)) {
      const at = joinPointer(pointer, name);
      if (child === false && (isMap || isList || SCHEMAS.includes(name)))
      // A rule needs a place of its own, but for `additionalProperties: false`. The name may be `__proto__`.
      {
        Object.defineProperty(value, name, { value: { not: {} } });
      } else if (isMap || isList) {
        visit(child, at);
      } else if (VALUES.has(name) || name.startsWith('x-')) {
        hide(value as Record<string, unknown>, name);
      } else {
        visit(child, at, name);
      }
    }
  };
  visit(document, '');
  for (const reference of references) {
    const [base = '', fragment = ''] = String(reference['$ref']).split('#');
    const pointer =
      named.get(String(reference['$ref'])) ??
      (named.has(base) ? named.get(base) + fragment : undefined);
    if (pointer !== undefined) {
      reference['$ref'] = `#${encodeURI(pointer)}`;
    }
  }
  for (const schema of discriminated) {
    nameBranches(document, schema);
  }
}

type Schema = Record<string, unknown>;

/** What a reference within the document leads to. */
const referredBy = (document: unknown, $ref: unknown) =>
  Object(
    String($ref).startsWith('#/')
      ? valueAt(document, decodeURIComponent(String($ref).slice(1)))
      : {},
  ) as Schema;

/** Each branch has its names in the property (3.1, Discriminator Object): those of the mapping, or its component. */
function nameBranches(document: unknown, { discriminator, ...schema }: Schema): void {
  const { propertyName, ...other } = discriminator as {
    propertyName: string;
    mapping?: Record<string, string>;
  };
  const mapping = other.mapping ?? {};
  for (const branch of [schema['oneOf'], schema['anyOf']].flat()) {
    if (!isObject(branch) || typeof branch['$ref'] !== 'string' || 'properties' in branch) {
      continue;
    }
    const target = branch['$ref'];
    const component = target.slice(target.lastIndexOf('/') + 1);
    const mapped = Object.keys(mapping).filter((name) =>
      [target, component].includes(mapping[name]!),
    );
    const names = mapped.length > 0 ? mapped : [component];
    const stated = choicesIn(document, branch, propertyName);
    if (stated && (stated.length < 2 || !names.every((name) => stated.includes(name)))) {
      continue;
    }
    Object.assign(branch, {
      required: [propertyName],
      properties: { [propertyName]: { enum: names } },
    });
  }
}

/** What a schema, or what it refers to or combines, lists as values of a property. */
function choicesIn(
  document: unknown,
  { $ref, allOf = [], properties }: Schema,
  name: string,
): unknown[] | undefined {
  const own = Object(Object(properties)[name]) as Schema;
  const others = [
    ...($ref === undefined ? [] : [referredBy(document, $ref)]),
    ...(allOf as Schema[]),
  ];
  const listed =
    'const' in own ? [own['const']] : (own['enum'] ?? referredBy(document, own['$ref'])['enum']);
  return (
    (listed as unknown[] | undefined) ??
    others.map((one) => choicesIn(document, one, name)).find(Array.isArray)
  );
}

/** An example that has schemas of its own in it is none of the contract's: Ajv would take their names for names here. */
function hide(holder: Record<string, unknown>, name: string): void {
  if (/"\$(id|anchor|dynamicAnchor)":/.test(JSON.stringify(holder[name]) ?? '')) {
    Object.defineProperty(holder, name, { enumerable: false });
  }
}

/** OpenAPI 3.0 has `nullable` and exclusive bounds as booleans, and ignores everything beside a `$ref`. */
function upgradeSchema(schema: Record<string, unknown>, mayLackType: boolean): void {
  if (typeof schema['$ref'] === 'string') {
    for (const name of Object.keys(schema)) {
      if (name !== '$ref') {
        delete schema[name];
      }
    }
    return;
  }
  const isNullable = schema['nullable'] === true;
  if (isNullable && typeof schema['type'] === 'string') {
    schema['type'] = [schema['type'], 'null'];
  }
  if (isNullable && mayLackType) {
    allowNull(schema);
  }
  for (const bound of ['minimum', 'maximum']) {
    const exclusive = `exclusiveM${bound.slice(1)}`;
    if (typeof schema[exclusive] !== 'boolean') {
      continue;
    }
    const isExclusive = schema[exclusive] && typeof schema[bound] === 'number';
    if (isExclusive) {
      schema[exclusive] = schema[bound];
    }
    delete schema[isExclusive ? bound : exclusive];
  }
}

/** From 3.0.3 on, `nullable` needs a type, and an `enum` without null refuses null; before, it allowed null for the whole. */
function allowNull(schema: Record<string, unknown>): void {
  const listOf = (name: string) => {
    if (Array.isArray(schema[name])) {
      return schema[name] as unknown[];
    }
    return undefined;
  };
  const choices = listOf('enum');
  if (choices) {
    schema['enum'] = [...new Set([...choices, null])];
  }
  if ('type' in schema) {
    return;
  }
  // It stands beside references in these.
  const [only, ...others] = listOf('allOf') ?? [];
  if (only !== undefined && others.length === 0 && !('oneOf' in schema)) {
    schema['oneOf'] = [only];
    delete schema['allOf'];
  }
  for (const name of ['anyOf', 'oneOf']) {
    const branches = listOf(name);
    if (branches) {
      schema[name] = [...branches, { type: 'null' }];
    }
  }
}
