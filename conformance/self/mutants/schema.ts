/** Answers that break the schema: properties that are missing, of another type, or in another form. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { showingAs, showingEdges, showingSources } from '../mutate/mutate.ts';
import { isObject, type Json } from '../mutate/request.ts';
import { without, withoutEmpty } from '../mutate/values.ts';

const mutant = mutantsOf('schema');

const EDGE = [
  'id',
  'description',
  'metadata',
  'created_at',
  'uri',
  'hostports',
  'mutual_tls',
  'tls_termination',
  'routes',
];

/** Changes a module where the edge has one. */
function inModule(name: string, change: (module: Json) => unknown) {
  return showingEdges((edge) => (isObject(edge[name]) ? { ...edge, [name]: change(edge[name]) } : edge));
}

function inEdge(name: string, change: (value: any) => unknown) {
  return showingEdges((edge) => ({ ...edge, [name]: change(edge[name]) }));
}

const authorities = (change: (refs: Json[]) => unknown) =>
  inModule('mutual_tls', (module) => ({
    ...module,
    certificate_authorities: change(module['certificate_authorities'] as Json[]),
  }));

export const schema: Mutant[] = [
  ...EDGE.map((name) =>
    mutant(
      `edge-without-${name}`,
      'createEdge.201',
      `An edge is shown without \`${name}\`.`,
      showingEdges((edge) => without(edge, name)),
    ),
  ),
  mutant(
    'edge-omits-empty',
    'getEdge.200',
    'What is empty, null or false is left out of an edge.',
    showingEdges(withoutEmpty),
  ),
  mutant(
    'edge-in-envelope',
    'getEdge.200',
    'An edge is shown inside `data`.',
    showingEdges((edge) => ({ data: edge })),
  ),
  mutant(
    'edge-in-list',
    'getEdge.200',
    'An edge is shown as a list of one.',
    showingEdges((edge) => [edge]),
  ),
  mutant(
    'edge-camel-case',
    'createEdge.201',
    'Properties are shown in camel case.',
    showingEdges((edge) =>
      Object.fromEntries(
        Object.entries(edge).map(([name, value]) => [
          name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
          value,
        ]),
      ),
    ),
  ),
  mutant(
    'edge-id-number',
    'createEdge.201',
    'The id of an edge is a number.',
    inEdge('id', () => 17),
  ),
  mutant(
    'edge-id-with-slash',
    'createEdge.201',
    'The id of an edge has a character that ids cannot have.',
    inEdge('id', (id) => `edges/${id}`),
  ),
  mutant(
    'edge-id-too-long',
    'createEdge.201',
    'The id of an edge has 65 characters.',
    inEdge('id', (id: string) => id.padEnd(65, '0')),
  ),
  mutant(
    'edge-description-null',
    'createEdge.201',
    'An empty description is shown as null.',
    inEdge('description', (text) => (text === '' ? null : text)),
  ),
  mutant(
    'edge-metadata-object',
    'createEdge.201',
    'Empty metadata is shown as an object.',
    inEdge('metadata', (text) => (text === '' ? {} : text)),
  ),
  mutant(
    'edge-created-at-seconds',
    'createEdge.201',
    '`created_at` is a number of seconds.',
    inEdge('created_at', (text) => Math.floor(Date.parse(text) / 1000)),
  ),
  mutant(
    'edge-created-at-sql',
    'createEdge.201',
    '`created_at` is in the form of a database, without an offset.',
    inEdge('created_at', (text: string) => text.slice(0, 19).replace('T', ' ')),
  ),
  mutant(
    'edge-created-at-no-offset',
    'createEdge.201',
    '`created_at` has no offset, which RFC 3339 demands.',
    inEdge('created_at', (text: string) => text.slice(0, 19)),
  ),
  mutant(
    'edge-created-at-day',
    'createEdge.201',
    '`created_at` is a day without a time.',
    inEdge('created_at', (text: string) => text.slice(0, 10)),
  ),
  mutant(
    'edge-created-at-http-date',
    'createEdge.201',
    '`created_at` is in the form of HTTP headers.',
    inEdge('created_at', (text) => new Date(text).toUTCString()),
  ),
  mutant(
    'edge-created-at-basic-offset',
    'createEdge.201',
    '`created_at` has an offset without a colon.',
    inEdge('created_at', (text: string) => `${text.slice(0, 19)}+0000`),
  ),
  mutant(
    'edge-uri-null',
    'createEdge.201',
    'The `uri` of an edge is null.',
    inEdge('uri', () => null),
  ),
  mutant(
    'edge-uri-relative',
    'createEdge.201',
    'The `uri` of an edge is a path.',
    inEdge('uri', (uri) => new URL(uri).pathname),
  ),
  mutant(
    'edge-uri-no-scheme',
    'createEdge.201',
    'The `uri` of an edge has no scheme.',
    inEdge('uri', (uri: string) => uri.replace('http:', '')),
  ),
  mutant(
    'edge-hostports-null',
    'createEdge.201',
    'An empty list of hostports is null.',
    inEdge('hostports', (items: unknown[]) => (items.length === 0 ? null : items)),
  ),
  mutant(
    'edge-hostports-text',
    'createEdge.201',
    'Hostports are shown as one text with commas.',
    inEdge('hostports', (items: unknown[]) => items.join(',')),
  ),
  mutant(
    'edge-hostports-objects',
    'edges.echo.lists',
    'Hostports are shown as objects.',
    inEdge('hostports', (items: string[]) => items.map((item) => ({ hostport: item }))),
  ),
  mutant(
    'edge-routes-null',
    'createEdge.201',
    'An edge without routes shows null.',
    inEdge('routes', () => null),
  ),
  mutant(
    'edge-routes-object',
    'createEdge.201',
    'The routes of an edge are shown as one object.',
    inEdge('routes', () => ({})),
  ),
  mutant(
    'edge-routes-count',
    'getEdge.200',
    'The routes of an edge are shown as their number.',
    inEdge('routes', (items: unknown[]) => items.length),
  ),
  mutant(
    'edge-module-empty',
    'createEdge.201',
    'A module that is not there is shown as an empty object.',
    inEdge('mutual_tls', (module) => module ?? {}),
  ),
  mutant(
    'edge-module-false',
    'createEdge.201',
    'A module that is not there is shown as false.',
    inEdge('tls_termination', (module) => module ?? false),
  ),
  mutant(
    'enabled-text',
    'createEdge.201',
    '`enabled` is a text.',
    inModule('mutual_tls', (module) => ({ ...module, enabled: String(module['enabled']) })),
  ),
  mutant(
    'enabled-number',
    'createEdge.201',
    '`enabled` is 0 or 1.',
    inModule('tls_termination', (module) => ({ ...module, enabled: Number(module['enabled']) })),
  ),
  mutant(
    'enabled-left-out',
    'createEdge.201',
    '`enabled` is not shown.',
    inModule('tls_termination', (module) => without(module, 'enabled')),
  ),
  mutant(
    'min-version-number',
    'createEdge.201',
    '`min_version` is a number.',
    inModule('tls_termination', (module) => ({
      ...module,
      min_version: module['min_version'] === null ? null : Number(module['min_version']),
    })),
  ),
  mutant(
    'min-version-spelled',
    'createEdge.201',
    '`min_version` is written `TLSv1.2`.',
    inModule('tls_termination', (module) => ({
      ...module,
      min_version: module['min_version'] === null ? null : `TLSv${String(module['min_version'])}`,
    })),
  ),
  mutant(
    'min-version-omitted',
    'createEdge.201',
    '`min_version` is left out.',
    inModule('tls_termination', (module) => without(module, 'min_version')),
  ),
  mutant(
    'terminate-at-upper-case',
    'createEdge.201',
    '`terminate_at` is shown in upper case.',
    inModule('tls_termination', (module) => ({
      ...module,
      terminate_at: String(module['terminate_at']).toUpperCase(),
    })),
  ),
  mutant(
    'upstream-with-mutual-tls',
    'createEdge.201',
    'With `upstream`, a disabled mutual TLS module is shown in place of null.',
    showingEdges((edge) =>
      isObject(edge['tls_termination']) && edge['tls_termination']['terminate_at'] === 'upstream'
        ? { ...edge, mutual_tls: { enabled: false, certificate_authorities: [] } }
        : edge,
    ),
  ),
  mutant(
    'authorities-as-ids',
    'edges.echo.lists',
    'Certificate authorities are shown as ids in place of Refs.',
    authorities((refs) => refs.map(({ id }) => id)),
  ),
  mutant(
    'authorities-one-ref',
    'createEdge.201',
    'Certificate authorities are shown as one Ref.',
    authorities((refs) => refs[0] ?? null),
  ),
  mutant(
    'authorities-without-uri',
    'edges.echo.lists',
    'A Ref has no `uri`.',
    authorities((refs) => refs.map((ref) => without(ref, 'uri'))),
  ),
  mutant(
    'authorities-under-request-name',
    'createEdge.201',
    'Certificate authorities are shown under the name that requests use.',
    inModule('mutual_tls', ({ certificate_authorities, ...module }) => ({
      ...module,
      certificate_authority_ids: certificate_authorities,
    })),
  ),
  mutant(
    'source-without-type',
    'getEventSource.200',
    'A source is shown without `type`.',
    showingSources((source) => without(source, 'type')),
  ),
  mutant(
    'source-without-uri',
    'createEventSource.201',
    'A source is shown without `uri`.',
    showingSources((source) => without(source, 'uri')),
  ),
  mutant(
    'source-uri-relative',
    'updateEventSource.200',
    'The `uri` of a source is a path.',
    showingSources((source) => ({ ...source, uri: new URL(String(source['uri'])).pathname })),
  ),
  mutant(
    'source-type-object',
    'createEventSource.201',
    'The type of a source is an object.',
    showingSources((source) => ({ ...source, type: { name: source['type'] } })),
  ),
  mutant(
    'source-type-without-version',
    'getEventSource.200',
    'The type of a source is shown without its version.',
    showingSources((source) => ({ ...source, type: String(source['type']).split('.')[0] })),
  ),
  mutant(
    'list-bare',
    'listEventSources.200',
    'A list is shown without its envelope.',
    showingAs('listEventSources', ({ sources }) => sources),
  ),
  mutant(
    'list-null',
    'listEventSources.200',
    'An empty list is null.',
    showingAs('listEventSources', (list) => ({ ...list, sources: list.sources.length === 0 ? null : list.sources })),
  ),
  mutant(
    'list-as-map',
    'listEventSources.200',
    'A list is shown as a map by type.',
    showingAs('listEventSources', (list) => ({
      ...list,
      sources: Object.fromEntries(list.sources.map((one: Json) => [one['type'], one])),
    })),
  ),
  mutant(
    'list-under-items',
    'listEventSources.200',
    'The sources of a list are under `items`.',
    showingAs('listEventSources', ({ sources, uri }) => ({ items: sources, uri })),
  ),
  mutant(
    'list-of-texts',
    'sources.listed',
    'A list has names in place of sources.',
    showingAs('listEventSources', (list) => ({ ...list, sources: list.sources.map((one: Json) => one['type']) })),
  ),
  mutant(
    'list-without-uri',
    'listEventSources.200',
    'The last page has no `uri` in place of null.',
    showingAs('listEventSources', (list) => (list.uri === null ? without(list, 'uri') : list)),
  ),
  mutant(
    'list-uri-empty',
    'listEventSources.200',
    'The last page has an empty `uri` in place of null.',
    showingAs('listEventSources', (list) => ({ ...list, uri: list.uri ?? '' })),
  ),
  mutant(
    'list-uri-false',
    'listEventSources.200',
    'The last page has false in place of a null `uri`.',
    showingAs('listEventSources', (list) => ({ ...list, uri: list.uri ?? false })),
  ),
];
