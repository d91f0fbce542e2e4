/** Bodies for an operation, from the likeliest to the least. */
import { stringifyJson } from '../contract/json-numbers.ts';
import { byName, memberOf, setMember } from '../contract/by-name.ts';
import * as fc from 'fast-check';
import type { Hints } from '../contract/hints.ts';
import { supported } from '../contract/keywords.ts';
import { branchesOf } from '../contract/kinds.ts';
import type { Contract } from '../contract/load.ts';
import { isForm, isJson } from '../contract/media-types.ts';
import type { RequestBody } from '../contract/operations.ts';
import { canBeMade } from '../contract/request-bodies.ts';
import { isObject, valueAt } from '../contract/pointers.ts';
import { satisfies } from '../contract/schemas.ts';
import { type Shape, shapeOf } from '../contract/shape.ts';
import { asRequest, withOverlaps } from '../contract/variants.ts';
import { bodyValues } from '../generate/bodies.ts';
import { type Random, seedFrom } from '../generate/random.ts';
import type { BodyRecipe, Source } from '../http/recipe.ts';
import { inPlainWords } from './plain-words.ts';
import type { Reference, Seen } from './seen.ts';
import { withSingleItems } from './single-items.ts';

export interface BodyCandidate extends Pick<
  BodyRecipe,
  'kind' | 'json' | 'shown' | 'asShown' | 'makers' | 'how'
> {
  /** Whether it is a part of one that was refused. */
  isSmaller?: boolean;
}

type Members = Record<string, unknown>;

interface Surroundings {
  contract: Contract;
  hints: Hints;
  random: Random;
  seen: Seen;
  /** The subject of the operation, such as `pets`. */
  noun?: string | undefined;
}

/** Generated bodies, of which the smallest is the likeliest to be accepted. */
const GENERATED = 3;

/**
 * The bodies to try. A generated one comes before the examples: it shows whether the service takes
 * all that its contract allows.
 */
export function bodyCandidates(body: RequestBody, surroundings: Surroundings): BodyCandidate[] {
  const examples = Object.entries(body.examples).map(([name, json]): BodyCandidate => {
    return { kind: 'fixed', json, shown: [], how: `the example ${name} of the contract` };
  });
  if (!canBeMade(body)) {
    return examples.filter(({ json }) => typeof json === 'string');
  }
  const generated = generatedValues(body, { ...surroundings, count: GENERATED });
  const hasMembers = isJson(body.mediaType) || isForm(body.mediaType);
  const [first, ...others] = hasMembers
    ? generatedCandidates(body, generated, surroundings)
    : generated.map(candidateOf);
  const made = hasMembers ? madeOf(body, generated, surroundings) : [];
  if (first === undefined) {
    const overlapping = ofOverlappingBranches(body, surroundings);
    return withoutRepetition([...examples, ...made, ...overlapping]);
  }
  const own = hasMembers ? examplesWithOwnItems(body, surroundings) : [];
  const all = [first, ...own, ...examples, ...made, ...others];
  return withoutRepetition(all);
}

const candidateOf = (json: unknown): BodyCandidate => ({
  kind: 'generated',
  json,
  shown: [],
  how: 'a body that the contract allows',
});

/**
 * The generated bodies. If optional members may name items, the first body has any values of all of
 * them: a body without them does not show whether the service takes any value. The others name what
 * the run has made.
 */
function generatedCandidates(
  body: RequestBody,
  generated: readonly unknown[],
  surroundings: Surroundings,
): BodyCandidate[] {
  const sent = asRequest(surroundings.contract);
  const references = optionalReferences(body, surroundings);
  if (references.size === 0) {
    return generated.map(candidateOf);
  }
  const samples = generatedValues(body, { ...surroundings, count: MEMBERS_OF });
  const all = [...generated, ...samples].filter(isObject);
  const isWhole = (one: Members) => [...references.keys()].every((name) => isNamed(one, name));
  const names = Object.fromEntries([...references].map(([name, { value }]) => [name, value]));
  const makers = [...references.values()].map(({ maker }) => maker);
  const how = 'a body that the contract allows, with the names of what the run has made';
  const named = generated
    .filter(isObject)
    .map((one) => ({ ...one, ...names }))
    .filter((json) => satisfies(sent, [body.pointer], json))
    .map((json): BodyCandidate => {
      return { kind: 'generated', json, shown: Object.keys(names), makers, how };
    });
  const whole = all.filter(isWhole).slice(0, 1);
  return [...whole.map(candidateOf), ...named];
}

/** Whether a member has a value other than null. */
const isNamed = (members: Members, name: string): boolean =>
  (memberOf(members, name) ?? null) !== null;

/**
 * The members that the body may be without, and that name what the run has made; none if it needs
 * such a name.
 */
