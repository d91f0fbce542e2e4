/**
 * Laws of lists that a contract states: filters and orders by members of the items, and the content
 * of pages.
 */
import { isDeepStrictEqual } from 'node:util';
import { words } from '../../contract/keywords.ts';
import type { Parameter } from '../../contract/operations.ts';
import { schemasOf } from '../../contract/schemas.ts';
import { type Shape, shapeOf } from '../../contract/shape.ts';
import { letters } from '../../generate/fresh.ts';
import { queryOf, withParameter } from '../../http/call.ts';
import { expectSame, expectThat, NotPossible } from '../../http/nonconformity.ts';
import { forEach, type LawProperties, once } from '../law.ts';
import type { Item, NumberedPages } from '../resource.ts';
import type { Steps } from '../steps.ts';
import type { Facts } from './resources.ts';
import { isFree } from './values.ts';

type ListCases = Partial<Record<'filtered' | 'sorted' | 'pages', () => LawProperties>>;

/** The cases of the filters, orders and pages that the contract states. */
export function listCases(facts: Facts): ListCases {
  const { list, whole } = facts;
  const queries =
    list?.parameters.filter((one) => one.in === 'query' && !NO_FILTER.test(one.name)) ?? [];
  const filters = queries.filter((one) => filteredBy(facts, one) !== undefined);
  const others = queries.filter((one) => choicesOf(facts, one).length > 0);
  const orders = ordersOf(facts);
  const pages =
    typeof whole !== 'string' && whole.pages?.size !== undefined ? whole.pages : undefined;
  const tryAll =
    pages?.cursor === undefined ? tryPages : (steps: Steps) => tryCursors(pages, steps);
  const filtered = (): LawProperties => [
    forEach('by a member', filters, tryFilter(facts)),
    others.length > 0
      ? forEach('by a member that the service sets', others, tryChoices(facts))
      : [],
  ];
  return {
    ...(filters.length + others.length > 0 && { filtered }),
    ...(orders.length > 0 && { sorted: () => forEach('an order', orders, trySorted(facts)) }),
    ...(pages && { pages: () => once('small pages', tryAll) }),
  };
}

/**
 * A query parameter of a list that has the name and the values of a member, or takes some of its
 * values.
 */
function filteredBy(
  { contract, sent, members }: Facts,
  { name, schema }: Parameter,
): string | undefined {
  const isList = shapeOf(contract, schema).types.has('array');
  const member = members.find((one) => one === name || (isList && `${one}s` === name));
  if (member === undefined) {
    return undefined;
  }
  const { types } = sent.properties.get(member)!;
  return types.has('array') || types.has('object') ? undefined : member;
}

/**
 * The query for these values: one alone, by a range that begins and ends with it; undefined if
 * there is none.
 */
function filterFor({ contract }: Facts, parameter: Parameter, ...values: unknown[]) {
  const [value] = values;
  const { types, properties } = shapeOf(contract, parameter.schema);
  const range = RANGES.find((ends) => ends.every((end) => properties.has(end)));
  const isRange = types.has('object') && range !== undefined;
  let sent = types.has('array') ? values : value;
  if (isRange) {
    sent = Object.fromEntries(range.map((end) => [end, value]));
  }
  if (values.length > 1 && sent !== values) {
    return undefined;
  }
  const call =
    schemasOf(contract).isValid(parameter.schema, sent) && withParameter({}, parameter, sent);
  return call ? queryOf(call) : undefined;
}

/** Names of ends that belong to the range. */
const RANGES = ['min max', 'from to', 'gte lte', 'ge le'].map(words);

/** Parameters that order or shape a list, and switches that show more than without them. */
const NO_FILTER = new RegExp(
  '^(q$|query|search|sort|order|fields?|include|expand|format|version|lang|locale|' +
    'all|archived|deleted|hidden|expired)',
  'i',
);

