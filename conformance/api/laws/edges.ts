/** Laws of edges that no schema states: what is read is what was written. */
import fc from 'fast-check';
import { expectSame, expectThat, Nonconformity } from '../../engine/http/nonconformity.ts';
import { expectSuccess } from '../../engine/http/expect-response.ts';
import type { Session } from '../../engine/http/session.ts';
import { defaultsOf, sentOf } from '../model/edge.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { acceptable, EDGE_CREATE, type EdgeBody, edgeBodies, hostportFor } from '../values/edge-values.ts';
import { each, type Property, type Requirement } from '../../engine/requirements/requirement.ts';
import { sentAgain } from '../values/sent-again.ts';
import { createEdge, type EdgeResponse, expectNow, getEdge, reachable, succeed } from '../steps.ts';
import { NOTHING } from '../valid-calls.ts';

type Law = Pick<Requirement, 'origin' | 'clause' | 'sentence' | 'words'>;

function law(name: string, rule: Law, properties: Requirement['properties']): Requirement {
  return { id: `edges.${name}`, level: 'core', ...rule, properties };
}

/** A law of every edge that can be created. */
function ofEveryEdge(name: string, rule: Law, check: (body: EdgeBody, session: Session) => Promise<void>): Requirement {
  return law(name, rule, (implementation) => [{ label: 'any edge', values: edgeBodies(implementation), check }]);
}

/** A law of particular bodies, whose forms the source does not show. */
function ofBodies(
  name: string,
  rule: Law,
  bodies: fc.Arbitrary<EdgeBody>,
  check: (edge: EdgeResponse, body: EdgeBody) => void,
  fixed: (implementation: Implementation) => EdgeBody = () => ({}),
): Requirement {
  const properties = (implementation: Implementation): Property[] => [
    {
      label: 'such edges',
      values: bodies.map((body) => ({ ...fixed(implementation), ...body })),
      check: async (body: EdgeBody, session) => check(await createEdge(session, body), body),
    },
  ];
  return law(name, rule, properties);
}

async function expectDefaults(body: EdgeBody, session: Session): Promise<void> {
  expectSame('What was left out has another default', await createEdge(session, body), defaultsOf(body));
}

