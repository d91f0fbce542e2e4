/**
 * Changes and creations that are refused with 409, with valid members beside what is refused: none
 * of them is kept, and what they name is free.
 */
import type { Implementation } from '../../engine/http/implementation.ts';
import { forEach } from '../../engine/laws/law.ts';
import { extended, INFO } from '../define.ts';
import {
  type Command,
  createEdge,
  createRoute,
  patchEdge,
  patchRoute,
  readEdge,
} from '../model/commands.ts';
import { runStoryWithErrors, stories } from '../model/run.ts';
import {
  allModules,
  type Json,
  MODULE_NAMES,
  type ModuleName,
  MODULES,
  SIGN_IN,
  WITH_UPSTREAM,
} from '../modules.ts';
import { FULL_ROUTE } from '../resources/routes.ts';
import { hostportFor } from '../test-data.ts';
import { edgeImplementation } from '../tracker.ts';
import { ONLY_IF_VALID } from './refusals.ts';
import { UPSTREAM } from './upstream.ts';

const UNCHANGED = 'A refused request changes nothing';

const BEFORE = { description: 'before', metadata: 'before' };
const TEXTS = { description: 'refused', metadata: 'refused' };
const NO_TEXTS = { description: null, metadata: null };
const READ = readEdge(0);

function eachModule(names: readonly ModuleName[], valueOf: (name: ModuleName) => unknown): Json {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)]));
}

function disabled(name: ModuleName): Json {
  return { ...MODULES[name].minimal, enabled: false };
}

/** Two changes of what a route has beside these members. */
interface OthersOfRoute {
  values: Json;
  nulls: Json;
}

function othersOfRoute(without: readonly string[]): OthersOfRoute {
  const names = MODULE_NAMES.filter((name) => !without.includes(name));
  const match = without.includes('match') ? {} : { match: '/refused', match_type: 'exact_path' };
  return {
    values: { ...TEXTS, ...match, ...eachModule(names, disabled) },
    nulls: { ...NO_TEXTS, ...match, ...eachModule(names, () => null) },
  };
}

/**
 * The contradiction behind values of all other members, and before null for them: a service may
 * take one member after the other.
 */
function refusedChanges(contradiction: Json, { values, nulls }: OthersOfRoute, route = 0) {
  const last = patchRoute({ ...values, ...contradiction }, route);
  const first = patchRoute({ ...contradiction, ...nulls }, route);
  return [last, READ, first, READ];
}

/** A second module that signs users in. */
function secondSignIn(): Command[][] {
  return SIGN_IN.flatMap((present) => {
    const others = SIGN_IN.filter((name) => name !== present);
    const own = { [present]: { ...MODULES[present].full, enabled: true } };
    const body = { ...FULL_ROUTE, ...eachModule(others, () => null), ...own };
    return others.map((added) => [
      createEdge(BEFORE),
      createRoute(body),
      ...refusedChanges({ [added]: MODULES[added].minimal }, othersOfRoute([present, added])),
    ]);
  });
}

const DISALLOWED = MODULE_NAMES.filter((name) => !WITH_UPSTREAM.includes(name));

/** A module that an edge which passes TLS through does not allow. */
function disallowedModule(name: ModuleName): Command[] {
  const { backend, ip_restriction } = MODULES;
  const before = { ...BEFORE, backend: backend.full, ip_restriction: ip_restriction.full };
  const contradiction = { [name]: MODULES[name].minimal };
  const others = othersOfRoute(DISALLOWED);
  return [
    createEdge({ ...BEFORE, ...UPSTREAM }),
    createRoute(before),
    ...refusedChanges(contradiction, others),
    createRoute({ ...others.values, ...contradiction }),
    READ,
    createRoute(others.values),
  ];
}

/** The match of another route: none is moved in the list either. */
function takenMatch(): Command[] {
  const taken = { match: '/taken', match_type: 'path_prefix' };
  return [
    createEdge(BEFORE),
    createRoute(taken),
    createRoute({ ...FULL_ROUTE, match: '/mine', match_type: 'exact_path' }),
    createRoute({ match: '/last' }),
    ...refusedChanges(taken, othersOfRoute(['match']), 1),
    createRoute({ ...allModules('minimal'), ...TEXTS, ...taken }),
    READ,
  ];
}

