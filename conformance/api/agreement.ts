/**
 * What a success shows agrees with itself and with its request. This holds of each response, so it
 * is checked in each one, whichever requirement asked for it: a service that errs once in a while
 * shows it nowhere else.
 */
import type { Contract } from '../engine/contract/load.ts';
import type { Operation } from '../engine/contract/operations.ts';
import { isObject } from '../engine/contract/pointers.ts';
import type { CallInput } from '../engine/http/call.ts';
import { knownResponse } from '../engine/http/known-members.ts';
import type { HttpResponse } from '../engine/http/response.ts';
import { AT } from './define.ts';
import { expectByClause } from './errors/problem.ts';
import type { Json } from './modules.ts';

/** A member of a response, and what it must be. */
interface Due {
  clause: string;
  message: string;
  expected: unknown;
  got: unknown;
}

/** A response to a call of an operation that succeeded. */
interface Success {
  contract: Contract;
  operation: Operation;
  input: CallInput;
  response: HttpResponse;
}

/**
 * Only members that the schema of their place has are looked at: others may have any name and
 * value.
 * @throws Nonconformity
 */
export function expectAgreement(success: Success): void {
  const { contract, operation, response } = success;
  const json = knownResponse(contract, operation, response.json);
  if (!isObject(json)) {
    return;
  }
  for (const { clause, message, expected, got } of dueIn(success, json)) {
    expectByClause(expected === got, clause, message, { expected, got });
  }
}

function dueIn(success: Success, json: Json): Due[] {
  const { input } = success;
  const edges = 'https_edges' in json ? objectsIn(json['https_edges']) : [json];
  return [
    ...ofLocation(success, json),
    ...ofPath(success, json),
    ...ofSource(success, json),
    ...edges.flatMap(ofRoutesIn),
    ...ofSaml(json),
    ...ofLimit(input, json['https_edges'] ?? json['sources']),
    ...ofTypes(json['sources']),
  ];
}

function objectsIn(list: unknown): Json[] {
  if (Array.isArray(list)) {
    return list.filter((one) => isObject(one));
  }
  return [];
}

/** `Location` is optional (D37). */
function ofLocation({ operation, response }: Success, { uri }: Json): Due[] {
  const { location } = response.headers;
  const documented = operation.responses['201']?.headers['Location'];
  if (response.status !== 201 || location === undefined || documented === undefined) {
    return [];
  }
  const clause = documented.pointer;
  return [{ clause, message: '`Location` is not `uri`.', expected: uri, got: location }];
}

/** An edge or a route has the ids of its path; a new route, that of its edge. */
function ofPath({ input: { path = {} } }: Success, json: Json): Due[] {
  const { edge_id, route_id } = path;
  const message = 'Another resource is shown than the path names.';
  const ids = (schema: string, member: string) => `${AT.schemas}/${schema}/properties/${member}`;
  if (edge_id === undefined) {
    return [];
  }
  if (!('edge_id' in json)) {
    return [{ clause: ids('HTTPSEdge', 'id'), message, expected: edge_id, got: json['id'] }];
  }
  const clause = ids('HTTPSEdgeRoute', 'edge_id');
  const due: Due[] = [{ clause, message, expected: edge_id, got: json['edge_id'] }];
  if (route_id !== undefined) {
    const own = ids('HTTPSEdgeRoute', 'id');
    due.push({ clause: own, message, expected: route_id, got: json['id'] });
  }
  return due;
}

/** A source has the type that was sent, or else that of its path. */
function ofSource({ input }: Success, { type, sources }: Json): Due[] {
  const { path = {}, json, body } = input;
  const isSource = path['subscription_id'] !== undefined && sources === undefined;
  // What a text says that is sent in place of JSON is known to the requirement alone.
  if (!isSource || body !== undefined) {
    return [];
  }
  const { type: sent = path['type'] } = Object(json) as Json;
  const clause = `${AT.schemas}/EventSource/properties/type`;
  const message = 'Another event source is shown than the request names.';
  if (sent === undefined) {
    return [];
  }
  return [{ clause, message, expected: sent, got: type }];
}

/** Routes in an edge, and their SAML modules. */
function ofRoutesIn({ id, routes }: Json): Due[] {
  const clause = `${AT.schemas}/HTTPSEdgeRoute/properties/edge_id`;
  const message = 'A route in an edge names another edge.';
  return objectsIn(routes).flatMap((route) => [
    { clause, message, expected: id, got: route['edge_id'] },
    ...ofSaml(route),
  ]);
}

function ofSaml({ saml }: Json): Due[] {
  if (!isObject(saml)) {
    return [];
  }
  const clause = `${AT.schemas}/EndpointSAML/properties/entity_id`;
  const message = '`entity_id` is not `metadata_url`.';
  return [{ clause, message, expected: saml['metadata_url'], got: saml['entity_id'] }];
}

const COUNT = /^[1-9]\d*$/;

/** A page has at most `limit` items. */
function ofLimit({ query = {} }: CallInput, items: unknown): Due[] {
  const limit = Array.isArray(query) ? undefined : query['limit'];
  if (limit === undefined || !COUNT.test(limit) || !Array.isArray(items)) {
    return [];
  }
  const most = Number(limit);
  const clause = '/components/parameters/Limit';
  const message = 'A page has more items than `limit`.';
  return [{ clause, message, expected: most, got: Math.max(most, items.length) }];
}

/** Types ascend: each is once on a page. */
function ofTypes(sources: unknown): Due[] {
  const types = objectsIn(sources).map(({ type }) => String(type));
  const sorted = [...new Set(types)].toSorted();
  const clause = `${AT.schemas}/EventSourceList/properties/sources`;
  const message = 'The types on a page do not ascend.';
  return [{ clause, message, expected: sorted.join(' '), got: types.join(' ') }];
}
