/** Pages of the edges that are older than one, for clients that do not follow the link to the next page (D16). */
import { expectRefusal } from '../../engine/http/expect-response.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import { forEach, once, type Steps } from '../../engine/laws/steps.ts';
import { expectPageUri } from '../../engine/laws/pages.ts';
import type { Item } from '../../engine/laws/resource.ts';
import { on } from '../define.ts';
import type { Json } from '../modules.ts';
import { edges } from '../resources/edges.ts';

const PARAMETER = '/components/parameters/BeforeId';

const law = on(edges, 'extended');

/**
 * The list from there on has all the older edges and none of the others.
 * @param at the index of the edge that is named
 */
async function expectOlder(steps: Steps, items: readonly Item[], at: number, limit: number): Promise<void> {
  const older = items.slice(0, at);
  const query = { before_id: steps.idOf(items[at]!) };
  const listing = await steps.list(items[at]!.place, older, { limit, query });
  steps.expectListed(listing, older);
  steps.expectNotListed(listing, items.slice(at), 'The page has an edge that is not older.');
}

const CASES = [0, 2, 4].flatMap((at) => [1, 3].map((limit) => ({ at, limit })));

export const beforeIdLaws = [
  law(
    ['edges.list.before-id', 'D16', PARAMETER],
    'With `before_id`, a page has the edges after the one with this id, and its links lead through all that are older.',
    forEach('the first, the middle and the last', CASES, async ({ at, limit }, steps) => {
      const { items } = await steps.createSome({ items: 5 });
      await expectOlder(steps, items, at, limit);
    }),
    once('the `uri` of the page', async (steps) => {
      const { place, items } = await steps.createSome({ items: 5 });
      const query = { before_id: steps.idOf(items[3]!) };
      await expectPageUri(steps, place, items, 3, { limit: 2, query });
    }),
  ),
  law(
    ['edges.list.before-id.deleted', 'D16', PARAMETER],
    'With the `before_id` of an edge that was deleted, the page begins where it was, or the request is refused.',
    forEach('the first, the middle and the last', [0, 2, 4], async (at, steps) => {
      const { items } = await steps.createSome({ items: 5 });
      await steps.remove(items[at]!);
      const { session, implementation } = steps;
      const response = await session.call('listEdges', { query: { before_id: steps.idOf(items[at]!) } });
      if (response.status !== 400) return expectOlder(steps, items, at, 1);
      const why = 'No edge has this id.';
      expectRefusal(implementation, session.operation('listEdges'), response, [400], why);
      const { errors } = response.json as { errors?: { parameter?: string }[] };
      const isNamed = errors?.some(({ parameter }) => parameter === 'before_id') ?? false;
      expectThat(isNamed, '`errors` names the parameter.', { expected: 'parameter before_id', got: errors });
    }),
  ),
  law(
    ['edges.list.before-id.cursor', 'D16', PARAMETER, 'Six errors have no keyword'],
    '`before_id` together with `cursor` is refused.',
    once('the cursor of the second page', async (steps) => {
      const { items } = await steps.createSome({ items: 5 });
      const page = (await steps.succeed('list', { query: { limit: '1' } })).json as Json;
      const cursor = new URL(String(page['next_page_uri'])).searchParams.get('cursor') ?? '1';
      const query = { cursor, before_id: steps.idOf(items[4]!) };
      await steps.refuse('list', { query }, [400], 'Two parameters say where the page begins.');
    }),
  ),
];
