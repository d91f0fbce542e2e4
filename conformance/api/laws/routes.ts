/** Laws of routes alone: matches (D18), names of headers (D23), and changes of several members at once (D11). */
import fc from 'fast-check';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { refuse } from '../../engine/http/expect-response.ts';
import { casesOn, forAll, forEach, once } from '../../engine/laws/law.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { nulls } from '../../engine/laws/updates.ts';
import { AT, extended, INFO } from '../define.ts';
import { type Json, MODULE_NAMES, MODULES, SIGN_IN } from '../modules.ts';
import { PAIRS, routes } from '../resources/routes.ts';
import { createRoute, expectRoutes, getRoute, newEdge, newRoute, refuseChange, refuseRoute } from '../steps.ts';
import { BARE } from '../values/routes.ts';
import { expectModules } from './modules.ts';

const SPELLINGS: Json[][] = [
  ['/a', '/A'],
  ['/a', '/a/'],
  ['/a', '//a'],
  ['/é', '/%C3%A9'],
  ['/%c3%a9', '/%C3%A9'],
  ['/é', '/e'],
  ['/\u00e9', '/e\u0301'],
  ['a.example', 'A.example'],
  ['a.example', 'a.example/'],
].map((spellings) => spellings.map((match) => ({ ...BARE, match })));

const BOTH_TYPES = [...new Set(PAIRS.map(({ match }) => match))].map((match) =>
  PAIRS.filter((pair) => pair.match === match),
);

async function expectBeside(bodies: readonly Json[], session: Session): Promise<void> {
  const { id } = await newEdge(session);
  const all: Json[] = [];
  for (const body of bodies) all.push(await createRoute(session, id, body));
  await expectRoutes(session, id, all, 'A route is missing');
}

/** That a pair of match and match type is unique on its edge is a law of any resource. */
const matchLaws = [
  extended(
    ['routes.match.other-edge', 'D18', AT.createRoute],
    'Routes of two edges may have the same match.',
    forEach('the same pair on another edge', PAIRS, async (pair, session) => {
      const both = [await newRoute(session, pair), await newRoute(session, pair)];
      for (const route of both) await expectRoutes(session, route.edge_id, [route], 'An edge lost its route');
    }),
  ),
  extended(
    ['routes.match.other-type', 'D18', AT.createRoute],
    'Two routes of one edge may have the same match with different match types.',
    forEach('both types', BOTH_TYPES, expectBeside),
  ),
  extended(
    ['routes.match.as-text', 'D18', `${AT.schemas}/Match`],
    'Matches are compared as text: two spellings of one path or host are two matches.',
    forEach('two spellings', SPELLINGS, expectBeside),
  ),
  extended(
    ['routes.edge-id', 'source §2.5', `${AT.schemas}/HTTPSEdgeRoute/properties/edge_id`],
    '`edge_id` of a route is the id of the edge that it was created on.',
    once('routes of two edges', async (session) => {
      const ids = [(await newEdge(session)).id, (await newEdge(session)).id];
      for (const edge_id of ids) {
        const { id, edge_id: created } = await createRoute(session, edge_id);
        const { edge_id: got } = await getRoute(session, { edge_id, id });
        expectSame('`edge_id` is another edge', [created, got], [edge_id, edge_id]);
      }
    }),
  ),
  extended(
    ['routes.conflict-only-if-valid', 'D29', INFO, '409 comes only to a request that is otherwise valid'],
    'Adding a match that exists already, in a body that breaks the contract, gets 400 and not 409.',
    once('an unknown property beside what exists already', async (session) => {
      const { edge_id } = await newRoute(session);
      const input = { path: { edge_id }, json: { ...BARE, x: 1 } };
      await refuse(session, 'createRoute', input, [400], 'The body has an unknown property.');
    }),
  ),
];

const NAMES = fc.subarray([...MODULE_NAMES], { minLength: 1 });

const SWAPS = SIGN_IN.flatMap((from) =>
  SIGN_IN.filter((to) => to !== from).flatMap((to) =>
    [null, { ...MODULES[from].full, enabled: false }].map((gone) => ({
      before: { [from]: { ...MODULES[from].full, enabled: true } },
      patch: { [from]: gone, [to]: MODULES[to].minimal },
    })),
  ),
);

async function tryChange({ before, patch }: { before: Json; patch: Json }, session: Session): Promise<void> {
  await new Steps(session, routes).tryChange({ ...BARE, ...before }, () => patch);
}

const CHANGES = fc.record({ before: NAMES, set: NAMES, removed: NAMES }).map(({ before, set, removed }) => ({
  before: Object.fromEntries(before.map((name) => [name, MODULES[name].full])),
  patch: {
    ...Object.fromEntries(set.map((name) => [name, { ...MODULES[name].minimal, enabled: false }])),
    ...Object.fromEntries(removed.map((name) => [name, null])),
  },
}));

/** Changes of single members are laws of any resource. */
const updateLaws = [
  extended(
    ['routes.update.null-text', 'D11', AT.updateRoute],
    'Null resets `description` and `metadata` to "".',
    casesOn(routes, nulls(['description', 'metadata'])),
  ),
  extended(
    ['routes.update.several', 'D11', AT.updateRoute],
    'One change sets, replaces and removes several modules at once.',
    forAll('some set, some replaced, some removed', CHANGES, tryChange),
  ),
  extended(
    ['routes.update.swap', 'D11', AT.updateRoute, 'So one `PATCH` can remove'],
    'One request takes one authentication module away and enables another.',
    forEach('from one to another', SWAPS, tryChange),
  ),
];

const TWICE: Json[] = ['request_headers', 'response_headers'].flatMap((name) => [
  { [name]: { add: { 'X-Team': 'a', 'x-team': 'b' } } },
  { [name]: { add: { 'X-Team': 'a', 'X-TEAM': 'a' } } },
  { [name]: { remove: ['X-Debug', 'x-debug'] } },
  { [name]: { remove: ['X-A', 'X-B', 'x-a'] } },
]);

const WHY = 'A header is there twice, in another case.';

const headerLaws = [
  extended(
    ['routes.headers.case', 'D23', `${AT.schemas}/HeaderMap/propertyNames`, 'Six errors', 'A duplicate header name'],
    'The names of headers are told apart without regard to case: the same name twice is refused.',
    forEach('names that differ in case', TWICE, async (json, session) => {
      await refuseRoute(session, json, WHY);
      const [name] = Object.keys(json) as [string];
      await refuseChange(session, await newRoute(session, { [name]: MODULES.request_headers.full }), json, WHY);
    }),
  ),
  extended(
    ['routes.headers.as-sent', 'D23', `${AT.schemas}/HeaderName`],
    'The names of headers keep their case.',
    forEach('upper, lower and mixed', ['X-UPPER', 'x-lower', 'X-MiXeD', 'server'], (name, session) =>
      expectModules(session, { request_headers: { add: { [name]: 'a' } }, response_headers: { remove: [name] } }),
    ),
  ),
  extended(
    ['routes.headers.add-and-remove', 'D23', `${AT.schemas}/EndpointRequestHeadersMutate/properties/remove`],
    'The same name can stand in `add` and in `remove`.',
    forEach('equal, and in another case', ['X-Team', 'x-team'], (name, session) => {
      const headers = { add: { 'X-Team': 'web' }, remove: [name] };
      return expectModules(session, { request_headers: headers, response_headers: headers });
    }),
  ),
];

export const routeLaws = [...matchLaws, ...updateLaws, ...headerLaws];
