/**
 * Changes a document in place to the keywords of OpenAPI 3.1, since the rest of the suite knows no
 * others. Schemas are recognized by their place, not by the name above them: a response may be
 * called `default`, and a header `x-rate`.
 */
import { memberOf } from './by-name.ts';
import { Corrections } from './corrections.ts';
import { isDead } from './dead-references.ts';
import { nameKinds } from './discriminators.ts';
import { keepExactBounds } from './exact-bounds.ts';
import { bindDynamicReferences } from './dynamic-references.ts';
import { dropMalformed, warningOfMalformed } from './malformed.ts';
import { stringifyJson } from './json-numbers.ts';
import { NULL_IS_OPEN } from './keywords.ts';
import { decode } from './percent-encoding.ts';
import { firstInWords, isObject, joinPointer, valueAt } from './pointers.ts';

type Schema = Record<string, unknown>;

/** The kind of value at a place of a document. */
type Role =
  | 'object'
  | 'map of objects'
  | 'media types'
  | 'schema'
  | 'list of schemas'
  | 'map of schemas'
  | 'value';

/** The roles of members of OpenAPI objects that are not other OpenAPI objects, or lists of them. */
const MEMBERS_OF_OBJECTS: Readonly<Record<string, Role>> = {
  additionalOperations: 'map of objects',
  callbacks: 'map of objects',
  content: 'media types',
  encoding: 'map of objects',
  headers: 'map of objects',
  mediaTypes: 'media types',
  parameters: 'map of objects',
  pathItems: 'map of objects',
  paths: 'map of objects',
  requestBodies: 'map of objects',
  responses: 'map of objects',
  webhooks: 'map of objects',
  schema: 'schema',
  schemas: 'map of schemas',
  // Nothing below these is a schema, and any name may occur there.
  example: 'value',
  examples: 'value',
  externalDocs: 'value',
  info: 'value',
  links: 'value',
  security: 'value',
  securitySchemes: 'value',
  servers: 'value',
  tags: 'value',
};

const MEMBERS_OF_SCHEMAS: Readonly<Record<string, Role>> = {
  $defs: 'map of schemas',
  additionalProperties: 'schema',
  allOf: 'list of schemas',
  anyOf: 'list of schemas',
  contains: 'schema',
  contentSchema: 'schema',
  definitions: 'map of schemas',
  dependentSchemas: 'map of schemas',
  else: 'schema',
  if: 'schema',
  items: 'schema',
  not: 'schema',
  oneOf: 'list of schemas',
  patternProperties: 'map of schemas',
  prefixItems: 'list of schemas',
  properties: 'map of schemas',
  propertyNames: 'schema',
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: 'schema',
  unevaluatedItems: 'schema',
  unevaluatedProperties: 'schema',
};

/** For these, `false` closes an object or a list, and is read as it is. */
const CLOSING = new Set(['additionalProperties', 'unevaluatedItems', 'unevaluatedProperties']);

/**
 * Upgrades schemas of OpenAPI 3.0; replaces references by `$id` or `$anchor` by pointers; names
 * kinds of schemas.
 * @returns warnings about what cannot be read
 */
export function toWordsOf31(document: Record<string, unknown>, version: string): string[] {
  const upgrade = new Upgrade(version);
  upgrade.visit(document, '', 'object');
  upgrade.resolveNames(document);
  upgrade.openCircles(document);
  nameKinds(document, upgrade.discriminated, upgrade.references);
  const warnings = upgrade.corrections.warnings();
  const dead = upgrade.deadReferences(document);
  if (dead.length > 0) {
    warnings.push(`References lead nowhere: ${firstInWords(dead)}.`);
  }
  const malformed = warningOfMalformed(upgrade.malformed);
  if (malformed !== undefined) {
    warnings.push(malformed);
  }
  return warnings;
}

/** One pass over a document. */
class Upgrade {
  /** Objects with a `$ref`, in the order of the document, by their pointers. */
  readonly references = new Map<string, Schema>();
  /** Those of them that are schemas. */
  readonly #referringSchemas = new Map<string, Schema>();
  /** Schemas with a discriminator by their pointers. */
  readonly discriminated = new Map<string, Schema>();
  /** Pointers of keywords that have been taken out. */
  readonly malformed: string[] = [];
  readonly corrections = new Corrections();
  /** Pointers of schemas by their `$id`, or their `$anchor` behind `#`. */
  readonly #named = new Map<string, string>();
  /** The pointers of schemas by their `$dynamicAnchor`, by the pointer of their schema resource. */
  readonly #dynamicAnchors = new Map<string, Map<string, string>>();
  /** Schemas with a `$dynamicRef` by their pointers. */
  readonly #dynamicReferences = new Map<string, Schema>();
  readonly #isOf30: boolean;
  /** Until then, `nullable` allowed null without a `type`, and above an `enum` without null. */
  readonly #isBefore303: boolean;