/** The list with a filter has the items that fit it, and no others. */
const tryFilter = (facts: Facts) => async (parameter: Parameter, steps: Steps) => {
  const member = filteredBy(facts, parameter)!;
  const place = await steps.place({ items: 2 });
  const body = place.bodies[0]!;
  const changed = steps.otherOf(place, [member]);
  // All items of a kind have the same value of the member that names the kind.
  const bodies = changed[member] === undefined ? [body] : [body, { ...steps.full(), ...changed }];
  const items = await steps.createAll(place, bodies);
  for (const item of items) {
    const value = item.shown[member];
    // A switch that is off may not filter at all.
    const query =
      value === undefined || value === false ? undefined : filterFor(facts, parameter, value);
    if (!query) {
      continue;
    }
    const same = items.filter(({ shown }) => isDeepStrictEqual(shown[member], value));
    let listing = await steps.list(place, same, { query });
    const wrong = () => listing.items.find((shown) => !isDeepStrictEqual(shown[member], value));
    // Other clients may change their items between the choice of the service and its response, but
    // not each time.
    for (let round = 0; round < 3 && wrong(); round++) {
      listing = await steps.list(place, same, { query });
    }
    const other = wrong();
    if (other) {
      expectSame(`The list has others than those with this \`${member}\``, other, {
        [member]: value,
      });
    }
    steps.expectListed(listing, same);
  }
  const values = [...new Set(items.map(({ shown }) => shown[member]))];
  if (values.length < 2) {
    return;
  }
  for (const all of [values, values.toReversed()]) {
    await trySeveral(steps, items, filterFor(facts, parameter, ...all));
  }
};

/** The list by several values has the items with any of them, whichever comes first. */
async function trySeveral(steps: Steps, items: Item[], query: ReturnType<typeof filterFor>) {
  if (query) {
    steps.expectListed(await steps.list(items[0]!.place, items, { query }), items);
  }
}

/** The values of a filter by a member that the service sets. */
function choicesOf(
  { contract, sent, listed }: Facts,
  { name, schema }: Parameter,
): readonly unknown[] {
  if (listed?.properties.has(name) && !sent.properties.has(name)) {
    return choicesIn(shapeOf(contract, schema));
  }
  return [];
}

const choicesIn = (shape: Shape) =>
  ((shape.types.has('array') ? shape.items : shape)?.choices ?? []).filter((one) => one !== null);

/**
 * No item of the list contradicts the filter; it is not known which other items have this value.
 */
const tryChoices = (facts: Facts) => async (parameter: Parameter, steps: Steps) => {
  const { name } = parameter;
  const item = await steps.createOne(steps.full());
  const choices = choicesOf(facts, parameter);
  let own: unknown;
  for (const value of choices) {
    const query = filterFor(facts, parameter, value);
    if (!query) {
      continue;
    }
    const { json } = await steps.succeed('list', { path: item.place.path, query });
    const other = steps.itemsIn(json).find((one) => !isDeepStrictEqual(one[name], value));
    if (other) {
      expectSame(`The list has others than those with this \`${name}\``, other, { [name]: value });
    }
    if ((await steps.list(item.place, [item], { query })).ids.includes(steps.idOf(item))) {
      own = value;
    }
  }
  for (const value of choices) {
    if (own !== undefined && value !== own) {
      await trySeveral(steps, [item], filterFor(facts, parameter, value, own));
    }
  }
};

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
    const [middle, first, last] = items.map(({ shown }) => shown[member]);
    const due = [first, middle, last];
    const got = steps
      .ownIn(await steps.list(items[0]!.place, items, { query }), items)
      .map((one) => one[member]);
    let allowed = [due, due.toReversed()];
    if (UP.test(text)) {
      allowed = [due];
    } else if (DOWN.test(text)) {
      allowed = [due.toReversed()];
    }
    const isSorted = allowed.some((one) => isDeepStrictEqual(one, got));
    expectThat(isSorted, `The list is not sorted by \`${member}\`.`, { expected: allowed[0], got });
  };

/**
 * Small pages, between two reads of the whole list: only items that were there all the time are
 * compared.
 */
