/** Routes, their modules, and the whole life of an edge (D10), over real HTTP. */
import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type JsonObject } from './contract.ts';
import { contract, serveApp, serveForFile } from './testing/serve.ts';

const { send } = serveForFile();
const JSON_EDGE = { hostports: ['shop.example.com:443'] };

async function createEdge(body: object = JSON_EDGE): Promise<string> {
  return (await send({ method: 'POST', path: '/edges/https', body })).json.id;
}

async function createRoute(edge: string, body: object = {}) {
  const route = { match_type: 'path_prefix', match: '/', ...body };
  return send({ method: 'POST', path: `/edges/https/${edge}/routes`, body: route });
}

const examples = (contract.document.components as { examples: Record<string, { value: JsonObject }> }).examples;
const ALL_MODULES = examples['RouteCreateAll']!.value;
const OIDC = { issuer: 'https://login.example.com', client_id: 'edge' };
const OAUTH = { provider: { google: { email_domains: ['example.com'] } } };
const SAML = { idp_metadata: '<EntityDescriptor/>' };

describe('a route', () => {
  test('with all 13 modules is created in one request, read back, and shown on its edge', async () => {
    const edge = await createEdge();
    const created = await createRoute(edge, ALL_MODULES);
    expect(created.status).toBe(201);
    expect(created.headers.location).toBe(created.json.uri);
    expect(created.json).toMatchObject({
      edge_id: edge,
      backend: { enabled: true, backend: { id: 'bkd_shop' } },
      ip_restriction: { enabled: true, ip_policies: [{ id: 'ipp_office' }] },
      circuit_breaker: {
        enabled: true,
        tripped_duration: 10,
        rolling_window: 10,
        num_buckets: 10,
        volume_threshold: 20,
        error_threshold_percentage: 0.2,
      },
      compression: { enabled: true },
      request_headers: { enabled: true, add: { 'X-Forwarded-Team': 'web' }, remove: ['X-Debug'] },
      response_headers: { enabled: true, add: {}, remove: ['Server'] },
      webhook_verification: { enabled: true, provider: 'github', secret: 'correct-horse-battery-staple' },
      oauth: {
        enabled: true,
        options_passthrough: false,
        cookie_prefix: 'edge.',
        inactivity_timeout: 0,
        maximum_duration: 28800,
        auth_check_interval: 0,
        provider: {
          github: {
            client_id: null,
            client_secret: null,
            scopes: [],
            email_addresses: [],
            email_domains: [],
            teams: [],
            organizations: ['acme'],
          },
          google: null,
          amazon: null,
        },
      },
      saml: { enabled: false, nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' },
      oidc: { enabled: false, client_secret: 'correct-horse-battery-staple', scopes: [] },
      websocket_tcp_converter: { enabled: true },
      user_agent_filter: { enabled: true, allow: [], deny: ['(?i)badbot'] },
      traffic_policy: { enabled: true, value: 'on_http_request: []' },
    });
    const read = await send({ path: `/edges/https/${edge}/routes/${created.json.id}` });
    expect(read.json).toEqual(created.json);
    expect((await send({ path: `/edges/https/${edge}` })).json.routes).toEqual([created.json]);
  });

  test('of nothing has no module', async () => {
    const { json } = await createRoute(await createEdge());
    const modules = Object.keys(ALL_MODULES).filter(
      (name) => !['match_type', 'match', 'description', 'metadata'].includes(name),
    );
    expect(modules).toHaveLength(13);
    for (const name of modules) expect(json[name]).toBeNull();
    expect([json.description, json.metadata]).toEqual(['', '']);
  });

  test('is known on its own edge only', async () => {
    const [one, other] = [await createEdge(), await createEdge()];
    const { id } = (await createRoute(one)).json;
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const path = `/edges/https/${other}/routes/${id}`;
      expect((await send({ method, path, ...(method === 'PATCH' ? { body: {} } : {}) })).status).toBe(404);
    }
    expect((await createRoute('unknown')).status).toBe(404);
  });

  test('has a match of its own in its edge (D18)', async () => {
    const edge = await createEdge();
    const { id } = (await createRoute(edge, { match: '/a' })).json;
    expect((await createRoute(edge, { match: '/a' })).json.code).toBe('already_exists');
    const second = await createRoute(edge, { match: '/a', match_type: 'exact_path' });
    expect(second.status).toBe(201);
    const path = `/edges/https/${edge}/routes/${second.json.id}`;
    expect((await send({ method: 'PATCH', path, body: { match_type: 'path_prefix' } })).json.code).toBe(
      'already_exists',
    );
    expect(
      (await send({ method: 'PATCH', path: `/edges/https/${edge}/routes/${id}`, body: { match: '/a' } })).status,
    ).toBe(200);
  });

  test.for(['/', '/a/b%20c', 'shop.example.com', '*.example.com/x', 'shop.example.com/', 'x/é'])(
    'matches %s',
    async (match) => {
      expect((await createRoute(await createEdge(), { match })).json.match).toBe(match);
    },
  );

  test.for(['', ' /a', 'a b', '/a?b', '/a#b', 'a..b', '-a', 'http://a', '/\u0000', 'x'.repeat(64)])(
    'does not match %j',
    async (match) => {
      expect((await createRoute(await createEdge(), { match })).status).toBe(400);
    },
  );
});

