/** Rules that bind the TLS modules together. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { invalid } from '../mutate/response.ts';
import { instead, keeping, keepingModule, type Mutate, showingEdges } from '../mutate/mutate.ts';
import { isObject, type Json, jsonIn } from '../mutate/request.ts';
import { without } from '../mutate/values.ts';

const mutant = mutantsOf('tls');

function isUpstream(body: unknown): body is Json & { tls_termination: Json } {
  return isObject(body) && isObject(body['tls_termination']) && body['tls_termination']['terminate_at'] === 'upstream';
}

function refuses(when: (body: Json) => boolean, pointer: string): Mutate {
  return instead('createEdge', async (next, request) => {
    const body = jsonIn(request);
    return isObject(body) && when(body) ? invalid(pointer, 'not_allowed_here') : next(request);
  });
}

const shownUpstream = (change: (edge: Json, module: Json) => Json) =>
  showingEdges((edge) => (isUpstream(edge) ? change(edge, edge.tls_termination) : edge));

export const tls: Mutant[] = [
  mutant(
    'upstream-reads-1.2',
    'edges.upstream.min-version',
    'With `upstream`, `min_version` reads `1.2` in place of null.',
    shownUpstream((edge, module) => ({ ...edge, tls_termination: { ...module, min_version: '1.2' } })),
  ),
  mutant(
    'upstream-null-refused',
    'edges.upstream.min-version',
    'With `upstream`, a `min_version` of null is refused.',
    refuses((body) => isUpstream(body) && body.tls_termination['min_version'] === null, '/tls_termination/min_version'),
  ),
  mutant(
    'upstream-becomes-edge',
    'edges.upstream.min-version',
    '`upstream` is kept as `edge`.',
    keepingModule('tls_termination', (module) =>
      module['terminate_at'] === 'upstream' ? { ...module, terminate_at: 'edge' } : module,
    ),
  ),
  mutant(
    'upstream-drops-mutual-tls',
    'createEdge.body.if.then',
    'With `upstream`, mutual TLS is dropped in place of being refused.',
    keeping((body) => (isUpstream(body) && isObject(body['mutual_tls']) ? without(body, 'mutual_tls') : body)),
  ),
  mutant(
    'upstream-drops-min-version',
    'createEdge.body.tls_termination.if.then',
    'With `upstream`, a `min_version` is dropped in place of being refused.',
    keepingModule('tls_termination', (module) =>
      module['terminate_at'] === 'upstream' ? without(module, 'min_version') : module,
    ),
  ),
  mutant(
    'upstream-refused',
    'createEdge.body.tls_termination.terminate_at.enum',
    '`upstream` is refused.',
    refuses(isUpstream, '/tls_termination/terminate_at'),
  ),
  mutant(
    'upstream-refuses-null-mutual-tls',
    'createEdge.body.if.then',
    'With `upstream`, mutual TLS of null is refused.',
    refuses((body) => isUpstream(body) && body['mutual_tls'] === null, '/mutual_tls'),
  ),
  mutant(
    'edge-refuses-mutual-tls',
    'edges.echo.lists',
    'With `edge`, mutual TLS is refused, too.',
    refuses(
      (body) => isObject(body['tls_termination']) && !isUpstream(body) && isObject(body['mutual_tls']),
      '/mutual_tls',
    ),
  ),
  mutant(
    'refuses-1.3',
    'createEdge.body.tls_termination.min_version.enum',
    '`min_version` of `1.3` is refused.',
    refuses(
      (body) => isObject(body['tls_termination']) && body['tls_termination']['min_version'] === '1.3',
      '/tls_termination/min_version',
    ),
  ),
  mutant(
    '1.3-becomes-1.2',
    'edges.echo.lists',
    '`min_version` of `1.3` is kept as `1.2`.',
    keepingModule('tls_termination', (module) =>
      module['min_version'] === '1.3' ? { ...module, min_version: '1.2' } : module,
    ),
  ),
  mutant(
    'accepts-1.1',
    'createEdge.body.tls_termination.min_version.enum',
    'Any text is accepted for `min_version`.',
    keepingModule('tls_termination', (module) =>
      typeof module['min_version'] === 'string' && module['terminate_at'] !== 'upstream'
        ? { ...module, min_version: '1.2' }
        : module,
    ),
  ),
  mutant(
    'enum-any-case',
    'createEdge.body.tls_termination.terminate_at.enum',
    '`terminate_at` is accepted in any case.',
    keepingModule('tls_termination', (module) =>
      typeof module['terminate_at'] === 'string'
        ? { ...module, terminate_at: module['terminate_at'].toLowerCase() }
        : module,
    ),
  ),
  mutant(
    'version-as-number',
    'createEdge.body.tls_termination.min_version.enum',
    '`min_version` is accepted as a number.',
    keepingModule('tls_termination', (module) =>
      typeof module['min_version'] === 'number' ? { ...module, min_version: null } : module,
    ),
  ),
];
