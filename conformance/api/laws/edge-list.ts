/** The list of edges (D16): newest first, complete at every page size, also while others write. */
import fc from 'fast-check';
import { expectSuccess } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { expectListed, expectNotListed, walk } from './edge-pages.ts';
import { fullEdge } from './edge-updates.ts';
import { AT, type Cases, each, extended, type Law, once, oneOf } from './law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { createRoute, deleteEdge, newEdge, patchEdge } from '../route-steps.ts';
import { BARE, FORMS } from '../values/route-values.ts';
import { type EdgeResponse, getEdge, reachable, succeed } from '../steps.ts';

function law(name: string, rule: Partial<Law> & { sentence: string }, properties: Cases): Requirement {
  return extended(`edges.list.${name}`, { origin: 'D16', clause: AT.listEdges, ...rule }, properties);
}

/** New edges, newest first. */
async function newEdges(session: Session, count: number): Promise<EdgeResponse[]> {
  const edges: EdgeResponse[] = [];
  for (let index = 0; index < count; index++) edges.unshift(await newEdge(session, { description: String(index) }));
  return edges;
}

export function edgeListLaws(): Requirement[] {
  return [
    law(
      'order',
      {
        clause: '/components/schemas/HTTPSEdgeList/properties/https_edges',
        sentence: 'Edges are listed newest first.',
      },
      [
        each('several edges', fc.integer({ min: 2, max: 6 }), async (count, session) => {
          const edges = await newEdges(session, count);
          expectListed(await walk(session, edges.at(-1)!), edges);
        }),
        once('a change does not move an edge', async (session) => {
          const edges = await newEdges(session, 3);
          await patchEdge(session, edges.at(-1)!.id, { description: 'changed' });
          expectListed(await walk(session, edges.at(-1)!), edges);
        }),
      ],
    ),
    law('pages', { sentence: 'Following `next_page_uri` gives every edge exactly once, at every page size.' }, [
      oneOf('every small page size', [1, 2, 3, 4, 5, 6, 7], async (limit, session) => {
        const edges = await newEdges(session, 5);
        expectListed(await walk(session, edges.at(-1)!, { limit }), edges);
      }),
      each(
        'any number of edges',
        fc.record({ count: fc.integer({ min: 1, max: 5 }), limit: fc.integer({ min: 1, max: 7 }) }),
        async ({ count, limit }, session) => {
          const edges = await newEdges(session, count);
          expectListed(await walk(session, edges.at(-1)!, { limit }), edges);
        },
      ),
    ]),
    law(
      'limit',
      {
        clause: '/components/parameters/Limit/schema',
        sentence: '`limit` bounds a page of edges, and each page but the last leads on.',
      },
      [
        once('one edge a page', async (session) => {
          await newEdges(session, 2);
          const { https_edges: edges, next_page_uri: next } = (
            await succeed(session, 'listEdges', { query: { limit: '1' } })
          ).json as { https_edges: unknown[]; next_page_uri: unknown };
          expectThat(edges.length === 1, 'A page of at most one edge.', { expected: '1 edge', got: edges.length });
          expectThat(typeof next === 'string', 'There is a next page.', { expected: 'a `next_page_uri`', got: next });
        }),
      ],
    ),
    law(
      'uri',
      {
        clause: '/components/schemas/HTTPSEdgeList/properties/uri',
        sentence: '`uri` of a page is the URI of that page.',
      },
      [
        oneOf('the first page and the second', [1, 2], async (page, session) => {
          await newEdges(session, 3);
          let response = await succeed(session, 'listEdges', { query: { limit: '1' } });
          const to = async (uri: unknown) => {
            const next = await session.send({ method: 'GET', target: reachable(session, String(uri)) });
            expectSuccess(
              session.implementation,
              session.operation('listEdges'),
              next,
              'The URI of a page leads to it.',
            );
            return next;
          };
          if (page === 2) response = await to((response.json as { next_page_uri: unknown }).next_page_uri);
          const own = response.json as { uri: unknown; https_edges: EdgeResponse[] };
          const same = (await to(own.uri)).json as { uri: unknown; https_edges: EdgeResponse[] };
          expectThat(same.uri === own.uri, 'The page has another `uri` under its `uri`.', {
            expected: own.uri,
            got: same.uri,
          });
          // Others may create edges in between, which moves the first page alone.
          expectThat(same.https_edges.length <= 1, 'The page under `uri` has another `limit`.', {
            expected: '1 edge',
            got: same.https_edges.length,
          });
        }),
      ],
    ),
    law(
      'created',
      {
        origin: 'D10',
        sentence: 'An edge is listed as soon as it is created, and as reading it gives it, with its routes.',
      },
      [
        once('with and without routes', async (session) => {
          const edges = await newEdges(session, 2);
          await createRoute(session, edges[1]!.id, { ...BARE, compression: {}, saml: FORMS.saml.bare });
          await createRoute(session, edges[1]!.id, { ...BARE, match: '/second' });
          edges.unshift(await newEdge(session, fullEdge(session.implementation)));
          const found = await walk(session, edges.at(-1)!);
          for (const { id } of edges)
            expectSame(
              'The list shows the edge otherwise than reading it',
              found.edges.find((one) => one.id === id),
              await getEdge(session, id),
            );
        }),
      ],
    ),
    law('deleted', { origin: 'D10', sentence: 'An edge that was deleted is listed no more.' }, [
      each(
        'one of several',
        fc.record({ count: fc.integer({ min: 2, max: 4 }), at: fc.nat({ max: 3 }) }),
        async ({ count, at }, session) => {
          const edges = await newEdges(session, count);
          const [gone] = edges.splice(at % count, 1) as [EdgeResponse];
          await deleteEdge(session, gone.id);
          const found = await walk(session, edges.at(-1)!);
          expectListed(found, edges);
          expectNotListed(found, gone);
        },
      ),
    ]),
    law(
      'writes',
      {
        sentence:
          'An edge that is there all the while appears exactly once, also while others are created, changed and deleted between the pages.',
      },
      [
        each(
          'writes between two pages',
          fc.record({
            limit: fc.integer({ min: 1, max: 3 }),
            deleted: fc.nat({ max: 5 }),
            changed: fc.nat({ max: 5 }),
          }),
          async ({ limit, deleted, changed }, session) => {
            const edges = await newEdges(session, 6);
            const oldest = edges.at(-1)!;
            const gone = edges[deleted]!;
            const between = async (page: number) => {
              if (page > 1) return;
              await newEdge(session);
              if (changed !== deleted) await patchEdge(session, edges[changed]!.id, { description: 'changed' });
              // The oldest one is where the walk ends.
              if (gone !== oldest) await deleteEdge(session, gone.id);
            };
            const stayed = edges.filter((one) => one === oldest || one !== gone);
            expectListed(await walk(session, oldest, { limit, between }), stayed);
          },
        ),
        // A cursor may name that edge.
        oneOf('the last edge of each page is deleted', [1, 2, 3], async (limit, session) => {
          const edges = await newEdges(session, 6);
          const oldest = edges.at(-1)!;
          const between = async (_: number, page: readonly EdgeResponse[]) => {
            const last = edges.find(({ id }) => id === page.at(-1)!.id);
            if (last && last !== oldest) await deleteEdge(session, last.id);
          };
          expectListed(await walk(session, oldest, { limit, between }), edges);
        }),
      ],
    ),
  ];
}
