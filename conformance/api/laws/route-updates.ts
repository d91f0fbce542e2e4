/** PATCH on a route (D11): absent is unchanged, null removes or resets, an object replaces whole, all in one step. */
import fc from 'fast-check';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { type Json, MODULES, type ModuleName, patched, shownRoute } from '../model/route.ts';
import { AT, each, extended, type Law, once, oneOf } from './law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { expectRoutes, expectShown, getRoute, newRoute, patchRoute, type RouteResponse } from '../route-steps.ts';
import { allModules, BARE, FORMS, moduleValues, routePatches } from '../values/route-values.ts';
import { refuse } from '../steps.ts';

function law(
  name: string,
  rule: Partial<Law> & { sentence: string },
  properties: Parameters<typeof extended>[2],
): Requirement {
  return extended(`routes.update.${name}`, { origin: 'D11', clause: AT.updateRoute, ...rule }, properties);
}

const FULL: Json = { ...BARE, description: 'before', metadata: '{"before":1}', ...allModules() };

/** Changes a route and expects what the model says: in the response, when it is read, and on its edge. */
async function expectChanged(
  session: Session,
  route: RouteResponse,
  before: Json,
  patch: Json,
): Promise<RouteResponse> {
  const response = await patchRoute(session, route, patch);
  const shown = patched(before, patch);
  expectShown('The response is not the changed route', response, shown);
  expectSame('The changed route reads otherwise than the response', await getRoute(session, route), response);
  await expectRoutes(session, route.edge_id, [response], 'The edge does not show the changed route');
  return response;
}

const PROPERTIES = ['description', 'metadata', 'match', 'match_type', ...MODULES];

const NAMES = fc.subarray([...MODULES], { minLength: 1 });

