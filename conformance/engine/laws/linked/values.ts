/** Values to make and change items of a resource that only its contract describes. */
import { stringifyJson } from '../../contract/json-numbers.ts';
import * as fc from 'fast-check';
import type { Contract } from '../../contract/load.ts';
import type { Operation } from '../../contract/operations.ts';
import { satisfies, schemasOf } from '../../contract/schemas.ts';
import {
  defaultOf,
  isPatterned,
  type Shape,
  shapeOf,
  strictest,
  texts,
} from '../../contract/shape.ts';
import { isMarked } from '../../contract/variants.ts';
import { Unsupported } from '../../contract/keywords.ts';
import { branchesOf } from '../../contract/inferred.ts';
import type { Hints } from '../../contract/hints.ts';
import { accepted } from '../../generate/filter.ts';
import { freshBody, letters } from '../../generate/fresh.ts';
import { validValues } from '../../generate/valid.ts';
import type { Implementation } from '../../http/implementation.ts';
import type { Json, ResourceValues } from '../resource.ts';

export type Bodies = NonNullable<ReturnType<typeof bodiesOf>>;

const SAMPLES = 60;

/** The schema of a body, and that of its kind if there are several: it satisfies both. */
type Pointers = readonly string[];

/**
 * @param contract as requests see it.
 * @param fresh whether texts must be new.
 * @throws Unsupported, GaveUp
 */
export function bodiesOf(contract: Contract, pointers: Pointers, fresh = false) {
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

  const full = {
    ...tamed.reduce((most, one) =>
      Object.keys(one).length > Object.keys(most).length ? one : most,
    ),
  };
  for (const name of properties.keys()) {
    if (Object.hasOwn(full, name)) {
      continue;
    }
    const larger = tamed.find(
      (one) => Object.hasOwn(one, name) && isValid({ ...full, [name]: one[name] }),
    );
    if (larger) {
      full[name] = larger[name];
    }
  }
  let bare: Json = full;
  for (const name of Object.keys(full)) {
    const { [name]: _, ...rest } = bare;
    if (isValid(rest)) {
      bare = rest;
    }
  }

  const others = othersOf(contract, pointers, [...samples, ...tamed], [full, bare]);
  // A default shows only beside something else.
  for (const [name, shape] of properties) {
    const stated = defaultOf(shape);
    if (!others.has(name) || stringifyJson(stated) !== stringifyJson(full[name])) {
      continue;
    }
    full[name] = others.get(name);
    others.set(name, stated);
  }
  const renewed = (body: Json) => {
    const made = tameBody(contract, pointers, body);
    return fresh ? (freshBody(contract, pointers, made) as Json) : made;
  };
  const names = [...others.keys()];
  return {
    /** As many members as can be together, and as few; `full` has all members of `bare`. */
    full: () => renewed(full),
    bare: () => renewed(bare),
    /** Full ones that differ in more than their words. */
    several: (count: number) =>
      Array.from({ length: count }, (_, index) => {
        const name = names[index % Math.max(1, names.length)];
        return renewed(
          name === undefined || index === 0 ? full : { ...full, [name]: others.get(name) },
        );
      }),
    any: ({ hints }: Implementation) => valid(hints).map((body) => renewed(body as Json)),
    /**
     * Another value of a member, which full and bare bodies may have; undefined if none was found.
     */
    other: (name: string) => {
      if (others.has(name)) {
        return renewed({ ...full, [name]: others.get(name) })[name];
      }
      return undefined;
    },
  };
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
      .map((one) => one[name])
      .filter((value) => value !== undefined && value !== null);
    const fits = (value: unknown) =>
      stringifyJson(value) !== stringifyJson(given) &&
      [{}, Object.fromEntries(others)].every((more) =>
        bodies.every((body) => isValid({ ...body, ...more, [name]: value })),
      );
    const found = candidates.map((value) => tame(properties.get(name), value)).find(fits);
    if (found !== undefined) {
      others.set(name, found);
    }
  }
  return others;
}

/** Values of one member that break the contract, whatever the other members are. */
const WRONG = [null, {}, [], true, 1.5, -1_000_000_007, '', ' '];

