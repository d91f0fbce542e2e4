/** The law of the order that the description of a list states, such as "newest first". */
import { isDeepStrictEqual } from 'node:util';
import { memberOf } from '../contract/by-name.ts';
import { spelt } from '../contract/item-keys.ts';
import { type Operation, successOf } from '../contract/operations.ts';
import { objectAt } from '../contract/pointers.ts';
import { sentencesIn } from '../contract/words.ts';
import { aDayLater } from '../generate/times.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { type Law, once } from './law.ts';
import { required } from './required.ts';
import { bodyOf, type Facts, factsOf, type Json } from './resource.ts';
import { canShowOrder, createUnsorted, ownInOrder } from './sorting.ts';
import type { Steps } from './steps.ts';

/** Lists in the order that they have without a query. */
export const statedOrderLaws = {
  statedOrder: {
    needs: ['create', 'list'],
    applies: (facts) => statedOrderOf(facts) !== undefined,
    sentence: ({ many }) => `The list of ${many} has the order that its description states.`,
    properties(resource) {
      const facts = factsOf(resource);
      const order = required(statedOrderOf(facts), 'the contract states the order');
      if ('member' in order) {
        return once('three items', (steps) => tryByMember(facts, order, steps));
      }
      return once('two items', (steps) => tryByAge(facts, order, steps));
    },
  },
} satisfies Record<string, Law>;

interface ByAge {
  isNewestFirst: boolean;
}

interface ByMember {
  member: string;
  isDescending: boolean;
}

const BY_AGE = /\b(newest|most recent|latest|oldest) (?:[a-z]+ )?first\b/i;

/** `Sorted by X`, at the end of a part of a sentence: `the name of the owner` is no member. */
const BY_MEMBER = new RegExp(
  '\\b(?:sorted|ordered) by (?:the |their )?[`"]?([\\w-]+(?: [\\w-]+)?)[`"]?' +
    '(?:,? (?:in )?(ascending|descending)(?: order)?)?(?=[.;,)]|$| unless\\b| by default\\b)',
  'i',
);

/** Sentences that do not state the order of each response. */
const CONDITION = /\b(if|when|with|not|can|may|might|whether|optionally|within|each|per)\b/i;

const UNLESS = /\bunless\b.*$/is;

/** Undefined if no sentence states one, or if sentences state several. */
function statedOrderOf(facts: Facts): ByAge | ByMember | undefined {
  const { list } = facts;
  if (list === undefined) {
    return undefined;
  }
  const orders = sentencesAbout(facts, list).flatMap((sentence) => orderIn(facts, sentence) ?? []);
  const [first, ...others] = orders;
  const isOne = others.every((other) => isDeepStrictEqual(other, first));
  return isOne ? first : undefined;
}

function sentencesAbout({ contract }: Facts, list: Operation): string[] {
  const { summary, description } = objectAt(contract.document, list.pointer);
  const success = objectAt(contract.document, successOf(list).pointer);
  const texts = [summary, description, success['description']];
  const stated = texts.filter((text) => typeof text === 'string');
  return stated.flatMap(sentencesIn);
}

function orderIn(facts: Facts, sentence: string): ByAge | ByMember | undefined {
  const main = sentence.replace(UNLESS, 'unless');
  if (CONDITION.test(main)) {
    return undefined;
  }
  const [, age] = BY_AGE.exec(main) ?? [];
  if (age !== undefined) {
    return { isNewestFirst: age.toLowerCase() !== 'oldest' };
  }
  const [, words, direction = ''] = BY_MEMBER.exec(main) ?? [];
  const member = words === undefined ? undefined : memberCalled(facts, words);
  if (member === undefined) {
    return undefined;
  }
  return { member, isDescending: direction.toLowerCase() === 'descending' };
}

/** The member that these words name: `room number` is the `number` of a room. */
function memberCalled({ members, collection, sent }: Facts, words: string): string | undefined {
  const [first = '', ...others] = words.split(' ');
  const isOwnName = others.length > 0 && spelt(collection).endsWith(`${spelt(first)}s`);
  const names = [spelt(words)];
  if (isOwnName) {
    names.push(spelt(others.join(' ')));
  }
  const member = members.find((one) => names.includes(spelt(one)));
  const shape = member === undefined ? undefined : sent.properties.get(member);
  return canShowOrder(shape) ? member : undefined;
}

async function tryByMember(
  facts: Facts,
  { member, isDescending }: ByMember,
  steps: Steps,
): Promise<void> {
  const { items, due } = await createUnsorted(steps, facts, member);
  if (isDescending) {
    due.reverse();
  }
  const own = await ownInOrder(steps, items);
  const got = own.map((one) => memberOf(one, member));
  const what = `The list is not sorted by \`${member}\`, as its description says.`;
  expectThat(isDeepStrictEqual(got, due), what, { expected: due, got });
}

/** The second item is newer by the clock of the service, and by all times in its body. */
async function tryByAge(facts: Facts, { isNewestFirst }: ByAge, steps: Steps): Promise<void> {
  const place = await steps.place({ items: 2 });
  const older = bodyOf(place);
  const newer = { ...bodyOf(place, 1), ...laterTimes(facts, older) };
  if (!facts.isValid(newer)) {
    throw new NotPossible('no body is known with later times than another one');
  }
  const items = [await steps.create(place, older)];
  // Times may have whole seconds.
  await steps.moreThanASecond();
  items.push(await steps.create(place, newer));
  const due = items.map((item) => steps.idOf(item));
  if (isNewestFirst) {
    due.reverse();
  }
  const own = await ownInOrder(steps, items);
  const got = own.map((shown) => steps.idOf({ shown }));
  const first = isNewestFirst ? 'newest' : 'oldest';
  const what = `The list does not have the ${first} items first, as its description says.`;
  expectThat(isDeepStrictEqual(got, due), what, { expected: due, got });
}

/** The times of a body, each a day later. */
function laterTimes({ sent }: Facts, body: Json): Json {
  const later: Json = {};
  for (const [name, shape] of sent.properties) {
    const value = memberOf(body, name);
    const next = typeof value === 'string' ? aDayLater(shape, value) : undefined;
    if (next !== undefined) {
      later[name] = next;
    }
  }
  return later;
}
