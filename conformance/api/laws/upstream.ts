/**
 * An edge that passes TLS through disallows modules (D09), in all directions: it is not switched while it has one, and
 * none is added once it is switched. The model of the service says what each sequence of commands leads to.
 */
import fc from 'fast-check';
import { forAll, forEach } from '../../engine/laws/steps.ts';
import { AT, extended } from '../define.ts';
import { type Command, createEdge, createRoute, patchEdge, patchRoute } from '../model/commands.ts';
import { runStory } from '../model/run.ts';
import { allModules, type Json, MODULE_NAMES, MODULES, WITH_UPSTREAM } from '../modules.ts';

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
  return forEach(
    'each other module',
    modules.map((module, index) => storyWith(module, WAYS[index % WAYS.length]!)),
    runStory,
  );
}

const routeLaws = [
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
];

const edgeLaws = [
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
      const stories = [
        [createEdge({ mutual_tls }), patchEdge({ ...UPSTREAM, mutual_tls: null })],
        [SWITCHED, patchEdge({ ...AT_EDGE, mutual_tls: {} })],
        // Without a `tls_termination` at all, nothing is passed through either.
        [SWITCHED, patchEdge({ tls_termination: null, mutual_tls: {} })],
      ];
      return forEach('there, and back', stories, runStory);
    },
  ),
  extended(
    ['edges.update.upstream.allowed', 'D09', AT.updateEdge],
    'An edge whose routes have `backend` and `ip_restriction` only can be switched to pass TLS through.',
    forEach(
      'allowed modules, and others that are removed with their route or without',
      [
        [createEdge(), createRoute(ALLOWED)],
        [createEdge(), createRoute({ ...ALLOWED, compression: {} }), patchRoute({ compression: null })],
        [createEdge(), createRoute({ ...ALLOWED, compression: {} }), { do: 'deleteRoute' }],
      ].map((story) => [...story, patchEdge(UPSTREAM)] as Command[]),
      runStory,
    ),
  ),
  extended(
    ['edges.update.upstream.back', 'D09', AT.updateEdge],
    'An edge that no longer passes TLS through takes every module again.',
    forEach(
      'by edge, by default and by null',
      [AT_EDGE, { tls_termination: {} }, { tls_termination: null }].map((change, index) => [
        ...[...WAYS[index + 1]!, patchEdge(change), patchRoute({ compression: {} }), patchEdge({ mutual_tls: {} })],
        createRoute({ match: '/new', ...allModules('minimal') }),
      ]),
      runStory,
    ),
  ),
];

export const upstreamLaws = [...routeLaws, ...edgeLaws];
