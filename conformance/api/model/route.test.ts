import { describe, expect, test } from 'vitest';
import { patchedEdge, shownEdge } from './edge-update.ts';
import { isAmbiguous, type Json, MODULES, patched, shownModule, shownRoute } from './route.ts';
import * as service from './service.ts';
import { EMPTY, type Outcome, type State } from './service.ts';

const BARE = { match_type: 'path_prefix', match: '/' };

describe('shownRoute', () => {
  test('shows every property, and null for modules that were not sent', () => {
    const shown = shownRoute(BARE);
    expect(shown).toMatchObject({ ...BARE, description: '', metadata: '' });
    expect(MODULES).toHaveLength(13);
    for (const name of MODULES) expect(shown[name]).toBeNull();
  });

  test('shows ids as Refs, in the order sent', () => {
    expect(shownModule('backend', { backend_id: 'b' })).toEqual({ enabled: true, backend: { id: 'b' } });
    expect(shownModule('ip_restriction', { enabled: false, ip_policy_ids: ['b', 'a'] })).toEqual({
      enabled: false,
      ip_policies: [{ id: 'b' }, { id: 'a' }],
    });
    expect(shownModule('ip_restriction', {})).toEqual({ enabled: true, ip_policies: [] });
  });

  test('shows defaults for what was left out, and what was sent in place of them', () => {
    expect(shownModule('circuit_breaker', { num_buckets: 1 })).toEqual({
      enabled: true,
      tripped_duration: 10,
      rolling_window: 10,
      num_buckets: 1,
      volume_threshold: 20,
      error_threshold_percentage: 0.5,
    });
    expect(shownModule('webhook_verification', { provider: 'sns' })).toEqual({
      enabled: true,
      provider: 'sns',
      secret: null,
    });
    expect(shownModule('oidc', { issuer: 'https://a', client_id: 'b' })).toMatchObject({
      inactivity_timeout: 0,
      client_secret: null,
      scopes: [],
    });
  });

  test('shows all eight providers of OAuth, one of them not null', () => {
    const { provider } = shownModule('oauth', { provider: { github: { organizations: ['acme'] } } }) as {
      provider: Record<string, unknown>;
    };
    expect(Object.values(provider).filter((one) => one !== null)).toEqual([
      {
        client_id: null,
        client_secret: null,
        scopes: [],
        email_addresses: [],
        email_domains: [],
        teams: [],
        organizations: ['acme'],
      },
    ]);
    expect(Object.keys(provider)).toHaveLength(8);
  });
});

describe('patched', () => {
  const shown = shownRoute({
    ...BARE,
    description: 'a',
    compression: { enabled: false },
    circuit_breaker: { num_buckets: 1 },
  });

  test('keeps what is left out, removes and resets by null, and replaces whole', () => {
    expect(patched(shown, {})).toEqual(shown);
    expect(patched(shown, { compression: null, description: null })).toEqual({
      ...shown,
      compression: null,
      description: '',
    });
    expect(patched(shown, { circuit_breaker: { enabled: false } })['circuit_breaker']).toMatchObject({
      enabled: false,
      num_buckets: 10,
    });
  });

  test('takes a header called __proto__ for a header', () => {
    const add = JSON.parse('{"__proto__": "a"}') as object;
    expect(
      Object.keys((patched(shown, { request_headers: { add } })['request_headers'] as { add: object }).add),
    ).toEqual(['__proto__']);
  });
});

test('isAmbiguous counts what is enabled, said or not', () => {
  const modules = {
    oauth: { provider: { amazon: {} } },
    oidc: { enabled: false, issuer: 'https://a', client_id: 'b' },
  };
  expect(isAmbiguous(shownRoute(modules))).toBe(false);
  expect(isAmbiguous(shownRoute({ ...modules, oidc: { issuer: 'https://a', client_id: 'b' } }))).toBe(true);
});

