/**
 * Laws of edges alone: texts and lists, defaults of modules, TLS versions, Refs, sending an edge again, and pages of the
 * edges that are older than one, for clients that do not follow the link to the next page (D16).
 */
import { randomUUID } from 'node:crypto';
import { expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat, NotPossible } from '../../engine/http/nonconformity.ts';
import { expectKept } from '../../engine/laws/echo.ts';
import { forAll, forEach, once, type Steps } from '../../engine/laws/steps.ts';
import { expectPageUri } from '../../engine/laws/pages.ts';
import type { Item } from '../../engine/laws/resource.ts';
import { type ApiRule, AT, INFO, on } from '../define.ts';
import { expectOwnUris } from '../model/shown.ts';
import type { Json } from '../modules.ts';
import { edges } from '../resources/edges.ts';
import { hostportFor } from '../test-data.ts';
import { acceptable, EDGE_CREATE, edgeBodies, oddLists, sentAgain, TEXTS } from '../values/bodies.ts';

const TERMINATION = `${AT.schemas}/EndpointTLSTerminationAtEdge/properties`;

const law = on(edges, 'core');
const extendedLaw = on(edges, 'extended');

const keeps = (body: Json, steps: Steps) => expectKept(acceptable(steps.implementation, body), steps);

/** A law of what edges with these bodies show. */
function ofBodies(rule: ApiRule, sentence: string, bodies: readonly Json[], check: (shown: Json, body: Json) => void) {
  return law(rule, sentence, ({ testData }) =>
    forEach('such edges', bodies, async (body, steps) =>
      check((await steps.createOne({ hostports: [hostportFor(testData)], ...body })).shown, body),
    ),
  );
}

/**
 * An edge with this module, as the response and a later read show it.
 * @throws NotPossible where the service may refuse it, checked by the source document alone
 */
async function moduleOf(steps: Steps, name: string, value: Json, unknown: string): Promise<unknown[]> {
  const { session, implementation } = steps;
  const place = await steps.place();
  const response = await session.call('createEdge', { json: { ...place.bodies[0], [name]: value } });
  if (implementation.origin === 'source' && response.status >= 400 && response.status < 500)
    throw new NotPossible(unknown);
  expectSuccess(implementation, session.operation('createEdge'), response);
  const edge = steps.itemIn(place, response);
  return [edge.shown, await steps.read(edge)].map((shown) => shown[name]);
}

const PARAMETER = '/components/parameters/BeforeId';

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

export const edgeLaws = [
  law(
    ['edges.echo.texts', 'source §4.1', EDGE_CREATE],
    'Description and metadata are kept and read to the byte, whatever they hold.',
    forEach('texts', TEXTS, (text, steps) => keeps({ description: text, metadata: text }, steps)),
  ),
  law(
    ['edges.echo.lists', 'source §4.1', EDGE_CREATE],
    'Lists are kept and read in their order and with all that they hold, and so are modules beside each other.',
    (implementation) => forEach('lists and modules', oddLists(implementation), keeps),
  ),
  law(
    ['edges.sent-again', 'D04', EDGE_CREATE, '**What was read can be sent again'],
    'An edge can be created from what was read, with the ids of its Refs in place of the Refs.',
    (implementation) =>
      forAll('any edge', edgeBodies(implementation), async (body, steps) => {
        const shown = await steps.read(await steps.createOne(body));
        const again = (await steps.createOne(sentAgain(shown))).shown;
        for (const name of edges.values.members)
          expectSame(`\`${name}\` was sent as it was read`, again[name], shown[name]);
      }),
  ),
  law(
    ['edges.no-idempotency-keys', 'D41', INFO, 'There are no idempotency keys'],
    'A creation that is sent again with the same `Idempotency-Key` creates another edge.',
    once('the same request twice', async (steps) => {
      const input = { json: steps.bare(), headers: { 'idempotency-key': randomUUID() } };
      const both = [await steps.succeed('create', input), await steps.succeed('create', input)];
      const got = both.map(({ json }) => (json as Json)['id']);
      expectThat(got[0] !== got[1], 'The second creation is that of the first.', { expected: 'two ids', got });
    }),
  ),
  law(
    ['edges.min-version.kept', 'source §2.4', `${AT.schemas}/EndpointTLSTermination/properties/min_version`],
    'A `min_version` that is accepted is in the response and is read back.',
    // The source does not show which versions there are: by it alone, a service may know others.
    forEach('TLS versions', ['1.2', '1.3'], async (min_version, steps) => {
      const unknown = `the service does not know the TLS version ${min_version}`;
      for (const shown of await moduleOf(steps, 'tls_termination', { enabled: true, min_version }, unknown))
        expectSame('`min_version` is not the one that was sent', shown, { min_version });
    }),
  ),
  law(
    ['edges.refs', 'source §2.3', `${AT.schemas}/Ref`],
    'Each Ref has the `id` that was sent and a `uri` of its own.',
    once('certificate authorities', async (steps) => {
      const { testData, origin } = steps.implementation;
      const known = testData.certificateAuthorityIds;
      const some = known.length > 0 ? known : ['ca_conformance', 'ca_conformance_2'];
      const ids = some.slice(0, origin === 'all' ? 2 : 1);
      const value = { enabled: true, certificate_authority_ids: ids };
      const unknown = 'needs a certificate authority that exists: give --certificate-authority-id';
      for (const shown of await moduleOf(steps, 'mutual_tls', value, unknown)) {
        // A service may show one Ref or a list.
        const { certificate_authorities: found } = (shown ?? {}) as Json;
        const refs = [found].flat() as (Json | null | undefined)[];
        for (const [index, id] of ids.entries()) {
          const ref = refs[index];
          // That `uri` is always there was decided (D04).
          const hasUri = typeof ref?.['uri'] === 'string' || (origin === 'source' && ref?.['uri'] === undefined);
          const details = { expected: `{"id": "${id}", "uri": …}`, got: found };
          expectThat(ref?.['id'] === id && hasUri, 'A Ref lacks its `id` or its `uri`.', details);
        }
        expectOwnUris(found);
      }
    }),
  ),
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
  extendedLaw(
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
  extendedLaw(
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
  extendedLaw(
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