export function edgeLaws(): Requirement[] {
  return [
    ofEveryEdge(
      'echo',
      {
        origin: 'source §4.1',
        clause: EDGE_CREATE,
        sentence: 'What is sent at creation is in the response: texts to the byte, lists in their order.',
      },
      async (body, session) => {
        expectSame(
          'The response is not what was sent',
          await createEdge(session, body),
          sentOf(body, session.implementation.origin),
        );
      },
    ),
    law(
      'defaults',
      {
        origin: 'D04',
        clause: '/components/schemas/HTTPSEdge/required',
        sentence: 'What is omitted or null reads back as its default: texts "", lists [], modules null.',
      },
      (implementation) => [
        ...each<EdgeBody>(
          {
            nothing: {},
            'modules with nothing in them': { mutual_tls: {}, tls_termination: {} },
            null: { description: null, metadata: null, hostports: null, mutual_tls: null, tls_termination: null },
          },
          expectDefaults,
        ),
        { label: 'any edge', values: edgeBodies(implementation), check: expectDefaults },
      ],
    ),
    ofBodies(
      'defaults.enabled',
      {
        origin: 'source §2',
        clause: '/components/schemas/Enabled/default',
        sentence: 'A module is enabled unless it says otherwise.',
      },
      fc.constantFrom({ mutual_tls: {} }, { tls_termination: {} }, { mutual_tls: {}, tls_termination: {} }),
      (edge, body) => {
        for (const name of ['mutual_tls', 'tls_termination'].filter((one) => one in body)) {
          const module = edge[name] as { enabled?: unknown } | null;
          expectThat(module?.enabled === true, `\`${name}.enabled\` is true when it is left out.`, {
            expected: true,
            got: module,
          });
        }
      },
      (implementation) => ({ hostports: [hostportFor(implementation.testData)] }),
    ),
    ofBodies(
      'defaults.terminate-at',
      {
        origin: 'D08',
        clause: '/components/schemas/EndpointTLSTerminationAtEdge/properties/terminate_at/default',
        sentence: '`terminate_at` is `edge` unless it says otherwise.',
      },
      fc.constantFrom({ tls_termination: {} }, { tls_termination: { min_version: '1.3' } }),
      (edge) => expectSame('`terminate_at` was left out', edge['tls_termination'], { terminate_at: 'edge' }),
    ),
    ofBodies(
      'defaults.min-version',
      {
        origin: 'D07',
        clause: '/components/schemas/EndpointTLSTerminationAtEdge/properties/min_version/default',
        sentence: '`min_version` reads back as a version that the service picks when it is omitted or null.',
      },
      fc.constantFrom(
        { tls_termination: {} },
        { tls_termination: { min_version: null } },
        { tls_termination: { terminate_at: 'edge' } },
      ),
      (edge) => {
        const picked = (edge['tls_termination'] as { min_version?: unknown } | null)?.min_version;
        expectThat(typeof picked === 'string', '`min_version` was omitted, and the service picked no version.', {
          expected: 'a version',
          got: picked,
        });
      },
    ),
    ofBodies(
      'upstream.min-version',
      {
        origin: 'source §2.4',
        clause: '/components/schemas/EndpointTLSTermination/then',
        sentence: 'With `terminate_at: upstream`, `min_version` is null.',
      },
      fc.constantFrom(
        { tls_termination: { terminate_at: 'upstream' } },
        { tls_termination: { terminate_at: 'upstream', min_version: null } },
      ),
      (edge) =>
        expectSame('TLS passes through', edge['tls_termination'], { terminate_at: 'upstream', min_version: null }),
    ),
    ofBodies(
      'null-module',
      {
        origin: 'D04',
        clause: `${EDGE_CREATE}/properties/mutual_tls/oneOf`,
        sentence: 'A module that is sent as null is as one that is left out.',
      },
      fc.constantFrom({ mutual_tls: null }, { tls_termination: null }, { mutual_tls: null, tls_termination: null }),
      (edge) => expectSame('The modules are null', edge, { mutual_tls: null, tls_termination: null }),
    ),
    ofEveryEdge(
      'read-your-write',
      {
        origin: 'source §4.2',
        clause: '/paths/~1edges~1https~1{id}/get',
        sentence: 'Reading an edge gives what creating it returned.',
      },
      async (body, session) => {
        const created = await createEdge(session, body);
        expectSame('The edge reads otherwise than it was created', await getEdge(session, created.id), created);
      },
    ),
    law(
      'stable',
      {
        origin: 'source §2.1',
        clause: '/components/schemas/HTTPSEdge/properties/created_at',
        sentence: 'An edge that nobody changes does not change, and its `created_at` does not move.',
      },
      (implementation) => [
        {
          label: 'reading again, and while others are created',
          values: fc.tuple(edgeBodies(implementation), edgeBodies(implementation)),
          async check([first, second]: [EdgeBody, EdgeBody], session) {
            const created = await createEdge(session, first);
            const other = await createEdge(session, second);
            // Timestamps of one second do not show a clock that moves with each read.
            for (const edge of [created, other, created])
              expectSame('The edge changed by itself', await getEdge(session, edge.id), edge);
          },
        },
        {
          label: 'reading again after more than a second',
          values: NOTHING,
          once: true,
          async check(_, session) {
            const created = await createEdge(session, acceptable(implementation, {}));
            await new Promise((resolve) => setTimeout(resolve, 1_100));
            expectSame('The edge changed by itself', await getEdge(session, created.id), created);
          },
        },
      ],
    ),
    ofEveryEdge(
      'sent-again',
      {
        origin: 'D04',
        clause: EDGE_CREATE,
        sentence: 'An edge can be created from what was read, with the ids of its Refs in place of the Refs.',
      },
      async (body, session) => {
        const read = await getEdge(session, (await createEdge(session, body)).id);
        const again = await createEdge(session, sentAgain(read));
        for (const name of ['description', 'metadata', 'hostports', 'mutual_tls', 'tls_termination'])
          expectSame(`\`${name}\` was sent as it was read`, again[name], read[name]);
      },
    ),
    law(
      'created-at',
      {
        origin: 'D40',
        clause: '/components/schemas/CreatedAt',
        sentence: '`created_at` of an edge is within a minute of the `Date` of the response that created it.',
      },
      (implementation) => [
        {
          label: 'a new edge',
          values: NOTHING,
          once: true,
          async check(_, session) {
            expectNow(await succeed(session, 'createEdge', { json: acceptable(implementation, {}) }));
          },
        },
      ],
    ),
    law(
      'ids-unique',
      {
        origin: 'source §2.1',
        clause: '/components/schemas/HTTPSEdge/properties/id',
        sentence: 'Each edge has an id of its own, also when several are created at once.',
      },
      (implementation) => [
        {
          label: 'edges created at once',
          values: fc.integer({ min: 2, max: 6 }),
          async check(count: number, session) {
            const create = () => session.call('createEdge', { json: acceptable(implementation, {}) });
            const responses = await session.together(() => Array.from({ length: count }, create));
            for (const response of responses) expectSuccess(implementation, session.operation('createEdge'), response);
            const ids = responses.map((response) => (response.json as EdgeResponse).id);
            expectThat(new Set(ids).size === count, 'Two edges have the same id.', {
              expected: `${count} ids`,
              got: ids,
            });
          },
        },
      ],
    ),
    ofEveryEdge(
      'uri',
      {
        origin: 'source §2.1',
        clause: '/components/schemas/Uri',
        sentence: 'The `uri` of an edge leads to it.',
      },
      async (body, session) => {
        const created = await createEdge(session, body);
        const response = await session.send({ method: 'GET', target: reachable(session, String(created.uri)) });
        expectSuccess(session.implementation, session.operation('getEdge'), response, '`uri` leads to the edge.');
        expectSame('`uri` leads to something else', response.json, { id: created.id });
      },
    ),
    ofEveryEdge(
      'location',
      {
        origin: 'D37',
        clause: '/components/headers/EdgeLocation',
        sentence: 'A `Location` beside a 201 equals the `uri` of what was created.',
      },
      async (body, session) => {
        const response = await succeed(session, 'createEdge', { json: body });
        const { location } = response.headers;
        if (location === undefined) return;
        const { uri } = response.json as EdgeResponse;
        if (location !== uri) throw new Nonconformity('`Location` is not `uri`.', { expected: uri, got: location });
      },
    ),
  ];
}
