/** The law of filters that a description states: by a limit, or by a text inside of a member. */
import { memberOf } from '../contract/by-name.ts';
import { spelt } from '../contract/item-keys.ts';
import type { Parameter } from '../contract/operations.ts';
import { objectAt } from '../contract/pointers.ts';
import { type Shape, shapeOf, texts } from '../contract/shape.ts';
import { letters } from '../generate/fresh.ts';
import { aDayLater } from '../generate/times.ts';
import { filterFor } from './filters.ts';
import { isFree } from './inference/plain-values.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { forEach, type Law } from './law.ts';
import { bodyOf, type Facts, factsOf } from './resource.ts';
import type { Steps } from './steps.ts';

/** Lists by what descriptions of parameters say. */
export const statedFilterLaws = {
  statedFilters: {
    needs: ['create', 'list'],
    applies: (facts) => limitsOf(facts).length + textSearchesOf(facts).length > 0,
    sentence: ({ many }) =>
      `A list of ${many} by a limit, or by a text in a member, has what its description says.`,
    properties(resource) {
      const facts = factsOf(resource);
      return [
        forEach('by a limit', limitsOf(facts), (limit, steps: Steps) =>
          tryLimit(facts, limit, steps),
        ),
        forEach('by a text inside', textSearchesOf(facts), (search, steps: Steps) =>
          tryTextSearch(facts, search, steps),
        ),
      ];
    },
  },
} satisfies Record<string, Law>;

/** A parameter that keeps items at a limit of a member, and all on one side of it. */
interface Limit {
  parameter: Parameter;
  member: string;
  /** Whether the member is the limit or more; else, it is the limit or less. */
  isLeast: boolean;
}

/** A parameter that keeps items whose member contains a text. */
interface TextSearch {
  parameter: Parameter;
  member: string;
  ignoresCase: boolean;
}

const OR_MORE = new RegExp(
  '\\b(or (later|after|newer|more|above|higher|greater)|at least|no (earlier|less|fewer) than|' +
    'not (before|earlier than|less than))\\b',
  'i',
);

const OR_LESS = new RegExp(
  '\\b(or (earlier|before|older|less|fewer|below|lower)|at most|up to|no (later|more) than|' +
    'not (after|later than|more than))\\b',
  'i',
);

/** A limit in the name of a parameter: `min_price`, `priceMax`, `check_in_from`, `since`. */
const LIMIT_NAME = new RegExp(
  '^(?:(?:min|max)(?:imum)?[-_]?|(?:from|since|until|to)(?:[-_]|$))|' +
    '[-_](?:min|max|from|since|until|to|gte|lte)$|(?:Min|Max|From|Since|Until)$',
  'i',
);

const MIN_NAME = /^min(imum)?[-_A-Z]/;
const MAX_NAME = /^max(imum)?[-_A-Z]/;

function queriesOf({ list }: Facts): Parameter[] {
  return list?.parameters.filter((one) => one.in === 'query') ?? [];
}

function descriptionOf({ contract }: Facts, { pointer }: Parameter): string {
  const { description } = objectAt(contract.document, pointer);
  return typeof description === 'string' ? description : '';
}

function limitsOf(facts: Facts): Limit[] {
  return queriesOf(facts).flatMap((parameter) => limitOf(facts, parameter) ?? []);
}

function limitOf(facts: Facts, parameter: Parameter): Limit | undefined {
  const { name, schema } = parameter;
  const stem = spelt(name.replace(LIMIT_NAME, ''));
  if (stem === spelt(name)) {
    return undefined;
  }
  const words = descriptionOf(facts, parameter);
  const isLeast = OR_MORE.test(words);
  const isMost = OR_LESS.test(words);
  const shape = shapeOf(facts.contract, schema);
  const comparable = [...facts.sent.properties].filter(([, one]) => areCompared(one, shape));
  const exact = comparable.find(([member]) => spelt(member) === stem);
  const named = comparable.filter(([member]) => spelt(member).startsWith(stem));
  const [only] = exact ?? (named.length === 1 ? (named[0] ?? []) : []);
  if (only === undefined) {
    return undefined;
  }
  if (isLeast !== isMost) {
    return { parameter, member: only, isLeast };
  }
  // Without words, the name says it, if it has the whole name of the member.
  const isMin = MIN_NAME.test(name);
  const isSaid = !isLeast && exact !== undefined && (isMin || MAX_NAME.test(name));
  return isSaid ? { parameter, member: only, isLeast: isMin } : undefined;
}