function optionalReferences(
  { pointer }: RequestBody,
  { contract, seen, noun }: Surroundings,
): Map<string, Reference> {
  const references = new Map<string, Reference>();
  for (const { properties, required } of branchesOf(asRequest(contract), pointer)) {
    for (const [name, { types, choices }] of properties) {
      const mayName = choices === undefined && (types.has('string') || types.has('integer'));
      const reference = mayName ? seen.referenceOf(name, noun) : undefined;
      if (reference !== undefined && required.has(name)) {
        return new Map();
      }
      if (reference !== undefined) {
        references.set(name, reference);
      }
    }
  }
  return references;
}

/**
 * The examples that name an item, with the name of one that the run has made: they come before the
 * examples themselves, which may name the item of somebody else.
 */
function examplesWithOwnItems(
  body: RequestBody,
  { contract, seen, noun }: Surroundings,
): BodyCandidate[] {
  const sent = asRequest(contract);
  const { properties } = shapeOf(sent, body.pointer);
  const candidates: BodyCandidate[] = [];
  for (const [name, example] of Object.entries(body.examples)) {
    const json: Members = { ...Object(example) };
    const makers: Source[] = [];
    const shown: string[] = [];
    for (const member of properties.keys()) {
      const maker = Object.hasOwn(json, member) ? seen.makerOf(member, noun) : undefined;
      const value = seen.valueOf(member, noun);
      if (maker !== undefined && value !== undefined) {
        setMember(json, member, value);
        makers.push(maker);
        shown.push(member);
      }
    }
    if (shown.length > 0 && satisfies(sent, [body.pointer], json)) {
      const how = `the example ${name} of the contract, with what the run has made`;
      candidates.push({ kind: 'fixed', json, shown, makers, how });
    }
  }
  return candidates;
}

function generatedValues(
  body: RequestBody,
  { contract, hints, random, count }: Omit<Surroundings, 'seen'> & { count: number },
): unknown[] {
  if (count === 0) {
    return [];
  }
  const seed = seedFrom(random);
  return supported(
    () => fc.sample(bodyValues(asRequest(contract), body, hints), { numRuns: count, seed }),
    () => [],
  );
}

/** Bodies of a branch of `oneOf` that others allow, too, for a schema that has no other values. */
function ofOverlappingBranches(body: RequestBody, surroundings: Surroundings): BodyCandidate[] {
  const contract = withOverlaps(asRequest(surroundings.contract), body.pointer);
  const values = generatedValues(body, { ...surroundings, contract, count: GENERATED });
  return values.map((json): BodyCandidate => {
    const how = 'a body of one branch of `oneOf`, though another branch allows it, too';
    return { kind: 'fixed', json, shown: [], how };
  });
}

/** Bodies of members that the contract shows, or that other calls have shown. */
function madeOf(
  body: RequestBody,
  generated: readonly unknown[],
  { contract, hints, seen, random, noun }: Surroundings,
): BodyCandidate[] {
  const sent = asRequest(contract);
  const isValid = (json: unknown) => satisfies(sent, [body.pointer], json);
  const whole = shapeOf(sent, body.pointer);
  const { items } = whole;
  const surroundings = { contract, seen, random, noun };
  if (whole.types.has('array') && items) {
    const base = generated.flat().find(isObject);
    const found = membersOf(items, base, surroundings).map((one): BodyCandidate => {
      return { ...one, json: [one.json], how: `a list of one item: ${one.how}` };
    });
    const nothing: BodyCandidate = { kind: 'fixed', json: [], shown: [], how: 'an empty list' };
    return [...found, nothing].filter(({ json }) => isValid(json));
  }
  const base = wholeOf(body, generated, { contract, hints, random });
  const found = membersOf(whole, base, surroundings);
  const hasLists = [...whole.required].some((name) => whole.property(name)?.types.has('array'));
  const count = hasLists ? SAMPLES : 0;
  const samples = generatedValues(body, { contract, hints, random, count });
  for (const json of withSingleItems(samples, whole.required)) {
    const words = inPlainWords(whole, json, random);
    const how = 'the required members, with one item in each list';
    found.push({ kind: 'fixed', json: words, shown: [], how });
    found.push({ kind: 'fixed', json, shown: [], how });
  }
  return found.filter(({ json }) => isValid(json));
}

/** Generated bodies in which most members occur, also of schemas that allow other types. */
const MEMBERS_OF = 16;

/**
 * An object with all members that the contract names, as far as it allows them beside each other:
 * services may want one that it calls optional. Undefined if no generated body is an object.
 */