describe('an update of a route (D11)', () => {
  test('swaps one authentication module for another in one step, and drops a module', async () => {
    const edge = await createEdge();
    const { id } = (await createRoute(edge, { oauth: OAUTH, compression: {}, backend: { backend_id: 'b' } })).json;
    const path = `/edges/https/${edge}/routes/${id}`;
    const { status, json } = await send({
      method: 'PATCH',
      path,
      body: { oauth: null, oidc: OIDC, compression: null },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      oauth: null,
      compression: null,
      oidc: { ...OIDC, enabled: true },
      backend: { backend: { id: 'b' } },
    });
    expect((await send({ path: `/edges/https/${edge}` })).json.routes).toEqual([json]);
  });

  test('replaces a module whole', async () => {
    const edge = await createEdge();
    const { id } = (await createRoute(edge, { circuit_breaker: { num_buckets: 5, enabled: false } })).json;
    const path = `/edges/https/${edge}/routes/${id}`;
    const { json } = await send({ method: 'PATCH', path, body: { circuit_breaker: { volume_threshold: 7 } } });
    expect(json.circuit_breaker).toMatchObject({ enabled: true, num_buckets: 10, volume_threshold: 7 });
  });

  test('that is refused changes nothing, and {} neither', async () => {
    const edge = await createEdge();
    const created = (await createRoute(edge, { oauth: OAUTH, description: 'x' })).json;
    const path = `/edges/https/${edge}/routes/${created.id}`;
    const bodies = [{ oidc: OIDC }, { compression: {}, match: 'a b' }, { oauth: null, saml: { idp_metadata: '<x' } }];
    const statuses = [];
    for (const body of bodies) statuses.push((await send({ method: 'PATCH', path, body })).status);
    expect(statuses).toEqual([409, 400, 400]);
    expect((await send({ method: 'PATCH', path, body: {} })).json).toEqual(created);
    expect((await send({ method: 'PATCH', path, body: { description: null } })).json.description).toBe('');
  });
});

describe('authentication modules (D21)', () => {
  test.for([
    [{ oauth: OAUTH, oidc: OIDC }, 400],
    [{ oauth: OAUTH, saml: SAML }, 400],
    [{ saml: SAML, oidc: OIDC }, 400],
    [{ oauth: OAUTH, oidc: { ...OIDC, enabled: false }, saml: { ...SAML, enabled: false } }, 201],
    [{ oauth: { ...OAUTH, enabled: false }, oidc: OIDC }, 201],
  ] as const)('%j: %i', async ([modules, status]) => {
    const answer = await createRoute(await createEdge(), modules);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.json.errors[0].code).toBe('not_allowed_here');
  });
});