const routes = extended(
  {
    id: 'routes.conflict.nothing-kept',
    origin: 'D29',
    clause: INFO,
    quotes: [UNCHANGED],
    sentence:
      'A creation or a change of a route that is refused with 409, for whatever reason, keeps ' +
      'nothing of what is valid in it: neither values nor null, nor the match that it names.',
  },
  stories('a second module that signs users in', secondSignIn(), (story) => story),
  stories('a module that the edge does not allow', DISALLOWED, disallowedModule),
  stories('the match of another route', [takenMatch()], (story) => story),
);

/** A change that an edge with its routes cannot take, and the commands that lead to the edge. */
interface Contradiction {
  edge: Json;
  route?: Json;
  change: Json;
}

const VERSION = { tls_termination: { enabled: false, min_version: '1.3' } };

const CONTRADICTIONS: readonly Contradiction[] = [
  { edge: { ...VERSION, mutual_tls: {} }, change: UPSTREAM },
  { edge: UPSTREAM, change: { mutual_tls: { enabled: false } } },
  { edge: VERSION, route: { compression: {} }, change: UPSTREAM },
  {
    edge: { ...VERSION, mutual_tls: {} },
    route: { saml: disabled('saml') },
    change: { ...UPSTREAM, mutual_tls: null },
  },
];

function hostportsFor(implementation: Implementation): string[] {
  const { testData } = edgeImplementation(implementation);
  return ['kept', 'refused'].map((name) => hostportFor(testData, name));
}

function contradictionOfEdge(
  { edge, route, change }: Contradiction,
  hostports: readonly string[],
): Command[] {
  const body = { ...BEFORE, hostports: hostports.slice(0, 1), ...edge };
  const values = { ...TEXTS, hostports: hostports.slice(1) };
  const nulls = { ...NO_TEXTS, hostports: null };
  return [
    createEdge(body),
    ...(route ? [createRoute({ ...BEFORE, ...route })] : []),
    patchEdge({ ...values, ...change }),
    READ,
    patchEdge({ ...change, ...nulls }),
    READ,
    patchEdge(values),
  ];
}

const edges = extended(
  {
    id: 'edges.conflict.nothing-kept',
    origin: 'D29',
    clause: INFO,
    quotes: [UNCHANGED],
    sentence:
      'A change of an edge that is refused with 409, for whatever reason, keeps nothing of what ' +
      'is valid in it: neither values nor null.',
  },
  (implementation) => {
    const hostports = hostportsFor(implementation);
    return stories('a contradiction beside other members', CONTRADICTIONS, (one) =>
      contradictionOfEdge(one, hostports),
    );
  },
);

/** A story of each reason for which a route is refused with 409. */
function conflictsOfRoutes(): Command[][] {
  return [...secondSignIn(), ...DISALLOWED.map(disallowedModule), takenMatch()];
}

const routesOnlyIfValid = extended(
  {
    id: 'routes.conflict-only-if-valid',
    origin: 'D29',
    clause: INFO,
    quotes: [ONLY_IF_VALID],
    sentence:
      'A creation or a change of a route that has a conflict, in a request that breaks the ' +
      'contract, is refused for that, and does not get 409.',
  },
  forEach('an error beside each conflict', conflictsOfRoutes(), runStoryWithErrors),
);

const edgesOnlyIfValid = extended(
  {
    id: 'edges.conflict-only-if-valid',
    origin: 'D29',
    clause: INFO,
    quotes: [ONLY_IF_VALID],
    sentence:
      'A change of an edge that has a conflict, in a request that breaks the contract, is ' +
      'refused for that, and does not get 409.',
  },
  (implementation) => {
    const hostports = hostportsFor(implementation);
    const all = CONTRADICTIONS.map((one) => contradictionOfEdge(one, hostports));
    return forEach('an error beside each conflict', all, runStoryWithErrors);
  },
);

export const refusedBesideLaws = [routes, edges, routesOnlyIfValid, edgesOnlyIfValid];