  constructor(version: string) {
    this.#isOf30 = version.startsWith('3.0');
    this.#isBefore303 = /^3\.0\.[012]$/.test(version);
  }

  /** @param resource the pointer of the schema resource that holds the value, if one does */
  visit(value: unknown, pointer: string, role: Role, resource?: string): void {
    if (role === 'value' || typeof value !== 'object' || value === null) {
      return;
    }
    const holder = value as Schema;
    const inner = resourceAt(holder, pointer, role, resource);
    if (role === 'schema') {
      this.#upgradeSchema(holder, pointer, inner ?? pointer);
    }
    if (role === 'schema' || role === 'object') {
      this.#noteReference(holder, pointer, role);
    }
    if (role === 'object') {
      this.#completeSchema(holder, pointer);
    }
    for (const [name, member] of Object.entries(holder)) {
      const roleOfMember = Array.isArray(value) ? roleOfItems(role) : roleOf(name, role);
      if (roleOfMember === 'value') {
        hideNames(holder, name);
      }
      if (role === 'media types') {
        this.#completeMediaType(holder, name, joinPointer(pointer, name));
      }
      const isSchemaFalse = roleOfMember === 'schema' && member === false;
      if (isSchemaFalse && !CLOSING.has(name)) {
        // Each rule needs a place. The name may be `__proto__`.
        Object.defineProperty(holder, name, { value: { not: {} } });
      } else {
        this.visit(member, joinPointer(pointer, name), roleOfMember, inner);
      }
    }
  }

  #upgradeSchema(schema: Schema, pointer: string, resource: string): void {
    keepExactBounds(schema);
    nameTuples(schema);
    if (this.#isOf30) {
      upgradeFrom30(schema, this.#isBefore303);
    }
    delete schema['nullable'];
    if (typeof schema['id'] === 'string') {
      // The name of a schema before draft 6: no keyword of OpenAPI, and Ajv refuses it.
      delete schema['id'];
    }
    if (schema['pattern'] === '') {
      // Every text has it.
      delete schema['pattern'];
    }
    this.corrections.correct(schema, pointer);
    this.malformed.push(...dropMalformed(schema, pointer));
    const { $id, $anchor, $dynamicAnchor, $dynamicRef } = schema;
    if (typeof $id === 'string') {
      this.#named.set($id, pointer);
    }
    if (typeof $anchor === 'string') {
      this.#named.set(`#${$anchor}`, pointer);
    }
    if (typeof $dynamicAnchor === 'string') {
      const anchors = this.#dynamicAnchors.get(resource) ?? new Map<string, string>();
      this.#dynamicAnchors.set(resource, anchors);
      anchors.set($dynamicAnchor, pointer);
      this.#named.set(`#${$dynamicAnchor}`, pointer);
    }
    if (typeof $dynamicRef === 'string') {
      this.#dynamicReferences.set(pointer, schema);
    }
    delete schema['$id'];
    delete schema['$anchor'];
    delete schema['$dynamicAnchor'];
    const { propertyName } = Object(schema['discriminator']) as { propertyName?: unknown };
    if (typeof propertyName === 'string') {
      this.discriminated.set(pointer, schema);
    }
  }

