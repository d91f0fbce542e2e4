/** URIs that do not lead to what they stand beside. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { answering, jsonOf, showing } from '../mutate/response.ts';
import { done, remembering, showingAs, showingEdges, showingSources } from '../mutate/mutate.ts';
import type { Json } from '../mutate/request.ts';

const mutant = mutantsOf('uri');

const edges = (change: (uri: string) => string) =>
  showingEdges((edge) => ({ ...edge, uri: change(String(edge['uri'])) }));
const sources = (change: (uri: string) => string) =>
  showingSources((source) => ({ ...source, uri: change(String(source['uri'])) }));

const location = (operation: 'createEdge' | 'createEventSource', change: (uri: string) => string) =>
  done(operation, (response) => answering(response, { location: change(jsonOf(response).uri) }));

/** What is made shows the URI of what was made before. */
const before = (operation: 'createEdge' | 'createEventSource') =>
  remembering(() => {
    let last: string | undefined;
    return done(operation, (response) => {
      const { uri } = jsonOf(response);
      const shown = showing(response, { ...jsonOf(response), uri: last ?? uri });
      last = uri;
      return shown;
    });
  });

export const uri: Mutant[] = [
  mutant(
    'edge-singular',
    'edges.uri',
    'The `uri` of an edge has a path that does not exist.',
    edges((one) => one.replace('/edges/', '/edge/')),
  ),
  mutant(
    'edge-without-kind',
    'edges.uri',
    'The `uri` of an edge lacks a segment.',
    edges((one) => one.replace('/edges/https/', '/edges/')),
  ),
  mutant(
    'edge-version',
    'edges.uri',
    'The `uri` of an edge has a version in its path that is not served.',
    edges((one) => one.replace('/edges/https/', '/v1/edges/https/x/')),
  ),
  mutant(
    'edge-collection',
    'edges.uri',
    'The `uri` of an edge is that of all edges.',
    edges((one) => one.slice(0, one.lastIndexOf('/'))),
  ),
  mutant('edge-of-another', 'edges.uri', 'The `uri` of a new edge is that of the one before.', before('createEdge')),
  mutant(
    'edge-lower-case',
    'edges.uri',
    'The `uri` of an edge is in lower case.',
    edges((one) => one.toLowerCase().slice(0, -1)),
  ),
  mutant(
    'edge-slash',
    'edges.uri',
    'The `uri` of an edge ends with a slash that its path does not have.',
    edges((one) => `${one}/`),
  ),
  mutant(
    'edge-undefined',
    'edges.uri',
    'The `uri` of an edge has `undefined` for its id.',
    edges((one) => one.replace(/[^/]+$/, 'undefined')),
  ),
  mutant(
    'source-collection',
    'sources.uri',
    'The `uri` of a source is that of the list.',
    sources((one) => one.slice(0, one.lastIndexOf('/'))),
  ),
  mutant(
    'source-other-subscription',
    'sources.uri',
    'The `uri` of a source names another subscription.',
    sources((one) => one.replace(/event_subscriptions\/[^/]+/, 'event_subscriptions/other')),
  ),
  mutant(
    'source-encoded-twice',
    'sources.uri',
    'The `uri` of a source is percent-encoded twice.',
    sources((one) => one.replaceAll('%', '%25')),
  ),
  mutant(
    'source-listed',
    'sources.uri',
    'The `uri` of a source in a list has no type.',
    showingAs('listEventSources', (list) => ({
      ...list,
      sources: list.sources.map((one: Json) => ({ ...one, uri: String(one['uri']).replace(/[^/]+$/, '') })),
    })),
  ),
  mutant(
    'source-old',
    'sources.uri',
    'After an update, the `uri` is that of the old type.',
    showingAs('updateEventSource', (source, request) => ({
      ...source,
      uri: `http://${request.headers['host']}${request.target}`,
    })),
  ),
  mutant(
    'source-of-another',
    'sources.uri',
    'The `uri` of a new source is that of the one before.',
    before('createEventSource'),
  ),
  mutant(
    'source-first-of-type',
    'sources.uri.own',
    'Sources of one type have one `uri`, whatever their subscription.',
    remembering(() => {
      const first = new Map<string, unknown>();
      return showingSources((source) => {
        const type = String(source['type']);
        if (!first.has(type)) first.set(type, source['uri']);
        return { ...source, uri: first.get(type) };
      });
    }),
  ),
  mutant(
    'location-of-list',
    'edges.location',
    '`Location` is that of all edges.',
    location('createEdge', (one) => one.slice(0, one.lastIndexOf('/'))),
  ),
  mutant(
    'location-other',
    'edges.location',
    '`Location` names another edge.',
    location('createEdge', (one) => `${one}0`),
  ),
  mutant(
    'location-relative',
    'createEdge.201',
    '`Location` is a path, and the contract asks for an absolute URI.',
    location('createEdge', (one) => new URL(one).pathname),
  ),
  mutant(
    'location-slash',
    'edges.location',
    '`Location` has a slash more than `uri`.',
    location('createEdge', (one) => `${one}/`),
  ),
  mutant(
    'source-location-of-list',
    'sources.location',
    '`Location` is that of the list.',
    location('createEventSource', (one) => one.slice(0, one.lastIndexOf('/'))),
  ),
  mutant(
    'source-location-decoded',
    'sources.location',
    '`Location` is written otherwise than `uri`.',
    location('createEventSource', (one) => `${one}?`),
  ),
  mutant(
    'source-location-relative',
    'createEventSource.201',
    '`Location` of a source is a path.',
    location('createEventSource', (one) => new URL(one).pathname),
  ),
];
