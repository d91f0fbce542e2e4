/** The law of lists by the value of a member. */
import { memberOf } from '../contract/by-name.ts';
import { isDeepStrictEqual } from 'node:util';
import { words } from '../contract/keywords.ts';
import type { Parameter } from '../contract/operations.ts';
import { objectAt } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf } from '../contract/shape.ts';
import { queryOf, withParameter } from '../http/call.ts';
import { expectSame } from '../http/nonconformity.ts';
import { mayConflict } from '../requirements/calls.ts';
import { showsAll } from './inference/lists.ts';
import type { Listing } from './expect-items.ts';
import { forEach, type Law } from './law.ts';
import type { Reading } from './listing.ts';
import { newNamesFor } from './named-items.ts';
import { elementAt } from './required.ts';
import { bodyOf, type Facts, factsOf, type Item, type Json, type Place } from './resource.ts';
import { sizeForPages } from './small-pages.ts';
import type { Steps } from './steps.ts';

/** Lists by the values of members. */
export const filterLaws = {
  filtered: {
    needs: ['create', 'list'],
    tellsNames: true,
    applies(facts) {
      const { sent, set } = filtersOf(facts);
      return sent.length + set.length > 0;
    },
    sentence: ({ many }) =>
      `The list of ${many} by the value of a member has those with this value alone.`,
    properties(resource) {
      const facts = factsOf(resource);
      const { sent, set } = filtersOf(facts);
      const bySet = forEach('by a member that the service sets', set, tryChoices(facts));
      return [forEach('by a member', sent, tryFilter(facts)), bySet];
    },
  },
} satisfies Record<string, Law>;

