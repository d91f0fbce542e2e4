/** Bodies for an operation, from the likeliest to the least. */
import * as fc from 'fast-check';
import type { Hints } from '../contract/hints.ts';
import { supported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { isJson } from '../contract/media-types.ts';
import type { RequestBody } from '../contract/operations.ts';
import { isObject, objectAt } from '../contract/pointers.ts';
import { satisfies } from '../contract/schemas.ts';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { bodyValues } from '../generate/bodies.ts';
import type { BodyRecipe } from '../http/recipe.ts';
import type { Seen } from './seen.ts';

export type BodyCandidate = Pick<BodyRecipe, 'kind' | 'json' | 'how'>;

type Members = Record<string, unknown>;

interface Surroundings {
  contract: Contract;
  hints: Hints;
  seed: number;
  seen: Seen;
  /** The body of the user, if there is one. */
  given: { json: unknown } | undefined;
}

/** Generated bodies, of which the smallest is the likeliest to be accepted. */
const GENERATED = 3;

/**
 * The bodies to try. A generated one comes before the examples: it shows whether the service takes
 * whatever its contract allows.
 */
export function bodyCandidates(body: RequestBody, surroundings: Surroundings): BodyCandidate[] {
  const { given } = surroundings;
  if (given !== undefined) {
    return [{ kind: 'fixed', json: given.json, how: 'the body of --data' }];
  }
  const generated = generatedBodies(body, surroundings);
  const [first, ...others] = generated.map((json): BodyCandidate => {
    return { kind: 'generated', json, how: 'a body that the contract allows' };
  });
  const made = isJson(body.mediaType) ? madeOf(body, generated, surroundings) : [];
  const examples = Object.entries(body.examples).map(([name, json]): BodyCandidate => {
    return { kind: 'fixed', json, how: `the example ${name} of the contract` };
  });
  const all = [...(first ? [first] : []), ...examples, ...made, ...others];
  return withoutRepetition(all);
}

function generatedBodies(body: RequestBody, { contract, hints, seed }: Surroundings): unknown[] {
  return supported(
    () => fc.sample(bodyValues(asRequest(contract), body, hints), { numRuns: GENERATED, seed }),
    () => [],
  );
}

/** Bodies of members that the contract shows, or that other calls have shown. */
function madeOf(
  body: RequestBody,
  generated: readonly unknown[],
  { contract, seen }: Surroundings,
): BodyCandidate[] {
  const sent = asRequest(contract);
  const shape = shapeOf(sent, body.pointer);
  const base = generated.find(isObject);
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
  const candidates: [how: string, json: Members][] = [
    ['all members with their examples', { ...bare, ...shown }],
    ['members with their examples, and what other calls show', { ...bare, ...shown, ...known }],
    ['the required members, and what other calls show', { ...bare, ...required(known) }],
    ['the required members with their examples', { ...bare, ...required(shown) }],
    ['the required members alone', bare],
    ['a whole body, and what other calls show', { ...base, ...known }],
  ];
  return candidates
    .filter(([, json]) => satisfies(sent, [body.pointer], json))
    .map(([how, json]) => ({ kind: 'fixed', json, how }));
}

/** The example of a property. */
function exampleAt({ document }: Contract, roots: readonly string[]): unknown {
  for (const pointer of roots) {
    const { example, examples, default: preset } = objectAt(document, pointer);
    const [first] = Array.isArray(examples) ? (examples as unknown[]) : [];
    const found = example ?? first ?? preset;
    if (found !== undefined && found !== null) {
      return found;
    }
  }
  return undefined;
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
 * @param refusal what the service said
 */
export function withoutNamed(
  contract: Contract,
  body: RequestBody,
  json: unknown,
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
      candidates.push({ kind: 'fixed', json: rest, how: `a body without ${name}` });
    }
  }
  return candidates;
}