async function tryPages(steps: Steps): Promise<void> {
  const place = await steps.place({ items: 3 });
  const items = await steps.createAll(place);
  const counts: number[] = [];
  let apart = 0;
  for (let round = 0; round < QUIET_TRIES; round++) {
    const whole = () => steps.page(place, { page: 0, size: 6 });
    const before = await whole();
    const parts = [];
    for (const number of [0, 1, 2]) {
      parts.push(await steps.page(place, { page: number, size: 2 }));
    }
    const { ids, total } = await whole();
    counts.push(countOf(before), countOf({ total }));
    const shown = { ids: parts.flatMap((part) => part.ids), totals: parts.map(countOf) };
    const passing = shown.ids.filter((id) => !ids.includes(id));
    if (before.ids.join(' ') !== ids.join(' ') || (await isAnyGone(steps, items, passing))) {
      continue;
    }
    // Others add and remove items all the time: each count that has been seen may be right again.
    const least = Math.min(...counts);
    const most = Math.max(...counts);
    const due = {
      ids,
      totals: shown.totals.map((count) => Math.max(least, Math.min(count, most))),
    };
    // Other clients may have made and removed an item in between, but not each time.
    if (!isDeepStrictEqual(shown, due) && ++apart < 5) {
      continue;
    }
    expectSame('NumberedPages of two items show something else than one of six', shown, due);
    return;
  }
  throw new NotPossible(
    `others change the list all the time: pages with ${items.length} new items cannot be compared`,
  );
}

const QUIET_TRIES = 25;
const FEW_PAGES = 300;
const ENOUGH = 8;

/**
 * The last page, between two reads of it, once more in pages of one item fewer: only items that
 * were there all the time are compared.
 */
async function tryCursors({ least, most }: NumberedPages, steps: Steps): Promise<void> {
  const { place } = await steps.createSome({ items: least + 1 });
  const page = (size: number, from?: string) => {
    const isFirst = from === undefined;
    return steps.page(place, isFirst ? { page: 0, size } : { page: 1, size, from });
  };
  let size = most;
  let start: string | undefined;
  let apart = 0;
  for (let read = 0, tries = 0; read < FEW_PAGES && tries < QUIET_TRIES; read++) {
    const { ids, cursor } = await page(size, start);
    if (cursor !== undefined || ids.length <= least) {
      // Pages of another size end with more items.
      if (cursor === undefined) {
        size--;
      }
      start = cursor;
      continue;
    }
    const shown: string[] = [];
    let next = start;
    for (let count = 0; count === 0 || (next !== undefined && count < ids.length); count++) {
      const part = await page(ids.length - 1, next);
      shown.push(...part.ids);
      next = part.cursor;
    }
    tries++;
    const again = await page(size, start);
    const isSame = (other: string[]) => isDeepStrictEqual(other.slice(0, ids.length), ids);
    // Other clients may have made and removed an item in between, but not each time.
    if (!isSame(again.ids) || (!isSame(shown) && ++apart < 3)) {
      continue;
    }
    expectSame(
      'Following the cursor does not show each item once',
      shown.slice(0, ids.length),
      ids,
    );
    // Items that others add at the end may hide that the last one is missing.
    if (again.ids.length === ids.length || tries > ENOUGH) {
      return;
    }
  }
  throw new NotPossible('the end of the list was not reached, or others change it all the time');
}

const countOf = ({ total }: Pick<Awaited<ReturnType<Steps['page']>>, 'total'>) =>
  Number(total?.[1] ?? 0);

/** Whether any of these existed for a moment only: then it belongs to somebody else. */
async function isAnyGone(
  { session, resource }: Steps,
  [own]: Item[],
  ids: readonly string[],
): Promise<boolean> {
  const pathOf = (id: string) => ({ ...own!.path, [resource.id.parameter]: id });
  const reads = await Promise.all(
    ids.map((id) => session.call(resource.calls.read, { path: pathOf(id) })),
  );
  return reads.some(({ status }) => status >= 400);
}