/** The schemas by which the values of a resource are sent. */
interface ValueSource {
  /** The members that are both sent and shown. */
  members: readonly string[];
  sentAs: Pointers;
  /** The call that changes an item. */
  update: Operation | undefined;
}

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

/** The shapes that the body of a change may have. @param schema undefined: there is no change */
function shapesOfChange(contract: Contract, sentAs: Pointers, schema: string | undefined): Shape[] {
  if (schema === undefined) {
    return [];
  }
  return schema === sentAs[0] ? [shapeOf(contract, ...sentAs)] : branchesOf(contract, schema);
}

// Values that every service keeps as they are. A contract does not promise that a text keeps its
// spaces or its case, that a set keeps its order, or that a number keeps its last digit: the values
// that laws compare are free of that.

/** Formats that say how large a number is; others have several spellings of one value. */
const EXACT_FORMATS = ['int32', 'int64', 'float', 'double', 'uuid', 'date', 'email'];

const LARGEST = 1_000_000;
const LENGTH = 12;

/**
 * Whether a value has one spelling, in all its depth, and is shown as it is sent.
 * @param seen shapes that are checked already: one that many others have is checked once
 */
export function isExact(contract: Contract, shape: Shape, seen = new Set<Shape>()): boolean {
  if (seen.has(shape)) {
    return true;
  }
  seen.add(shape);
  const branches = shape.alternatives.flat().map((pointer) => shapeOf(contract, pointer));
  const inside = [...shape.properties.values(), ...branches, shape.items, shape.additional].filter(
    (one) => one !== undefined,
  );
  return (
    !isMarked(shape, 'readOnly') &&
    !isMarked(shape, 'writeOnly') &&
    texts(shape, 'format').every((format) => EXACT_FORMATS.includes(format)) &&
    inside.every((one) => isExact(contract, one, seen))
  );
}

/**
 * A body as valid as this one, with new words in place of free texts, and without null if it can be
 * omitted.
 */
function tameBody(contract: Contract, pointers: Pointers, body: Json): Json {
  const { properties } = shapeOf(contract, ...pointers);
  let tamed = body;
  for (const name of Object.keys(body)) {
    const { [name]: value, ...rest } = tamed;
    const better = value === null ? rest : { ...tamed, [name]: tame(properties.get(name), value) };
    if (satisfies(contract, pointers, better)) {
      tamed = better;
    }
  }
  return tamed;
}

function tame(shape: Shape | undefined, value: unknown): unknown {
  if (shape === undefined || shape.choices !== undefined || shape.alternatives.length > 0) {
    return value;
  }
  if (typeof value === 'string') {
    return isFree(shape) ? wordFor(shape) : value;
  }
  if (typeof value === 'number') {
    return Math.round(Math.min(Math.max(value, -LARGEST), LARGEST));
  }
  if (Array.isArray(value)) {
    const isSet = shape.parts.some(({ schema }) => schema['uniqueItems'] === true);
    const items = isSet
      ? value.slice(0, Math.max(1, strictest(shape, 'minItems') ?? 0))
      : (value as unknown[]);
    return items.map((item) => tame(shape.items, item));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const shapeOfMember = (name: string) => shape.properties.get(name) ?? shape.additional;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, tame(shapeOfMember(name), one)]),
  );
}

/** A text that may be any. */
export function isFree(shape: Shape): boolean {
  return (
    shape.choices === undefined &&
    shape.alternatives.length === 0 &&
    [...shape.types].every((type) => type === 'string' || type === 'null') &&
    !isPatterned(shape) &&
    texts(shape, 'format').length === 0
  );
}

/**
 * A different one each time, if it may be long: the contract need not ask that items differ in it,
 * but some services do.
 */
function wordFor(shape: Shape): string {
  const most = Math.min(
    LENGTH,
    strictest(shape, 'maxLength') ?? LENGTH,
    strictest(shape, 'x-max-bytes') ?? LENGTH,
  );
  return letters(Math.max(most, strictest(shape, 'minLength') ?? 0));
}
