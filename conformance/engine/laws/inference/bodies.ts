/** Bodies that create and change items. */
import { memberOf, setMember } from '../../contract/by-name.ts';
import * as fc from 'fast-check';
import type { Hints } from '../../contract/hints.ts';
import { stringifyJson } from '../../contract/json-numbers.ts';
import { Unsupported } from '../../contract/keywords.ts';
import { branchesOf } from '../../contract/kinds.ts';
import type { Contract } from '../../contract/load.ts';
import type { Operation } from '../../contract/operations.ts';
import { satisfies, schemasOf } from '../../contract/schemas.ts';
import { defaultOf, type Shape, shapeOf } from '../../contract/shape.ts';
import { accepted } from '../../generate/filter.ts';
import { freshBody } from '../../generate/fresh-bodies.ts';
import { aDayLater } from '../../generate/times.ts';
import { validValues } from '../../generate/valid.ts';
import type { Implementation } from '../../http/implementation.ts';
import { tame, tameBody, type Pointers } from './plain-values.ts';
import type { Bodies, Json, ResourceValues } from '../resource.ts';

/**
 * @param contract as requests see it.
 * @param fresh whether texts must be new.
 * @throws Unsupported, GaveUp
 */
export function bodiesOf(
  contract: Contract,
  pointers: Pointers,
  fresh = false,
): Bodies | undefined {
  const isValid = (body: Json) => satisfies(contract, pointers, body);
  const { properties, types } = shapeOf(contract, ...pointers);
  if (types.size !== 1 || !types.has('object')) {
    return undefined;
  }
  const [whole, kind] = pointers as [string, string?];
  const valid = (hints?: Hints) => {
    if (kind === undefined) {
      return validValues(contract, whole, hints);
    }
    return accepted(validValues(contract, whole, hints), `body of ${kind}`, (body) =>
      isValid(body as Json),
    );
  };
  const samples = fc.sample(valid(), { numRuns: SAMPLES, seed: 1 }) as Json[];
  const tamed = samples.map((sample) => tameBody(contract, pointers, sample));
  const full = fullOf(tamed, [...properties.keys()], isValid);
  const bare = bareOf(full, isValid);
  const others = othersOf(contract, pointers, [...samples, ...tamed], [full, bare]);
  exchangeDefaults(full, others, properties);
  const taken = new Set<string>();
  const renewed = (body: Json, members?: readonly string[]) => {
    const made = tameBody(contract, pointers, body, members);
    return fresh ? (freshBody(contract, pointers, made, { taken }) as Json) : made;
  };
  const names = [...others.keys()];
  return {
    full: () => renewed(full),
    bare: () => renewed(bare),
    several: (count: number) =>
      Array.from({ length: count }, (_, index) => {
        const name = names[index % Math.max(1, names.length)];
        return renewed(
          name === undefined || index === 0 ? full : { ...full, [name]: others.get(name) },
        );
      }),
    any: ({ hints }: Implementation) => valid(hints).map((body) => renewed(body as Json)),
    other: (name: string) => {
      if (!others.has(name)) {
        return undefined;
      }
      const other = others.get(name);
      const made = renewed({ ...full, [name]: other }, [name])[name];
      // The example of a text with a syntax takes the place of every other one.
      const isAsBefore = stringifyJson(made) === stringifyJson(full[name]);
      return isAsBefore ? other : made;
    },
  };
}

/** The largest of the bodies, with what others have beside. */
function fullOf(
  bodies: readonly Json[],
  names: readonly string[],
  isValid: (body: Json) => boolean,
): Json {
  const largest = bodies.reduce((most, one) => {
    return Object.keys(one).length > Object.keys(most).length ? one : most;
  });
  const full = { ...largest };
  for (const name of names.filter((one) => !Object.hasOwn(full, one))) {
    const larger = bodies.find(
      (one) => Object.hasOwn(one, name) && isValid({ ...full, [name]: one[name] }),
    );
    if (larger) {
      setMember(full, name, larger[name]);
    }
  }
  return full;
}

/** The body without what it can be without. */
function bareOf(full: Json, isValid: (body: Json) => boolean): Json {
  let bare = full;
  for (const name of Object.keys(full)) {
    const { [name]: _, ...rest } = bare;
    if (isValid(rest)) {
      bare = rest;
    }
  }
  return bare;
}

