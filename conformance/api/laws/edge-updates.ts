/** PATCH on an edge (D11): absent is unchanged, null removes or resets, anything else replaces whole, all in one step. */
import fc from 'fast-check';
import { validValues } from '../../engine/generate/valid.ts';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { patchedEdge, shownEdge } from '../model/edge-update.ts';
import type { Json } from '../model/route.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { bodiesFor, TEXTS } from './edge-echoes.ts';
import { AT, each, extended, type Law, once, oneOf } from './law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { createRoute, deleteEdge, expectRoutes, newEdge, patchEdge } from '../route-steps.ts';
import { BARE, FORMS } from '../values/route-values.ts';
import { type EdgeResponse, getEdge, refuse } from '../steps.ts';
import { unknownId } from '../unknown-ids.ts';

function law(
  name: string,
  rule: Partial<Law> & { sentence: string },
  properties: Parameters<typeof extended>[2],
): Requirement {
  return extended(`edges.update.${name}`, { origin: 'D11', clause: AT.updateEdge, ...rule }, properties);
}

function patches({ contract, hints }: Implementation): fc.Arbitrary<Json> {
  return validValues(contract, '/components/schemas/HTTPSEdgeUpdate', hints) as fc.Arbitrary<Json>;
}

function hostport(implementation: Implementation, name: string): string {
  return `${name}.${implementation.testData.hostportDomain ?? 'example.com'}:443`;
}

/** Every property set, and none to its default. */
export function fullEdge(implementation: Implementation): Json {
  return {
    description: 'before',
    metadata: '{"before":1}',
    hostports: [hostport(implementation, 'b'), hostport(implementation, 'a')],
    mutual_tls: {
      enabled: false,
      certificate_authority_ids:
        implementation.testData.certificateAuthorityIds.length > 0
          ? implementation.testData.certificateAuthorityIds.slice(0, 2)
          : ['ca_b', 'ca_a'],
    },
    tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.3' },
  };
}

/** Changes an edge and expects what the model says, in the response and when it is read. */
async function expectChanged(session: Session, edge: EdgeResponse, before: Json, patch: Json): Promise<void> {
  const response = await patchEdge(session, edge.id, patch);
  expectSame('The response is not the changed edge', response, {
    ...patchedEdge(before, patch),
    id: edge.id,
    uri: edge.uri,
    created_at: edge.created_at,
  });
  expectSame('The changed edge reads otherwise than the response', await getEdge(session, edge.id), response);
}

const NAMES = ['description', 'metadata', 'hostports', 'mutual_tls', 'tls_termination'];

