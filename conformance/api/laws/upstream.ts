/**
 * Edges that pass TLS through to the upstream (D09): which modules they and their routes can have.
 */
import fc from 'fast-check';
import { forAll, forEach } from '../../engine/laws/law.ts';
import type { Property } from '../../engine/requirements/requirement.ts';
import { AT, extended } from '../define.ts';
import { type Command, createEdge, createRoute, patchEdge, patchRoute } from '../model/commands.ts';
import { runStory, stories } from '../model/run.ts';
import { allModules, type Json, MODULE_NAMES, MODULES, WITH_UPSTREAM } from '../modules.ts';
import { edgeImplementation } from '../tracker.ts';

/** Changes of an edge: it passes TLS through, or terminates it. */
export const UPSTREAM: Json = { tls_termination: { terminate_at: 'upstream' } };
export const AT_EDGE: Json = { tls_termination: { terminate_at: 'edge' } };

const PASSES = 'With `terminate_at: upstream`';
const CHANGED = { description: 'changed' };
const DISALLOWED = MODULE_NAMES.filter((name) => !WITH_UPSTREAM.includes(name));

const ALLOWED = allowedModules('minimal');
const NEW_UPSTREAM_EDGE = createEdge(UPSTREAM);
/** The first edge passes TLS through. */
export const SWITCH = patchEdge(UPSTREAM);

function allowedModules(form: 'full' | 'minimal'): Json {
  return Object.fromEntries(WITH_UPSTREAM.map((name) => [name, MODULES[name][form]]));
}

/**
 * Ways to a route on an edge that passes TLS through: it is created so, or changed before or after
 * the route exists.
 */
const WAYS: readonly Command[][] = [
  [NEW_UPSTREAM_EDGE, createRoute(ALLOWED)],
  [createEdge(), createRoute(ALLOWED), SWITCH],
  [createEdge(), SWITCH, createRoute(ALLOWED)],
  [NEW_UPSTREAM_EDGE, createRoute(ALLOWED), patchEdge(AT_EDGE), SWITCH],
];

/**
 * A story for each form of each module that does not work with upstream. Whether it is enabled
 * makes no difference.
 * @param storyWith gets the module, and commands that lead to an edge that passes TLS through, with
 * a route
 */
function withEachDisallowed(
  storyWith: (module: Json, way: readonly Command[]) => Command[],
): Property[] {
  const modules: Json[] = [];
  for (const name of DISALLOWED) {
    const { full, minimal } = MODULES[name];
    modules.push({ [name]: full }, { [name]: minimal });
  }
  return stories('each other module', modules, (module, index) =>
    storyWith(module, WAYS[index % WAYS.length] ?? []),
  );
}

/**
 * A story for each allowed module, alone and with the others: in full, which is disabled, and
 * minimal.
 */
function withEachAllowed(storyWith: (modules: Json) => Command[]): Property[] {
  const forms = (['full', 'minimal'] as const).flatMap((form) => {
    const alone = WITH_UPSTREAM.map((name) => ({ [name]: MODULES[name][form] }));
    return [...alone, allowedModules(form)];
  });
  return stories('each allowed module', forms, storyWith);
}

const createOther = extended(
  {
    id: 'routes.upstream.create',
    origin: 'D09',
    clause: AT.conflict,
    quotes: [PASSES],
    sentence:
      'On an edge that passes TLS through, a new route can have `backend` and `ip_restriction` ' +
      'only: others are refused with 409.',
  },
  withEachDisallowed((module, way) => [
    ...way,
    createRoute({ ...ALLOWED, match: '/new', ...module }),
  ]),
);

const updateOther = extended(
  {
    id: 'routes.upstream.update',
    origin: 'D09',
    clause: AT.conflict,
    quotes: [PASSES],
    sentence:
      'On an edge that passes TLS through, a change of a route can set `backend` and ' +
      '`ip_restriction` only: others are refused with 409.',
  },
  withEachDisallowed((module, way) => [
    ...way,
    patchRoute({ backend: MODULES.backend.full, ...module }),
  ]),
);

const routesAllowed = extended(
  {
    id: 'routes.upstream.allowed',
    origin: 'D09',
    clause: AT.createRoute,
    sentence:
      'On an edge that passes TLS through, routes can have `backend` and `ip_restriction`, and ' +
      'null for the others.',
  },
  forAll('nulls beside them', fc.subarray(DISALLOWED), (names, session) => {
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    const create = createRoute({ ...ALLOWED, ...nulls });
    const change = patchRoute({ ...nulls, ...allowedModules('full'), ...CHANGED });
    return runStory([NEW_UPSTREAM_EDGE, create, change], session);
  }),
  withEachAllowed((module) => [NEW_UPSTREAM_EDGE, createRoute(module)]),
);

