/** The law of lists in the order of a member. */
import { memberOf } from '../contract/by-name.ts';
import { isDeepStrictEqual } from 'node:util';
import { defaultOf, type Shape, shapeOf } from '../contract/shape.ts';
import { letters } from '../generate/fresh.ts';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import { choicesIn, filterFor } from './filters.ts';
import { isFree } from './inference/plain-values.ts';
import { forEach, type Law } from './law.ts';
import type { Reading } from './listing.ts';
import { elementAt } from './required.ts';
import { type Facts, factsOf, type Item, type Json } from './resource.ts';
import type { Steps } from './steps.ts';

/** Lists in the order of a member. */
export const sortingLaws = {
  sorted: {
    needs: ['create', 'list'],
    applies: (facts) => ordersOf(facts).length > 0,
    sentence: ({ many }) =>
      `A list of ${many} that is sorted by a member has them in its order: numbers as numbers.`,
    properties(resource) {
      const facts = factsOf(resource);
      return forEach('an order', ordersOf(facts), trySorted(facts));
    },
  },
} satisfies Record<string, Law>;

/**
 * Parameters that choose the member by which a list is sorted, and those that only choose the
 * direction.
 */
const SORT = /^(sort|order)([-_]?(by|key|field))?$/i;

const DIRECTION = /^(order|dir|direction|(sort|order)[-_]?(order|dir|direction))$/i;

const UP = /^\+|[^a-z]?asc(ending)?$/i;

const DOWN = /^-|[^a-z]?desc(ending)?$/i;

/**
 * Each way to sort a list by a number or a text that is sent. `text`: if the text ends in a
 * direction, the list must have it.
 */
function ordersOf(facts: Facts) {
  const { contract, list, sent, members } = facts;
  const chosen = (pattern: RegExp) =>
    (list?.parameters.filter((one) => one.in === 'query' && pattern.test(one.name)) ?? []).flatMap(
      (one) =>
        choicesIn(shapeOf(contract, one.schema)).map((choice) => ({
          text: String(choice),
          query: filterFor(facts, one, choice) ?? [],
          isDefault: defaultOf(shapeOf(contract, one.schema)) === choice,
        })),
    );
  const ways = chosen(DIRECTION).filter(({ text }) => UP.test(text) || DOWN.test(text));
  return chosen(SORT).flatMap(({ text, query, isDefault }) => {
    const name = text.replace(UP, '').replace(DOWN, '').toLowerCase();
    const member = members.find((one) => one.toLowerCase() === name);
    const shape = member === undefined ? undefined : sent.properties.get(member);
    if (member === undefined || !canShowOrder(shape)) {
      return [];
    }
    if (ways.length === 0 || name.length < text.length) {
      return [{ member, text, query, isDefault }];
    }
    return ways.map((way) => ({
      member,
      text: way.text,
      query: [...query, ...way.query],
      isDefault: isDefault && way.isDefault,
    }));
  });
}

/** Items that are not made in the order of a member, and the values that it has in its order. */
interface Unsorted {
  items: readonly Item[];
  due: unknown[];
}

export async function createUnsorted(
  steps: Steps,
  facts: Facts,
  member: string,
): Promise<Unsorted> {
  const place = await steps.place({ items: 3 });
  const values = valuesInOrder(facts, member, place.bodies);
  const bodies = place.bodies.map((body, index) => ({ ...body, [member]: values[index] }));
  const items = await steps.createAll(place, bodies);
  const [middle, first, last] = items.map(({ shown }) => memberOf(shown, member));
  return { items, due: [first, middle, last] };
}

/**
 * Numbers in the list are neither in the order of their texts nor in that in which they are made.
 */
const trySorted =
  (facts: Facts) => async (order: ReturnType<typeof ordersOf>[number], steps: Steps) => {
    const { member, text, query, isDefault } = order;
    const { items, due } = await createUnsorted(steps, facts, member);
    const listed = async (reading: Reading) => {
      const own = await ownInOrder(steps, items, reading);
      return own.map((one) => memberOf(one, member));
    };
    const got = await listed({ query });
    let allowed = [due, due.toReversed()];
    if (UP.test(text)) {
      allowed = [due];
    } else if (DOWN.test(text)) {
      allowed = [due.toReversed()];
    }
    const isSorted = allowed.some((one) => isDeepStrictEqual(one, got));
    expectThat(isSorted, `The list is not sorted by \`${member}\`.`, { expected: allowed[0], got });
    if (isDefault) {
      const without = await listed({});
      expectSame(`The list has another order than by default, \`${text}\``, without, got);
    }
  };

/** How often a list is read in which others move items from page to page. */
const READS = 3;

/**
 * The items of the case in the order of the list.
 * @throws NotPossible if others move them from page to page all the time
 */
export async function ownInOrder(
  steps: Steps,
  items: readonly Item[],
  reading: Reading = {},
): Promise<Json[]> {
  const { place } = elementAt(items, 0);
  for (let count = 0; count < READS; count++) {
    const listing = await steps.list(place, items, reading);
    const own = steps.ownIn(listing, items);
    const ids = new Set(own.map((shown) => steps.idOf({ shown })));
    const isEachOnce = own.length === items.length && ids.size === items.length;
    const isOnePage = listing.pages.filter((size) => size > 0).length <= 1;
    if (isEachOnce || isOnePage) {
      return own;
    }
  }
  throw new NotPossible('others move items from page to page all the time');
}

/** Whether values of a member are known whose order all services see alike. */
export function canShowOrder(shape: Shape | undefined): boolean {
  return shape !== undefined && (isFree(shape) || shape.types.has('integer'));
}

/**
 * Values of a member for three bodies: the middle one, the first one and the last one.
 * @throws NotPossible
 */
function valuesInOrder(
  { isValid }: Facts,
  member: string,
  bodies: readonly Json[],
): readonly unknown[] {
  // The order of small letters is the same in all languages.
  const ofTexts = ['m', 'a', 'z'].map((first) => first + letters(7));
  const areValid = (values: readonly unknown[]) =>
    bodies.every((body, index) => isValid({ ...body, [member]: values[index] }));
  const values = [[10, 9, 100], [2, 1, 3], ofTexts].find(areValid);
  if (values === undefined) {
    throw new NotPossible(`no values of \`${member}\` are known that show an order`);
  }
  return values;
}
