/** The thirteen modules of a route: what is sent is shown, and what belongs to one is refused on the others. */
import { shapeAt, shapeOf } from '../../engine/contract/shape.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { refuse, succeed } from '../../engine/http/expect-response.ts';
import { createOne, listOf } from '../../engine/laws/items.ts';
import { forAll, forEach, once } from '../../engine/laws/law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { type Json, sentAgain, shownRoute } from '../model/route.ts';
import { edges } from '../resources/edges.ts';
import { routes } from '../resources/routes.ts';
import {
  createRoute,
  deleteEdge,
  expectRoutes,
  expectShown,
  getRoute,
  newEdge,
  newRoute,
  patchRoute,
  routesOf,
} from '../route-steps.ts';
import { withOddTexts } from '../values/odd-texts.ts';
import { BARE, moduleValues, ROUTE_CREATE } from '../values/route-values.ts';
import { AT, extended } from './law.ts';
import { MODULES, MODULE_NAMES, type ModuleName, allModules } from '../modules.ts';

/** Created with these modules, a route shows what the model says, at once and when it is read. */
export async function expectModules(session: Session, modules: Json): Promise<void> {
  const route = await newRoute(session, modules);
  const shown = shownRoute({ ...BARE, ...modules });
  expectShown('The modules are not what was sent', route, shown);
  expectShown('The modules read otherwise than they were sent', await getRoute(session, route), shown);
}

function oddForms({ contract }: Implementation, name: ModuleName): Json[] {
  return withOddTexts(contract, `${ROUTE_CREATE}/properties/${name}`, [MODULES[name].full, ...MODULES[name].hard]);
}

export function ofModule(name: ModuleName): Requirement {
  return extended(
    MODULES[name].law,
    'D17',
    `${ROUTE_CREATE}/properties/${name}`,
    `\`${name}\` reads back as it was sent, in the form of responses and with its defaults.`,
    (implementation) => [
      forEach(
        'in full, bare, and what services get wrong',
        [MODULES[name].full, MODULES[name].minimal, ...MODULES[name].hard, ...oddForms(implementation, name)],
        (value, session) => expectModules(session, { [name]: value }),
      ),
      forEach('odd texts, by a change', oddForms(implementation, name), async (value, session) => {
        const changed = await patchRoute(session, await newRoute(session), { [name]: value });
        expectShown('The module is not what was sent', changed, shownRoute({ ...BARE, [name]: value }));
      }),
      forAll('any value', moduleValues(implementation, name), (value, session) =>
        expectModules(session, { [name]: value }),
      ),
    ],
  );
}

