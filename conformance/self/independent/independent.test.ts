/** The service is independent of the suite; and cases that the suite does not send to it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createIndependentService } from './index.ts';
import { rootOf } from './xml.ts';

it('imports itself, Node, parsers of XML and of expressions, the types of a service and the table of modules', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'));
  const imported = files.flatMap((name) =>
    [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, path]) => path!),
  );
  expect(imported).toContain('./problem.ts');
  const allowed = /^(\.\/[\w-]+\.ts|\.\.\/service\.ts|\.\.\/\.\.\/api\/modules\.ts|node:\w+|re2js|saxes)$/;
  expect(imported.filter((path) => !allowed.test(path))).toEqual([]);
});

type Options = Parameters<typeof createIndependentService>[0];

/** @param sent sent as JSON, or as it is where it is a string */
function client(options: Options = {}) {
  const service = createIndependentService(options);
  return async (method: string, target: string, sent?: unknown, headers: Record<string, string> = {}) => {
    const body = Buffer.from(typeof sent === 'string' ? sent : (JSON.stringify(sent) ?? ''));
    const all = { host: 'localhost', 'content-type': 'application/json', ...headers };
    const { status, body: text, headers: got } = await service({ method, target, headers: all, body });
    const isJson = /json/.test(got['content-type'] ?? '') && text.length > 0;
    return { status, text: text.toString(), headers: got, json: isJson ? JSON.parse(text.toString()) : undefined };
  };
}

const SOURCES = '/event_subscriptions/sub/sources';

describe('its options', () => {
  it('level core: there are only the operations of the source document', async () => {
    const send = client({ level: 'core' });
    const { json: edge } = await send('POST', '/edges/https', {});
    expect((await send('GET', edge.uri)).json).toEqual(edge);
    expect((await send('GET', SOURCES)).status).toBe(200);
    expect((await send('PATCH', edge.uri, {})).status).toBe(405);
    expect((await send('POST', `${edge.uri}/routes`, {})).status).toBe(404);
  });

  it('publicUrl: every URI begins with it, in XML as well', async () => {
    const publicUrl = 'https://api.example.com/a&b';
    const send = client({ token: 't', publicUrl: `${publicUrl}/` });
    const headers = { authorization: 'Bearer t' };
    const { json: edge } = await send('POST', '/edges/https', {}, headers);
    expect(edge.uri).toBe(`${publicUrl}/edges/https/${edge.id}`);
    const saml = { idp_metadata: '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="a"/>' };
    const body = { match_type: 'exact_path', match: '/', saml };
    const { json: route } = await send('POST', `/edges/https/${edge.id}/routes`, body, headers);
    const { text } = await send('GET', route.saml.metadata_url.replace(publicUrl, ''));
    expect(rootOf(text)).toBe('md:EntityDescriptor');
    expect(text).toContain('entityID="https://api.example.com/a&amp;b/');
  });

  it('two services share nothing', async () => {
    const [one, other] = [client(), client()];
    const { json: edge } = await one('POST', '/edges/https', {});
    expect((await other('GET', `/edges/https/${edge.id}`)).status).toBe(404);
    for (const send of [one, other]) for (const type of ['a.v0', 'b.v0']) await send('POST', SOURCES, { type });
    const { json: page } = await one('GET', `${SOURCES}?limit=1`);
    expect((await one('GET', page.uri)).json.sources).toHaveLength(1);
    expect((await other('GET', page.uri)).status).toBe(400);
  });
});

it('decides otherwise than most where the contract leaves a choice', async () => {
  const send = client();
  const sent = { description: 'é😀\u007f', mutual_tls: { certificate_authority_ids: ['ca'] } };
  const created = await send('POST', '/edges/https', sent);
  expect(created.text).toMatch(/^\{\n "routes": .*"\\u00e9\\ud83d\\ude00\\u007f".*\n\}\n$/s);
  expect(created.headers).not.toHaveProperty('location');
  expect(created.json.created_at).toMatch(/\+00:00$/);
  expect(created.json.mutual_tls.certificate_authorities[0].uri).not.toContain('localhost');
  for (let index = 0; index < 10; index += 1) await send('POST', SOURCES, { type: `t.v${index}` });
  expect((await send('GET', `${SOURCES}?limit=100`)).json.sources).toHaveLength(7);
  expect((await send('PATCH', `${SOURCES}/unknown.v0?colour=red`, '{', { accept: 'text/html' })).status).toBe(404);
});
