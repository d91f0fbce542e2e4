/** The law of items in a list: each of them can be read. */
import { expectThat } from '../http/nonconformity.ts';
import { type Law, once } from './law.ts';
import { operationIdOf, type Place } from './resource.ts';
import type { Steps } from './steps.ts';

/** Items in lists, whoever made them. */
export const listedItemLaws = {
  listedRead: {
    needs: ['create', 'read', 'list'],
    sentence: ({ many }) => `Each of the ${many} that the list shows can be read.`,
    properties: once('the first items, and the last ones', tryListedRead),
  },
} satisfies Record<string, Law>;

/** A list may have thousands of items: so many at each of its ends are read. */
const READ_AT_END = 10;

const ABSENT: readonly number[] = [404, 410];

/** How often an item must be listed and absent: others may remove it in between, but only once. */
const LOOKS = 3;

/** The items of the case show that the list and the read name items alike. */
async function tryListedRead(steps: Steps): Promise<void> {
  const { place, items } = await steps.createSome({ items: 2 });
  for (const item of items) {
    await steps.read(item);
  }
  const { ids } = await steps.list(place, items);
  steps.expectListed({ ids }, items);
  const chosen = new Set([...ids.slice(0, READ_AT_END), ...ids.slice(-READ_AT_END)]);
  const absent = await absentOf(steps, place, [...chosen]);
  const got = await stillAbsent(steps, place, absent);
  const details = { expected: 'items that can be read', got };
  expectThat(got.length === 0, 'The list has an item that cannot be read.', details);
}

/** The ids that are listed and absent in all further looks. */
async function stillAbsent(steps: Steps, place: Place, ids: readonly string[]): Promise<string[]> {
  let left = [...ids];
  for (let look = 1; look < LOOKS && left.length > 0; look++) {
    const { ids: listed } = await steps.list(place);
    left = await absentOf(
      steps,
      place,
      left.filter((id) => listed.includes(id)),
    );
  }
  return left;
}

async function absentOf(
  { session, resource }: Steps,
  place: Place,
  ids: readonly string[],
): Promise<string[]> {
  const absent: string[] = [];
  for (const id of ids) {
    const path = { ...place.path, [resource.id.parameter]: id };
    const { status } = await session.call(operationIdOf(resource, 'read'), { path });
    if (ABSENT.includes(status)) {
      absent.push(id);
    }
  }
  return absent;
}