export function moduleLaws(): Requirement[] {
  return [
    extended('routes.all-modules', 'D17', AT.createRoute, 'One request sets all thirteen modules.', [
      forEach('each in full, and each minimal', ['full', 'minimal'] as const, (form, session) =>
        expectModules(session, allModules(form)),
      ),
    ]),
    extended(
      'routes.modules.own-fields',
      'D35',
      `${AT.schemas}/HTTPSEdgeRouteCreate`,
      'A property of one module, or of one OAuth provider, is refused on each of the others.',
      ({ contract }) => {
        const own = (path: string[]) => namesAt(contract, path);
        const names = [...new Set(MODULE_NAMES.flatMap((module) => own([module])))];
        const modules = MODULE_NAMES.map((module) => {
          const foreign = names.filter((name) => !own([module]).includes(name));
          return foreign.map((name) => ({ [module]: { ...MODULES[module].minimal, [name]: valueOf(name) } }));
        });
        const others = own(['oauth', 'provider']).filter((name) => name !== 'github');
        const providers = others.map((provider) =>
          ['teams', 'organizations'].map((name) => ({ oauth: { provider: { [provider]: { [name]: ['a/b'] } } } })),
        );
        return [forEach('all that are foreign to one', [...modules, ...providers], expectRefused)];
      },
    ),
    extended(
      'routes.null-values',
      'D04',
      ROUTE_CREATE,
      'What a response may show as null or [] can be sent so, and means the same as an omitted property.',
      [
        forEach('each of them', NULLS, async ([name, value, bare], session) => {
          const route = await newRoute(session, { [name]: value });
          const shown = shownRoute({ ...BARE, ...(bare === undefined ? {} : { [name]: bare }) });
          expectShown('Null is not as an omitted property', await getRoute(session, route), shown);
        }),
      ],
    ),
    extended(
      'routes.sent-again',
      'D04',
      AT.updateRoute,
      'A module can be sent as it was read, with the ids of its Refs in place of the Refs.',
      () => [
        forEach(
          'all modules in full, and each bare',
          [allModules(), ...MODULE_NAMES.map((name) => ({ [name]: MODULES[name].minimal }))],
          async (modules, session) => {
            const read = await getRoute(session, await newRoute(session, modules));
            const set = MODULE_NAMES.filter((name) => read[name] !== null);
            const json = Object.fromEntries(
              set.map((name) => [name, sentAgain(MODULES[name].fields, read[name] as Json)]),
            );
            const sent = await patchRoute(session, read, json, 'It was read so.');
            for (const name of set) expectSame(`\`${name}\` was sent as it was read`, sent[name], read[name]);
          },
        ),
      ],
    ),
    extended('routes.integers', 'D31', `${AT.schemas}/Seconds/type`, '`5.0` and `1e1` are integers.', [
      forEach('as they stand in JSON', INTEGERS, async ([text, value], session) => {
        const { id } = await newEdge(session);
        const body = `{"match_type":"path_prefix","match":"/","circuit_breaker":{"num_buckets":${text}}}`;
        const input = { path: { edge_id: id }, body };
        const { json } = await succeed(session, 'createRoute', input, `${text} is an integer.`);
        expectShown('The number is another one', json as Json, { circuit_breaker: { num_buckets: value } });
      }),
    ]),
    extended(
      'routes.size',
      'D39',
      '/components/responses/RouteConflict',
      'An edge with its routes of nearly 2 MiB is accepted, and listed.',
      [
        once('28 routes of 64 KiB', async (session) => {
          const edge = await createOne(session, edges);
          const id = edge.path['id']!;
          const value = 'a'.repeat(65_536);
          for (let index = 0; index < 28; index++)
            await createRoute(session, id, { ...BARE, match: `/${index}`, traffic_policy: { value } });
          const { length: got } = await routesOf(session, id);
          expectThat(got === 28, 'The edge has lost routes.', { expected: 28, got });
          await listOf(session, edges, edge.place, [edge]);
          await deleteEdge(session, id);
        }),
      ],
    ),
  ];
}

/** All of the bodies are refused for what is foreign in them, and no route is there afterwards. */
async function expectRefused(modules: readonly Json[], session: Session): Promise<void> {
  const { id } = await newEdge(session);
  for (const module of modules) {
    const input = { path: { edge_id: id }, json: { ...BARE, ...module } };
    await refuse(session, routes.calls.create, input, [400], 'A property belongs to another module.');
  }
  await expectRoutes(session, id, [], 'A refused route is there');
}

/** What the property holds in the module that has it. */
function valueOf(name: string): unknown {
  return MODULE_NAMES.map((module) => MODULES[module].full[name]).find((value) => value !== undefined);
}

/** Each module with null or [] where a response shows them, and without. */
const NULLS: [string, unknown, unknown][] = [
  ['description', null, undefined],
  ['metadata', null, undefined],
  [
    'oauth',
    {
      provider: {
        github: { client_id: null, client_secret: null, scopes: [], teams: [], organizations: [], email_addresses: [] },
        facebook: null,
        amazon: null,
      },
    },
    { provider: { github: {} } },
  ],
  ['oauth', { provider: { twitch: { client_id: null }, google: null } }, { provider: { twitch: {} } }],
  ['webhook_verification', { provider: 'sns', secret: null }, { provider: 'sns' }],
  [
    'oidc',
    { issuer: 'https://login.example.com', client_id: 'a', client_secret: null, scopes: [] },
    { issuer: 'https://login.example.com', client_id: 'a' },
  ],
];

const INTEGERS: [string, number][] = [
  ['5.0', 5],
  ['1e1', 10],
  ['0.5e1', 5],
  ['128.000', 128],
];

/** The names that a request may have at a place of a route. */
function namesAt(contract: Implementation['contract'], path: readonly string[]): string[] {
  return [...(shapeAt(shapeOf(contract, ROUTE_CREATE), path)?.properties.keys() ?? [])];
}
