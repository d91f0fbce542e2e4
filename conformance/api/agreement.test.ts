/** Responses that agree with themselves and with their request, and others that do not. */
import { expect, test } from 'vitest';
import { loadContract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import type { CallInput } from '../engine/http/call.ts';
import { HttpResponse } from '../engine/http/response.ts';
import { expectAgreement } from './agreement.ts';
import { required } from './required.ts';

interface Sent {
  id: string;
  input?: CallInput;
  status?: number;
  location?: string;
  json: unknown;
}

const contract = loadContract();
const operations = operationsOf(contract);

function check({ id, input = {}, status = 200, location, json }: Sent): () => void {
  const operation = operations.find(({ operationId }) => operationId === id);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (location !== undefined) {
    headers['location'] = location;
  }
  const response = new HttpResponse({ status, headers, body: Buffer.from(JSON.stringify(json)) });
  const success = { contract, operation: required(operation, id), input, response };
  return () => expectAgreement(success);
}

const EDGE = { id: 'e', uri: 'http://a/e', routes: [] };
const ROUTE = { edge_id: 'e', id: 'r', saml: null };
const OF_EDGE = { path: { edge_id: 'e' } };
const OF_ROUTE = { path: { edge_id: 'e', route_id: 'r' } };
const OF_SOURCE = { path: { subscription_id: 's', type: 'a.v0' } };
const OF_SOURCES = { path: { subscription_id: 's' } };

/** Each with members that nobody knows, or without those that may be omitted. */
const RIGHT: Record<string, Sent> = {
  'no Location': { id: 'createEdge', status: 201, json: { ...EDGE, location: 'x' } },
  Location: { id: 'createEdge', status: 201, location: EDGE.uri, json: EDGE },
  'a Location beside 200': { id: 'getEdge', input: OF_EDGE, location: 'x', json: EDGE },
  'an edge with a route': { id: 'getEdge', input: OF_EDGE, json: { ...EDGE, routes: [ROUTE] } },
  'a new route': { id: 'createRoute', input: OF_EDGE, status: 201, json: ROUTE },
  'a route': { id: 'getRoute', input: OF_ROUTE, json: { ...ROUTE, type: 'b' } },
  'a SAML module': {
    id: 'getRoute',
    input: OF_ROUTE,
    json: { ...ROUTE, saml: { entity_id: 'u', metadata_url: 'u' } },
  },
  'a source': { id: 'getEventSource', input: OF_SOURCE, json: { type: 'a.v0' } },
  'a change of a source': {
    id: 'updateEventSource',
    input: { ...OF_SOURCE, json: { type: 'b.v0' } },
    json: { type: 'b.v0' },
  },
  'no change of a source': { id: 'updateEventSource', input: OF_SOURCE, json: { type: 'a.v0' } },
  'a text in place of JSON': {
    id: 'updateEventSource',
    input: { ...OF_SOURCE, body: '{"type":"c.v0"}' },
    json: { type: 'c.v0' },
  },
  'an edge with members of other resources': {
    id: 'getEdge',
    input: OF_EDGE,
    json: { ...EDGE, edge_id: null, saml: { entity_id: 'u' }, https_edges: [{}], sources: [{}] },
  },
  'a route with members of other resources': {
    id: 'getRoute',
    input: OF_ROUTE,
    json: { ...ROUTE, routes: [{ edge_id: 'f' }], https_edges: [{}], sources: [{}] },
  },
  'a source with members of other resources': {
    id: 'getEventSource',
    input: OF_SOURCE,
    json: { type: 'a.v0', edge_id: 'f', saml: { entity_id: 'u' }, sources: [{}] },
  },
  'a page with members of other resources': {
    id: 'listEventSources',
    input: { ...OF_SOURCES, query: { limit: '1' } },
    json: { sources: [{ type: 'a.v0' }], https_edges: [{}, {}], edge_id: 'f', type: 'b.v0' },
  },
  'a full page': {
    id: 'listEdges',
    input: { query: { limit: '1' } },
    json: { https_edges: [EDGE] },
  },
  'an empty page': { id: 'listEventSources', input: OF_SOURCES, json: { sources: [], uri: 'x' } },
  'a page of sources': {
    id: 'listEventSources',
    input: OF_SOURCES,
    json: { sources: [{ type: 'a.v0' }, { type: 'a.v10' }, { type: 'a.v2' }, { type: 'a_.v0' }] },
  },
  'no JSON': { id: 'deleteEdge', input: OF_EDGE, status: 204, json: 'x' },
};

test.each(Object.entries(RIGHT))('%s is right', (_, sent) => {
  expect(check(sent)).not.toThrow();
});

const WRONG: Record<string, Sent> = {
  'Location of another edge': { id: 'createEdge', status: 201, location: 'http://a/f', json: EDGE },
  'another edge': { id: 'getEdge', input: { path: { edge_id: 'f' } }, json: EDGE },
  'a new route of another edge': {
    id: 'createRoute',
    input: { path: { edge_id: 'f' } },
    status: 201,
    json: ROUTE,
  },
  'another route': {
    id: 'getRoute',
    input: { path: { edge_id: 'e', route_id: 'q' } },
    json: ROUTE,
  },
  'a route of another edge in a list': {
    id: 'listEdges',
    json: { https_edges: [EDGE, { ...EDGE, routes: [{ ...ROUTE, edge_id: 'f' }] }] },
  },
  'a SAML module with another id': {
    id: 'getEdge',
    input: OF_EDGE,
    json: {
      ...EDGE,
      routes: [{ ...ROUTE, saml: { entity_id: 'u', metadata_url: 'v' } }],
    },
  },
  'another source': { id: 'getEventSource', input: OF_SOURCE, json: { type: 'b.v0' } },
  'the source before its change': {
    id: 'updateEventSource',
    input: { ...OF_SOURCE, json: { type: 'b.v0' } },
    json: { type: 'a.v0' },
  },
  'more than `limit`': {
    id: 'listEdges',
    input: { query: { limit: '1' } },
    json: { https_edges: [EDGE, EDGE] },
  },
  'types that descend': {
    id: 'listEventSources',
    input: OF_SOURCES,
    json: { sources: [{ type: 'a.v2' }, { type: 'a.v10' }] },
  },
  'a type twice': {
    id: 'listEventSources',
    input: OF_SOURCES,
    json: { sources: [{ type: 'a.v2' }, { type: 'a.v2' }] },
  },
};

test.each(Object.entries(WRONG))('%s is wrong', (_, sent) => {
  expect(check(sent)).toThrow();
});
