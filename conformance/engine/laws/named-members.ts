/**
 * Members of bodies that name items which the run makes, such as the site of a device: laws send
 * the names that a place has, and no other values.
 */
import type fc from 'fast-check';
import { Unsupported } from '../contract/keywords.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Children, Json, Resource, ResourceValues } from './resource.ts';

/**
 * The resource, whose values leave out what the service takes as names alone.
 * @param keepsFacts whether the facts about the resource have these members all the same
 */
export function withoutNames(
  resource: Resource,
  implementation: Implementation,
  keepsFacts = false,
): Resource {
  const { children } = resource;
  const own = namesIn(resource, implementation);
  const inside = children === undefined ? [] : namesIn(children.resource, implementation);
  if (own.length === 0 && inside.length === 0) {
    return resource;
  }
  const parts: Partial<Resource> = {};
  if (own.length > 0) {
    Object.assign(parts, partsWithout(resource, own));
  }
  if (keepsFacts) {
    delete parts.facts;
  }
  if (children !== undefined && inside.length > 0) {
    parts.children = childrenWithout(children, inside);
  }
  return resourceWith(resource, parts);
}

/** The resource with other parts; no copy, which would make the values. */
function resourceWith(resource: Resource, parts: Partial<Resource>): Resource {
  return Object.create(resource, Object.getOwnPropertyDescriptors(parts)) as Resource;
}

/** The members that name what the run makes, as the survey found. */
function namesIn({ calls }: Resource, { survey }: Implementation): string[] {
  const recipes = [calls.create, calls.update].map((one) => survey[one]?.recipe);
  const makers = recipes.flatMap((recipe) => recipe?.body?.makers ?? []);
  const names = makers.flatMap(({ values }) => Object.keys(values));
  return [...new Set(names)];
}

function partsWithout(
  resource: Resource,
  names: readonly string[],
): Pick<Resource, 'values' | 'facts'> {
  const { values, facts } = resource;
  const left = valuesWithout(values, { names, needed: neededIn(resource) });
  if (facts === undefined) {
    return { values: left };
  }
  const members = facts.members.filter((name) => !names.includes(name));
  return { values: left, facts: { ...facts, members } };
}

/** Members that no body can be without: they get the names of the place. */
const neededIn = ({ facts }: Resource): ReadonlySet<string> => facts?.sent.required ?? new Set();

/** What bodies and changes are without. */
interface LeftOut {
  names: readonly string[];
  needed: ReadonlySet<string>;
}

function valuesWithout(values: ResourceValues, { names, needed }: LeftOut): ResourceValues {
  const { full, bare, bodies, defaults, good, patches, nullable, invalid } = values;
  const optional = names.filter((name) => !needed.has(name));
  const members = values.members.filter((name) => !names.includes(name));
  const isOther = (json: Json) => Object.keys(json).every((name) => !names.includes(name));
  const left: ResourceValues = {
    ...values,
    members,
    full: (implementation) => without(full(implementation), optional),
    bare: (implementation) => without(bare(implementation), optional),
    invalid: { create: invalid.create, update: invalid.update.filter(isOther) },
  };
  if (bodies !== undefined) {
    left.bodies = (implementation) => bodies(implementation).map((one) => without(one, optional));
  }
  if (defaults !== undefined) {
    left.defaults = (implementation) => {
      return defaults(implementation).map((one) => without(one, optional));
    };
  }
  if (good !== undefined) {
    left.good = (implementation) => without(good(implementation), names);
  }
  if (nullable !== undefined) {
    left.nullable = nullable.filter((name) => !names.includes(name));
  }
  if (patches !== undefined) {
    left.patches = (implementation) => changesWithout(patches(implementation), names, members);
  }
  return left;
}

/** The change without these members. @throws Unsupported if nothing is left of any change */
function changesWithout(
  changes: fc.Arbitrary<Json>,
  names: readonly string[],
  others: readonly string[],
): fc.Arbitrary<Json> {
  if (others.length === 0) {
    throw new Unsupported('a change has no members but names of other items');
  }
  const left = changes.map((one) => without(one, names));
  return left.filter((one) => Object.keys(one).length > 0);
}

function childrenWithout({ resource, placeIn }: Children, names: readonly string[]): Children {
  const optional = names.filter((name) => !neededIn(resource).has(name));
  return {
    resource: resourceWith(resource, partsWithout(resource, names)),
    placeIn: (item, items) => {
      const place = placeIn(item, items);
      return { ...place, bodies: place.bodies.map((body) => without(body, optional)) };
    },
  };
}

function without(json: Json, names: readonly string[]): Json {
  const members = Object.entries(json).filter(([name]) => !names.includes(name));
  return Object.fromEntries(members);
}
