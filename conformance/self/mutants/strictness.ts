/** What is refused by the contract is taken for something that is allowed. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { hasNameTwice } from '../independent/names-once.ts';
import type { ServiceRequest } from '../service.ts';
import { before, keeping, keepingModule, type Mutate, taking } from '../mutate/mutate.ts';
import { acceptedBody, LISTING, type OperationId, OPERATIONS, WRITING } from '../mutate/operation.ts';
import { isObject, type Json, jsonIn, queryOf, sending, withParameter, withQuery } from '../mutate/request.ts';
import { eachText, without } from '../mutate/values.ts';

const mutant = mutantsOf('strictness');

const EDGE = ['description', 'metadata', 'hostports', 'mutual_tls', 'tls_termination'];
const MODULES = [
  'backend',
  'ip_restriction',
  'circuit_breaker',
  'compression',
  'request_headers',
  'response_headers',
  'webhook_verification',
  'oauth',
  'saml',
  'oidc',
  'websocket_tcp_converter',
  'user_agent_filter',
  'traffic_policy',
];
const ROUTE = ['match_type', 'match', 'description', 'metadata', ...MODULES];

const KNOWN: Record<string, string[]> = {
  createEdge: EDGE,
  updateEdge: EDGE,
  createRoute: ROUTE,
  updateRoute: ROUTE,
  createEventSource: ['type'],
  updateEventSource: ['type'],
};

function pick(value: unknown, names: string[]): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))) : value;
}

function converting(name: string, convert: (value: any) => unknown): Mutate {
  return keeping((body) => (name in body ? { ...body, [name]: convert(body[name]) } : body));
}

const bool = (value: unknown): unknown => ({ true: true, false: false, 1: true, 0: false })[String(value)] ?? value;

const enabled = (convert: (value: unknown) => unknown) => (module: Json) =>
  'enabled' in module ? { ...module, enabled: convert(module['enabled']) } : module;

function reading(operation: OperationId, repair: (text: string) => string): Mutate {
  return before(operation, (request) => {
    const text = request.body.toString();
    return isJson(text) ? request : { ...request, body: Buffer.from(repair(text)) };
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Texts with a name twice go on as something else: what a parser made of them, or another body. */
function reparsing(operation: OperationId, repair: (request: ServiceRequest, json: unknown) => ServiceRequest): Mutate {
  return before(operation, (request) => {
    const json = jsonIn(request);
    return json !== undefined && hasNameTwice(request.body.toString()) ? repair(request, json) : request;
  });
}

function limit(change: (value: string) => string | undefined): Mutate {
  return before('listEventSources', (request) => withParameter(request, 'limit', change));
}

/** Takes one of several values of a parameter. */
function once(request: ServiceRequest, which: 'first' | 'last'): ServiceRequest {
  const pairs = queryOf(request);
  const kept = new Map(which === 'first' ? pairs.toReversed() : pairs);
  // A cursor that nobody issued is refused for itself.
  if (pairs.length > kept.size) kept.delete('cursor');
  return withQuery(request, [...kept]);
}

