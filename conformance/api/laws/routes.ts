/** Laws of routes alone: matches (D18), names of headers (D23), and changes of several members at once (D11). */
import fc from 'fast-check';
import { expectSame } from '../../engine/http/nonconformity.ts';
import { expectKept } from '../../engine/laws/echo.ts';
import { forAll, forEach, once } from '../../engine/laws/steps.ts';
import { nulls, tryPatch } from '../../engine/laws/updates.ts';
import { AT, conflictOnlyIfValid, extended, on, refuseChange, refuseCreation } from '../define.ts';
import { stories } from '../model/run.ts';
import { createEdge, createRoute } from '../model/service.ts';
import { type Json, MODULE_NAMES, MODULES, SIGN_IN } from '../modules.ts';
import { PAIRS, routes } from '../resources/routes.ts';
import { BARE } from '../values/bodies.ts';

const SPELLINGS: Json[][] = [
  ...['/a /A', '/a /a/', '/a //a', '/é /%C3%A9', '/%c3%a9 /%C3%A9', '/é /e', '/\u00e9 /e\u0301'],
  ...['a.example A.example', 'a.example a.example/'],
].map((spellings) => spellings.split(' ').map((match) => ({ ...BARE, match })));

const BOTH_TYPES = [...new Set(PAIRS.map(({ match }) => match))].map((match) =>
  PAIRS.filter((pair) => pair.match === match),
);

const beside = (routesOf: readonly Json[][]) =>
  stories('beside each other', routesOf, (bodies) => [createEdge(), ...bodies.map((body) => createRoute(body))]);

const law = on(routes, 'extended');

const NAMES = fc.subarray([...MODULE_NAMES], { minLength: 1 });

const SWAPS = SIGN_IN.flatMap((from) =>
  SIGN_IN.filter((to) => to !== from).flatMap((to) =>
    [null, { ...MODULES[from].full, enabled: false }].map((gone) => ({
      body: { ...BARE, [from]: { ...MODULES[from].full, enabled: true } },
      patch: { [from]: gone, [to]: MODULES[to].minimal },
    })),
  ),
);

const CHANGES = fc.record({ before: NAMES, set: NAMES, removed: NAMES }).map(({ before, set, removed }) => ({
  body: { ...BARE, ...Object.fromEntries(before.map((name) => [name, MODULES[name].full])) },
  patch: {
    ...Object.fromEntries(set.map((name) => [name, { ...MODULES[name].minimal, enabled: false }])),
    ...Object.fromEntries(removed.map((name) => [name, null])),
  },
}));

const TWICE: Json[] = ['request_headers', 'response_headers'].flatMap((name) => [
  { [name]: { add: { 'X-Team': 'a', 'x-team': 'b' } } },
  { [name]: { add: { 'X-Team': 'a', 'X-TEAM': 'a' } } },
  { [name]: { remove: ['X-Debug', 'x-debug'] } },
  { [name]: { remove: ['X-A', 'X-B', 'x-a'] } },
]);

const WHY = 'A header is there twice, in another case.';

export const routeLaws = [
  // That a pair of match and match type is unique on its edge is a law of any resource.
  extended(
    ['routes.match.other-edge', 'D18', AT.createRoute],
    'Routes of two edges may have the same match.',
    stories('the same pair on another edge', PAIRS, (pair) => [
      ...[createEdge(), createEdge(), createRoute(pair), createRoute(pair, 1)],
    ]),
  ),
  extended(
    ['routes.match.other-type', 'D18', AT.createRoute],
    'Two routes of one edge may have the same match with different match types.',
    beside(BOTH_TYPES),
  ),
  extended(
    ['routes.match.as-text', 'D18', `${AT.schemas}/Match`],
    'Matches are compared as text: two spellings of one path or host are two matches.',
    beside(SPELLINGS),
  ),
  law(
    ['routes.edge-id', 'source §2.5', `${AT.schemas}/HTTPSEdgeRoute/properties/edge_id`],
    '`edge_id` of a route is the id of the edge that it was created on.',
    once('routes of two edges', async (steps) => {
      for (const item of await steps.createApart()) {
        const { edge_id } = item.path;
        for (const shown of [item.shown, await steps.read(item)])
          expectSame('`edge_id` is another edge', shown['edge_id'], edge_id);
      }
    }),
  ),
  conflictOnlyIfValid('routes.conflict-only-if-valid', routes, 'extended'),
  // Changes of single members are laws of any resource.
  law(
    ['routes.update.null-text', 'D11', AT.updateRoute],
    'Null resets `description` and `metadata` to "".',
    nulls(['description', 'metadata']),
  ),
  law(
    ['routes.update.several', 'D11', AT.updateRoute],
    'One change sets, replaces and removes several modules at once.',
    forAll('some set, some replaced, some removed', CHANGES, tryPatch),
  ),
  law(
    ['routes.update.swap', 'D11', AT.updateRoute, 'So one `PATCH` can remove'],
    'One request takes one authentication module away and enables another.',
    forEach('from one to another', SWAPS, tryPatch),
  ),
  law(
    ['routes.headers.case', 'D23', `${AT.schemas}/HeaderMap/propertyNames`, 'Six errors', 'A duplicate header name'],
    'The names of headers are told apart without regard to case: the same name twice is refused.',
    forEach('names that differ in case', TWICE, async (body, steps) => {
      await refuseCreation(steps, body, WHY);
      const [name] = Object.keys(body) as [string];
      await refuseChange(steps, await steps.createOne({ [name]: MODULES.request_headers.full }), body, WHY);
    }),
  ),
  law(
    ['routes.headers.as-sent', 'D23', `${AT.schemas}/HeaderName`],
    'The names of headers keep their case.',
    forEach('upper, lower and mixed', ['X-UPPER', 'x-lower', 'X-MiXeD', 'server'], (name, steps) =>
      expectKept({ request_headers: { add: { [name]: 'a' } }, response_headers: { remove: [name] } }, steps),
    ),
  ),
  law(
    ['routes.headers.add-and-remove', 'D23', `${AT.schemas}/EndpointRequestHeadersMutate/properties/remove`],
    'The same name can stand in `add` and in `remove`.',
    forEach('equal, and in another case', ['X-Team', 'x-team'], (name, steps) => {
      const headers = { add: { 'X-Team': 'web' }, remove: [name] };
      return expectKept({ request_headers: headers, response_headers: headers }, steps);
    }),
  ),
];
