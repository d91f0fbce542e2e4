/**
 * Settings that contradict each other. An edge that passes TLS through disallows modules (D09), in all directions: it is
 * not switched while it has one, and none is added once it is switched. Of the modules that sign users in, at most one is
 * enabled on a route (D21). The model of the service says what each sequence of commands leads to.
 */
import fc from 'fast-check';
import { forAll, forEach } from '../../engine/laws/steps.ts';
import { AT, extended } from '../define.ts';
import { runStory, stories } from '../model/run.ts';
import { type Command, createEdge, createRoute, patchEdge, patchRoute } from '../model/service.ts';
import { allModules, type Json, MODULE_NAMES, type ModuleName, MODULES, SIGN_IN } from '../modules.ts';
import { WITH_UPSTREAM } from '../modules.ts';
import { ROUTE_CREATE } from '../values/bodies.ts';

const UPSTREAM = { tls_termination: { terminate_at: 'upstream' } };
const AT_EDGE = { tls_termination: { terminate_at: 'edge' } };
const DISALLOWED = MODULE_NAMES.filter((name) => !WITH_UPSTREAM.includes(name));
const PASSES = 'With `terminate_at: upstream`';
const CHANGED = { description: 'changed' };

function allowed(form: 'full' | 'minimal'): Json {
  return Object.fromEntries(WITH_UPSTREAM.map((name) => [name, MODULES[name][form]]));
}

const ALLOWED = allowed('minimal');
const SWITCHED = createEdge(UPSTREAM);
const SWITCH = patchEdge(UPSTREAM);
/** Ways to a switched edge with a route: made so, or changed, before the route or after it. */
const WAYS: readonly Command[][] = [
  [SWITCHED, createRoute(ALLOWED)],
  [createEdge(), createRoute(ALLOWED), SWITCH],
  [createEdge(), SWITCH, createRoute(ALLOWED)],
  [SWITCHED, createRoute(ALLOWED), patchEdge(AT_EDGE), SWITCH],
];

/** A story for each other module. Whether it is enabled makes no difference: such a module is not taken at all. */
function withEachOther(storyWith: (module: Json, switched: Command[]) => Command[]) {
  const modules = DISALLOWED.flatMap((name) =>
    [MODULES[name].full, MODULES[name].minimal].map((module) => ({ [name]: module })),
  );
  return stories('each other module', modules, (module, index) => storyWith(module, WAYS[index % WAYS.length]!));
}

/** What takes a disallowed module away, where there is one. */
const REMOVED: Command[][] = [[], [patchRoute({ compression: null })], [{ do: 'deleteRoute' }]];

const upstreamLaws = [
  extended(
    ['routes.upstream.create', 'D09', AT.conflict, PASSES],
    'On an edge that passes TLS through, a new route takes `backend` and `ip_restriction` only: others are refused with 409.',
    withEachOther((module, switched) => [...switched, createRoute({ ...ALLOWED, match: '/new', ...module })]),
  ),
  extended(
    ['routes.upstream.update', 'D09', AT.conflict, PASSES],
    'On an edge that passes TLS through, a route is not given other modules than `backend` and `ip_restriction`: 409.',
    withEachOther((module, switched) => [...switched, patchRoute({ backend: MODULES.backend.full, ...module })]),
  ),
  extended(
    ['routes.upstream.allowed', 'D09', AT.createRoute],
    'On an edge that passes TLS through, routes take `backend` and `ip_restriction`, and null for the others.',
    forAll('nulls beside them', fc.subarray(DISALLOWED), (names, session) => {
      const nulls = Object.fromEntries(names.map((name) => [name, null]));
      const change = patchRoute({ ...nulls, ...allowed('full'), ...CHANGED });
      return runStory([SWITCHED, createRoute({ ...ALLOWED, ...nulls }), change], session);
    }),
  ),
  extended(
    ['edges.update.upstream.routes', 'D09', AT.conflict, '| 409 | `conflict`'],
    'An edge with a route that has other modules than `backend` and `ip_restriction` is not switched to pass TLS through: 409.',
    withEachOther((module) => [
      ...[createEdge({ description: 'before' }), createRoute({ ...ALLOWED, match: '/fine' }), createRoute(module)],
      patchEdge({ ...UPSTREAM, ...CHANGED }),
    ]),
  ),
  extended(
    ['edges.update.upstream.mutual-tls', 'D09', AT.conflict, PASSES],
    'An edge has `mutual_tls` or passes TLS through: a change that makes it both is refused with 409.',
    forEach(
      'switched beside it, and added to a switched edge',
      [{}, { enabled: false }].flatMap((mutual_tls) => [
        [createEdge({ mutual_tls }), patchEdge({ ...UPSTREAM, ...CHANGED })],
        ...WAYS.map((switched) => [...switched, patchEdge({ mutual_tls, ...CHANGED })]),
      ]),
      runStory,
    ),
  ),
  extended(
    ['edges.update.upstream.together', 'D09', AT.updateEdge],
    'One change takes `mutual_tls` away and passes TLS through, or the other way round.',
    ({ testData }) => {
      const mutual_tls = { certificate_authority_ids: testData.certificateAuthorityIds.slice(0, 1) };
      const there = [createEdge({ mutual_tls }), patchEdge({ ...UPSTREAM, mutual_tls: null })];
      // Without a `tls_termination` at all, nothing is passed through either.
      const back = [AT_EDGE, { tls_termination: null }].map((edge) => patchEdge({ ...edge, mutual_tls: {} }));
      return forEach('there, and back', [there, ...back.map((one) => [SWITCHED, one])], runStory);
    },
  ),
  extended(
    ['edges.update.upstream.allowed', 'D09', AT.updateEdge],
    'An edge whose routes have `backend` and `ip_restriction` only can be switched to pass TLS through.',
    stories('allowed modules, and others that are removed with their route or without', REMOVED, (removed) => [
      ...[createEdge(), createRoute(removed.length > 0 ? { ...ALLOWED, compression: {} } : ALLOWED), ...removed],
      SWITCH,
    ]),
  ),
  extended(
    ['edges.update.upstream.back', 'D09', AT.updateEdge],
    'An edge that no longer passes TLS through takes every module again.',
    stories('by edge, by default and by null', [{ terminate_at: 'edge' }, {}, null], (tls_termination, index) => [
      ...[...WAYS[index + 1]!, patchEdge({ tls_termination }), patchRoute({ compression: {} })],
      ...[patchEdge({ mutual_tls: {} }), createRoute({ match: '/new', ...allModules('minimal') })],
    ]),
  ),
];

