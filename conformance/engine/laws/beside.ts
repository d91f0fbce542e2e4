/**
 * What stands beside other members of a change: valid members beside an error, and null beside
 * values.
 */
import { forEach, type Law } from './law.ts';
import { changeBodyFor, type Json, type Resource } from './resource.ts';
import type { Steps } from './steps.ts';

const KEPT = 'A refused change kept a part of what was sent';
const VALID = 'The same change without its error.';
const BROKEN = 'One member breaks the contract.';

export const besideLaws = {
  refusedBeside: {
    sentence: ({ one }) =>
      `A change of ${one} with an error in one member gives none of the others a value, and ` +
      'resets none of them.',
    properties: ({ values }) =>
      forEach('one error beside all other members', values.invalid.update, tryBesideError),
  },
  updateMixed: {
    sentence: ({ one }) =>
      `A change of ${one} that gives some members values and resets others does both, and ` +
      'nothing else.',
    properties: (resource) => [
      forEach('one is reset, and the next one set', mixtures(resource), tryMixture),
      forEach('a half is reset, and the rest set', halvesOf(nullableOf(resource)), tryHalf),
    ],
  },
} satisfies Record<string, Law>;

/** The members that null resets, of those that can be changed. */
function nullableOf({ values: { members, nullable = [] } }: Resource): string[] {
  return members.filter((member) => nullable.includes(member));
}

function nulls(members: readonly string[]): Json {
  return Object.fromEntries(members.map((member) => [member, null]));
}

/**
 * An item with all members, a change of all others beside the error, and one that resets them, as
 * far as null does. A service may take members one after the other: the error comes last, and
 * first.
 */
async function tryBesideError(bad: Json, steps: Steps): Promise<void> {
  const { resource } = steps;
  const place = await steps.place({ items: 2 });
  const item = await steps.create(place, { ...steps.full(), ...steps.bodyIn(place, {}) });
  const isOther = (member: string) => !Object.hasOwn(bad, member);
  const given = steps.otherOf(place, resource.values.members.filter(isOther));
  const reset = nulls(nullableOf(resource).filter(isOther));
  const others = Object.keys(reset).length > 0 ? reset : given;
  for (const patch of [
    { ...given, ...bad },
    { ...bad, ...others },
  ]) {
    const json = changeBodyFor(resource, item, patch);
    const { invalid: statuses = [400] } = resource;
    await steps.refuse('update', { path: item.path, json }, { statuses, why: BROKEN });
  }
  await steps.expectItems(place, [item], KEPT);
  await steps.expectRead(item, KEPT);
  if (!steps.allows('update', changeBodyFor(resource, item, given))) {
    return;
  }
  const changed = await steps.update(item, given, VALID);
  const due = resource.changed(item.shown, given);
  steps.expectShown('A change after a refusal has another effect', changed.shown, due);
}

/** A member that is reset, and one that gets a value. */
interface Mixture {
  reset: string;
  set: string;
}

function mixtures(resource: Resource): Mixture[] {
  const { members } = resource.values;
  return nullableOf(resource).flatMap((reset) => {
    const next = members[(members.indexOf(reset) + 1) % members.length];
    if (next === undefined || next === reset) {
      return [];
    }
    return [{ reset, set: next }];
  });
}

function tryMixture({ reset, set }: Mixture, steps: Steps): Promise<void> {
  return steps.tryChange(steps.full(), ({ place }) => {
    return { [reset]: null, ...steps.otherOf(place, [set]) };
  });
}

/**
 * Halves of the members by which each one is reset beside each other one that is set: by each digit
 * of its index in binary.
 */
function halvesOf(members: readonly string[]): string[][] {
  const halves: string[][] = [];
  for (let digit = 1; digit < members.length; digit *= 2) {
    for (const half of [0, digit]) {
      halves.push(members.filter((_, index) => (index & digit) === half));
    }
  }
  return halves;
}

function tryHalf(reset: readonly string[], steps: Steps): Promise<void> {
  const set = steps.resource.values.members.filter((member) => !reset.includes(member));
  return steps.tryChange(steps.full(), ({ place }) => {
    return { ...steps.otherOf(place, set), ...nulls(reset) };
  });
}
