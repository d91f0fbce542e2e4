/** What makes the service a second opinion: it shares no code with the suite, and decides what the contract leaves open. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { client, HOST, type Send } from './client.ts';
import { createIndependentService } from './index.ts';
import { rootOf } from './xml.ts';

const SOURCES = '/event_subscriptions/sub/sources';
const METADATA = '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://a.example"/>';

function importsOf(path: string): string[] {
  return [...readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, name]) => name!);
}

describe('the code', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));

  it('imports itself, Node, an engine for regular expressions, and the types of a service', () => {
    expect(files).toContain('index.ts');
    const imported = files.flatMap((name) => importsOf(join(import.meta.dirname, name)));
    expect(imported).toContain('./problem.ts');
    expect(imported.filter((name) => !/^(\.\/[\w-]+\.ts|\.\.\/service\.ts|node:\w+|re2js)$/.test(name))).toEqual([]);
  });

  it('is served by code that knows no API', () => {
    const imported = importsOf(join(import.meta.dirname, '..', 'service.ts'));
    expect(imported.filter((name) => !name.startsWith('node:'))).toEqual([]);
    expect(imported).toContain('node:http');
  });
});

let send: Send;
beforeEach(() => {
  send = client(createIndependentService());
});

describe('its options', () => {
  it('level core: there are only the operations of the source document', async () => {
    const core = client(createIndependentService({ level: 'core' }));
    const { json: edge } = await core('POST', '/edges/https', { body: {} });
    expect((await core('GET', edge.uri)).json).toEqual(edge);
    expect((await core('GET', SOURCES)).status).toBe(200);
    for (const [method, target] of [
      ['GET', '/edges/https'],
      ['PATCH', edge.uri],
      ['DELETE', edge.uri],
    ] as const)
      expect((await core(method, target, { body: {} })).status).toBe(405);
    expect((await core('POST', `${edge.uri}/routes`, { body: {} })).status).toBe(404);
  });

  it('publicUrl: every URI begins with it, in XML as well', async () => {
    const publicUrl = 'https://api.example.com/a&b';
    const guarded = client(createIndependentService({ token: 't', publicUrl: `${publicUrl}/` }));
    const headers = { authorization: 'Bearer t' };
    const { json: edge } = await guarded('POST', '/edges/https', { body: {}, headers });
    expect(edge.uri).toBe(`${publicUrl}/edges/https/${edge.id}`);
    const body = { match_type: 'exact_path', match: '/', saml: { idp_metadata: METADATA } };
    const { json: route } = await guarded('POST', `/edges/https/${edge.id}/routes`, { body, headers });
    const path = route.saml.metadata_url.replace(publicUrl, '');
    const metadata = await guarded('GET', path, { headers });
    expect(rootOf(metadata.text)).toBe('md:EntityDescriptor');
    expect(metadata.text).toContain(`entityID="https://api.example.com/a&amp;b${path}"`);
  });

  it('no read-only token: nothing is taken for one', async () => {
    const guarded = client(createIndependentService({ token: 't' }));
    for (const authorization of ['Bearer undefined', 'Bearer', 'Bearer '])
      expect((await guarded('GET', SOURCES, { headers: { authorization } })).status).toBe(401);
  });

  it('no token: the header is not looked at', async () => {
    expect((await send('GET', SOURCES, { headers: { authorization: 'Bearer any' } })).status).toBe(200);
  });
});

describe('two services', () => {
  it('share nothing', async () => {
    const other = client(createIndependentService());
    const { json: edge } = await send('POST', '/edges/https', { body: {} });
    expect((await other('GET', `/edges/https/${edge.id}`)).status).toBe(404);
    for (const type of ['a.v0', 'b.v0']) {
      for (const each of [send, other]) await each('POST', SOURCES, { body: { type } });
    }
    const next = (await send('GET', `${SOURCES}?limit=1`)).json.uri;
    expect((await send('GET', next)).json.sources).toHaveLength(1);
    expect((await other('GET', next)).status).toBe(400);
  });
});

describe('choices that the contract leaves open', () => {
  it('bodies are written in another way than most servers write them, and hold more', async () => {
    const mutual_tls = { certificate_authority_ids: ['ca'] };
    const created = await send('POST', '/edges/https', { body: { description: 'é😀\u007f', mutual_tls } });
    expect(created.text).toMatch(/^\{\n "routes": .*"\\u00e9\\ud83d\\ude00\\u007f".*\n\}\n$/s);
    expect(created.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(created.headers).not.toHaveProperty('location');
    expect(created.json).toHaveProperty('kind');
    expect(created.json.created_at).toMatch(/\+00:00$/);
    expect(created.json.mutual_tls.certificate_authorities[0].uri).not.toContain(HOST);
  });

  it('ids have different lengths', async () => {
    const created = await Promise.all(Array.from({ length: 50 }, () => send('POST', '/edges/https', { body: {} })));
    expect(new Set(created.map(({ json }) => json.id.length)).size).toBeGreaterThan(1);
  });

  it('a page is shorter than the limit allows', async () => {
    for (let index = 0; index < 10; index += 1) {
      await send('POST', SOURCES, { body: { type: `t.v${index}` } });
      await send('POST', '/edges/https', { body: {} });
    }
    for (const query of ['', '?limit=8', '?limit=100']) {
      expect((await send('GET', `${SOURCES}${query}`)).json.sources).toHaveLength(7);
      expect((await send('GET', `/edges/https${query}`)).text.match(/"kind": "https_edge"/g)).toHaveLength(7);
    }
  });

  it('the resource is looked for before anything else is looked at', async () => {
    const missing = `${SOURCES}/unknown.v0?colour=red`;
    expect((await send('PATCH', missing, { body: '{', headers: { accept: 'text/html' } })).status).toBe(404);
    expect((await send('POST', '/edges/https/unknown/routes', { body: '{' })).status).toBe(404);
  });
});