describe('an edge that passes TLS through (D09)', () => {
  const UPSTREAM = { tls_termination: { terminate_at: 'upstream' } };

  test('takes routes with backend and ip_restriction only', async () => {
    const edge = await createEdge(UPSTREAM);
    const allowed = await createRoute(edge, { backend: { backend_id: 'b' }, ip_restriction: {} });
    expect(allowed.status).toBe(201);
    const refused = await createRoute(edge, { match: '/x', compression: {} });
    expect([refused.status, refused.json.code]).toEqual([409, 'conflict']);
    const path = `/edges/https/${edge}/routes/${allowed.json.id}`;
    expect((await send({ method: 'PATCH', path, body: { compression: { enabled: false } } })).status).toBe(409);
  });

  test('is not made of one whose routes or certificates need to see the traffic', async () => {
    const edge = await createEdge({ mutual_tls: {} });
    const path = `/edges/https/${edge}`;
    expect((await send({ method: 'PATCH', path, body: UPSTREAM })).json.code).toBe('conflict');
    expect((await send({ method: 'PATCH', path, body: { ...UPSTREAM, mutual_tls: {} } })).status).toBe(400);
    const { id } = (await createRoute(edge, { compression: {} })).json;
    expect((await send({ method: 'PATCH', path, body: { ...UPSTREAM, mutual_tls: null } })).status).toBe(409);
    await send({ method: 'DELETE', path: `${path}/routes/${id}` });
    const switched = await send({ method: 'PATCH', path, body: { ...UPSTREAM, mutual_tls: null } });
    expect(switched.json).toMatchObject({
      mutual_tls: null,
      tls_termination: { terminate_at: 'upstream', min_version: null },
    });
    expect((await send({ method: 'PATCH', path, body: { mutual_tls: {} } })).json.code).toBe('conflict');
  });
});

describe('an edge', () => {
  test('is updated: absent stays, null resets, a list replaces whole', async () => {
    const edge = await createEdge({
      ...JSON_EDGE,
      description: 'a',
      metadata: 'b',
      mutual_tls: {},
      tls_termination: {},
    });
    const path = `/edges/https/${edge}`;
    const before = (await send({ path })).json;
    const { json } = await send({
      method: 'PATCH',
      path,
      body: { description: null, hostports: ['a.example:1'], mutual_tls: null },
    });
    expect(json).toEqual({ ...before, description: '', hostports: ['a.example:1'], mutual_tls: null });
    expect(
      (await send({ method: 'PATCH', path, body: { hostports: null, metadata: null, tls_termination: null } })).json,
    ).toEqual({
      ...json,
      hostports: [],
      metadata: '',
      tls_termination: null,
    });
    expect((await send({ method: 'PATCH', path: '/edges/https/unknown', body: {} })).status).toBe(404);
  });

  test('is deleted with its routes', async () => {
    const edge = await createEdge();
    const { id } = (await createRoute(edge)).json;
    expect((await send({ method: 'DELETE', path: `/edges/https/${edge}` })).status).toBe(204);
    for (const path of [`/edges/https/${edge}`, `/edges/https/${edge}/routes/${id}`])
      expect((await send({ path })).status).toBe(404);
    expect((await send({ method: 'DELETE', path: `/edges/https/${edge}` })).status).toBe(404);
  });

  test('is listed, newest first, page by page', async () => {
    const service = await serveApp();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++)
      ids.unshift((await service.send({ method: 'POST', path: '/edges/https', body: {} })).json.id);
    const seen: string[] = [];
    for (let path: string | null = '/edges/https?limit=2'; path !== null;) {
      const { json } = await service.send({ path });
      seen.push(...json.https_edges.map((edge: { id: string }) => edge.id));
      expect(json.uri).toBe(service.url + path);
      path = json.next_page_uri && json.next_page_uri.slice(service.url.length);
    }
    expect(seen).toEqual(ids);
  });
});