describe('the service', () => {
  const from = (...changes: ((state: State) => Outcome)[]): [State, number[]] => {
    let state = EMPTY;
    const statuses = changes.map((change) => {
      const outcome = change(state);
      state = outcome.state;
      return outcome.status;
    });
    return [state, statuses];
  };
  const newEdge = (state: State) => service.createEdge(state, {});
  const newRoute =
    (body: Json, edge = 0) =>
    (state: State) =>
      service.createRoute(state, edge, { ...BARE, ...body });
  const patchRoute = (at: number, patch: Json) => (state: State) => service.patchRoute(state, at, patch);
  const upstream = { tls_termination: { terminate_at: 'upstream' } };
  const patchEdge = (patch: Json) => (state: State) => service.patchEdge(state, 0, patch);

  test('has each pair once on an edge, and gives it free', () => {
    const exact = { match_type: 'exact_path' };
    const gone = (state: State) => service.deleteRoute(state, 0);
    const [, statuses] = from(
      ...[newEdge, newEdge, newRoute({}), newRoute({}), newRoute({}, 1), newRoute(exact), patchRoute(0, BARE)],
      ...[patchRoute(0, { match: '/a' }), newRoute({}), gone, gone, patchRoute(0, {})],
    );
    expect(statuses).toEqual([201, 201, 201, 409, 201, 201, 200, 200, 201, 204, 404, 404]);
  });

  test('passes TLS through only where every module is allowed, and then takes no other', () => {
    const [state, statuses] = from(
      ...[newEdge, newRoute({ compression: {} }), patchEdge(upstream)],
      patchRoute(0, { compression: null, backend: { backend_id: 'b' } }),
      ...[patchEdge(upstream), patchRoute(0, { compression: {} }), patchEdge({ ...upstream, mutual_tls: {} })],
      ...[patchEdge({ tls_termination: null }), patchRoute(0, { compression: {} })],
    );
    expect(statuses).toEqual([201, 201, 409, 200, 200, 409, 409, 200, 200]);
    expect(state.routes[0]!.shown).toMatchObject({ compression: { enabled: true }, backend: { backend: { id: 'b' } } });
  });

  test('deletes an edge with its routes, and shows routes with their edge', () => {
    const [state] = from(newEdge, newEdge, newRoute({}), newRoute({ match: '/a' }, 1));
    expect(service.readEdge(state, 1).shown).toMatchObject({ routes: [{ match: '/a' }] });
    const { state: after } = service.deleteEdge(state, 1);
    expect(service.readRoute(after, 1).status).toBe(404);
    expect(service.readRoute(after, 0).status).toBe(200);
  });

  test('has the sources of a subscription as a set of types', () => {
    const [state, statuses] = from(
      ...['b', 'a', 'b'].map((type) => (before: State) => service.addSource(before, 0, type)),
      (before) => service.moveSource(before, 0, 'b', 'a'),
      (before) => service.moveSource(before, 0, 'b', 'c'),
      (before) => service.removeSource(before, 1, 'a'),
    );
    expect(statuses).toEqual([201, 201, 409, 409, 200, 404]);
    expect(state.sources).toEqual([['a', 'c'], []]);
  });
});

describe('edges', () => {
  test('show what is left out, and Refs for ids', () => {
    expect(shownEdge({})).toEqual({
      description: '',
      metadata: '',
      hostports: [],
      mutual_tls: null,
      tls_termination: null,
    });
    expect(shownEdge({ mutual_tls: { certificate_authority_ids: ['b', 'a'] }, tls_termination: {} })).toMatchObject({
      mutual_tls: { enabled: true, certificate_authorities: [{ id: 'b' }, { id: 'a' }] },
      tls_termination: { enabled: true, terminate_at: 'edge' },
    });
  });

  test('replace whole, and are reset by null', () => {
    const shown = shownEdge({
      description: 'a',
      hostports: ['a:1'],
      tls_termination: { enabled: false, min_version: '1.3' },
    });
    expect(patchedEdge(shown, {})).toEqual(shown);
    expect(patchedEdge(shown, { tls_termination: { terminate_at: 'upstream' } })['tls_termination']).toEqual({
      enabled: true,
      terminate_at: 'upstream',
      min_version: null,
    });
    expect(patchedEdge(shown, { description: null, hostports: null, tls_termination: null })).toEqual(shownEdge({}));
  });
});