const switchWithOther = extended(
  {
    id: 'edges.update.upstream.routes',
    origin: 'D09',
    clause: AT.conflict,
    quotes: ['| 409 | `conflict`'],
    sentence:
      'An edge cannot be changed to pass TLS through while one of its routes has other modules ' +
      'than `backend` and `ip_restriction`: 409.',
  },
  withEachDisallowed((module) => {
    const edge = createEdge({ description: 'before' });
    const allowedRoute = createRoute({ ...ALLOWED, match: '/fine' });
    return [edge, allowedRoute, createRoute(module), patchEdge({ ...UPSTREAM, ...CHANGED })];
  }),
);

/** `mutual_tls` and passing TLS through meet: in either order, and by each of the ways. */
function mutualTlsStories(): Command[][] {
  const found: Command[][] = [];
  for (const mutual_tls of [{}, { enabled: false }]) {
    found.push([createEdge({ mutual_tls }), patchEdge({ ...UPSTREAM, ...CHANGED })]);
    for (const way of WAYS) {
      found.push([...way, patchEdge({ mutual_tls, ...CHANGED })]);
    }
  }
  return found;
}

const switchWithMutualTls = extended(
  {
    id: 'edges.update.upstream.mutual-tls',
    origin: 'D09',
    clause: AT.conflict,
    quotes: [PASSES],
    sentence:
      'An edge has `mutual_tls` or passes TLS through: a change to both is refused with 409.',
  },
  forEach('switched beside it, and added to a switched edge', mutualTlsStories(), runStory),
);

const switchTogether = extended(
  {
    id: 'edges.update.upstream.together',
    origin: 'D09',
    clause: AT.updateEdge,
    sentence:
      'One change can remove `mutual_tls` and pass TLS through, or set it and terminate TLS.',
  },
  (implementation) => {
    const { testData } = edgeImplementation(implementation);
    const mutual_tls = {
      certificate_authority_ids: testData.certificateAuthorityIds.slice(0, 1),
    };
    const there = [createEdge({ mutual_tls }), patchEdge({ ...UPSTREAM, mutual_tls: null })];
    // An edge without `tls_termination` does not pass TLS through either.
    const back = [AT_EDGE, { tls_termination: null }].map((termination) => [
      NEW_UPSTREAM_EDGE,
      patchEdge({ ...termination, mutual_tls: {} }),
    ]);
    return forEach('there, and back', [there, ...back], runStory);
  },
);

/** Commands that remove a disallowed module; none if there is no such module. */
const REMOVALS: Command[][] = [[], [patchRoute({ compression: null })], [{ do: 'deleteRoute' }]];

const switchAllowed = extended(
  {
    id: 'edges.update.upstream.allowed',
    origin: 'D09',
    clause: AT.updateEdge,
    sentence:
      'An edge whose routes have `backend` and `ip_restriction` only can be changed to pass TLS ' +
      'through.',
  },
  stories(
    'allowed modules, and others that are removed with their route or without',
    REMOVALS,
    (removal) => {
      const modules = removal.length > 0 ? { ...ALLOWED, compression: {} } : ALLOWED;
      return [createEdge(), createRoute(modules), ...removal, SWITCH];
    },
  ),
  withEachAllowed((module) => [createEdge(), createRoute(module), SWITCH]),
);

const switchBack = extended(
  {
    id: 'edges.update.upstream.back',
    origin: 'D09',
    clause: AT.updateEdge,
    sentence: 'An edge that no longer passes TLS through can have every module again.',
  },
  stories(
    'by edge, by default and by null',
    [{ terminate_at: 'edge' }, {}, null],
    (tls_termination, index) => {
      const way = WAYS[index + 1] ?? [];
      const newRoute = createRoute({ match: '/new', ...allModules('minimal') });
      const changes = [
        patchEdge({ tls_termination }),
        patchRoute({ compression: {} }),
        patchEdge({ mutual_tls: {} }),
      ];
      return [...way, ...changes, newRoute];
    },
  ),
);

export const upstreamLaws = [
  createOther,
  updateOther,
  routesAllowed,
  switchWithOther,
  switchWithMutualTls,
  switchTogether,
  switchAllowed,
  switchBack,
];