export const strictness: Mutant[] = [
  mutant(
    'enabled-from-text',
    'createEdge.body.mutual_tls.enabled.type',
    '`"true"` is taken for true.',
    keepingModule(
      'mutual_tls',
      enabled((value) => (typeof value === 'string' ? bool(value) : value)),
    ),
  ),
  mutant(
    'enabled-from-number',
    'createEdge.body.tls_termination.enabled.type',
    '1 is taken for true, and 0 for false.',
    keepingModule(
      'tls_termination',
      enabled((value) => (typeof value === 'number' ? bool(value) : value)),
    ),
  ),
  mutant(
    'enabled-truthy',
    'createEdge.body.mutual_tls.enabled.type',
    'Whatever is not false, null, 0 or empty is taken for true.',
    keepingModule('mutual_tls', enabled(Boolean)),
  ),
  mutant(
    'enabled-null',
    'createEdge.body.tls_termination.enabled.type',
    '`enabled: null` is taken for left out.',
    keepingModule('tls_termination', (module) => (module['enabled'] === null ? without(module, 'enabled') : module)),
  ),
  mutant(
    'description-from-number',
    'createEdge.body.description.type',
    'A number is taken for a text.',
    converting('description', (value) => (typeof value === 'number' ? String(value) : value)),
  ),
  mutant(
    'description-from-boolean',
    'createEdge.body.description.type',
    'A boolean is taken for a text.',
    converting('description', (value) => (typeof value === 'boolean' ? String(value) : value)),
  ),
  mutant(
    'description-null',
    'createEdge.body.description.type',
    'A description of null is taken for left out.',
    converting('description', (value) => value ?? ''),
  ),
  mutant(
    'metadata-object',
    'createEdge.body.metadata.type',
    'Metadata is accepted as an object.',
    converting('metadata', (value) => (isObject(value) ? JSON.stringify(value) : value)),
  ),
  mutant(
    'metadata-list',
    'createEdge.body.metadata.type',
    'Metadata is accepted as a list.',
    converting('metadata', (value) => (Array.isArray(value) ? JSON.stringify(value).slice(0, 4096) : value)),
  ),
  mutant(
    'hostports-scalar',
    'createEdge.body.hostports.type',
    'One hostport is taken for a list of one.',
    converting('hostports', (value) => (typeof value === 'string' ? ['one.example:443'] : value)),
  ),
  mutant(
    'hostports-null',
    'createEdge.body.hostports.type',
    'Hostports of null are taken for left out.',
    converting('hostports', (value) => value ?? []),
  ),
  mutant(
    'hostports-map',
    'createEdge.body.hostports.type',
    'An object is taken for a list of hostports, as PHP does.',
    converting('hostports', (value) => (isObject(value) ? [] : value)),
  ),
  mutant(
    'hostports-null-items',
    'createEdge.body.hostports.*.type',
    'Hostports that are null are left out.',
    converting('hostports', (value) => (Array.isArray(value) ? value.filter((item) => item !== null) : value)),
  ),
  mutant(
    'hostports-repeats',
    'createEdge.body.hostports.uniqueItems',
    'A hostport that is there twice is kept once.',
    converting('hostports', (value) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string') ? [...new Set(value)] : value,
    ),
  ),
  mutant(
    'authorities-scalar',
    'createEdge.body.mutual_tls.certificate_authority_ids.type',
    'One id is taken for a list of one.',
    keepingModule('mutual_tls', (module) =>
      typeof module['certificate_authority_ids'] === 'string'
        ? { ...module, certificate_authority_ids: ['one'] }
        : module,
    ),
  ),
  mutant(
    'authorities-numbers',
    'createEdge.body.mutual_tls.certificate_authority_ids.*.type',
    'Ids are accepted as numbers.',
    keepingModule('mutual_tls', (module) =>
      Array.isArray(module['certificate_authority_ids'])
        ? {
            ...module,
            certificate_authority_ids: module['certificate_authority_ids'].map((id) =>
              typeof id === 'number' ? '1' : id,
            ),
          }
        : module,
    ),
  ),
  mutant(
    'mutual-tls-boolean',
    'createEdge.body.mutual_tls.type',
    '`mutual_tls: true` is taken for a module.',
    converting('mutual_tls', (value) => (typeof value === 'boolean' ? { enabled: value } : value)),
  ),
  mutant(
    'termination-text',
    'createEdge.body.tls_termination.type',
    '`tls_termination` is accepted as a text.',
    converting('tls_termination', (value) => (typeof value === 'string' ? {} : value)),
  ),
  mutant(
    'termination-list',
    'createEdge.body.tls_termination.type',
    'An empty list is taken for an empty module.',
    converting('tls_termination', (value) => (Array.isArray(value) ? {} : value)),
  ),
  mutant(
    'type-in-list',
    'createEventSource.body.type.type',
    'A list of one is taken for its item.',
    taking('createEventSource', (body) =>
      isObject(body) && Array.isArray(body['type']) && body['type'].length === 1
        ? { ...body, type: body['type'][0] }
        : body,
    ),
  ),
  mutant(
    'type-null',
    'updateEventSource.body.type.type',
    'A new type of null is taken for none.',
    taking('updateEventSource', (body) => (isObject(body) && body['type'] === null ? without(body, 'type') : body)),
  ),
  mutant(
    'body-null',
    'updateEventSource.body.type',
    'A body of null is taken for an empty object.',
    taking('updateEventSource', (body) => body ?? {}),
  ),
  mutant(
    'body-list',
    'createEdge.body.type',
    'An empty list is taken for an empty object.',
    taking('createEdge', (body) => (Array.isArray(body) && body.length === 0 ? {} : body)),
  ),
  mutant(
    'body-list-of-one',
    'createEventSource.body.type',
    'A list of one body is taken for the body.',
    taking('createEventSource', (body) => (Array.isArray(body) && body.length === 1 ? body[0] : body)),
  ),
  mutant(
    'body-in-text',
    'createEdge.body.type',
    'JSON in a text is taken for what it holds.',
    taking('createEdge', (body) => (typeof body === 'string' ? {} : body)),
  ),
  ...WRITING.map((operation) =>
    mutant(
      `drops-unknown-${operation}`,
      `${operation}.body.additionalProperties`,
      `${operation} drops properties that it does not know.`,
      taking(operation, (body) => pick(body, KNOWN[operation]!)),
    ),
  ),
  mutant(
    'drops-unknown-mutual-tls',
    'createEdge.body.mutual_tls.additionalProperties',
    'Properties that mutual TLS does not know are dropped.',
    keepingModule('mutual_tls', (module) => pick(module, ['enabled', 'certificate_authority_ids'])),
  ),
  mutant(
    'drops-unknown-termination',
    'createEdge.body.tls_termination.additionalProperties',
    'Properties that TLS termination does not know are dropped.',
    keepingModule('tls_termination', (module) => pick(module, ['enabled', 'terminate_at', 'min_version'])),
  ),
  mutant(
    'drops-proto',
    'createEdge.body.additionalProperties',
    'A property `__proto__` is dropped.',
    keeping((body) => without(body, '__proto__')),
  ),
  mutant(
    'drops-constructor',
    'createEventSource.body.additionalProperties',
    'Names of built-ins are taken for known.',
    taking('createEventSource', (body) =>
      isObject(body) ? without(body, ...Object.keys(body).filter((name) => name in {})) : body,
    ),
  ),
  mutant(
    'names-any-case',
    'createEventSource.body.additionalProperties',
    'Names of properties are accepted in any case.',
    taking('createEventSource', (body) =>
      isObject(body) && ('type' in body || 'Type' in body || 'TYPE' in body)
        ? { type: body['type'] ?? body['Type'] ?? body['TYPE'] }
        : body,
    ),
  ),
  mutant(
    'shows-read-only',
    'createEdge.body.additionalProperties',
    'Properties of an answer are accepted and dropped.',
    keeping((body) => without(body, 'id', 'uri', 'created_at', 'routes')),
  ),
  mutant(
    'extra-null',
    'createEdge.body.additionalProperties',
    'An unknown property of null is dropped.',
    keeping((body) =>
      without(body, ...Object.keys(body).filter((name) => body[name] === null && !EDGE.includes(name))),
    ),
  ),
  ...OPERATIONS.map((operation) =>
    mutant(
      `ignores-parameters-${operation}`,
      `${operation}.query.unknown`,
      `${operation} ignores parameters that it does not know.`,
      before(operation, (request) =>
        withQuery(
          request,
          queryOf(request).filter(([name]) => LISTING.includes(operation) && ['limit', 'cursor'].includes(name)),
        ),
      ),
    ),
  ),
  mutant(
    'parameters-any-case',
    'listEventSources.query.unknown',
    'Names of parameters are accepted in any case.',
    before('listEventSources', (request) =>
      withQuery(
        request,
        queryOf(request).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    ),
  ),
  mutant(
    'ignores-offset',
    'listEventSources.query.unknown',
    'The parameters `page` and `offset` are accepted.',
    before('listEventSources', (request) =>
      withQuery(
        request,
        queryOf(request).filter(([name]) => !['page', 'offset'].includes(name)),
      ),
    ),
  ),
  mutant(
    'limit-first-of-two',
    'listEventSources.query.limit.repeated',
    'Of a repeated `limit`, the first counts.',
    before('listEventSources', (request) => once(request, 'first')),
  ),
  mutant(
    'limit-last-of-two',
    'listEventSources.query.limit.repeated',
    'Of a repeated `limit`, the last counts.',
    before('listEventSources', (request) => once(request, 'last')),
  ),
  mutant(
    'limit-twice-the-same',
    'listEventSources.query.limit.repeated',
    'A `limit` that is given twice alike is accepted.',
    before('listEventSources', (request) =>
      /^[^?]*\?limit=(\d+)&limit=\1$/.test(request.target) ? once(request, 'first') : request,
    ),
  ),
  ...['limit', 'cursor'].map((name) =>
    mutant(
      `edges-${name}-repeated`,
      `listEdges.query.${name}.repeated`,
      `Of a repeated \`${name}\` of edges, one counts.`,
      before('listEdges', (request) => once(request, 'last')),
    ),
  ),
  mutant(
    'cursor-repeated',
    'listEventSources.query.cursor.repeated',
    'Of a repeated `cursor`, one counts.',
    before('listEventSources', (request) => once(request, 'last')),
  ),
  mutant(
    'limit-exponent',
    'listEventSources.query.limit.type',
    '`limit=1e1` is taken for 10.',
    limit((value) => (/^\d+e\+?\d+$/i.test(value) ? '10' : value)),
  ),
  mutant(
    'limit-hexadecimal',
    'listEventSources.query.limit.type',
    '`limit=0x10` is taken for 16.',
    limit((value) => (/^0[xbo]/i.test(value) ? String(Number(value)) : value)),
  ),
  mutant(
    'limit-fraction',
    'listEventSources.query.limit.type',
    '`limit=1.5` is rounded.',
    limit((value) => (/^\d*\.\d+$/.test(value) ? '1' : value)),
  ),
  mutant(
    'limit-prefix',
    'listEventSources.query.limit.type',
    '`limit=5a` is taken for 5.',
    limit((value) => (/^[1-9]\d?\D/.test(value) ? String(Number.parseInt(value, 10)) : value)),
  ),
  mutant(
    'limit-white-space',
    'listEventSources.query.limit.type',
    'White space around `limit` is dropped.',
    limit((value) => (value.trim() === '' ? value : value.trim())),
  ),
  mutant(
    'limit-plus',
    'listEventSources.query.limit.type',
    '`limit=+1` is taken for 1.',
    limit((value) => value.replace(/^\+(?=\d)/, '')),
  ),
  mutant(
    'limit-empty',
    'listEventSources.query.limit.type',
    'An empty `limit` is taken for none.',
    limit((value) => (value === '' ? undefined : value)),
  ),
  mutant(
    'limit-word',
    'listEventSources.query.limit.type',
    'A `limit` that is no number is taken for none.',
    limit((value) => (/^\D+$/.test(value) ? undefined : value)),
  ),
  mutant(
    'limit-digits',
    'listEventSources.query.limit.type',
    'Digits beyond ASCII are accepted in `limit`.',
    limit((value) => (/^\p{Nd}+$/u.test(value) && !/^\d+$/.test(value) ? '5' : value)),
  ),
  mutant(
    'cursor-empty',
    'listEventSources.query.cursor.minLength',
    'An empty `cursor` is taken for none.',
    before('listEventSources', (request) =>
      withParameter(request, 'cursor', (value) => (value === '' ? undefined : value)),
    ),
  ),
  mutant(
    'cursor-too-long',
    'listEventSources.query.cursor.maxLength',
    'A `cursor` that is too long is taken for none.',
    before('listEventSources', (request) =>
      withParameter(request, 'cursor', (value) => (value.length > 512 ? undefined : value)),
    ),
  ),
  mutant(
    'json-trailing-comma',
    'createEdge.body.json',
    'A comma at the end of an object is accepted.',
    reading('createEdge', (text) => (/,\s*\}$/.test(text) ? '{}' : text)),
  ),
  mutant(
    'json-single-quotes',
    'createEventSource.body.json',
    'Single quotes are accepted in JSON.',
    reading('createEventSource', (text) => (text.includes("'") ? '{"type":"quoted.v0"}' : text)),
  ),
  mutant(
    'json-two-values',
    'updateEventSource.body.json',
    'What follows a first JSON value is ignored.',
    reading('updateEventSource', (text) => (text.startsWith('{}') ? '{}' : text)),
  ),
  mutant(
    'json-nan',
    'createEdge.body.json',
    'NaN is accepted in JSON, and the property dropped.',
    reading('createEdge', (text) => (text.includes('NaN') ? '{}' : text)),
  ),
  ...WRITING.flatMap((operation) => [
    mutant(
      `names-last-of-two-${operation}`,
      `${operation}.body.repeated-names`,
      `${operation} keeps the last of two values for one name, as most parsers do.`,
      reparsing(operation, (request, json) => sending(request, json)),
    ),
    mutant(
      `names-first-of-two-${operation}`,
      `${operation}.body.repeated-names`,
      `${operation} takes two values for one name and keeps another one.`,
      reparsing(operation, (request) => ({ ...request, body: accepted(operation) })),
    ),
  ]),
  mutant(
    'names-twice-alike',
    'createEdge.body.repeated-names',
    'A name that is there twice with one value is accepted.',
    reparsing('createEdge', (request, json) =>
      /"a\.v0".*"a\.v0"/.test(request.body.toString()) ? sending(request, json) : request,
    ),
  ),
  mutant(
    'names-twice-escaped',
    'createEventSource.body.repeated-names',
    'Names are compared before their escapes are decoded.',
    reparsing('createEventSource', (request, json) =>
      /\\u00/.test(request.body.toString()) ? sending(request, json) : request,
    ),
  ),
  mutant(
    'json-broken-is-empty',
    'updateEventSource.body.json',
    'A body that is not JSON is taken for none.',
    reading('updateEventSource', () => '{}'),
  ),
  mutant(
    'texts-without-nul',
    'createEventSource.body.type.pattern',
    'NUL is dropped from every text before it is judged.',
    taking('createEventSource', (body) => eachText(body, (text) => text.replaceAll('\0', ''))),
  ),
  mutant(
    'texts-trimmed',
    'createEventSource.body.type.pattern',
    'White space around every text is dropped before it is judged.',
    taking('createEventSource', (body) => eachText(body, (text) => text.trim())),
  ),
  ...WRITING.map((operation) =>
    mutant(
      `replaces-bytes-${operation}`,
      `${operation}.body.utf-8`,
      `${operation} takes bytes that are not UTF-8 for U+FFFD.`,
      before(operation, (request) =>
        request.body.toString().includes('\ufffd') ? { ...request, body: accepted(operation) } : request,
      ),
    ),
  ),
  ...WRITING.map((operation) =>
    mutant(
      `lone-surrogates-${operation}`,
      `${operation}.body.unicode`,
      `${operation} accepts a lone surrogate.`,
      before(operation, (request) =>
        /\\u[dD][89a-fA-F]/.test(request.body.toString()) ? { ...request, body: accepted(operation) } : request,
      ),
    ),
  ),
];

function accepted(operation: OperationId): Buffer {
  return Buffer.from(JSON.stringify(acceptedBody(operation)));
}