/** A default shows only beside something else: a full body has the other value. */
function exchangeDefaults(
  full: Json,
  others: Map<string, unknown>,
  properties: ReadonlyMap<string, Shape>,
): void {
  for (const [name, shape] of properties) {
    const stated = defaultOf(shape);
    if (others.has(name) && stringifyJson(stated) === stringifyJson(memberOf(full, name))) {
      setMember(full, name, others.get(name));
      others.set(name, stated);
    }
  }
}

/**
 * Another value of each member of a full body that is valid in these bodies, alone and with all
 * others.
 */
function othersOf(
  contract: Contract,
  pointers: Pointers,
  samples: readonly Json[],
  bodies: readonly [Json, Json],
) {
  const isValid = (body: Json) => satisfies(contract, pointers, body);
  const { properties } = shapeOf(contract, ...pointers);
  const others = new Map<string, unknown>();
  for (const [name, given] of Object.entries(bodies[0])) {
    const candidates = samples
      .map((one) => memberOf(one, name))
      .filter((value) => value !== undefined && value !== null);
    const fits = (value: unknown) =>
      stringifyJson(value) !== stringifyJson(given) &&
      [{}, Object.fromEntries(others)].every((more) =>
        bodies.every((body) => isValid({ ...body, ...more, [name]: value })),
      );
    const shape = properties.get(name);
    const tamed = candidates.flatMap((value) => [tame(shape, value), tame(shape, value, 'words')]);
    const later = typeof given === 'string' ? aDayLater(shape, given) : undefined;
    if (later !== undefined) {
      tamed.unshift(later);
    }
    const found = tamed.find(fits);
    if (found !== undefined) {
      others.set(name, found);
    }
  }
  return others;
}

const SAMPLES = 60;

/** @param contract as requests see it */
export function valuesFor(
  contract: Contract,
  bodies: Bodies,
  { members: shown, sentAs, update }: ValueSource,
): ResourceValues {
  const schema = update?.requestBody?.pointer;
  const whole = update?.method === 'PUT' ? bodies.full() : {};
  const shapes = shapesOfChange(contract, sentAs, schema);
  const isSettable = (name: string) =>
    schema === undefined ||
    (shapes.some(({ properties }) => properties.has(name)) &&
      schemasOf(contract).isValid(schema, { ...whole, [name]: bodies.other(name) }));
  const members = shown.filter((name) => bodies.other(name) !== undefined && isSettable(name));
  const good = () => Object.fromEntries(members.map((name) => [name, bodies.other(name)]));
  const isWrong = (bad: Json) =>
    !schemasOf(contract).isValid(schema!, { ...whole, ...good(), ...bad });
  const canBreak = schema !== undefined && !isWrong({});
  const wrong = canBreak
    ? members.map((name) => WRONG.map((value) => ({ [name]: value })).find(isWrong))
    : [];
  return {
    bodies: bodies.any,
    full: bodies.full,
    bare: bodies.bare,
    other: bodies.other,
    members,
    patches: () => {
      if (members.length === 0) {
        throw new Unsupported('no member of a body was found to have another value');
      }
      return fc.constantFrom(...members).map((name) => ({ [name]: bodies.other(name) }));
    },
    defaults: () => [bodies.bare()],
    good,
    invalid: { create: [], update: wrong.filter((one) => one !== undefined) },
  };
}

/** The schemas by which the values of a resource are sent. */
interface ValueSource {
  /** The members that are both sent and shown. */
  members: readonly string[];
  sentAs: Pointers;
  /** The call that changes an item. */
  update: Operation | undefined;
}

/** The shapes that the body of a change may have. @param schema undefined: there is no change */
function shapesOfChange(contract: Contract, sentAs: Pointers, schema: string | undefined): Shape[] {
  if (schema === undefined) {
    return [];
  }
  if (schema === sentAs[0]) {
    return [shapeOf(contract, ...sentAs)];
  }
  return branchesOf(contract, schema);
}

/** Values of one member that break the contract, whatever the other members are. */
const WRONG = [null, {}, [], true, 1.5, -1_000_000_007, '', ' '];
