/**
 * The ways in which a member of an item can come to have a value: by creation, by changes, or by
 * both.
 */
import { bodyOf, type Item, type Json, type Resource } from './resource.ts';
import type { Steps } from './steps.ts';
import { freeMembers } from './unique.ts';

/** A value of a member: that of an item with all members, a different one, null, or no value. */
type StepOfWay = 'full' | 'other' | 'null' | 'omitted';

/** The values of a member one after the other: the first by creation, and the others by changes. */
export interface Way {
  member: string;
  way: readonly StepOfWay[];
}

const WAYS: readonly Way['way'][] = [
  ['full'],
  ['omitted', 'full'],
  ['other', 'full'],
  ['full', 'null'],
  ['full', 'null', 'full'],
];

/** All ways of each member that may have the same value in two items. */
export function waysOf(resource: Resource): Way[] {
  const { nullable = [] } = resource.values;
  const ways: Way[] = [];
  for (const member of freeMembers(resource)) {
    for (const way of WAYS) {
      if (!way.includes('null') || nullable.includes(member)) {
        ways.push({ member, way });
      }
    }
  }
  return ways;
}

/** The item takes the next change. New items take the value that it has, had, and will have. */
export async function tryWay({ member, way }: Way, steps: Steps): Promise<void> {
  const { resource } = steps;
  const place = await steps.place({ items: 3 });
  const { [member]: value, ...rest } = { ...steps.full(), ...bodyOf(place) };
  const other = steps.otherOf(place, [member]);
  const full = { [member]: value };
  const changes: Record<StepOfWay, Json> = {
    full,
    other,
    null: { [member]: null },
    omitted: {},
  };
  const [first, ...later] = way.map((step) => changes[step]);
  const created = { ...rest, ...first };
  let item = await steps.create(place, created);
  let due = resource.shown(created);
  const words = way.join(', ');
  for (const change of later) {
    item = await steps.update(item, change);
    due = resource.changed(due, change);
    steps.expectShown(`The item does not show the change (${words})`, item.shown, due);
  }
  const beside: Item[] = [];
  for (const [index, more] of [other, full].entries()) {
    const body = { ...rest, ...bodyOf(place, index + 1), ...more };
    const another = await steps.create(place, body);
    const what = `A new item is not what was sent (${words})`;
    steps.expectShown(what, another.shown, resource.shown(body));
    beside.push(another);
  }
  item = await steps.update(item, other);
  due = resource.changed(due, other);
  steps.expectShown('The item does not show the change', item.shown, due);
  await steps.expectItems(place, [item, ...beside], 'An item is not what was sent');
}
