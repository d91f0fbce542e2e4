/**
 * The law of changes at once, on any contract: a PATCH changes what it has (RFC 5789, 2), so that
 * two of different members do not undo each other. A refusal of one of them is right.
 */
import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../contract/by-name.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { forEach, type Law } from './law.ts';
import { ROUNDS } from './races.ts';
import { changeBodyFor, type Item, type Json, pick } from './resource.ts';
import type { Steps } from './steps.ts';

export const membersAtOnceLaws = {
  membersAtOnce: {
    needs: ['create', 'read', 'update'],
    applies: ({ update }) => update?.method === 'PATCH',
    sentence: ({ one }) =>
      `Changes of different members of ${one} at once are all there afterwards, ` +
      'except those that are refused.',
    properties: forEach('one member each', ROUNDS, (_, steps: Steps) => tryMembers(steps)),
  },
} satisfies Record<string, Law>;

/** The most members that are changed at once. */
const MOST = 4;

/** How long it is waited for a change to be seen, from one look to the next. */
const LOOKS_MS = [50, 200, 800];

async function tryMembers(steps: Steps): Promise<void> {
  const { session, resource } = steps;
  const names = await membersThatChange(steps);
  if (names.length < 2) {
    throw new NotPossible('there are no two members that a change shows');
  }
  const item = await steps.createOne(steps.full());
  const calls = names.map((name) => {
    const json = changeBodyFor(resource, item, steps.otherOf(item.place, [name]));
    return () => session.call(resource.calls.update, { path: item.path, json });
  });
  const responses = await session.together(() => calls.map((call) => call()));
  const done = names.filter((_, index) => (responses[index]?.status ?? 0) < 300);
  if (done.length < 2) {
    throw new NotPossible('changes at once are refused');
  }
  const shown = await readChanged(steps, item, done);
  const lost = unchangedIn(item.shown, shown, done);
  expectThat(lost.length === 0, `A change at the same time was lost (at /${lost[0]}).`, {
    expected: `other values of ${done.join(', ')}`,
    got: pick(shown, done),
  });
}

/** The members of which each shows its change, if the changes come one after the other. */
async function membersThatChange(steps: Steps): Promise<string[]> {
  const names = steps.resource.values.members.slice(0, MOST);
  const item = await steps.createOne(steps.full());
  for (const name of names) {
    await steps.update(item, steps.otherOf(item.place, [name]));
  }
  const shown = await steps.read(item);
  const unchanged = unchangedIn(item.shown, shown, names);
  return names.filter((name) => !unchanged.includes(name));
}

/** The item as soon as a read shows all changes; a read may be late. */
async function readChanged(steps: Steps, item: Item, names: readonly string[]): Promise<Json> {
  let shown = await steps.read(item);
  for (const ms of LOOKS_MS) {
    if (unchangedIn(item.shown, shown, names).length === 0) {
      return shown;
    }
    await steps.pause(ms);
    shown = await steps.read(item);
  }
  return shown;
}

function unchangedIn(before: Json, after: Json, names: readonly string[]): string[] {
  return names.filter((name) => isDeepStrictEqual(memberOf(before, name), memberOf(after, name)));
}