/** Whether both are numbers, both days, or both times. */
function areCompared(one: Shape, other: Shape): boolean {
  const isNumber = ({ types }: Shape) => types.has('number') || types.has('integer');
  if (isNumber(one) && isNumber(other)) {
    return true;
  }
  const formatOf = (shape: Shape) => texts(shape, 'format').join();
  const format = formatOf(one);
  return ['date', 'date-time'].includes(format) && format === formatOf(other);
}

/** An item at the limit is in the list, and one beyond it is not. */
async function tryLimit(
  facts: Facts,
  { parameter, member, isLeast }: Limit,
  steps: Steps,
): Promise<void> {
  const place = await steps.place({ items: 2 });
  const shape = facts.sent.properties.get(member);
  const first = { ...steps.namingIn(place, steps.full()), ...bodyOf(place) };
  const value = memberOf(first, member);
  const next = nextValue(shape, value);
  const second = { ...bodyOf(place, 1), [member]: next };
  if (value === undefined || next === undefined || !facts.isValid(second)) {
    throw new NotPossible(`no two values of \`${member}\` are known that follow each other`);
  }
  const low = await steps.create(place, first);
  const high = await steps.create(place, second);
  const limit = isLeast ? next : value;
  const kept = isLeast ? high : low;
  const beyond = isLeast ? low : high;
  const query = filterFor(facts, parameter, limit);
  if (query === undefined) {
    throw new NotPossible(`\`${parameter.name}\` takes no value of \`${member}\``);
  }
  const listing = await steps.list(place, [kept], { query });
  const isKept = listing.ids.includes(steps.idOf(kept));
  const words = `\`${parameter.name}\``;
  expectThat(isKept, `The list does not have an item that is at the limit of ${words}.`, {
    expected: kept.shown,
    got: listing.ids,
  });
  steps.expectNotListed(listing, [beyond], `The list has an item beyond the limit of ${words}.`);
}

/** The value that is a little larger: a day later, or 1 more. */
function nextValue(shape: Shape | undefined, value: unknown): unknown {
  if (typeof value === 'number') {
    return value + 1;
  }
  return typeof value === 'string' ? aDayLater(shape, value) : undefined;
}

const CONTAINS = /\b(contains?|containing)\b/i;

const IGNORES_CASE = /\b(ignor(ing|es) case|case[- ]insensitive(ly)?|regardless of case)\b/i;

const NO_TEXT = /\b(words?|not|tags?|all|exact(ly)?)\b/i;

function textSearchesOf(facts: Facts): TextSearch[] {
  const { members, sent, contract } = facts;
  return queriesOf(facts).flatMap((parameter): TextSearch[] => {
    const description = descriptionOf(facts, parameter);
    const isText = isFree(shapeOf(contract, parameter.schema));
    if (!isText || !CONTAINS.test(description) || NO_TEXT.test(description)) {
      return [];
    }
    const words = description.split(/[^\w-]+/).map(spelt);
    const named = members.filter((member) => {
      const shape = sent.properties.get(member);
      return shape !== undefined && isFree(shape) && words.includes(spelt(member));
    });
    const [member, ...others] = named;
    if (member === undefined || others.length > 0) {
      return [];
    }
    return [{ parameter, member, ignoresCase: IGNORES_CASE.test(description) }];
  });
}

/** An item whose member has the text inside is in the list; one without the text is not. */
async function tryTextSearch(
  facts: Facts,
  { parameter, member, ignoresCase }: TextSearch,
  steps: Steps,
): Promise<void> {
  const place = await steps.place({ items: 2 });
  const inside = letters(6);
  const mixed = inside.slice(0, 3) + inside.slice(3).toUpperCase();
  const first = { ...bodyOf(place), [member]: `ab${mixed}cd` };
  const second = { ...bodyOf(place, 1), [member]: letters(10) };
  if (!facts.isValid(first) || !facts.isValid(second)) {
    throw new NotPossible(`no texts of \`${member}\` are known that contain others`);
  }
  const item = await steps.create(place, first);
  const other = await steps.create(place, second);
  const spellings = ignoresCase ? [mixed, inside, inside.toUpperCase()] : [mixed];
  for (const text of spellings) {
    const query = filterFor(facts, parameter, text);
    if (query === undefined) {
      continue;
    }
    const listing = await steps.list(place, [item], { query });
    const isFound = listing.ids.includes(steps.idOf(item));
    const what = `The list by \`${parameter.name}\` does not have an item with the text.`;
    expectThat(isFound, what, { expected: item.shown, got: listing.ids });
    const wrong = `The list by \`${parameter.name}\` has an item without the text.`;
    steps.expectNotListed(listing, [other], wrong);
  }
}
