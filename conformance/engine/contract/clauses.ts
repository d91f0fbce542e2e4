/**
 * Every rule of a schema as one clause: the keyword, its place in a value, and its place in the
 * contract.
 */
import { SINGLE_RULES, WHOLE_RULES } from './keywords.ts';
import { type Contract, perContract, perPointers } from './load.ts';
import { type Header, type Operation, operationsOf } from './operations.ts';
import { originOf, type Side } from './origins.ts';
import { isObject, joinPointer } from './pointers.ts';
import { conditionalsOf, nullableBranch, type Part, type Schema } from './schema-parts.ts';
import { patternSegment, shapeOf, type Shape } from './shape.ts';

export interface Clause {
  /**
   * Stable, unique in its schema: path, keyword and `name`, such as `required.type` or
   * `tls_termination.if.then`.
   */
  id: string;
  /** JSON Pointer into the contract of the keyword that states the rule. */
  pointer: string;
  /** Both branches of an `if` have the keyword `if`. */
  keyword: string;
  /** The place in a value, as `shapeAt` reads it; for `required`, that of the object. */
  path: readonly string[];
  /** See `x-origin` in the contract. */
  origin: string;
  /**
   * The property that `required` (or `dependentRequired`, its trigger first) names, or the branch:
   * `then` or `else`.
   */
  name?: string;
  /**
   * True if the rule binds the names of the properties at `path` (`propertyNames`), not a value.
   */
  onNames?: true;
  /** The schema object that holds the keyword. */
  schema: Schema;
}

/**
 * The clauses of the schema in the order of the contract, outer first: do not change them.
 * @throws Unsupported
 */
export const clausesOf = perPointers((contract, [pointer = '']): readonly Clause[] => {
  const side = sideOf(contract, pointer);
  const places = placesIn(shapeOf(contract, pointer));
  return withIds(places.flatMap((place) => [...rulesAt(contract, side, place)]));
});

/** A schema of a body or parameter of a request is on the side of requests: no response has it. */
function sideOf(contract: Contract, schemaPointer: string): Side {
  if (!isObject(contract.document['paths'])) {
    return 'response';
  }
  const { request } = rootsOf(contract.whole ?? contract);
  return request.includes(schemaPointer) ? 'request' : 'response';
}

/** The pointers of the schemas of bodies, parameters and header fields. */
export const rootsOf = perContract((contract): Record<Side, string[]> => {
  const operations = operationsOf(contract);
  return {
    request: operations.flatMap(schemasOfRequest),
    response: operations.flatMap(schemasOfResponses),
  };
});

function schemasOfRequest({ requestBody, parameters }: Operation): string[] {
  const schemas: string[] = [];
  if (requestBody) {
    schemas.push(requestBody.pointer);
  }
  for (const { pointer, schema } of parameters) {
    schemas.push(`${pointer}/schema`, schema);
  }
  return schemas;
}

function schemasOfResponses({ responses }: Operation): string[] {
  return Object.values(responses).flatMap(({ content, headers }) => {
    const bodies = Object.values(content);
    return [...bodies, ...Object.values(headers).flatMap(schemasOfHeader)];
  });
}

/** The place of the schema as it is written, and the place to which it refers. */
function schemasOfHeader({ pointer, schema }: Header): string[] {
  if (schema === undefined) {
    return [];
  }
  return [`${pointer}/schema`, schema];
}

/** A place in a value. */
interface ValuePlace {
  path: readonly string[];
  /** Whether the rules bind the names of the properties at the path. */
  onNames: boolean;
  /** The shapes around the place. */
  above: readonly Shape[];
}

const ROOT: ValuePlace = { path: [], onNames: false, above: [] };

/** A part with the place in a value that its rules bind. */
interface PartPlace {
  part: Part;
  path: readonly string[];
  onNames: boolean;
}

/**
 * Many schemas that refer to each other have places without number: an envelope of documents, each
 * of which has recipients, each of which has documents.
 */
const MOST_PLACES = 5_000;

/**
 * All places of the shape; if there are very many, the outermost ones, and of those further down
 * one for each schema.
 */
function placesIn(shape: Shape): PartPlace[] {
  const places: PartPlace[] = [];
  for (const place of walk({ ...ROOT, shape })) {
    places.push(place);
    if (places.length > MOST_PLACES) {
      return outermostPlaces(shape);
    }
  }
  return places;
}

function outermostPlaces(root: Shape): PartPlace[] {
  const places: PartPlace[] = [];
  const known = new Set<string>();
  const queue: ShapePlace[] = [{ ...ROOT, shape: root }];
  // What is added to the queue is visited later.
  for (const place of queue) {
    const { shape, path, onNames, above } = place;
    const isNew = shape.parts.some(({ pointer }) => !known.has(pointer));
    if (above.includes(shape) || (places.length >= MOST_PLACES && !isNew)) {
      continue;
    }
    for (const part of shape.parts) {
      places.push({ part, path, onNames });
      known.add(part.pointer);
    }
    queue.push(...placesInside(place));
  }
  return places;
}

/** A shape with its place in a value. */
interface ShapePlace extends ValuePlace {
  shape: Shape;
}

/**
 * All parts of the shape and of the shapes below it. A schema that refers to itself has the same
 * rules further down.
 */
function* walk(place: ShapePlace): Generator<PartPlace> {
  const { shape, path, onNames, above } = place;
  if (above.includes(shape)) {
    return;
  }
  for (const part of shape.parts) {
    yield { part, path, onNames };
  }
  for (const inner of placesInside(place)) {
    yield* walk(inner);
  }
}

