/** Bodies for an operation, from the likeliest to the least. */
import * as fc from 'fast-check';
import type { Hints } from '../contract/hints.ts';
import { supported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { isJson } from '../contract/media-types.ts';
import type { RequestBody } from '../contract/operations.ts';
import { isObject, valueAt } from '../contract/pointers.ts';
import { satisfies } from '../contract/schemas.ts';
import { isPatterned, type Shape, shapeOf, strictest, texts } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { bodyValues } from '../generate/bodies.ts';
import { letters } from '../generate/fresh.ts';
import { type Random, seedFrom } from '../generate/random.ts';
import type { BodyRecipe } from '../http/recipe.ts';
import type { Seen } from './seen.ts';

export interface BodyCandidate extends Pick<BodyRecipe, 'kind' | 'json' | 'shown' | 'how'> {
  /** Whether it is a part of one that was refused. */
  isSmaller?: boolean;
}

type Members = Record<string, unknown>;

interface Surroundings {
  contract: Contract;
  hints: Hints;
  random: Random;
  seen: Seen;
}

/** Generated bodies, of which the smallest is the likeliest to be accepted. */
const GENERATED = 3;

/**
 * The bodies to try. A generated one comes before the examples: it shows whether the service takes
 * all that its contract allows.
 */
export function bodyCandidates(body: RequestBody, surroundings: Surroundings): BodyCandidate[] {
  const generated = generatedBodies(body, surroundings);
  const [first, ...others] = generated.map((json): BodyCandidate => {
    return { kind: 'generated', json, shown: [], how: 'a body that the contract allows' };
  });
  const made = isJson(body.mediaType) ? madeOf(body, generated, surroundings) : [];
  const examples = Object.entries(body.examples).map(([name, json]): BodyCandidate => {
    return { kind: 'fixed', json, shown: [], how: `the example ${name} of the contract` };
  });
  const all = [...(first ? [first] : []), ...examples, ...made, ...others];
  return withoutRepetition(all);
}

function generatedBodies(body: RequestBody, { contract, hints, random }: Surroundings): unknown[] {
  const seed = seedFrom(random);
  return supported(
    () => fc.sample(bodyValues(asRequest(contract), body, hints), { numRuns: GENERATED, seed }),
    () => [],
  );
}

/** Bodies of members that the contract shows, or that other calls have shown. */
function madeOf(
  body: RequestBody,
  generated: readonly unknown[],
  { contract, seen, random }: Surroundings,
): BodyCandidate[] {
  const sent = asRequest(contract);
  const isValid = (json: unknown) => satisfies(sent, [body.pointer], json);
  const whole = shapeOf(sent, body.pointer);
  const { items } = whole;
  const surroundings = { contract, seen, random };
  if (whole.types.has('array') && items) {
    const base = generated.flat().find(isObject);
    const found = membersOf(items, base, surroundings).map((one): BodyCandidate => {
      return { ...one, json: [one.json], how: `a list of one item: ${one.how}` };
    });
    const nothing: BodyCandidate = { kind: 'fixed', json: [], shown: [], how: 'an empty list' };
    return [...found, nothing].filter(({ json }) => isValid(json));
  }
  const found = membersOf(whole, generated.find(isObject), surroundings);
  return found.filter(({ json }) => isValid(json));
}

/** Objects of the shape. @param base one that its schema allows, if one is known */
function membersOf(
  shape: Shape,
  base: Members | undefined,
  { contract, seen, random }: Pick<Surroundings, 'contract' | 'seen' | 'random'>,
): BodyCandidate[] {
  const properties = [...shape.properties];
  if (properties.length === 0) {
    return [];
  }
  const shown: Members = {};
  for (const [name, { roots }] of properties) {
    const example = exampleAt(contract, roots);
    if (example !== undefined) {
      shown[name] = example;
    }
  }
  const known: Members = {};
  for (const [name] of properties) {
    const value = seen.valueOf(name);
    if (value !== undefined) {
      known[name] = value;
    }
  }
  const required = (members: Members): Members =>
    Object.fromEntries(Object.entries(members).filter(([name]) => shape.required.has(name)));
  const bare = required(base ?? {});
  const words = Object(plain(shape, base ?? {}, random)) as Members;
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
  ];
  return candidates.map(([how, json]) => ({
    kind: 'fixed',
    json,
    shown: shownIn(json, known),
    how,
  }));
}

function emptyLists({ properties }: Shape): Members {
  const lists = [...properties].filter(([, { types }]) => types.size === 1 && types.has('array'));
  return Object.fromEntries(lists.map(([name]) => [name, []]));
}

/** The names of the members that have a known value. */
const shownIn = (json: Members, known: Members): string[] =>
  Object.keys(known).filter((name) => json[name] === known[name]);

/**
 * The value with words of lower-case letters in place of texts that have no form, with one member
 * in maps of texts that have none, and with times that follow each other in the future: services
 * refuse odd characters in names, and spans that end before they begin or have passed, whatever
 * their contract says.
 */
function plain(shape: Shape, value: unknown, random: Random): unknown {
  if (typeof value === 'string') {
    return plainText(shape, value, random);
  }
  if (Array.isArray(value)) {
    const { items } = shape;
    return items ? value.map((item) => plain(items, item, random)) : value;
  }
  if (!isObject(value)) {
    return value;
  }
  const members: Members = {};
  if (isEmptyMap(shape, value)) {
    members[letters(WORD, random)] = letters(WORD, random);
  }
  let time = FIRST_TIME;
  for (const [name, one] of Object.entries(value)) {
    const member = shape.property(name);
    const isTime = member !== undefined && texts(member, 'format').includes('date-time');
    if (isTime && typeof one === 'string') {
      members[name] = new Date(time).toISOString();
      time += HOUR_MS;
    } else {
      members[name] = member ? plain(member, one, random) : one;
    }
  }
  return members;
}

/** A map of texts, such as labels, in which many services want a member. */
function isEmptyMap({ properties, additional }: Shape, value: Members): boolean {
  const isOfTexts = additional?.types.has('string') === true && !isPatterned(additional);
  return isOfTexts && properties.size === 0 && Object.keys(value).length === 0;
}

/** Not the time of the run: the same seed sends the same bodies. */
const FIRST_TIME = Date.parse('2036-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const WORD = 10;

function plainText(shape: Shape, text: string, random: Random): string {
  const hasForm =
    shape.choices !== undefined || isPatterned(shape) || texts(shape, 'format').length > 0;
  if (hasForm) {
    return text;
  }
  const least = strictest(shape, 'minLength') ?? 1;
  const most = strictest(shape, 'maxLength') ?? WORD;
  return letters(Math.max(least, Math.min(most, WORD)), random);
}

/** The example of a property. */
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
    const text = JSON.stringify(json);
    const isNew = !known.has(text);
    known.add(text);
    return isNew;
  });
}

/**
 * The bodies without each optional member that the text of a refusal names.
 * @param refusal the text of the response
 */
export function withoutNamed(
  contract: Contract,
  body: RequestBody,
  { json, shown }: BodyCandidate,
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
        isSmaller: true,
        how: `a body without ${name}`,
      });
    }
  }
  return candidates;
}