  /**
   * A parameter has a `schema` or `content` (OpenAPI 3.1, Parameter Object): one that has neither
   * may have any value.
   */
  #completeSchema(holder: Schema, pointer: string): void {
    readQueryString(holder);
    const { schema } = holder;
    const isParameter = typeof holder['name'] === 'string' && PLACES.has(String(holder['in']));
    const isMissing = isParameter && schema === undefined && !isObject(holder['content']);
    const isMalformed = schema !== undefined && !isObject(schema) && typeof schema !== 'boolean';
    if (isMissing || isMalformed) {
      this.malformed.push(joinPointer(pointer, 'schema'));
      holder['schema'] = {};
    }
  }

  /** A key of a media type with nothing behind it says that there is such a body, of any form. */
  #completeMediaType(content: Schema, name: string, pointer: string): void {
    if (content[name] === null) {
      this.malformed.push(pointer);
      content[name] = { schema: {} };
    }
    describeItems(content[name]);
    allowAnyBody(content[name]);
  }

  #noteReference(holder: Schema, pointer: string, role: 'schema' | 'object'): void {
    if (typeof holder['$ref'] !== 'string') {
      return;
    }
    this.references.set(pointer, holder);
    if (role === 'schema') {
      this.#referringSchemas.set(pointer, holder);
    }
  }

  /** A reference by name gets the pointer of the schema that has the name. */
  resolveNames(document: Schema): void {
    for (const holder of this.references.values()) {
      const pointer = this.#pointerBehind(String(holder['$ref']));
      if (pointer !== undefined) {
        holder['$ref'] = `#${encodeURI(pointer)}`;
      }
    }
    const copies = bindDynamicReferences(document, {
      resources: this.#dynamicAnchors,
      dynamic: this.#dynamicReferences,
      plain: this.#referringSchemas,
      pointerOf: (reference) => this.#pointerBehind(reference),
    });
    const bound = new Map([...this.#dynamicReferences, ...copies]);
    for (const [pointer, schema] of bound) {
      this.visit(schema, pointer, 'schema');
    }
  }

  /**
   * Schemas that refer to nothing but one another state no rule, and no validator ends with them
   * (JSON Schema 2020-12, 9.4.1): such references are taken out.
   */
  openCircles(document: Schema): void {
    for (const [pointer, holder] of this.#referringSchemas) {
      if (this.#leadsBack(document, holder)) {
        this.malformed.push(joinPointer(pointer, '$ref'));
        delete holder['$ref'];
      }
    }
  }

  /** The pointers of schemas that refer to nothing within the document. */
  deadReferences(document: Schema): string[] {
    const isOfDocument = ([, { $ref }]: [string, Schema]) =>
      String($ref).startsWith('#') && isDead(document, String($ref));
    return [...this.#referringSchemas].filter(isOfDocument).map(([pointer]) => pointer);
  }

  #leadsBack(document: Schema, holder: Schema): boolean {
    const seen = new Set<unknown>();
    let current: unknown = holder;
    while (isObject(current) && !seen.has(current)) {
      seen.add(current);
      const { $ref } = current;
      if (typeof $ref !== 'string' || !$ref.startsWith('#/')) {
        return false;
      }
      const target = decode($ref.slice(1));
      current = valueAt(document, target);
    }
    return current === holder;
  }

  #pointerBehind(reference: string): string | undefined {
    const named = this.#named.get(reference);
    if (named !== undefined) {
      return named;
    }
    const [base = '', fragment = ''] = reference.split('#');
    const schema = this.#named.get(base);
    if (schema === undefined) {
      return undefined;
    }
    return schema + fragment;
  }
}

/**
 * A schema with an `$id` is a resource, and so is one that is in no other schema (JSON Schema
 * 2020-12, 4.3.5; OpenAPI 3.1, Schema Object).
 */
function resourceAt(
  holder: Schema,
  pointer: string,
  role: Role,
  resource: string | undefined,
): string | undefined {
  if (role === 'object') {
    return undefined;
  }
  const isResource = resource === undefined || typeof holder['$id'] === 'string';
  return role === 'schema' && isResource ? pointer : resource;
}

/** Before 2020-12, `items` had the schemas of the first items, and `additionalItems` the others. */
function nameTuples(schema: Schema): void {
  const { items, additionalItems } = schema;
  if (!Array.isArray(items) || 'prefixItems' in schema) {
    return;
  }
  schema['prefixItems'] = items;
  delete schema['items'];
  if (additionalItems !== undefined) {
    schema['items'] = additionalItems;
    delete schema['additionalItems'];
  }
}

/** The places of parameters. */
const PLACES = new Set(['path', 'query', 'header', 'cookie']);

function roleOf(name: string, holder: Role): Role {
  if (holder === 'map of objects' || holder === 'media types') {
    return 'object';
  }
  if (holder === 'map of schemas' || holder === 'list of schemas') {
    return 'schema';
  }
  if (holder === 'schema') {
    return ownMember(MEMBERS_OF_SCHEMAS, name) ?? 'value';
  }
  if (name.startsWith('x-')) {
    return 'value';
  }
  return ownMember(MEMBERS_OF_OBJECTS, name) ?? 'object';
}

/** Some members of objects are a list in one object and a map in another, such as `parameters`. */
function roleOfItems(list: Role): Role {
  if (list === 'list of schemas' || list === 'schema') {
    return 'schema';
  }
  return 'object';
}

function ownMember<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  if (Object.hasOwn(members, name)) {
    return members[name];
  }
  return undefined;
}