/** The names of the properties, and the properties and items, of a value at a place. */
function placesInside({ shape, path, onNames, above }: ShapePlace): ShapePlace[] {
  const inside = [...above, shape];
  const places: ShapePlace[] = [];
  if (shape.names) {
    places.push({ shape: shape.names, path, onNames: true, above: inside });
  }
  for (const { segment, child } of childrenOf(shape)) {
    places.push({ shape: child, path: [...path, segment], onNames, above: inside });
  }
  return places;
}

interface Child {
  segment: string;
  child: Shape;
}

/** The shapes of the properties and items, with the segments of their places. */
function childrenOf(shape: Shape): Child[] {
  const children: Child[] = [];
  for (const [segment, child] of shape.properties) {
    children.push({ segment, child });
  }
  for (const [pattern, child] of shape.patterns) {
    children.push({ segment: patternSegment(pattern), child });
  }
  if (shape.additional) {
    children.push({ segment: '*', child: shape.additional });
  }
  for (const [index, child] of shape.prefix.entries()) {
    children.push({ segment: String(index), child });
  }
  if (shape.items) {
    children.push({ segment: '*', child: shape.items });
  }
  return children;
}

type ClauseWithoutId = Omit<Clause, 'id'>;

/** The rules of a part, in the order in which clauses are listed. */
function* rulesAt(contract: Contract, side: Side, place: PartPlace): Generator<ClauseWithoutId> {
  const { schema } = place.part;
  const clause = (keyword: string, name?: string) =>
    clauseOf(contract, side, place, { keyword, name });
  for (const keyword of SINGLE_RULES) {
    if (keyword in schema && !isIdle(schema, keyword)) {
      yield clause(keyword);
    }
  }
  for (const name of (schema['required'] ?? []) as string[]) {
    yield clause('required', name);
  }
  for (const [trigger, names] of Object.entries(dependenciesIn(schema))) {
    for (const name of names) {
      yield clause('dependentRequired', `${trigger}.${name}`);
    }
  }
  if (schema['additionalProperties'] === false) {
    yield clause('additionalProperties');
  }
  for (const keyword of WHOLE_RULES) {
    if (keyword in schema && !isIdle(schema, keyword)) {
      yield clause(keyword);
    }
  }
  yield* branchesAt(contract, side, place);
}

/** One clause for each branch of a condition. */
function* branchesAt(contract: Contract, side: Side, place: PartPlace): Generator<ClauseWithoutId> {
  for (const { schema, whenMet, whenNot } of conditionalsOf(place.part)) {
    const branches = [
      { name: 'then', pointer: whenMet },
      { name: 'else', pointer: whenNot },
    ];
    for (const { name, pointer } of branches) {
      if (pointer !== undefined) {
        const clause = clauseOf(contract, side, place, { keyword: 'if', name });
        yield { ...clause, pointer, origin: originOf(contract, pointer, { side }), schema };
      }
    }
  }
}

interface NamedKeyword {
  keyword: string;
  name: string | undefined;
}

function clauseOf(
  contract: Contract,
  side: Side,
  { part, path, onNames }: PartPlace,
  { keyword, name }: NamedKeyword,
): ClauseWithoutId {
  const clause: ClauseWithoutId = {
    pointer: joinPointer(part.pointer, keyword),
    keyword,
    path,
    origin: originOf(contract, part.pointer, { keyword, side, name }),
    schema: part.schema,
  };
  if (name !== undefined) {
    clause.name = name;
  }
  if (onNames) {
    clause.onNames = onNames;
  }
  return clause;
}

const CONTAINS_COUNT = /^(min|max)Contains$/;

/** Whether the keyword states no rule in its place. */
function isIdle(schema: Schema, keyword: string): boolean {
  if (keyword === 'uniqueItems') {
    return schema[keyword] !== true;
  }
  if (CONTAINS_COUNT.test(keyword)) {
    return !('contains' in schema);
  }
  if (keyword === 'anyOf' || keyword === 'oneOf') {
    return nullableBranch(schema)?.keyword === keyword;
  }
  return false;
}

function dependenciesIn(schema: Schema): Record<string, string[]> {
  return (schema['dependentRequired'] ?? {}) as Record<string, string[]>;
}

/** The dependency that a clause of `dependentRequired` states. */
export interface Dependency {
  /** All names that a property requires, by the name of the property. */
  rules: Record<string, string[]>;
  /** The property that requires another one. */
  trigger: string;
  /** The property that is required. */
  missing: string;
}

/** The dependency by the name of its clause: the names of both properties may have dots. */
export function dependencyOf({ schema, name = '' }: Pick<Clause, 'schema' | 'name'>): Dependency {
  const rules = dependenciesIn(schema);
  const trigger = Object.keys(rules).find((key) => name.startsWith(`${key}.`)) ?? '';
  return { rules, trigger, missing: name.slice(trigger.length + 1) };
}

/**
 * Gives each clause its id. If a rule is stated twice for one place, the later ones are numbered
 * from 2.
 */
function withIds(clauses: readonly ClauseWithoutId[]): Clause[] {
  const uses = new Map<string, number>();
  return clauses.map((clause) => {
    const words = [...clause.path];
    if (clause.onNames) {
      words.push('propertyNames');
    }
    words.push(clause.keyword);
    if (clause.name !== undefined) {
      words.push(clause.name);
    }
    const id = words.join('.');
    const use = (uses.get(id) ?? 0) + 1;
    uses.set(id, use);
    return { id: use === 1 ? id : `${id}~${use}`, ...clause };
  });
}
