/** The law of lists in the order of a member. */
import { memberOf } from '../contract/by-name.ts';
import { isDeepStrictEqual } from 'node:util';
import { shapeOf } from '../contract/shape.ts';
import { letters } from '../generate/fresh.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { choicesIn, filterFor } from './filters.ts';
import { isFree } from './inference/plain-values.ts';
import { forEach, type Law } from './law.ts';
import { type Facts, factsOf } from './resource.ts';
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
        })),
    );
  const ways = chosen(DIRECTION).filter(({ text }) => UP.test(text) || DOWN.test(text));
  return chosen(SORT).flatMap(({ text, query }) => {
    const name = text.replace(UP, '').replace(DOWN, '').toLowerCase();
    const member = members.find((one) => one.toLowerCase() === name);
    const shape = member === undefined ? undefined : sent.properties.get(member);
    if (member === undefined || !shape || !(isFree(shape) || shape.types.has('integer'))) {
      return [];
    }
    if (ways.length === 0 || name.length < text.length) {
      return [{ member, text, query }];
    }
    return ways.map((way) => ({ member, text: way.text, query: [...query, ...way.query] }));
  });
}

/**
 * Numbers in the list are neither in the order of their texts nor in that in which they are made.
 */
const trySorted =
  (facts: Facts) => async (order: ReturnType<typeof ordersOf>[number], steps: Steps) => {
    const { member, text, query } = order;
    // The order of small letters is the same in all languages.
    const ofTexts = ['m', 'a', 'z'].map((first) => first + letters(7));
    const bodiesOf = (values: unknown[]) =>
      values.map((value) => ({ ...steps.full(), [member]: value }));
    const bodies = [[10, 9, 100], [2, 1, 3], ofTexts]
      .map(bodiesOf)
      .find((all) => all.every(facts.isValid));
    if (!bodies) {
      throw new NotPossible(`no values of \`${member}\` are known that show an order`);
    }
    const items = await steps.createAll(await steps.place(), bodies);
    const [middle, first, last] = items.map(({ shown }) => memberOf(shown, member));
    const due = [first, middle, last];
    const got = steps
      .ownIn(await steps.list(items[0]!.place, items, { query }), items)
      .map((one) => memberOf(one, member));
    let allowed = [due, due.toReversed()];
    if (UP.test(text)) {
      allowed = [due];
    } else if (DOWN.test(text)) {
      allowed = [due.toReversed()];
    }
    const isSorted = allowed.some((one) => isDeepStrictEqual(one, got));
    expectThat(isSorted, `The list is not sorted by \`${member}\`.`, { expected: allowed[0], got });
  };
