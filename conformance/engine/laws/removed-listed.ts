/**
 * The law of lists with a switch for items that were removed, such as `include_deleted`, or
 * `show_deleted` of Google's AIP-164.
 */
import type { Parameter } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import { asksForArchived, asksForRemoved } from '../contract/undoing.ts';
import { wordsAt } from '../contract/words.ts';
import { expectThat } from '../http/nonconformity.ts';
import { forEach, type Law } from './law.ts';
import { type Facts, factsOf } from './resource.ts';
import type { Steps } from './steps.ts';

export const removedListedLaws = {
  removedListed: {
    needs: ['create', 'delete', 'list'],
    applies: (facts) => switchesOf(facts).length > 0,
    sentence: (resource) => {
      const names = switchesOf(factsOf(resource)).map(({ name }) => `\`${name}\``);
      const isAsked = `${names.join(' or ')} is true`;
      return `A list shows ${resource.one} that was removed if ${isAsked}, and only then.`;
    },
    properties: (resource) =>
      forEach('a removed item', switchesOf(factsOf(resource)), tryRemovedListed),
  },
} satisfies Record<string, Law>;

/** As in "Permanently deletes the car." */
const FOR_EVER = /\b(permanent|purge|hard|irrevers|cannot be undone|eras|for ?ever|complete)/i;

/** As in "Administrators only" and "Those of the last 30 days". */
const OF_SOME = /\b(admin|only|permission|scope|ignored|within|days?|last|may|if)\b/i;

/** As in "Archives the car." */
const ARCHIVES = /^(soft-?)?archives?\b/im;

/** The parameters of the list that ask for removed items, too. */
function switchesOf({ contract, list, removal }: Facts): Parameter[] {
  if (list === undefined || removal === undefined) {
    return [];
  }
  const words = wordsAt(contract, removal.pointer);
  if (FOR_EVER.test(words)) {
    return [];
  }
  // What is archived may have been removed by another operation than DELETE.
  const archives = ARCHIVES.test(words);
  return list.parameters.filter((one) => {
    const isSwitch = shapeOf(contract, one.schema).types.has('boolean');
    const isOfRemoved = asksForRemoved(one) || (archives && asksForArchived(one));
    const isPlain = !OF_SOME.test(wordsAt(contract, one.pointer));
    return one.in === 'query' && isSwitch && isPlain && isOfRemoved;
  });
}

async function tryRemovedListed({ name }: Parameter, steps: Steps): Promise<void> {
  const item = await steps.createOne();
  await steps.remove(item);
  const whole = await steps.list(item.place, [item], { query: { [name]: 'true' } });
  const isListed = whole.ids.includes(steps.idOf(item));
  expectThat(isListed, `A removed item is not listed with \`${name}\`.`, {
    expected: steps.idOf(item),
    got: whole.ids,
  });
  const others = await steps.list(item.place, [], { query: { [name]: 'false' } });
  steps.expectNotListed(others, [item], `A removed item is listed with \`${name}=false\`.`);
}
