/** What edges alone promise: their texts and lists, the defaults of their modules, and that they can be sent again. */
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { expectReadAs, expectSent } from '../../engine/laws/echo.ts';
import { createOne, read } from '../../engine/laws/items.ts';
import { forAll, forEach } from '../../engine/laws/law.ts';
import type { Json } from '../../engine/laws/resource.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { edges } from '../resources/edges.ts';
import { oddLists, TEXTS } from '../values/edge-examples.ts';
import { acceptable, EDGE_CREATE, edgeBodies, hostportFor } from '../values/edge-values.ts';
import { sentAgain } from '../values/sent-again.ts';
import { AT, core } from './law.ts';

const TERMINATION = `${AT.schemas}/EndpointTLSTerminationAtEdge/properties`;

async function expectKept(body: Json, session: Session): Promise<void> {
  const sent = acceptable(session.implementation, body);
  const item = await createOne(session, edges, sent);
  expectSent(edges, item, sent, session.implementation);
  await expectReadAs(session, edges, item);
}

/** A law of edges with these bodies. */
function ofBodies(
  id: string,
  origin: string,
  clause: string,
  sentence: string,
  bodies: readonly Json[],
  check: (shown: Json, body: Json) => void,
): Requirement {
  return core(id, origin, clause, sentence, ({ testData }) => [
    forEach('such edges', bodies, async (body, session) => {
      const sent = { hostports: [hostportFor(testData)], ...body };
      check((await createOne(session, edges, sent)).shown, body);
    }),
  ]);
}

export function edgeLaws(): Requirement[] {
  return [
    core(
      'edges.echo.texts',
      'source §4.1',
      EDGE_CREATE,
      'Description and metadata are kept and read to the byte, whatever they hold.',
      [
        forEach('texts', Object.values(TEXTS), (text, session) =>
          expectKept({ description: text, metadata: text }, session),
        ),
      ],
    ),
    core(
      'edges.echo.lists',
      'source §4.1',
      EDGE_CREATE,
      'Lists are kept and read in their order and with all that they hold, and so are modules beside each other.',
      (implementation) => [forEach('lists and modules', Object.values(oddLists(implementation)), expectKept)],
    ),
    ofBodies(
      'edges.defaults.enabled',
      'source §2',
      `${AT.schemas}/Enabled/default`,
      'A module is enabled unless it says otherwise.',
      [{ mutual_tls: {} }, { tls_termination: {} }, { mutual_tls: {}, tls_termination: {} }],
      (shown, body) => {
        for (const name of Object.keys(body))
          expectSame(`\`${name}.enabled\` was left out`, shown[name], { enabled: true });
      },
    ),
    ofBodies(
      'edges.defaults.terminate-at',
      'D08',
      `${TERMINATION}/terminate_at/default`,
      '`terminate_at` is `edge` unless it says otherwise.',
      [{ tls_termination: {} }, { tls_termination: { min_version: '1.3' } }],
      (shown) => expectSame('`terminate_at` was left out', shown['tls_termination'], { terminate_at: 'edge' }),
    ),
    ofBodies(
      'edges.defaults.min-version',
      'D07',
      `${TERMINATION}/min_version/default`,
      '`min_version` reads back as a version that the service picks when it is omitted or null.',
      [{}, { min_version: null }, { terminate_at: 'edge' }].map((tls_termination) => ({ tls_termination })),
      (shown) => {
        const got = (shown['tls_termination'] as Json | null)?.['min_version'];
        expectThat(typeof got === 'string', '`min_version` was omitted.', { expected: 'a version', got });
      },
    ),
    ofBodies(
      'edges.upstream.min-version',
      'source §2.4',
      `${AT.schemas}/EndpointTLSTermination/then`,
      'With `terminate_at: upstream`, `min_version` is null.',
      [{}, { min_version: null }].map((more) => ({ tls_termination: { terminate_at: 'upstream', ...more } })),
      (shown) => {
        const due = { terminate_at: 'upstream', min_version: null };
        expectSame('TLS passes through', shown['tls_termination'], due);
      },
    ),
    ofBodies(
      'edges.null-module',
      'D04',
      `${EDGE_CREATE}/properties/mutual_tls/oneOf`,
      'A module that is sent as null is as one that is left out.',
      [{ mutual_tls: null }, { tls_termination: null }, { mutual_tls: null, tls_termination: null }],
      (shown) => expectSame('The modules are null', shown, { mutual_tls: null, tls_termination: null }),
    ),
    core(
      'edges.sent-again',
      'D04',
      EDGE_CREATE,
      'An edge can be created from what was read, with the ids of its Refs in place of the Refs.',
      (implementation) => [
        forAll('any edge', edgeBodies(implementation), async (body, session) => {
          const shown = await read(session, edges, await createOne(session, edges, body));
          const again = (await createOne(session, edges, sentAgain(shown))).shown;
          for (const name of edges.values.members)
            expectSame(`\`${name}\` was sent as it was read`, again[name], shown[name]);
        }),
      ],
    ),
  ];
}