/**
 * A media type without a schema describes any body (OpenAPI 3.1, Media Type Object: `schema` is
 * optional).
 */
function allowAnyBody(mediaType: unknown): void {
  if (isObject(mediaType) && !('schema' in mediaType) && !('$ref' in mediaType)) {
    mediaType['schema'] = {};
  }
}

/**
 * Of a sequence, such as lines of JSON, `schema` describes the list of all items, and `itemSchema`
 * each of them (OpenAPI 3.2, Media Type Object).
 */
function describeItems(mediaType: unknown): void {
  if (!isObject(mediaType) || mediaType['itemSchema'] === undefined) {
    return;
  }
  const { itemSchema, schema } = mediaType;
  const list = { type: 'array', items: itemSchema };
  mediaType['schema'] = schema === undefined ? list : { allOf: [schema, list] };
  delete mediaType['itemSchema'];
}

const FORM = 'application/x-www-form-urlencoded';

/**
 * The whole query as a form (OpenAPI 3.2, Parameter Object: `in: querystring`) is the same as an
 * exploded object in the query. As any other media type, it stays: no request has it.
 */
function readQueryString(holder: Schema): void {
  const form = memberOf(Object(holder['content']) as Schema, FORM);
  if (holder['in'] === 'querystring' && isObject(form)) {
    const { schema = {} } = form;
    Object.assign(holder, { in: 'query', style: 'form', explode: true, schema });
    delete holder['content'];
  }
}

const NAMES_IN_JSON = /"\$(id|anchor|dynamicAnchor|ref)":/;

/** Their values are compared, and never read as schemas. */
const COMPARED = new Set(['enum', 'const']);

/** An example is a value: a text in it that looks like a name or a reference is neither. */
function hideNames(holder: Schema, name: string): void {
  if (COMPARED.has(name)) {
    return;
  }
  const value = holder[name];
  if (typeof value === 'object' && value !== null && NAMES_IN_JSON.test(stringifyJson(value))) {
    Object.defineProperty(holder, name, { enumerable: false });
  }
}

/**
 * OpenAPI 3.0 has `nullable` and exclusive bounds as booleans, and ignores everything beside a
 * `$ref`.
 */
function upgradeFrom30(schema: Schema, isBefore303: boolean): void {
  if (typeof schema['$ref'] === 'string') {
    for (const name of Object.keys(schema).filter((one) => one !== '$ref')) {
      delete schema[name];
    }
    return;
  }
  if (schema['nullable'] === true) {
    allowNull(schema, isBefore303);
  }
  for (const bound of ['minimum', 'maximum']) {
    upgradeBound(schema, bound);
  }
}

/** `minimum: 1, exclusiveMinimum: true` becomes `exclusiveMinimum: 1`. */
function upgradeBound(schema: Schema, bound: string): void {
  const exclusive = `exclusiveM${bound.slice(1)}`;
  const stated = schema[exclusive];
  if (typeof stated !== 'boolean') {
    return;
  }
  delete schema[exclusive];
  if (stated && typeof schema[bound] === 'number') {
    schema[exclusive] = schema[bound];
    delete schema[bound];
  }
}

/**
 * From 3.0.3 on, an `enum` without null refuses null, and `nullable` "only takes effect if `type`
 * is explicitly defined within the same Schema Object" (OpenAPI 3.0.4, Schema Object). Generators
 * of contracts write it beside references alone all the same, and mean that null is allowed: a
 * service may read it in either way.
 */
function allowNull(schema: Schema, isBefore303: boolean): void {
  if (typeof schema['type'] === 'string') {
    schema['type'] = [schema['type'], 'null'];
  }
  const choices = listIn(schema, 'enum');
  if (choices && isBefore303) {
    schema['enum'] = [...new Set([...choices, null])];
  }
  if ('type' in schema) {
    return;
  }
  // These hold the references that `nullable` is beside.
  const [only, ...others] = listIn(schema, 'allOf') ?? [];
  if (only !== undefined && others.length === 0 && !('oneOf' in schema)) {
    schema['oneOf'] = [only];
    delete schema['allOf'];
  }
  for (const name of ['anyOf', 'oneOf']) {
    const branches = listIn(schema, name);
    if (branches) {
      schema[name] = [...branches, { type: 'null' }];
      if (!isBefore303) {
        schema[NULL_IS_OPEN] = true;
      }
    }
  }
}

function listIn(schema: Schema, name: string): unknown[] | undefined {
  const list = schema[name];
  if (Array.isArray(list)) {
    return list;
  }
  return undefined;
}
