/** Laws of edges alone: texts and lists, defaults of modules, TLS versions, Refs, and sending an edge again. */
import { randomUUID } from 'node:crypto';
import { expectSuccess, succeed } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat, NotPossible } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { createAsSent, expectReadAs } from '../../engine/laws/echo.ts';
import { forAll, forEach, once } from '../../engine/laws/law.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { type ApiRule, AT, core, INFO } from '../define.ts';
import type { Json } from '../modules.ts';
import { edges } from '../resources/edges.ts';
import { type EdgeResponse, getEdge } from '../steps.ts';
import { hostportFor } from '../test-data.ts';
import { acceptable, EDGE_CREATE, edgeBodies, oddLists, sentAgain, TEXTS } from '../values/edges.ts';

const TERMINATION = `${AT.schemas}/EndpointTLSTerminationAtEdge/properties`;

async function expectKept(body: Json, session: Session): Promise<void> {
  const steps = new Steps(session, edges);
  await expectReadAs(await createAsSent(acceptable(session.implementation, body), steps), steps);
}

/** A law of what edges with these bodies show. */
function ofBodies(rule: ApiRule, sentence: string, bodies: readonly Json[], check: (shown: Json, body: Json) => void) {
  return core(rule, sentence, ({ testData }) =>
    forEach('such edges', bodies, async (body, session) => {
      const sent = { hostports: [hostportFor(testData)], ...body };
      check((await new Steps(session, edges).createOne(sent)).shown, body);
    }),
  );
}

/**
 * An edge with these modules, as the response and a later read show it.
 * @throws NotPossible where the service may refuse them, checked by the source document alone
 */
async function edgeWith(session: Session, modules: Json, unknown: string): Promise<EdgeResponse[]> {
  const { implementation } = session;
  const response = await session.call('createEdge', { json: { ...acceptable(implementation, {}), ...modules } });
  if (implementation.origin === 'source' && response.status >= 400 && response.status < 500)
    throw new NotPossible(unknown);
  expectSuccess(implementation, session.operation('createEdge'), response);
  const edge = response.json as EdgeResponse;
  return [edge, await getEdge(session, edge.id)];
}

const bodyLaws = [
  core(
    ['edges.echo.texts', 'source §4.1', EDGE_CREATE],
    'Description and metadata are kept and read to the byte, whatever they hold.',
    forEach('texts', TEXTS, (text, session) => expectKept({ description: text, metadata: text }, session)),
  ),
  core(
    ['edges.echo.lists', 'source §4.1', EDGE_CREATE],
    'Lists are kept and read in their order and with all that they hold, and so are modules beside each other.',
    (implementation) => forEach('lists and modules', oddLists(implementation), expectKept),
  ),
  core(
    ['edges.sent-again', 'D04', EDGE_CREATE, '**What was read can be sent again'],
    'An edge can be created from what was read, with the ids of its Refs in place of the Refs.',
    (implementation) =>
      forAll('any edge', edgeBodies(implementation), async (body, session) => {
        const steps = new Steps(session, edges);
        const shown = await steps.read(await steps.createOne(body));
        const again = (await steps.createOne(sentAgain(shown))).shown;
        for (const name of edges.values.members)
          expectSame(`\`${name}\` was sent as it was read`, again[name], shown[name]);
      }),
  ),
  core(
    ['edges.no-idempotency-keys', 'D41', INFO, 'There are no idempotency keys'],
    'A creation that is sent again with the same `Idempotency-Key` creates another edge.',
    once('the same request twice', async (session) => {
      const headers = { 'idempotency-key': randomUUID() };
      const input = { json: acceptable(session.implementation, {}), headers };
      const both = [await succeed(session, 'createEdge', input), await succeed(session, 'createEdge', input)];
      const got = both.map(({ json }) => (json as EdgeResponse).id);
      expectThat(got[0] !== got[1], 'The second creation is that of the first.', { expected: 'two ids', got });
    }),
  ),
  core(
    ['edges.min-version.kept', 'source §2.4', `${AT.schemas}/EndpointTLSTermination/properties/min_version`],
    'A `min_version` that is accepted is in the response and is read back.',
    // The source does not show which versions there are: by it alone, a service may know others.
    forEach('TLS versions', ['1.2', '1.3'], async (min_version, session) => {
      const modules = { tls_termination: { enabled: true, min_version } };
      const unknown = `the service does not know the TLS version ${min_version}`;
      for (const { tls_termination } of await edgeWith(session, modules, unknown))
        expectSame('`min_version` is not the one that was sent', tls_termination, { min_version });
    }),
  ),
  core(
    ['edges.refs', 'source §2.3', `${AT.schemas}/Ref`],
    'Each Ref has the `id` that was sent and a `uri`.',
    once('a certificate authority', async (session) => {
      const id = session.implementation.testData.certificateAuthorityIds[0] ?? 'ca_conformance';
      const modules = { mutual_tls: { enabled: true, certificate_authority_ids: [id] } };
      const unknown = 'needs a certificate authority that exists: give --certificate-authority-id';
      for (const { mutual_tls } of await edgeWith(session, modules, unknown)) {
        // A service may show one Ref or a list.
        const { certificate_authorities: found } = (mutual_tls ?? {}) as Json;
        const [ref] = (Array.isArray(found) ? found : [found]) as (Json | null | undefined)[];
        // That `uri` is always there was decided (D04).
        const isBySource = session.implementation.origin === 'source';
        const hasUri = typeof ref?.['uri'] === 'string' || (isBySource && ref?.['uri'] === undefined);
        const isRef = ref?.['id'] === id && hasUri;
        const expected = `{"id": "${id}", "uri": …}`;
        expectThat(isRef, 'A Ref lacks its `id` or its `uri`.', { expected, got: found });
      }
    }),
  ),
];