describe('SAML (D26)', () => {
  test('is supplied with a certificate that stays, and metadata that an identity provider can read', async () => {
    const edge = await createEdge();
    const { json } = await createRoute(edge, { saml: SAML });
    const path = `/edges/https/${edge}/routes/${json.id}`;
    const { saml } = json;
    expect(saml.entity_id).toBe(saml.metadata_url);
    expect(new X509Certificate(saml.request_signing_certificate_pem).publicKey.asymmetricKeyType).toBe('rsa');
    const metadata = await send({ path: new URL(saml.metadata_url).pathname });
    expect(metadata.headers['content-type']).toMatch(/^application\/samlmetadata\+xml/);
    expect(metadata.text).toContain(`entityID="${saml.entity_id}"`);
    expect(metadata.text).toContain(saml.assertion_consumer_service_url);
    await send({ method: 'PATCH', path, body: { saml: { ...SAML, force_authn: true } } });
    await send({ method: 'PATCH', path, body: { saml: null } });
    expect((await send({ path: new URL(saml.metadata_url).pathname })).status).toBe(404);
    const again = await send({ method: 'PATCH', path, body: { saml: SAML } });
    expect(again.json.saml).toEqual(saml);
    expect(JSON.stringify(again.json)).not.toContain('PRIVATE KEY');
  });

  test.for([
    ['<EntityDescriptor>', /well-formed.*line 1/],
    ['<a/>', /root element EntityDescriptor \(line 1/],
    ['text', /well-formed/],
    ['<EntityDescriptor/><EntityDescriptor/>', /well-formed/],
    ['<EntityDescriptor a="1" a="2"/>', /well-formed/],
    ['<EntityDescriptor>&nbsp;</EntityDescriptor>', /well-formed/],
    ['<!DOCTYPE EntityDescriptor><EntityDescriptor/>', /document type declaration/],
    [
      '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n<EntityDescriptor>&e;</EntityDescriptor>',
      /document type declaration/,
    ],
  ] as const)('refuses %j', async ([idp_metadata, message]) => {
    const answer = await createRoute(await createEdge(), { saml: { idp_metadata } });
    expect(answer.json.errors).toEqual([
      { pointer: '/saml/idp_metadata', code: 'format', detail: expect.stringMatching(message) },
    ]);
  });

  test.for([
    '<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">é&amp;&#233;<!-- c --><![CDATA[<]]></md:EntityDescriptor>',
  ])('keeps %s as it is', async (idp_metadata) => {
    expect((await createRoute(await createEdge(), { saml: { idp_metadata } })).json.saml.idp_metadata).toBe(
      idp_metadata,
    );
  });
});

describe('modules are refused', () => {
  test.for([
    [{ webhook_verification: { provider: 'github' } }, '/webhook_verification/secret'],
    [{ webhook_verification: { provider: 'github', secret: null } }, '/webhook_verification/secret'],
    [{ oauth: { provider: {} } }, '/oauth/provider'],
    [{ oauth: { provider: { github: {}, google: {} } } }, '/oauth/provider/google'],
    [{ oauth: { provider: { github: null } } }, '/oauth/provider'],
    [{ oauth: { provider: { twitch: { client_id: 'a' } } } }, '/oauth/provider/twitch/client_secret'],
    [{ oauth: { provider: { amazon: { scopes: ['a'] } } } }, '/oauth/provider/amazon/scopes'],
    [{ oauth: { provider: { amazon: { client_secret: 'a' } } } }, '/oauth/provider/amazon/client_secret'],
    [{ oauth: { provider: { google: { teams: [] } } } }, '/oauth/provider/google/teams'],
    [{ circuit_breaker: { num_buckets: 0 } }, '/circuit_breaker/num_buckets'],
    [{ circuit_breaker: { error_threshold_percentage: 1.1 } }, '/circuit_breaker/error_threshold_percentage'],
    [{ request_headers: { add: { A: '1', a: '2' } } }, '/request_headers/add/a'],
    [{ response_headers: { remove: ['X-A', 'x-a'] } }, '/response_headers/remove/1'],
    [{ response_headers: { remove: ['X-A', 'X-A'] } }, '/response_headers/remove'],
    [{ response_headers: { remove: ['__proto__', '__proto__'] } }, '/response_headers/remove/1'],
    [{ request_headers: { add: { A: 'a\r\nb' } } }, '/request_headers/add/A'],
    [{ request_headers: { add: { 'a b': '1' } } }, '/request_headers/add'],
    [{ user_agent_filter: { allow: [''] } }, '/user_agent_filter/allow/0'],
    [{ saml: { ...SAML, entity_id: 'x' } }, '/saml/entity_id'],
    [{ backend: {} }, '/backend/backend_id'],
  ] as const)('%j at %s', async ([modules, pointer]) => {
    const answer = await createRoute(await createEdge(), modules);
    expect(answer.status).toBe(400);
    expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  test('but not a webhook of sns without a secret', async () => {
    const answer = await createRoute(await createEdge(), { webhook_verification: { provider: 'sns' } });
    expect(answer.json.webhook_verification).toEqual({ enabled: true, provider: 'sns', secret: null });
  });
});