export function edgeUpdateLaws(): Requirement[] {
  return [
    law(
      'echo',
      { sentence: 'A change of an edge shows in the response and when the edge is read.' },
      (implementation) => [
        each('any change of a bare edge', patches(implementation), async (patch, session) =>
          expectChanged(session, await newEdge(session), shownEdge({}), patch),
        ),
        oneOf('texts that tend to be changed', Object.values(TEXTS), async (text, session) => {
          await expectChanged(session, await newEdge(session), shownEdge({}), { description: text, metadata: text });
        }),
        oneOf('lists and modules', Object.values(bodiesFor(implementation)), async (patch, session) => {
          await expectChanged(session, await newEdge(session), shownEdge({}), patch);
        }),
        oneOf('one that was read before', Object.entries(fullEdge(implementation)), async ([name, value], session) => {
          const edge = await newEdge(session);
          await getEdge(session, edge.id);
          await expectChanged(session, edge, shownEdge({}), { [name]: value });
        }),
      ],
    ),
    law('absent', { sentence: 'What a change of an edge leaves out stays as it is.' }, (implementation) => [
      oneOf('one property of a full edge', NAMES, async (name, session) => {
        const after: Json = {
          description: 'after',
          metadata: 'after',
          hostports: [hostport(implementation, 'c')],
          mutual_tls: {},
          tls_termination: {},
        };
        await expectChanged(
          session,
          await newEdge(session, fullEdge(implementation)),
          shownEdge(fullEdge(implementation)),
          {
            [name]: after[name],
          },
        );
      }),
    ]),
    law(
      'null',
      { sentence: 'Null removes a module of an edge, and resets a text to "" and hostports to [].' },
      (implementation) => [
        oneOf('each property of a full edge', NAMES, async (name, session) => {
          await expectChanged(
            session,
            await newEdge(session, fullEdge(implementation)),
            shownEdge(fullEdge(implementation)),
            {
              [name]: null,
            },
          );
        }),
        each('some properties of a full edge', fc.subarray(NAMES, { minLength: 1 }), async (names, session) => {
          const patch = Object.fromEntries(names.map((name) => [name, null]));
          await expectChanged(
            session,
            await newEdge(session, fullEdge(implementation)),
            shownEdge(fullEdge(implementation)),
            patch,
          );
          await expectChanged(session, await newEdge(session), shownEdge({}), patch);
        }),
      ],
    ),
    law(
      'replaced',
      { sentence: 'A text, a list or a module of an edge that is sent replaces the old one whole.' },
      (implementation) => [
        oneOf(
          'less in place of more',
          [
            { description: '' },
            { metadata: '' },
            { hostports: [] },
            { mutual_tls: {} },
            { tls_termination: {} },
            { tls_termination: { enabled: true } },
            { mutual_tls: { enabled: true } },
          ] as Json[],
          async (patch, session) => {
            await expectChanged(
              session,
              await newEdge(session, fullEdge(implementation)),
              shownEdge(fullEdge(implementation)),
              patch,
            );
          },
        ),
        oneOf(
          'hostports in another order',
          [['a'], ['b'], ['a', 'b'], ['c', 'a'], ['d', 'b', 'c', 'a']],
          async (names, session) => {
            const patch = { hostports: names.map((name) => hostport(implementation, name)) };
            await expectChanged(
              session,
              await newEdge(session, fullEdge(implementation)),
              shownEdge(fullEdge(implementation)),
              patch,
            );
          },
        ),
      ],
    ),
    law('nothing', { sentence: 'A change of nothing is 200 and changes nothing of an edge.' }, (implementation) => [
      oneOf('an empty object', ['full', 'bare'], async (kind, session) => {
        const edge = await newEdge(session, kind === 'full' ? fullEdge(implementation) : {});
        expectSame('A change of nothing changed something', await patchEdge(session, edge.id, {}), edge);
        expectSame('A change of nothing changed something', await getEdge(session, edge.id), edge);
      }),
    ]),
    law('idempotent', { sentence: 'The same change of an edge again changes nothing more.' }, (implementation) => [
      each('twice', patches(implementation), async (patch, session) => {
        const { id } = await newEdge(session);
        const changed = await patchEdge(session, id, patch);
        expectSame('The same change had another effect', await patchEdge(session, id, patch), changed);
      }),
    ]),
    law(
      'identity',
      {
        clause: '/components/schemas/HTTPSEdge',
        sentence: 'Changes do not move `id`, `uri` and `created_at` of an edge.',
      },
      (implementation) => [
        once('after more than a second', async (session) => {
          const edge = await newEdge(session);
          await new Promise((resolve) => setTimeout(resolve, 1_100));
          await expectChanged(session, edge, shownEdge({}), fullEdge(implementation));
        }),
      ],
    ),
    law(
      'routes-stay',
      {
        clause: AT.updateEdge,
        sentence: 'Changes of an edge do not change its routes, and changes of another edge do not change it.',
      },
      (implementation) => [
        once('an edge with routes, beside another', async (session) => {
          const edge = await newEdge(session);
          const other = await newEdge(session);
          const route = await createRoute(session, edge.id, { ...BARE, compression: {}, saml: FORMS.saml.full });
          const changed = await patchEdge(session, edge.id, fullEdge(implementation));
          expectSame('The response to the change does not show the route', changed['routes'], [route]);
          await expectRoutes(session, edge.id, [route], 'A change of the edge changed its route');
          expectSame('A change of one edge changed another', await getEdge(session, other.id), other);
        }),
      ],
    ),
    law(
      'refused-changes-nothing',
      {
        origin: 'D29',
        clause: '/info/description',
        words: 'A refused request changes nothing',
        sentence: 'A change of an edge that is refused changes nothing, however much of it was right.',
      },
      (implementation) => [
        oneOf('one fault among good properties', BAD, async (bad, session) => {
          const edge = await newEdge(session, fullEdge(implementation));
          const json = { description: 'changed', metadata: null, hostports: null, mutual_tls: null, ...bad };
          await refuse(session, 'updateEdge', { path: { id: edge.id }, json }, [400], 'The body breaks the contract.');
          expectSame('A refused change changed something', await getEdge(session, edge.id), edge);
        }),
      ],
    ),
    law(
      'unknown',
      {
        origin: 'D15',
        clause: AT.notFound,
        sentence: 'Changing and deleting an edge that does not exist gets 404.',
      },
      [
        oneOf('unknown ids', [unknownId()], async (id, session) => {
          await refuse(session, 'updateEdge', { path: { id }, json: {} }, [404], 'There is no such edge.');
          await refuse(
            session,
            'updateEdge',
            { path: { id }, json: { description: 'new' } },
            [404],
            'There is no such edge.',
          );
          await refuse(session, 'deleteEdge', { path: { id } }, [404], 'There is no such edge.');
          await refuse(session, 'getEdge', { path: { id } }, [404], 'A refused change creates nothing.');
        }),
        once('one that was deleted', async (session) => {
          const { id } = await newEdge(session);
          await deleteEdge(session, id);
          await refuse(session, 'updateEdge', { path: { id }, json: {} }, [404], 'The edge was deleted.');
        }),
      ],
    ),
  ];
}

const BAD: readonly Json[] = [
  { colour: null },
  { description: 5 },
  { metadata: 'é'.repeat(2049) },
  { hostports: ['a.example:1', 'a.example:1'] },
  { hostports: ['a.example'] },
  { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } },
  { tls_termination: { min_version: '1.1' } },
  { mutual_tls: {}, tls_termination: { terminate_at: 'upstream' } },
  { mutual_tls: { certificate_authority_ids: 'ca' } },
  { routes: [] },
  { id: 'another' },
];