function wholeOf(
  body: RequestBody,
  generated: readonly unknown[],
  surroundings: Omit<Surroundings, 'seen'>,
): Members | undefined {
  const sent = asRequest(surroundings.contract);
  const names = [...shapeOf(sent, body.pointer).properties.keys()];
  const objects = generated.filter(isObject);
  const isWhole = names.every((name) => objects.some((one) => Object.hasOwn(one, name)));
  if (!isWhole) {
    const more = generatedValues(body, { ...surroundings, count: MEMBERS_OF });
    objects.push(...more.filter(isObject));
  }
  const [first] = objects;
  const whole = { ...first };
  for (const [name, value] of objects.flatMap((one) => Object.entries(one))) {
    if (!Object.hasOwn(whole, name)) {
      setMember(whole, name, value);
    }
  }
  if (satisfies(sent, [body.pointer], whole)) {
    return whole;
  }
  return first;
}

/** In so many bodies, each form of a member occurs. */
const SAMPLES = 40;

/**
 * The body with its required members alone; undefined if it has no others, or if the contract asks
 * for some of them.
 */
export function bareBody(contract: Contract, body: RequestBody, json: unknown): unknown {
  if (!isJson(body.mediaType) || !isObject(json)) {
    return undefined;
  }
  const sent = asRequest(contract);
  const { required } = shapeOf(sent, body.pointer);
  const members = Object.entries(json);
  const kept = members.filter(([name]) => required.has(name));
  const bare: Members = byName(kept);
  if (kept.length < members.length && satisfies(sent, [body.pointer], bare)) {
    return bare;
  }
  return undefined;
}

/**
 * The body with words in place of its odd texts; undefined if it has none. Its names become parts
 * of paths, which people read.
 */
export function plainBody(
  body: RequestBody,
  json: unknown,
  { contract, random }: Pick<Surroundings, 'contract' | 'random'>,
): unknown {
  if (!isJson(body.mediaType) || !isObject(json)) {
    return undefined;
  }
  const sent = asRequest(contract);
  const words = inPlainWords(shapeOf(sent, body.pointer), json, random);
  const isOther = stringifyJson(words) !== stringifyJson(json);
  if (isOther && satisfies(sent, [body.pointer], words)) {
    return words;
  }
  return undefined;
}

/** Objects of the shape. @param base one that its schema allows, if one is known */
function membersOf(
  shape: Shape,
  base: Members | undefined,
  { contract, seen, random, noun }: Omit<Surroundings, 'hints'>,
): BodyCandidate[] {
  const properties = [...shape.properties];
  if (properties.length === 0) {
    return [];
  }
  const shown: Members = {};
  for (const [name, property] of properties) {
    const example = exampleOf(contract, property, 0);
    if (example !== undefined) {
      setMember(shown, name, example);
    }
  }
  const known: Members = {};
  for (const [name, property] of properties) {
    const value = knownValue(property, name, { contract, seen, noun });
    if (value !== undefined) {
      setMember(known, name, value);
    }
  }
  const required = (members: Members): Members =>
    Object.fromEntries(Object.entries(members).filter(([name]) => shape.required.has(name)));
  const bare = required(base ?? {});
  const words = Object(inPlainWords(shape, base ?? {}, random)) as Members;
  const candidates: [how: string, json: Members][] = [
    ['a whole body of plain words', { ...words, ...known }],
    ['the required members, in plain words', { ...required(words), ...required(known) }],
    [
      'the required members, in plain words and with their examples',
      { ...required(words), ...required(shown) },
    ],
    ['all members with their examples', { ...bare, ...shown }],
    ['members with their examples, and what other calls show', { ...bare, ...shown, ...known }],
    ['the required members, and what other calls show', { ...bare, ...required(known) }],
    ['the required members with their examples', { ...bare, ...required(shown) }],
    ['the required members alone', bare],
    ['a whole body, and what other calls show', { ...base, ...known }],
    ['the required members, and empty lists', { ...required(words), ...emptyLists(shape) }],
    ['the required members, and empty maps', { ...required(words), ...emptyMaps(shape) }],
  ];
  return candidates.map(([how, json]): BodyCandidate => {
    const names = shownIn(json, known);
    const makers = names.flatMap((name) => seen.makerOf(name, noun) ?? []);
    return { kind: 'fixed', json, shown: names, makers, how };
  });
}

/** A value of the member that other calls have shown: a key, an item, or a list of one. */
function knownValue(
  shape: Shape,
  name: string,
  { contract, seen, noun }: Pick<Surroundings, 'contract' | 'seen' | 'noun'>,
): unknown {
  const { types, items } = shape;
  const sent = asRequest(contract);
  if (types.has('object')) {
    return seen.itemsFor(name, noun).find((item) => satisfies(sent, shape.roots, item));
  }
  if (types.has('array') && items?.types.has('object')) {
    const found = seen.itemsFor(name, noun).find((item) => satisfies(sent, items.roots, item));
    return found && [found];
  }
  return seen.valueOf(name, noun);
}

function emptyLists({ properties }: Shape): Members {
  const lists = [...properties].filter(([, { types }]) => types.size === 1 && types.has('array'));
  return Object.fromEntries(lists.map(([name]) => [name, []]));
}

