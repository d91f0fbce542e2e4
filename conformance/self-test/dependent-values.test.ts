/** What depends on what was there before, and addresses in responses that must keep their rules. */
import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { brokenBy } from './broken-by.test.fixture.ts';
import { createIndependentService } from './independent/index.ts';
import { problem } from './messages.ts';
import {
  GUARDED,
  type Service,
  type ServiceRequest,
  type ServiceResponse,
  TOKEN,
} from './service.ts';

/** A service that stands between the wire and the independent one. */
type Around = (next: Service, request: ServiceRequest) => Promise<ServiceResponse>;

const VERSION = 'edges.update.min-version';
const METADATA = 'routes.saml.metadata-url';
const REPLACED = 'routes.update.replaced';
const ALIKE = 'sources.ids-begin-alike';
const EDGES = 'listEdges.401.next-page';
const REFUSED = 'routes.update.refused-changes-nothing';
const STABLE = 'edges.stable';
const MOVES = 'sources.update-moves';
const ROUTE = 'routes.update.echo';
const SOURCES = 'listEventSources.401.next-page';

/** The requirements that fail, of a service with this one around it. */
function brokenAround(around: Around, id: string): Promise<string[]> {
  const next = createIndependentService(GUARDED);
  return brokenBy((request) => around(next, request), id, GUARDED);
}

interface Edge {
  tls_termination?: { terminate_at?: string; min_version?: string | null } | null;
}

/** A change keeps the version that the edge had, unless it has one. */
const mergingVersions: Around = async (next, request) => {
  if (request.method !== 'PATCH') {
    return next(request);
  }
  const change = JSON.parse(request.body.toString()) as Edge;
  const shown = await next({ ...request, method: 'GET', body: Buffer.alloc(0) });
  const before = JSON.parse(String(shown.body)) as Edge;
  const { tls_termination: termination } = change;
  if (termination) {
    termination.min_version ??= before.tls_termination?.min_version ?? null;
  }
  return next({ ...request, body: Buffer.from(JSON.stringify(change)) });
};

/** The metadata of a route are found until the route is changed. */
function losingMetadata(): Around {
  const changed = new Set<string>();
  return async (next, request) => {
    const segments = request.target.split('/');
    if (request.method === 'PATCH') {
      changed.add(segments.at(-1) ?? '');
    }
    const isMetadata = segments.at(-1) === 'metadata';
    if (isMetadata && changed.has(segments.at(-2) ?? '')) {
      return problem(404, { code: 'not_found' });
    }
    return next(request);
  };
}

/** The metadata of a route whose `saml` was removed are not found again. */
function forgettingMetadata(): Around {
  const without = new Set<string>();
  return async (next, request) => {
    const segments = request.target.split('/');
    if (request.method === 'PATCH' && request.body.includes('"saml":null')) {
      without.add(segments.at(-1) ?? '');
    }
    const isMetadata = segments.at(-1) === 'metadata';
    if (isMetadata && without.has(segments.at(-2) ?? '')) {
      return problem(404, { code: 'not_found' });
    }
    return next(request);
  };
}

/** A GET of these targets has an entity tag that is made of a part of the body. */
function tagging(targets: RegExp, partOf: (json: any) => unknown): Around {
  return async (next, request) => {
    const response = await next(request);
    const isTagged = request.method === 'GET' && response.status === 200;
    if (!isTagged || !targets.test(request.target)) {
      return response;
    }
    const part = JSON.stringify(partOf(JSON.parse(String(response.body))));
    const etag = `W/"${hash('sha1', part)}"`;
    if (request.headers['if-none-match'] === etag) {
      return { status: 304, headers: { etag }, body: '' };
    }
    return { ...response, headers: { ...response.headers, etag } };
  };
}

const EDGE_TARGET = /^\/edges\/https\/[^/]+$/;
const SOURCES_TARGET = /\/sources$/;

interface SourceList {
  sources: unknown[];
}

const numberOfSources = ({ sources }: SourceList): number => sources.length;

