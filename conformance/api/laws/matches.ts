/**
 * Matches that routes of one edge may have beside each other (D18). That a pair is unique on its
 * edge is a law of any resource.
 */
import { AT, extended } from '../define.ts';
import { createEdge, createRoute, removeRoute } from '../model/commands.ts';
import { stories } from '../model/run.ts';
import type { Json } from '../modules.ts';
import { PAIRS } from '../resources/routes.ts';
import { BARE } from '../values/bodies.ts';

const otherEdge = extended(
  {
    id: 'routes.match.other-edge',
    origin: 'D18',
    clause: AT.createRoute,
    sentence: 'Routes of two edges may have the same match.',
  },
  stories('the same pair on another edge', PAIRS, (pair) => [
    createEdge(),
    createEdge(),
    createRoute(pair),
    createRoute(pair, 1),
  ]),
);

/** A story for each list of routes, which are created beside each other on one edge. */
function besideEachOther(lists: readonly Json[][]) {
  return stories('beside each other', lists, (bodies) => [
    createEdge(),
    ...bodies.map((body) => createRoute(body)),
  ]);
}

const MATCHES = new Set(PAIRS.map(({ match }) => match));
const BOTH_TYPES = [...MATCHES].map((match) => PAIRS.filter((pair) => pair.match === match));

const MATCH_TYPES = ['exact_path', 'path_prefix'];

const otherType = extended(
  {
    id: 'routes.match.other-type',
    origin: 'D18',
    clause: AT.createRoute,
    sentence:
      'Two routes of one edge may have the same match with different match types; a removal ' +
      'takes one alone.',
  },
  besideEachOther(BOTH_TYPES),
  stories('one of them removed', [0, 1], (removed) => [
    createEdge(),
    ...MATCH_TYPES.map((match_type) => createRoute({ match_type })),
    removeRoute(removed),
  ]),
);

/** Spellings that a service may take for the same path or host. */
const SPELLINGS = [
  ['/a', '/A'],
  ['/a', '/a/'],
  ['/a', '//a'],
  ['/é', '/%C3%A9'],
  ['/%c3%a9', '/%C3%A9'],
  ['/é', '/e'],
  ['/\u00e9', '/e\u0301'],
  ['a.example', 'A.example'],
  ['a.example', 'a.example/'],
];
const SPELLED_ROUTES = SPELLINGS.map((matches) => matches.map((match) => ({ ...BARE, match })));

const comparedAsText = extended(
  {
    id: 'routes.match.as-text',
    origin: 'D18',
    clause: `${AT.schemas}/Match`,
    sentence: 'Matches are compared as text: two spellings of one path or host are two matches.',
  },
  besideEachOther(SPELLED_ROUTES),
);

export const matchLaws = [otherEdge, otherType, comparedAsText];
