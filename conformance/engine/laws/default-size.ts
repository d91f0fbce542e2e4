/** The law of the size of a page that nobody asks for: the default of its parameter. */
import { memberOf } from '../contract/by-name.ts';
import { defaultOf, shapeOf } from '../contract/shape.ts';
import { expectSame, expectThat } from '../http/nonconformity.ts';
import { pageSizeOf } from './inference/pages.ts';
import { type Law, once } from './law.ts';
import { required } from './required.ts';
import { type Facts, factsOf, type Json, type Place } from './resource.ts';
import type { Steps } from './steps.ts';

/** Pages without a size. */
export const defaultSizeLaws = {
  defaultSize: {
    needs: ['create', 'list'],
    applies: (facts) => defaultSizeOf(facts) !== undefined,
    sentence: ({ many }) => `A page of ${many} has the size that is the default of its parameter.`,
    properties(resource) {
      const facts = factsOf(resource);
      const size = required(defaultSizeOf(facts), 'the size of a page has a default');
      return once('more items than a page', (steps) => tryDefault(size, steps));
    },
  },
} satisfies Record<string, Law>;

interface DefaultSize {
  name: string;
  size: number;
}

/** More items than this are not made. */
const MOST = 20;

/** Others may remove items between two reads, but not each time. */
const TRIES = 3;

function defaultSizeOf({ contract, list }: Facts): DefaultSize | undefined {
  const name = list === undefined ? undefined : pageSizeOf(contract, list)?.name;
  const parameter = list?.parameters.find((one) => one.in === 'query' && one.name === name);
  const size = parameter && defaultOf(shapeOf(contract, parameter.schema));
  if (name === undefined || typeof size !== 'number' || size < 1) {
    return undefined;
  }
  return { name, size };
}

async function tryDefault({ name, size }: DefaultSize, steps: Steps): Promise<void> {
  const isSmall = size <= MOST;
  const items = isSmall ? size + 1 : 1;
  const { place } = await steps.createSome({ items });
  const shown = memberOf(await firstPage(steps, place), name);
  if (typeof shown === 'number') {
    expectThat(shown === size, `A page shows another \`${name}\` than the default.`, {
      expected: size,
      got: shown,
    });
  }
  if (!isSmall) {
    return;
  }
  let counts: PageCounts = { without: 0, asked: 0 };
  for (let tries = 0; tries < TRIES; tries++) {
    const asked = steps.itemsIn(await firstPage(steps, place, [[name, String(size)]]));
    const without = steps.itemsIn(await firstPage(steps, place));
    counts = { without: without.length, asked: asked.length };
    if (counts.without === counts.asked) {
      return;
    }
  }
  const what = `A page without \`${name}\` has another size than with its default`;
  expectSame(what, counts.without, counts.asked);
}

/** The numbers of items of a page without a size, and of one with the default as its size. */
interface PageCounts {
  without: number;
  asked: number;
}

async function firstPage(
  steps: Steps,
  place: Place,
  query: [string, string][] = [],
): Promise<Json> {
  const { list } = steps.resource;
  const needed = list.kind === 'whole' ? (list.query ?? []) : [];
  const whole = [...needed, ...query] as [string, string][];
  const { json } = await steps.succeed('list', { path: place.path, query: whole });
  return Object(json) as Json;
}