/** A removal that is refused to a token that may only read is done all the same, a moment later. */
const removingLater: Around = async (next, request) => {
  const response = await next(request);
  if (request.method === 'DELETE' && response.status === 403) {
    const headers = { ...request.headers, authorization: `Bearer ${TOKEN}` };
    setTimeout(() => void next({ ...request, headers }), 100);
  }
  return response;
};

/** Long metadata are shown for some seconds. */
function losingMetadataOfEdges(): Around {
  const made = new Map<string, number>();
  return async (next, request) => {
    const response = await next(request);
    if (request.method === 'POST' && request.target === '/edges/https') {
      const { id = '' } = JSON.parse(String(response.body)) as { id?: string };
      made.set(`/edges/https/${id}`, Date.now());
    }
    const isOld = Date.now() - (made.get(request.target) ?? Infinity) > 3_000;
    if (request.method !== 'GET' || response.status !== 200 || !isOld) {
      return response;
    }
    const edge = JSON.parse(String(response.body)) as { metadata: string };
    const metadata = edge.metadata.length > 1_000 ? '' : edge.metadata;
    return { ...response, body: JSON.stringify({ ...edge, metadata }) };
  };
}

/** Who has the address of a page needs no token. */
const openPages: Around = (next, request) => {
  const isPage = request.target.includes('cursor=');
  const headers = { ...request.headers, authorization: `Bearer ${TOKEN}` };
  return next(isPage ? { ...request, headers } : request);
};

interface Route {
  oidc?: { client_secret?: string | null } | null;
}

/** A change of `oidc` keeps the secret where it has null. */
const keepingSecrets: Around = async (next, request) => {
  if (request.method !== 'PATCH') {
    return next(request);
  }
  const change = JSON.parse(request.body.toString()) as Route;
  const shown = await next({ ...request, method: 'GET', body: Buffer.alloc(0) });
  const before = JSON.parse(String(shown.body)) as Route;
  if (change.oidc?.client_secret === null) {
    change.oidc.client_secret = before.oidc?.client_secret ?? null;
  }
  return next({ ...request, body: Buffer.from(JSON.stringify(change)) });
};

/** Subscriptions with ids that differ at their end are one. */
const cuttingIds: Around = (next, request) =>
  next({ ...request, target: request.target.replace(/_b(?=\/sources)/, '') });

test.each<[string, string, Around]>([
  ['keeps a secret in place of null', REPLACED, keepingSecrets],
  ['cuts ids of subscriptions', ALIKE, cuttingIds],
  ['merges a version', VERSION, mergingVersions],
  ['loses metadata with a change', METADATA, losingMetadata()],
  ['counts the sources for an entity tag', MOVES, tagging(SOURCES_TARGET, numberOfSources)],
  [
    'leaves the routes out of an entity tag',
    ROUTE,
    tagging(EDGE_TARGET, ({ id }: { id: string }) => id),
  ],
  ['removes a route that it refuses to remove', REFUSED, removingLater],
  ['forgets long metadata after three seconds', STABLE, losingMetadataOfEdges()],
  ['has no metadata of SAML that is set again', METADATA, forgettingMetadata()],
  ['serves later pages of edges to anybody', EDGES, openPages],
  ['serves later pages of sources to anybody', SOURCES, openPages],
])('a service that %s is found by %s', async (_, id, around) => {
  expect(await brokenAround(around, id)).toContain(id);
});

test('entity tags of all that is shown are right', async () => {
  expect(
    await brokenAround(
      tagging(SOURCES_TARGET, (json) => json),
      MOVES,
    ),
  ).toEqual([]);
  expect(
    await brokenAround(
      tagging(EDGE_TARGET, (json) => json),
      ROUTE,
    ),
  ).toEqual([]);
});

const ALL = [VERSION, METADATA, REPLACED, ALIKE, EDGES, SOURCES, REFUSED, STABLE];

test.each(ALL)('a service without an error keeps %s', async (id) => {
  expect(await brokenAround((next, request) => next(request), id)).toEqual([]);
});