/** Query parameters that may choose the items of a list by a member. */
function filtersOf(facts: Facts): { sent: Parameter[]; set: Parameter[] } {
  const queries =
    facts.list?.parameters.filter((one) => one.in === 'query' && !NO_FILTER.test(one.name)) ?? [];
  return {
    sent: queries.filter((one) => filteredBy(facts, one) !== undefined),
    set: queries.filter((one) => choicesOf(facts, one).length > 0),
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
export function filterFor({ contract }: Facts, parameter: Parameter, ...values: unknown[]) {
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
  const bodies = await bodiesToFilter({ facts, parameter, member }, place, steps);
  const items = await steps.createAll(place, bodies);
  for (const item of items) {
    const value = memberOf(item.shown, member);
    // A switch that is off may not filter at all.
    const query =
      value === undefined || value === false ? undefined : filterFor(facts, parameter, value);
    if (!query) {
      continue;
    }
    const same = items.filter(({ shown }) => isDeepStrictEqual(memberOf(shown, member), value));
    const { ids } = await expectFiltered(steps, same, { member, value, reading: { query } });
    const { listForm } = facts;
    const links = typeof listForm !== 'string' && listForm.kind === 'whole' && listForm.links;
    if (links && links.size !== undefined) {
      const reading = { query, limit: sizeForPages(ids.length, links) };
      await expectFiltered(steps, same, { member, value, reading });
    }
  }
  const values = [...new Set(items.map(({ shown }) => memberOf(shown, member)))];
  if (values.length < 2) {
    await tryOtherChoices(steps, items, { facts, parameter, member });
    return;
  }
  for (const all of [values, values.toReversed()]) {
    await trySeveral(steps, items, filterFor(facts, parameter, ...all));
  }
};

/** The list by another choice does not have the items, such as those of another kind. */
async function tryOtherChoices(
  steps: Steps,
  items: readonly Item[],
  { facts, parameter, member }: Filter,
): Promise<void> {
  const { place, shown } = elementAt(items, 0);
  const own = memberOf(shown, member);
  const choices = choicesIn(shapeOf(facts.contract, parameter.schema));
  // A service may show what it was sent in another form.
  if (!choices.includes(own)) {
    return;
  }
  for (const choice of choices) {
    const query = choice === own ? undefined : filterFor(facts, parameter, choice);
    if (query !== undefined) {
      const listing = await steps.list(place, [], { query });
      const what = `The list has others than those with this \`${member}\`.`;
      steps.expectNotListed(listing, items, what);
    }
  }
}

/** The list with a filter, and the value that its items must have. */
interface Filtered {
  member: string;
  value: unknown;
  reading: Reading;
}

/** @param same the items of the case that the list must have */
async function expectFiltered(
  steps: Steps,
  same: readonly Item[],
  { member, value, reading }: Filtered,
): Promise<Listing> {
  const { place } = elementAt(same, 0);
  const wrongIn = ({ items }: Listing) =>
    items.find((shown) => !isDeepStrictEqual(memberOf(shown, member), value));
  let listing = await steps.list(place, same, reading);
  // Other clients may change their items between the choice of the service and its response, but
  // not each time.
  for (let round = 0; round < 3 && wrongIn(listing); round++) {
    listing = await steps.list(place, same, reading);
  }
  const other = wrongIn(listing);
  if (other) {
    const due = { [member]: value };
    expectSame(`The list has others than those with this \`${member}\``, other, due);
  }
  steps.expectListed(listing, same);
  return listing;
}

/** A parameter of the list, and the member by which it chooses. */
interface Filter {
  facts: Facts;
  parameter: Parameter;
  member: string;
}

/** Bodies with one value, and one with another value behind them: two where items may share it. */
async function bodiesToFilter(filter: Filter, place: Place, steps: Steps): Promise<Json[]> {
  const { facts, parameter, member } = filter;
  const first = bodyOf(place);
  const second = bodyOf(place, 1);
  if (place.naming?.includes(member)) {
    return [first, second];
  }
  const names = await newNamesFor(steps, facts, member, 2);
  const [name, otherName] = names;
  if (names.length === 2) {
    const named = [
      { ...first, [member]: name },
      { ...steps.namingIn(place, steps.full()), [member]: otherName },
    ];
    // Two items that name one may be in conflict.
    if (!mayConflict(facts.create)) {
      named.unshift({ ...second, [member]: name });
    }
    return named.filter((body) => facts.isValid(body));
  }
  const changed = steps.otherOf(place, [member]);
  const longer = longerOf(facts, parameter, first);
  // All items of a kind have the same value of the member that names the kind.
  if (memberOf(changed, member) === undefined) {
    return [first, second];
  }
  const other = { ...steps.namingIn(place, steps.full()), ...changed };
  const isOneOfFew = facts.sent.properties.get(member)?.choices !== undefined;
  const bodies = isOneOfFew ? [first, { ...second, [member]: memberOf(first, member) }] : [first];
  return [...bodies, other, ...longer];
}

/**
 * A body whose value begins with that of another one, if the contract says in words that a filter
 * takes equal values alone: many find what begins with a text, or has it.
 */
function longerOf(facts: Facts, parameter: Parameter, body: Json): Json[] {
  const { contract, isValid } = facts;
  const { description } = objectAt(contract.document, parameter.pointer);
  const member = filteredBy(facts, parameter)!;
  const value = memberOf(body, member);
  const isEquality = EQUAL.test(String(description)) && !ALIKE.test(String(description));
  const longer = { ...body, [member]: `${String(value)}a` };
  return typeof value === 'string' && isEquality && isValid(longer) ? [longer] : [];
}

const EQUAL = /\b(exact(ly)?|equals?|equal to|(with|has|have) (this|that|the given|the same))\b/i;

const ALIKE = /\b(prefix|begin|start|contain|part|substring|search|like|match|pattern|wildcard)/i;

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

export const choicesIn = (shape: Shape) =>
  ((shape.types.has('array') ? shape.items : shape)?.choices ?? []).filter(
    (one) => one !== null && !showsAll(one),
  );

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
    const other = steps.itemsIn(json).find((one) => !isDeepStrictEqual(memberOf(one, name), value));
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
