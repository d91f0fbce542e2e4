/**
 * Bodies as texts of JSON that no JSON writer writes: repeated names, lone surrogates and other
 * bytes.
 */
import { escaped } from '../../engine/generate/json-spellings.ts';
import type { Operation } from '../../engine/contract/operations.ts';
import { BARE } from '../values/bodies.ts';

/** A body with the members that the operation asks for. */
function minimalBody({ operationId }: Operation): Record<string, unknown> {
  if (operationId === 'createEventSource') {
    return { type: 'a.v0' };
  }
  return operationId === 'createRoute' ? BARE : {};
}

/** The name of a member that is a text. */
export function textMember({ path }: Operation): string {
  return path.startsWith('/edges/') ? 'description' : 'type';
}

/** The minimal body as JSON text, with these members in place of the one with the name `but`. */
export function bodyWith(operation: Operation, members: string, but?: string): string {
  const texts: string[] = [];
  for (const [name, value] of Object.entries(minimalBody(operation))) {
    if (name !== but) {
      texts.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
    }
  }
  return `{${[...texts, members].join(',')}}`;
}

/** Bodies that would be valid with either of two members of one name. */
export function bodiesWithRepeatedName(operation: Operation): string[] {
  const name = textMember(operation);
  const otherName = escaped(name.slice(0, 1)) + name.slice(1);
  const pairs = [
    `"${name}":"a.v0","${name}":"a.v0"`,
    `"${name}":"a.v0","${name}":"b.v0"`,
    `"${name}":"a.v0","${otherName}" :"b.v0"`,
  ];
  return pairs.map((pair) => bodyWith(operation, pair, name));
}

const REPEATED_IN_EDGES = [
  '{"tls_termination":{"enabled":true,"enabled":true}}',
  '{"mutual_tls":{"certificate_authority_ids":[],"enabled":true,"certificate_authority_ids":[]}}',
];
const REPEATED_IN_ROUTES = [
  '"compression":{"enabled":true,"enabled":false}',
  '"request_headers":{"add":{"X-A":"1","X-A":"1"}}',
  '"response_headers":{"add":{"X-A":"1","X-B":"2","X-\\u0041":"3"}}',
  '"oauth":{"provider":{"github":{"teams":[],"scopes":[],"teams":[]}}}',
];
const SURROGATES_IN_ROUTES = [
  '"request_headers":{"add":{"X-A":"\\ud800"}}',
  '"traffic_policy":{"value":"\\udc00\\ud800"}',
  '"oidc":{"issuer":"https://login.example.com","client_id":"a","scopes":["openid","a","\\uD83D"]}',
  '"webhook_verification":{"provider":"sns","secret":"a\\udfffb"}',
];

/** Bodies of edges and routes with a repeated name in a module. */
export function modulesWithRepeatedName(operation: Operation): string[] {
  const { operationId } = operation;
  if (operationId.endsWith('Edge')) {
    return REPEATED_IN_EDGES;
  }
  return routesWith(operation, REPEATED_IN_ROUTES);
}

/** Bodies of routes with a lone surrogate in a module. */
export function modulesWithSurrogate(operation: Operation): string[] {
  return routesWith(operation, SURROGATES_IN_ROUTES);
}

/** Bodies of routes, each with one of the modules; none if the operation has another body. */
function routesWith({ operationId }: Operation, modules: readonly string[]): string[] {
  if (!operationId.endsWith('Route')) {
    return [];
  }
  return modules.map((module) => `{"match_type":"path_prefix","match":"/",${module}}`);
}
