/** What is left out reads back as something else than its default. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { invalid } from '../mutate/response.ts';
import { instead, keeping, keepingModule, type Mutate, showingAs } from '../mutate/mutate.ts';
import { isObject, type Json, jsonIn } from '../mutate/request.ts';

const mutant = mutantsOf('defaults');

function absent(name: string, value: unknown) {
  return keeping((body) => (body[name] === undefined ? { ...body, [name]: value } : body));
}

function absentIn(module: 'mutual_tls' | 'tls_termination', name: string, value: unknown) {
  return keepingModule(module, (sent) => (sent[name] === undefined ? { ...sent, [name]: value } : sent));
}

/** Null is not taken for none. */
function refusesNull(name: string): Mutate {
  return instead('createEdge', async (next, request) => {
    const body = jsonIn(request);
    return isObject(body) && body[name] === null ? invalid(`/${name}`, 'type') : next(request);
  });
}

function nullIs(name: string, value: Json) {
  return keeping((body) => (body[name] === null ? { ...body, [name]: value } : body));
}

export const defaults: Mutant[] = [
  mutant(
    'description',
    'edges.defaults',
    'A description that is left out reads `none`.',
    absent('description', 'none'),
  ),
  mutant('metadata', 'edges.defaults', 'Metadata that is left out reads `{}`.', absent('metadata', '{}')),
  mutant(
    'hostports',
    'edges.defaults',
    'Hostports that are left out read as one for all.',
    absent('hostports', ['localhost:443']),
  ),
  mutant(
    'mutual-tls',
    'edges.defaults',
    'Mutual TLS that is left out reads as a disabled module.',
    keeping((body) =>
      body['mutual_tls'] === undefined && !isObject(body['tls_termination'])
        ? { ...body, mutual_tls: { enabled: false } }
        : body,
    ),
  ),
  mutant(
    'tls-termination',
    'edges.defaults',
    'TLS termination that is left out reads as the default module.',
    absent('tls_termination', {}),
  ),
  mutant(
    'authorities',
    'edges.defaults',
    'Certificate authorities that are left out read as a built-in one.',
    absentIn('mutual_tls', 'certificate_authority_ids', ['system']),
  ),
  mutant(
    'mutual-tls-enabled',
    'edges.defaults.enabled',
    'Mutual TLS is disabled unless it says otherwise.',
    absentIn('mutual_tls', 'enabled', false),
  ),
  mutant(
    'termination-enabled',
    'edges.defaults.enabled',
    'TLS termination is disabled unless it says otherwise.',
    absentIn('tls_termination', 'enabled', false),
  ),
  mutant(
    'terminate-at',
    'edges.defaults.terminate-at',
    '`terminate_at` is `upstream` unless it says otherwise.',
    keepingModule('tls_termination', (sent) =>
      sent['terminate_at'] === undefined && sent['min_version'] === undefined
        ? { ...sent, terminate_at: 'upstream' }
        : sent,
    ),
  ),
  mutant(
    'min-version',
    'edges.defaults.min-version',
    'A new edge shows no `min_version` where the service picks one.',
    showingAs(['createEdge'], (edge: Json, request) => {
      const sent = jsonIn(request);
      const module = isObject(sent) ? sent['tls_termination'] : undefined;
      const picked = isObject(module) && module['min_version'] == null;
      return picked ? { ...edge, tls_termination: { ...(edge['tls_termination'] as Json), min_version: null } } : edge;
    }),
  ),
  mutant('null-mutual-tls-refused', 'edges.null-module', 'Mutual TLS of null is refused.', refusesNull('mutual_tls')),
  mutant(
    'null-termination-refused',
    'edges.null-module',
    'TLS termination of null is refused.',
    refusesNull('tls_termination'),
  ),
  mutant(
    'null-termination-is-default',
    'edges.null-module',
    'TLS termination of null reads as the default module.',
    nullIs('tls_termination', {}),
  ),
  mutant(
    'null-mutual-tls-is-default',
    'edges.null-module',
    'Mutual TLS of null reads as a module.',
    nullIs('mutual_tls', {}),
  ),
];
