/** Random commands of the model, with few ids and names, so that commands meet. */
import fc from 'fast-check';
import type { Command } from '../model/commands.ts';
import type { History } from '../model/history.ts';
import { type Json, MODULES } from '../modules.ts';
import { AT_EDGE, UPSTREAM } from './upstream.ts';

type Weighted = fc.WeightedArbitrary<Command>;
type Members = { [Key in keyof Command]?: fc.Arbitrary<unknown> };

/** @param weight how often the command is taken, compared with the others of its list */
function command(weight: number, name: Command['do'], members: Members): Weighted {
  const arbitrary = fc.record({ do: fc.constant(name), ...members });
  return { weight, arbitrary: arbitrary as unknown as fc.Arbitrary<Command> };
}

const two = fc.nat({ max: 1 });
const four = fc.nat({ max: 3 });

const source = { subscription: two, type: four };
const pageSize = fc.integer({ min: 1, max: 5 });

export const SOURCE_COMMANDS: readonly Weighted[] = [
  command(4, 'createEventSource', source),
  command(1, 'getEventSource', source),
  command(2, 'listEventSources', { subscription: two, limit: pageSize }),
  command(3, 'updateEventSource', { ...source, to: fc.option(four) }),
  command(2, 'deleteEventSource', source),
];

const { backend, ip_restriction, circuit_breaker, oauth, oidc } = MODULES;

const match = {
  match: fc.constantFrom('/', '/a', 'a.example'),
  match_type: fc.constantFrom('path_prefix', 'exact_path'),
};

/**
 * With at most one module that signs users in: a body alone breaks no rule (D21), and two of them
 * meet in a route.
 */
const modules: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  {},
  { backend: backend.minimal },
  { backend: backend.full, ip_restriction: ip_restriction.full },
  { compression: {} },
  { circuit_breaker: circuit_breaker.full },
  { oauth: oauth.minimal },
  { oidc: oidc.minimal },
  { oidc: oidc.full, description: 'disabled' },
);
const routeBody = fc
  .tuple(fc.record(match), modules)
  .map(([matched, others]) => ({ ...matched, ...others }));
const routePatch: fc.Arbitrary<Json> = fc.oneof(
  modules,
  fc.record(match, { requiredKeys: [] }),
  fc.constantFrom<Json[]>(
    { compression: null },
    { circuit_breaker: {} },
    { description: null, metadata: 'changed' },
    { oauth: null },
    { oauth: null, oidc: oidc.minimal },
    { oidc: null, oauth: oauth.minimal },
    { backend: null, ip_restriction: null },
  ),
);
const edgePatch = fc.constantFrom<Json[]>(
  UPSTREAM,
  AT_EDGE,
  { mutual_tls: {} },
  { mutual_tls: null },
  { description: 'a', metadata: 'a' },
  { description: 'b', metadata: 'b' },
);

export const ROUTE_COMMANDS: readonly Weighted[] = [
  command(5, 'createRoute', { edge: two, body: routeBody }),
  command(1, 'getRoute', { route: four }),
  command(5, 'updateRoute', { route: four, body: routePatch }),
  command(1, 'deleteRoute', { route: four }),
  command(3, 'updateEdge', { edge: two, body: edgePatch }),
  command(2, 'getEdge', { edge: two }),
];

const edgeBody = fc.constantFrom<Json>({}, { description: 'new' });

export const EDGE_COMMANDS: readonly Weighted[] = [
  command(1, 'deleteEdge', { edge: two }),
  command(1, 'createEdge', { body: edgeBody }),
];

/**
 * As many long sequences as short ones: most errors of state need several steps before they can
 * show.
 */
export function sequences(
  commands: readonly Weighted[],
  maxLength: number,
): fc.Arbitrary<Command[]> {
  return fc.array(fc.oneof(...commands), { minLength: 1, maxLength, size: 'max' });
}

/**
 * At most three rounds of two or three commands at once.
 * @param first commands that every history begins with
 */
export function histories(
  commands: readonly Weighted[],
  first: readonly Command[] = [],
): fc.Arbitrary<History> {
  const one = fc.oneof(...commands);
  const round = fc.array(one, { minLength: 2, maxLength: 3, size: 'max' });
  const before = fc.array(one, { maxLength: 4, size: 'max' });
  return fc.record<History>({
    before: before.map((commandsBefore) => [...first, ...commandsBefore]),
    rounds: fc.array(round, { minLength: 1, maxLength: 3, size: 'max' }),
  });
}