const AT_MOST_ONE = 'At most one of `oauth`';

/** Left out, `enabled` is true: saying it and not saying it are the same. */
function enabled(name: ModuleName, said = false): Json {
  return { [name]: { ...MODULES[name].minimal, ...(said ? { enabled: true } : {}) } };
}

const disabled = (name: ModuleName): Json => ({ [name]: { ...MODULES[name].minimal, enabled: false } });

/** A story of a new edge for each two of them, in both orders. */
function ofTwo(label: string, storyOf: (there: ModuleName, added: ModuleName) => Command[]) {
  const pairs = SIGN_IN.flatMap((there) =>
    SIGN_IN.filter((name) => name !== there).map((name) => [there, name] as const),
  );
  return stories(label, pairs, (pair) => [createEdge(), ...storyOf(...pair)]);
}

const oneEnabledLaws = [
  extended(
    ['routes.authentication.one-request', 'D21', `${ROUTE_CREATE}/if`, AT_MOST_ONE],
    'Two of `oauth`, `saml` and `oidc` that are enabled in one request are refused with 400.',
    ...['neither', 'one', 'both'].map((who) =>
      ofTwo(`two enabled, of which ${who} says it`, (there, added) => {
        const two = { ...enabled(there, who !== 'neither'), ...enabled(added, who === 'both') };
        return [createRoute(two), createRoute({}), patchRoute({ ...two, ...CHANGED })];
      }),
    ),
  ),
  extended(
    ['routes.authentication.stored', 'D21', AT.conflict, AT_MOST_ONE, '| 409 | `conflict`'],
    'Enabling one of `oauth`, `saml` and `oidc` beside another that is enabled is refused with 409, and changes nothing.',
    ofTwo('beside an enabled one', (there, added) => [
      createRoute(enabled(there)),
      ...[false, true].map((said) => patchRoute({ ...enabled(added, said), ...CHANGED })),
    ]),
    ofTwo('beside one that a change enabled, until another change takes it away', (there, added) => [
      ...[createRoute({}), patchRoute(enabled(there)), patchRoute({ ...enabled(added), ...CHANGED })],
      ...[patchRoute({ [there]: null }), patchRoute(enabled(added)), patchRoute({ ...enabled(there), ...CHANGED })],
    ]),
    ofTwo('enabling one that is there', (there, added) => [
      createRoute({ ...enabled(there, true), ...disabled(added) }),
      patchRoute(enabled(added, true)),
    ]),
  ),
  extended(
    ['routes.authentication.disabled', 'D21', AT.updateRoute, AT_MOST_ONE],
    'One of them may be enabled beside others that are disabled.',
    stories('in one request', SIGN_IN, (name) => [
      createEdge(),
      createRoute(Object.assign({}, ...SIGN_IN.map(disabled), enabled(name, true)) as Json),
    ]),
    ofTwo('one after the other', (there, added) => [createRoute(disabled(there)), patchRoute(enabled(added))]),
    ofTwo('a disabled one beside an enabled one', (there, added) => [
      createRoute(enabled(there)),
      patchRoute(disabled(added)),
    ]),
  ),
];

export const conflictLaws = [...upstreamLaws, ...oneEnabledLaws];