export function routeUpdateLaws(): Requirement[] {
  return [
    law(
      'echo',
      { sentence: 'A change shows in the response, when the route is read, and on its edge.' },
      (implementation) => [
        oneOf('one property of a bare route', PROPERTIES, async (name, session) => {
          await expectChanged(session, await newRoute(session), shownRoute(BARE), {
            [name]: name === 'metadata' ? 'after' : changeOf(name),
          });
        }),
        each('any change of a bare route', routePatches(implementation), async (patch, session) => {
          await expectChanged(session, await newRoute(session), shownRoute(BARE), patch);
        }),
      ],
    ),
    law('absent', { sentence: 'What a change leaves out stays as it is.' }, [
      oneOf('one property of a full route', PROPERTIES, async (name, session) => {
        await expectChanged(session, await newRoute(session, FULL), shownRoute(FULL), { [name]: changeOf(name) });
      }),
    ]),
    law('null-module', { sentence: 'Null removes a module, and no other.' }, [
      each('some modules of a full route', NAMES, async (names, session) => {
        const patch = Object.fromEntries(names.map((name) => [name, null]));
        await expectChanged(session, await newRoute(session, FULL), shownRoute(FULL), patch);
      }),
      oneOf('a module that is not there', MODULES, async (name, session) => {
        await expectChanged(session, await newRoute(session), shownRoute(BARE), { [name]: null });
      }),
    ]),
    law('null-text', { sentence: 'Null resets `description` and `metadata` to "".' }, [
      oneOf('one, or both', [['description'], ['metadata'], ['description', 'metadata']], async (names, session) => {
        const patch = Object.fromEntries(names.map((name) => [name, null]));
        await expectChanged(session, await newRoute(session, FULL), shownRoute(FULL), patch);
      }),
    ]),
    law(
      'replaced',
      {
        sentence:
          'A module that is sent replaces the old one whole: what it leaves out has its default, not the old value.',
      },
      (implementation) => [
        oneOf('bare in place of full', MODULES, async (name, session) => {
          const body = { ...BARE, [name]: FORMS[name].full };
          await expectChanged(session, await newRoute(session, body), shownRoute(body), { [name]: FORMS[name].bare });
        }),
        each(
          'any value in place of full',
          fc
            .constantFrom(...MODULES)
            .chain((name) => moduleValues(implementation, name).map((value) => ({ name, value }))),
          async ({ name, value }, session) => {
            const body = { ...BARE, [name]: FORMS[name].full };
            await expectChanged(session, await newRoute(session, body), shownRoute(body), { [name]: value });
          },
        ),
      ],
    ),
    law('several', { sentence: 'One change sets, replaces and removes several modules at once.' }, [
      each(
        'some set, some replaced, some removed',
        fc.record({ before: NAMES, set: NAMES, removed: NAMES }),
        async ({ before, set, removed }, session) => {
          const body = { ...BARE, ...Object.fromEntries(before.map((name) => [name, FORMS[name].full])) };
          const patch = Object.fromEntries([
            ...set.map((name) => [name, { ...FORMS[name].bare, enabled: false }]),
            ...removed.map((name) => [name, null]),
          ]) as Json;
          await expectChanged(session, await newRoute(session, body), shownRoute(body), patch);
        },
      ),
    ]),
    law('nothing', { sentence: 'A change of nothing is 200 and changes nothing.' }, [
      oneOf('an empty object', [FULL, BARE], async (body, session) => {
        const route = await newRoute(session, body);
        expectSame('A change of nothing changed something', await patchRoute(session, route, {}), route);
        await expectRoutes(session, route.edge_id, [route], 'A change of nothing changed something');
      }),
    ]),
    law('idempotent', { sentence: 'The same change again changes nothing more.' }, (implementation) => [
      each('twice', routePatches(implementation), async (patch, session) => {
        const route = await newRoute(session);
        const changed = await patchRoute(session, route, patch);
        expectSame('The same change had another effect', await patchRoute(session, route, patch), changed);
      }),
    ]),
    law(
      'identity',
      {
        origin: 'D11',
        clause: '/components/schemas/HTTPSEdgeRoute',
        sentence: 'Changes do not move `id`, `edge_id`, `uri` and `created_at` of a route.',
      },
      [
        once('a change of everything, after more than a second', async (session) => {
          const { id, edge_id, uri, created_at, ...route } = await newRoute(session);
          await new Promise((resolve) => setTimeout(resolve, 1_100));
          const changed = await patchRoute(
            session,
            { edge_id, id, ...route },
            {
              match_type: 'exact_path',
              match: 'a.example/b',
              description: 'changed',
              metadata: 'changed',
              ...allModules(),
            },
          );
          expectSame('The route has another identity', changed, { id, edge_id, uri, created_at });
        }),
      ],
    ),
    law(
      'refused-changes-nothing',
      {
        origin: 'D29',
        clause: '/info/description',
        words: 'A refused request changes nothing',
        sentence: 'A change that is refused changes nothing, however much of it was right.',
      },
      [
        oneOf('one fault among good modules', BAD, async (bad, session) => {
          const route = await newRoute(session, { ...FULL, user_agent_filter: null });
          const good = {
            description: 'changed',
            metadata: null,
            match: '/changed',
            compression: null,
            backend: FORMS.backend.bare,
            user_agent_filter: {},
          };
          const json = { ...good, ...bad };
          await refuse(
            session,
            'updateRoute',
            { path: { edge_id: route.edge_id, id: route.id }, json },
            [400],
            'The body breaks the contract.',
          );
          await expectRoutes(session, route.edge_id, [route], 'A refused change changed something');
          expectSame('A refused change changed something', await getRoute(session, route), route);
        }),
      ],
    ),
    law('swap', { sentence: 'One request takes one authentication module away and enables another.' }, [
      oneOf('from one to another', SWAPS, async ([from, to, gone], session) => {
        const body = { ...BARE, [from]: { ...FORMS[from].full, enabled: true } };
        const patch = {
          [from]: gone === 'removed' ? null : { ...FORMS[from].full, enabled: false },
          [to]: FORMS[to].bare,
        };
        await expectChanged(session, await newRoute(session, body), shownRoute(body), patch);
      }),
    ]),
  ];
}

const CHANGES: Json = {
  description: 'after',
  metadata: '',
  match: 'after.example/after',
  match_type: 'exact_path',
  // With oauth enabled, these stay disabled (D21).
  saml: { ...FORMS.saml.bare, enabled: false },
  oidc: { ...FORMS.oidc.bare, enabled: false },
};

function changeOf(name: string): unknown {
  return CHANGES[name] ?? FORMS[name as ModuleName].full;
}

const BAD: readonly Json[] = [
  { circuit_breaker: { num_buckets: 0 } },
  { traffic_policy: {} },
  { oidc: { issuer: 'not a URL', client_id: 'a' } },
  { webhook_verification: { provider: 'github' } },
  { match_type: null },
  { match: null },
  { match: '/a?b' },
  { colour: null },
  { description: 5 },
  { description: 'a'.repeat(256) },
  { oauth: { provider: {} } },
  { request_headers: { add: { 'X-A': 'b\r\nc' } } },
];

const AUTHENTICATION = ['oauth', 'saml', 'oidc'] as const;

const SWAPS = AUTHENTICATION.flatMap((from) =>
  AUTHENTICATION.filter((to) => to !== from).flatMap((to) =>
    (['removed', 'disabled'] as const).map((gone) => [from, to, gone] as const),
  ),
);
