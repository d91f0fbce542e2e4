/** The law of members that say when an item was last changed, such as `updated_at`. */
import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../contract/by-name.ts';
import { type Shape, texts } from '../contract/shape.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { type Law, once } from './law.ts';
import { type Facts, factsOf } from './resource.ts';
import type { Steps } from './steps.ts';

export const changedTimeLaws = {
  changedTimes: {
    applies: (facts) => changedTimesOf(facts).length > 0,
    sentence(resource) {
      const names = changedTimesOf(factsOf(resource)).map((name) => `\`${name}\``);
      return `A change of ${resource.one} moves ${names.join(' and ')} forward.`;
    },
    properties: once('a change after more than a second', tryChangedTimes),
  },
} satisfies Record<string, Law>;

const TIME_OF_CHANGE = /^(date_?)?(last_?)?(updated|modified|changed|edited)(_?(at|on|time))?$/i;

/** As in "When the status changed last", which other changes do not move. */
const IS_OF_SOME_CHANGES = new RegExp(
  '\\b(status|state|stage|phase|owner|password|synced|published|only|none|never|if|unless)\\b',
  'i',
);

/** The members of a shown item that say when it was changed, and that no request sends. */
function changedTimesOf({ shown, sent }: Facts): string[] {
  const [properties, ...others] = shown.map((shape) => shape.properties);
  const all = [...(properties ?? [])].filter(([name, shape]) => isTimeOfChange(name, shape));
  const names = all.map(([name]) => name).filter((name) => !sent.properties.has(name));
  return names.filter((name) => others.every((other) => other.has(name)));
}

function isTimeOfChange(name: string, shape: Shape): boolean {
  const isTime = texts(shape, 'format').every((format) => format === 'date-time');
  const isOfSome = texts(shape, 'description').some((text) => IS_OF_SOME_CHANGES.test(text));
  return isTime && shape.types.has('string') && TIME_OF_CHANGE.test(name) && !isOfSome;
}

/** An item that was never changed may have no time of its last change. */
async function tryChangedTimes(steps: Steps): Promise<void> {
  const item = await steps.createOne(steps.full(), { items: 2 });
  const before = await steps.readWhole(item);
  // Times may have whole seconds.
  await steps.moreThanASecond();
  await steps.update(item, steps.otherOf(item.place));
  const after = await steps.readWhole(item);
  const { members } = factsOf(steps.resource);
  const isChanged = members.some((name) => {
    return !isDeepStrictEqual(memberOf(before, name), memberOf(after, name));
  });
  if (!isChanged) {
    throw new NotPossible('no change is known that a read shows');
  }
  for (const name of changedTimesOf(factsOf(steps.resource))) {
    expectLater(name, memberOf(before, name), memberOf(after, name));
  }
}

const MINUTE_MS = 60_000;

function expectLater(name: string, before: unknown, after: unknown): void {
  const [first, last] = [before, after].map((time) => Date.parse(String(time)));
  const isUnset = Number.isNaN(first);
  const isLater = isUnset ? !Number.isNaN(last) : last! > first!;
  // A time may have whole minutes.
  const isRounded = first! % MINUTE_MS === 0 && last === first;
  const expected = isUnset ? 'the time of the change' : `later than ${String(before)}`;
  const what = `\`${name}\` does not show that the item was changed.`;
  expectThat(isLater || isRounded, what, { expected, got: after });
}