const defaultLaws = [
  ofBodies(
    ['edges.defaults.enabled', 'source §2', `${AT.schemas}/Enabled/default`],
    'A module is enabled unless it says otherwise.',
    [{ mutual_tls: {} }, { tls_termination: {} }, { mutual_tls: {}, tls_termination: {} }],
    (shown, body) => {
      for (const name of Object.keys(body))
        expectSame(`\`${name}.enabled\` was left out`, shown[name], { enabled: true });
    },
  ),
  ofBodies(
    ['edges.defaults.terminate-at', 'D08', `${AT.schemas}/TerminateAt/default`],
    '`terminate_at` is `edge` unless it says otherwise.',
    [{ tls_termination: {} }, { tls_termination: { min_version: '1.3' } }],
    ({ tls_termination }) => expectSame('`terminate_at` was left out', tls_termination, { terminate_at: 'edge' }),
  ),
  ofBodies(
    ['edges.defaults.min-version', 'D07', `${TERMINATION}/min_version/default`],
    '`min_version` reads back as a version that the service picks when it is omitted or null.',
    [{}, { min_version: null }, { terminate_at: 'edge' }].map((tls_termination) => ({ tls_termination })),
    (shown) => {
      const got = (shown['tls_termination'] as Json | null)?.['min_version'];
      expectThat(typeof got === 'string', '`min_version` was omitted.', { expected: 'a version', got });
    },
  ),
  ofBodies(
    ['edges.upstream.min-version', 'source §2.4', `${AT.schemas}/EndpointTLSTermination/if`],
    'With `terminate_at: upstream`, `min_version` is null.',
    [{}, { min_version: null }].map((more) => ({ tls_termination: { terminate_at: 'upstream', ...more } })),
    ({ tls_termination }) =>
      expectSame('TLS passes through', tls_termination, { terminate_at: 'upstream', min_version: null }),
  ),
  ofBodies(
    ['edges.null-module', 'D04', `${EDGE_CREATE}/properties/mutual_tls/oneOf`, 'In a create request'],
    'A module that is sent as null is as one that is left out.',
    [{ mutual_tls: null }, { tls_termination: null }, { mutual_tls: null, tls_termination: null }],
    (shown) => expectSame('The modules are null', shown, { mutual_tls: null, tls_termination: null }),
  ),
];

export const edgeLaws = [...bodyLaws, ...defaultLaws];
