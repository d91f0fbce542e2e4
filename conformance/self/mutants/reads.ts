/** What is read of an edge or a source is something else than what was written. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { html, json, jsonOf, problem, showing } from '../mutate/response.ts';
import { done, instead, type Mutate, refusing, remembering, showingAs } from '../mutate/mutate.ts';
import { ask, isObject, type Json } from '../mutate/request.ts';

const mutant = mutantsOf('reads');

const readEdges = (change: (edge: Json) => unknown) => showingAs('getEdge', change);

/** The first read of what was just written finds nothing. */
function late(
  create: 'createEdge' | 'createEventSource',
  read: 'getEdge' | 'getEventSource',
  keyOf: (path: Record<string, string>, made: Json) => string,
): Mutate {
  return remembering(() => {
    const fresh = new Set<string>();
    return (service) =>
      instead([create, read], async (next, request, { operationId, path }) => {
        if (operationId === read && fresh.delete(keyOf(path, path))) return problem(404, 'not_found');
        const response = await next(request);
        if (operationId === create && response.status === 201) fresh.add(keyOf(path, jsonOf(response)));
        return response;
      })(service);
  });
}

/** Knows the ids of all edges, and reads another one for an id that is not there. */
function finding(similar: (asked: string, known: string) => boolean): Mutate {
  return remembering(() => {
    const ids: string[] = [];
    return instead(['createEdge', 'getEdge'], async (next, request, { operationId, path }) => {
      const response = await next(request);
      if (operationId === 'createEdge' && response.status === 201) ids.push(jsonOf(response).id);
      if (operationId === 'createEdge' || response.status !== 404) return response;
      const found = ids.find((id) => similar(path['id']!, id));
      return found === undefined ? response : ask(next, request, 'GET', `/edges/https/${found}`);
    });
  });
}

/** Answers each read with what another edge is. */
const ofLast: Mutate = remembering(() => {
  let last: Json | undefined;
  return done(['createEdge', 'getEdge'], (response, _, { operationId }) => {
    if (operationId === 'createEdge') last = jsonOf(response);
    return operationId === 'createEdge' || last === undefined
      ? response
      : showing(response, { ...last, id: jsonOf(response).id, uri: jsonOf(response).uri });
  });
});

/** Each second edge gets the id of the one before. */
const sameIds: Mutate = remembering(() => {
  let count = 0;
  let before: Json | undefined;
  return done('createEdge', (response) => {
    const made: Json = jsonOf(response);
    const shown = count++ % 2 === 1 && before ? { ...made, id: before['id'], uri: before['uri'] } : made;
    before = made;
    return showing(response, shown);
  });
});

/** The second read of an edge goes to a copy that does not have it yet. */
const forgetful: Mutate = remembering(() => {
  const reads = new Map<string, number>();
  return instead('getEdge', async (next, request, { path }) => {
    const count = (reads.get(path['id']!) ?? 0) + 1;
    reads.set(path['id']!, count);
    return count === 2 ? problem(404, 'not_found') : next(request);
  });
});

