/** What is sent to make and change items of a resource that only its contract describes. */
import * as fc from 'fast-check';
import type { Contract } from '../../contract/load.ts';
import { schemasOf } from '../../contract/schemas.ts';
import { defaultOf, shapeOf } from '../../contract/shape.ts';
import type { Implementation } from '../../http/implementation.ts';
import { Unsupported } from '../../contract/keywords.ts';
import { validValues } from '../../generate/valid.ts';
import type { Json, Values } from '../resource.ts';
import { isFree, tame, tameBody } from './tame.ts';

export interface Bodies {
  /** As many members as can be together, and as few; what `bare` has, `full` has. */
  full(): Json;
  bare(): Json;
  /** Full ones that differ in more than their words. */
  several(count: number): Json[];
  any(implementation: Implementation): fc.Arbitrary<Json>;
  /** Another value of a member, which full and bare bodies may have; undefined where none was found. */
  other(member: string): unknown;
}

const SAMPLES = 60;

/** @param contract as requests see it. @throws Unsupported, GaveUp */
export function bodiesOf(contract: Contract, pointer: string): Bodies | undefined {
  const isValid = (body: Json) => schemasOf(contract).isValid(pointer, body);
  const { properties, types } = shapeOf(contract, pointer);
  if (types.size !== 1 || !types.has('object')) return undefined;
  const samples = fc.sample(validValues(contract, pointer), { numRuns: SAMPLES, seed: 1 }) as Json[];
  const tamed = samples.map((sample) => tameBody(contract, pointer, sample));

  const full = { ...tamed.reduce((most, one) => (Object.keys(one).length > Object.keys(most).length ? one : most)) };
  for (const name of properties.keys()) {
    if (Object.hasOwn(full, name)) continue;
    const larger = tamed.find((one) => Object.hasOwn(one, name) && isValid({ ...full, [name]: one[name] }));
    if (larger) full[name] = larger[name];
  }
  let bare: Json = full;
  for (const name of Object.keys(full)) {
    const { [name]: _, ...rest } = bare;
    if (isValid(rest)) bare = rest;
  }

  // Each alone, and all together.
  const others = new Map<string, unknown>();
  for (const name of Object.keys(full)) {
    const shape = properties.get(name);
    const candidates = [...samples.map((one) => one[name]), ...tamed.map((one) => one[name])].filter(
      (value) => value !== undefined && value !== null,
    );
    const found = candidates
      .map((value) => tame(shape, value))
      .find(
        (value) =>
          JSON.stringify(value) !== JSON.stringify(full[name]) &&
          [full, bare].every(
            (body) =>
              isValid({ ...body, [name]: value }) && isValid({ ...body, ...Object.fromEntries(others), [name]: value }),
          ),
      );
    if (found !== undefined) others.set(name, found);
  }
  // A default shows only beside something else.
  for (const [name, shape] of properties) {
    const stated = defaultOf(shape);
    if (!others.has(name) || JSON.stringify(stated) !== JSON.stringify(full[name])) continue;
    full[name] = others.get(name);
    others.set(name, stated);
  }
  const fresh = (body: Json) => tameBody(contract, pointer, body);
  const names = [...others.keys()];
  return {
    full: () => fresh(full),
    bare: () => fresh(bare),
    several: (count) =>
      Array.from({ length: count }, (_, index) => {
        const name = names[index % Math.max(1, names.length)];
        return fresh(name === undefined || index === 0 ? full : { ...full, [name]: others.get(name) });
      }),
    any: ({ hints }) => validValues(contract, pointer, hints).map((body) => fresh(body as Json)),
    other: (name) => (others.has(name) ? tame(properties.get(name), others.get(name)) : undefined),
  };
}

/** Values of one member that break the contract, whatever stands beside it. */
const WRONG = [null, {}, [], true, 1.5, -1_000_000_007, '', ' '];

/** How an item is changed: the schema of the body, and what stands in it beside the members that change. */
export interface Change {
  schema: string;
  whole: Json;
}

/** @param members those that a change can set */
export function valuesFor(bodies: Bodies, members: readonly string[], contract: Contract, change?: Change): Values {
  const good = () => Object.fromEntries(members.map((name) => [name, bodies.other(name)]));
  const isWrong = (bad: Json) => !schemasOf(contract).isValid(change!.schema, { ...change!.whole, ...good(), ...bad });
  const canBreak = change !== undefined && !isWrong({});
  const wrong = canBreak ? members.map((name) => WRONG.map((value) => ({ [name]: value })).find(isWrong)) : [];
  return {
    bodies: bodies.any,
    full: bodies.full,
    bare: bodies.bare,
    members,
    other: bodies.other,
    patches: () => {
      if (members.length === 0) throw new Unsupported('no member of a body was found to have another value');
      return fc.constantFrom(...members).map((name) => ({ [name]: bodies.other(name) }));
    },
    defaults: () => [bodies.bare()],
    good,
    removable: removableOf(bodies, contract, change?.schema),
    invalid: { create: [], update: wrong.filter((one) => one !== undefined) },
  };
}

function removableOf(bodies: Bodies, contract: Contract, change: string | undefined): string[] {
  if (change === undefined) return [];
  const [full, bare] = [bodies.full(), bodies.bare()];
  const { properties } = shapeOf(contract, change);
  return Object.keys(full).filter((name) => {
    const shape = properties.get(name);
    // A short one may come again by chance.
    return !(name in bare) && shape !== undefined && isFree(shape) && String(full[name]).length >= 8;
  });
}
