/** The law of places: each has its own items. */
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { type Law, once } from './law.ts';
import { changeBodyFor, type Facts, factsOf, type Item, upper } from './resource.ts';
import type { Steps } from './steps.ts';

/** Places that have items of their own. */
export const placeLaws = {
  elsewhere: {
    needs: ['create', 'read'],
    applies(facts) {
      const { collection, read, listForm } = facts;
      const saysSo = isPlaceNamed(facts) ? '404' in read.responses : typeof listForm !== 'string';
      return collection.includes('{') && saysSo;
    },
    sentence: ({ one }) =>
      `${upper(one)} is in one place: not found in another one, nor listed there.`,
    properties: (resource) => once('two places', tryElsewhere(isPlaceNamed(factsOf(resource)))),
  },
} satisfies Record<string, Law>;

/** Whether the path of an item names its place, which one such as `/tasks/{id}` does not. */
const isPlaceNamed = ({ read, id }: Facts): boolean =>
  read.parameters.some((one) => one.in === 'path' && one.name !== id.parameter);

/**
 * An item of one place is not in another one: it is neither read nor listed there.
 * @param isNamed by the path of an item
 */
const tryElsewhere = (isNamed: boolean) => async (steps: Steps) => {
  const [item, other] = await steps.createApart();
  if (steps.idOf(item) === steps.idOf(other)) {
    throw new NotPossible('ids are those of each place alone');
  }
  if (isNamed) {
    await expectNotElsewhere(steps, item, { ...item.path, ...other.place.path });
  }
  if (steps.resource.calls.list === undefined) {
    return;
  }
  steps.expectNotListed(
    await steps.list(other.place, [other]),
    [item],
    'The list has one of another place.',
  );
};

/**
 * The item is not found at the path of another place: neither before it is read in its own one, nor
 * after that, when a cache may have it, nor after a change.
 */
async function expectNotElsewhere(steps: Steps, item: Item, path: Item['path']): Promise<void> {
  const { session, resource } = steps;
  const { read, update } = resource.calls;
  const what = 'It is found in another place, too.';
  await expectNotFound(steps, path, what);
  await session.call(read, { path: item.path });
  await expectNotFound(steps, path, what);
  if (update === '' || resource.values.members.length === 0) {
    return;
  }
  const json = changeBodyFor(resource, item, steps.otherOf(item.place));
  await session.call(update, { path: item.path, json });
  await session.call(read, { path: item.path });
  await expectNotFound(steps, path, what);
}

export async function expectNotFound(
  { session, resource }: Steps,
  path: Item['path'],
  what: string,
): Promise<void> {
  const { status } = await session.call(resource.calls.read, { path });
  expectThat(status >= 400, what, { expected: 'a refusal', got: status });
}