export const reads: Mutant[] = [
  mutant(
    'edge-late',
    'edges.read-your-write',
    'A new edge is not found by the first read.',
    late('createEdge', 'getEdge', (_, made) => String(made['id'])),
  ),
  mutant(
    'source-late',
    'sources.read-your-write',
    'A new source is not found by the first read.',
    late('createEventSource', 'getEventSource', (path, made) => `${path['subscription_id']} ${String(made['type'])}`),
  ),
  mutant('edge-forgotten', 'edges.stable', 'The second read of an edge does not find it.', forgetful),
  mutant('edge-of-another', 'edges.stable', 'A read shows the edge that was created last.', ofLast),
  mutant(
    'created-at-moves',
    'edges.stable',
    '`created_at` is the time of the read.',
    readEdges((edge) => ({ ...edge, created_at: new Date().toISOString() })),
  ),
  mutant(
    'created-at-drifts',
    'edges.stable',
    '`created_at` is one second later with each read.',
    remembering(() => {
      let count = 0;
      return readEdges((edge) => ({
        ...edge,
        created_at: new Date(Date.parse(String(edge['created_at'])) + 1000 * ++count).toISOString(),
      }));
    }),
  ),
  mutant(
    'ids-any-case',
    'edges.unknown',
    'An id is found in any case.',
    finding((asked, known) => asked.toLowerCase() === known.toLowerCase()),
  ),
  mutant(
    'ids-by-prefix',
    'edges.unknown',
    'The beginning of an id finds the edge.',
    finding((asked, known) => known.startsWith(asked) && known.length - asked.length < 3),
  ),
  mutant(
    'ids-cut',
    'edges.unknown',
    'What follows an id is ignored.',
    finding((asked, known) => asked.startsWith(known)),
  ),
  mutant(
    'unknown-edge-empty',
    'edges.unknown',
    'An edge that does not exist is shown as an empty object.',
    refusing(404, (response, { target }) => (target.startsWith('/edges/https/') ? json(200, {}) : response)),
  ),
  mutant(
    'unknown-edge-null',
    'edges.unknown',
    'An edge that does not exist is shown as null.',
    refusing(404, (response, { target }) => (target.startsWith('/edges/https/') ? json(200, null) : response)),
  ),
  mutant(
    'unknown-edge-500',
    'edges.unknown',
    'Reading an edge that does not exist is answered with 500.',
    instead('getEdge', async (next, request) => {
      const response = await next(request);
      return response.status === 404 ? problem(500, 'internal_error') : response;
    }),
  ),
  mutant(
    'unknown-edge-410',
    'edges.unknown',
    'Reading an edge that does not exist is answered with 410.',
    instead('getEdge', async (next, request) => {
      const response = await next(request);
      return response.status === 404 ? problem(410, 'not_found') : response;
    }),
  ),
  mutant(
    'unknown-edge-403',
    'edges.unknown',
    'Reading an edge that does not exist is answered with 403.',
    instead('getEdge', async (next, request) => {
      const response = await next(request);
      return response.status === 404 ? html(403, 'Forbidden') : response;
    }),
  ),
  mutant('ids-repeat', 'edges.ids-unique', 'Two edges get one id.', sameIds),
  mutant(
    'read-trims',
    'edges.echo.texts',
    'A description is trimmed when it is read.',
    readEdges((edge) => ({ ...edge, description: String(edge['description']).trim() })),
  ),
  mutant(
    'read-loses-emoji',
    'edges.echo.texts',
    'Characters of four bytes are read as question marks.',
    readEdges((edge) => ({ ...edge, metadata: String(edge['metadata']).replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?') })),
  ),
  mutant(
    'read-sorts',
    'edges.echo.lists',
    'Hostports are read in another order.',
    readEdges((edge) => ({ ...edge, hostports: (edge['hostports'] as string[]).toSorted() })),
  ),
  mutant(
    'read-loses-hostports',
    'edges.read-your-write',
    'Hostports are not read.',
    readEdges((edge) => ({ ...edge, hostports: [] })),
  ),
  mutant(
    'read-loses-modules',
    'edges.echo.lists',
    'Modules are not read.',
    readEdges((edge) => ({ ...edge, mutual_tls: null, tls_termination: null })),
  ),
  mutant(
    'read-enables',
    'edges.echo.lists',
    'A module that is disabled reads as enabled.',
    readEdges((edge) =>
      isObject(edge['mutual_tls']) ? { ...edge, mutual_tls: { ...edge['mutual_tls'], enabled: true } } : edge,
    ),
  ),
  mutant(
    'read-reverses-authorities',
    'edges.echo.lists',
    'Certificate authorities are read in the opposite order.',
    readEdges((edge) =>
      isObject(edge['mutual_tls'])
        ? {
            ...edge,
            mutual_tls: {
              ...edge['mutual_tls'],
              certificate_authorities: (edge['mutual_tls']['certificate_authorities'] as unknown[]).toReversed(),
            },
          }
        : edge,
    ),
  ),
  mutant(
    'read-loses-min-version',
    'edges.echo.lists',
    '`min_version` is read as the default.',
    readEdges((edge) =>
      isObject(edge['tls_termination']) && edge['tls_termination']['min_version'] === '1.3'
        ? { ...edge, tls_termination: { ...edge['tls_termination'], min_version: '1.2' } }
        : edge,
    ),
  ),
  mutant(
    'read-cuts-created-at',
    'edges.read-your-write',
    '`created_at` reads as the beginning of its day.',
    readEdges((edge) => ({ ...edge, created_at: `${String(edge['created_at']).slice(0, 10)}T00:00:00Z` })),
  ),
];
