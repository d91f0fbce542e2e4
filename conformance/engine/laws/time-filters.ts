/** The law of lists by a time that the service sets, such as `created_after` and `created_at`. */
import { memberOf } from '../contract/by-name.ts';
import { spelt } from '../contract/item-keys.ts';
import type { Parameter } from '../contract/operations.ts';
import { objectAt } from '../contract/pointers.ts';
import { type Shape, shapeOf, texts } from '../contract/shape.ts';
import { expectThat, NotPossible } from '../http/nonconformity.ts';
import { filterFor } from './filters.ts';
import { forEach, type Law } from './law.ts';
import { type Facts, factsOf, operationIdOf } from './resource.ts';
import type { Steps } from './steps.ts';

export const timeFilterLaws = {
  timeFilters: {
    needs: ['create', 'list'],
    applies: (facts) => timeFiltersOf(facts).length > 0,
    sentence: ({ many }) =>
      `A list of ${many} from a time on, or up to one, has those of that time alone.`,
    properties(resource) {
      const facts = factsOf(resource);
      return forEach('by a time', timeFiltersOf(facts), (filter, steps: Steps) =>
        tryTimeFilter(facts, filter, steps),
      );
    },
  },
} satisfies Record<string, Law>;

/** A parameter that keeps the items on one side of a time. */
interface TimeFilter {
  parameter: Parameter;
  /** The member that shows the time, and that no request sets. */
  member: string;
  /** Whether later items are kept; else, earlier ones. */
  isLater: boolean;
}

const LATER_NAME = /[-_]?(after|since|from)$/i;
const EARLIER_NAME = /[-_]?(before|until|to)$/i;

const LATER_WORDS = /\b(after|since|later|newer|from)\b/i;
const EARLIER_WORDS = /\b(before|until|earlier|older|up to)\b/i;

/** Words of a further rule, or of no rule. */
const SAYS_MORE = /\b(unless|except|ignored|deprecated|default|page|cursor|relative)\b/i;

function timeFiltersOf(facts: Facts): TimeFilter[] {
  const queries = facts.list?.parameters.filter((one) => one.in === 'query') ?? [];
  return queries.flatMap((parameter) => timeFilterOf(facts, parameter) ?? []);
}

function timeFilterOf(facts: Facts, parameter: Parameter): TimeFilter | undefined {
  const { name, schema, pointer } = parameter;
  const isLater = LATER_NAME.test(name);
  const stem = spelt(name.replace(isLater ? LATER_NAME : EARLIER_NAME, ''));
  const isTime = isTimeText(shapeOf(facts.contract, schema));
  if (stem === spelt(name) || stem === '' || !isTime || parameter.required) {
    return undefined;
  }
  const { description = '' } = objectAt(facts.contract.document, pointer);
  const words = String(description);
  const saysSo = (isLater ? LATER_WORDS : EARLIER_WORDS).test(words);
  if (words !== '' && (!saysSo || SAYS_MORE.test(words))) {
    return undefined;
  }
  const members = [...(facts.listed?.properties ?? [])].filter(([member, shape]) => {
    const isNamed = [stem, `${stem}at`, `${stem}on`, `${stem}time`].includes(spelt(member));
    return isNamed && isTimeText(shape) && !facts.sent.properties.has(member);
  });
  const [only, ...others] = members;
  if (only === undefined || others.length > 0) {
    return undefined;
  }
  return { parameter, member: only[0], isLater };
}

function isTimeText(shape: Shape): boolean {
  return shape.types.has('string') && texts(shape, 'format').join() === 'date-time';
}

/** Two days: a service may count whole days, and show times of another zone. */
const APART_MS = 172_800_000;

/** An item is in the list from well before its time on, and not from well after it on. */
async function tryTimeFilter(
  facts: Facts,
  { parameter, member, isLater }: TimeFilter,
  steps: Steps,
): Promise<void> {
  const item = await steps.createOne();
  const time = Date.parse(String(memberOf(await steps.readWhole(item), member)));
  if (Number.isNaN(time)) {
    throw new NotPossible(`\`${member}\` is no time`);
  }
  const queryOf = (ms: number) => filterFor(facts, parameter, new Date(ms).toISOString());
  const earlier = queryOf(time - APART_MS);
  const later = queryOf(time + APART_MS);
  if (earlier === undefined || later === undefined) {
    throw new NotPossible(`\`${parameter.name}\` takes no such time`);
  }
  for (const query of [earlier, later]) {
    const input = { path: item.place.path, query };
    const { status } = await steps.session.call(operationIdOf(steps.resource, 'list'), input);
    if (status >= 400 && status < 500) {
      throw new NotPossible(`\`${parameter.name}\` takes no such time (${status})`);
    }
  }
  const kept = await steps.list(item.place, [item], { query: isLater ? earlier : later });
  const isKept = kept.ids.includes(steps.idOf(item));
  const name = `\`${parameter.name}\``;
  expectThat(isKept, `The list does not have an item that is within ${name}.`, {
    expected: item.shown,
    got: kept.ids,
  });
  const none = await steps.list(item.place, [], { query: isLater ? later : earlier });
  steps.expectNotListed(none, [item], `The list has an item that is beyond ${name}.`);
}