/** The service may want other values in a map than the contract says, and take none. */
function emptyMaps({ properties }: Shape): Members {
  const maps = [...properties].filter(([, { types, properties: named }]) => {
    return types.size === 1 && types.has('object') && named.size === 0;
  });
  return Object.fromEntries(maps.map(([name]) => [name, {}]));
}

/** The names of the members that have a known value. */
const shownIn = (json: Members, known: Members): string[] =>
  Object.keys(known).filter((name) => memberOf(json, name) === known[name]);

/** Examples within examples of this depth are left out. */
const MOST_DEPTH = 3;

/** The example of a property, or an object of the examples of its own properties. */
function exampleOf(contract: Contract, shape: Shape, depth: number): unknown {
  const stated = exampleAt(contract, shape.roots);
  if (stated !== undefined || !shape.types.has('object') || depth >= MOST_DEPTH) {
    return stated;
  }
  const members: Members = {};
  for (const [name, property] of shape.properties) {
    const example = exampleOf(contract, property, depth + 1);
    if (example !== undefined) {
      setMember(members, name, example);
    }
  }
  const isWhole = [...shape.required].every((name) => Object.hasOwn(members, name));
  if (isWhole && Object.keys(members).length > 0) {
    return members;
  }
  return undefined;
}

/** The example that a property states. */
function exampleAt({ document }: Contract, roots: readonly string[]): unknown {
  for (const pointer of roots) {
    const {
      example,
      examples,
      default: preset,
      description,
    } = Object(valueAt(document, pointer)) as Record<string, unknown>;
    const [first] = Array.isArray(examples) ? (examples as unknown[]) : [];
    const found = example ?? first ?? preset ?? exampleIn(description);
    if (found !== undefined && found !== null) {
      return found;
    }
  }
  return undefined;
}

/** An example that a description gives in words: `(e.g. “example.com.”)`. */
const IN_WORDS = /(?:e\.g\.|for example|such as)[,:]?\s*[“"'`]([^”"'`]{1,80})[”"'`]/i;

function exampleIn(description: unknown): string | undefined {
  if (typeof description !== 'string') {
    return undefined;
  }
  return IN_WORDS.exec(description)?.[1];
}

function withoutRepetition(candidates: readonly BodyCandidate[]): BodyCandidate[] {
  const known = new Set<string>();
  return candidates.filter(({ json }) => {
    const text = stringifyJson(json);
    const isNew = !known.has(text);
    known.add(text);
    return isNew;
  });
}

/** A word of a refusal, such as the name of a member. */
const WORDS = /[\w-]+/g;

/**
 * The body with each optional member that the text of a refusal names and that it lacks: the
 * service wants it all the same.
 * @param refusal the text of the response
 */
export function withNamed(
  body: RequestBody,
  { json, shown, makers = [] }: BodyCandidate,
  refusal: string,
  surroundings: Omit<Surroundings, 'seen'>,
): BodyCandidate[] {
  const sent = asRequest(surroundings.contract);
  const shape = shapeOf(sent, body.pointer);
  const members: Members = isObject(json) ? json : {};
  const words = new Set(refusal.match(WORDS));
  const missing = [...shape.properties.keys()].filter((name) => {
    return words.has(name) && !Object.hasOwn(members, name);
  });
  if (missing.length === 0) {
    return [];
  }
  const whole = inPlainWords(shape, wholeOf(body, [], surroundings), surroundings.random);
  const candidates: BodyCandidate[] = [];
  for (const name of missing.filter((one) => Object.hasOwn(Object(whole), one))) {
    const larger = { ...members };
    setMember(larger, name, memberOf(whole as Members, name));
    if (satisfies(sent, [body.pointer], larger)) {
      const how = `a body with ${name}`;
      candidates.push({ kind: 'fixed', json: larger, shown, makers, how });
    }
  }
  return candidates;
}

/**
 * The bodies without each optional member that the text of a refusal names.
 * @param refusal the text of the response
 */
export function withoutNamed(
  contract: Contract,
  body: RequestBody,
  { json, shown, makers = [] }: BodyCandidate,
  refusal: string,
): BodyCandidate[] {
  if (!isObject(json)) {
    return [];
  }
  const sent = asRequest(contract);
  const { required } = shapeOf(sent, body.pointer);
  const candidates: BodyCandidate[] = [];
  for (const name of Object.keys(json)) {
    if (required.has(name) || !refusal.includes(name)) {
      continue;
    }
    const { [name]: _, ...rest } = json;
    if (satisfies(sent, [body.pointer], rest)) {
      candidates.push({
        kind: 'fixed',
        json: rest,
        shown,
        makers,
        isSmaller: true,
        how: `a body without ${name}`,
      });
    }
  }
  return candidates;
}
