import { X509Certificate } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { client, faults, HOST, type Send } from './client.ts';
import { createIndependentService } from './index.ts';
import { rootOf } from './xml.ts';

const METADATA =
  '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://a.example"></EntityDescriptor>';

let send: Send;
let edge: any;
beforeEach(async () => {
  send = client(createIndependentService());
  edge = (await send('POST', '/edges/https', { body: {} })).json;
});
const add = (saml: unknown) =>
  send('POST', `${edge.uri}/routes`, { body: { match_type: 'exact_path', match: '/', saml } });

describe('a route with SAML', () => {
  it('fills in what was left out', async () => {
    const { json } = await add({ idp_metadata: METADATA });
    expect(json.saml).toMatchObject({
      enabled: true,
      options_passthrough: false,
      cookie_prefix: 'edge.',
      inactivity_timeout: 0,
      maximum_duration: 0,
      idp_metadata: METADATA,
      force_authn: false,
      allow_idp_initiated: false,
      authorized_groups: [],
      nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    });
  });

  it('reads back as sent', async () => {
    const saml = {
      enabled: false,
      options_passthrough: true,
      cookie_prefix: 'x',
      inactivity_timeout: 1,
      maximum_duration: 2,
      idp_metadata: `<?xml version="1.0"?>\r\n<!-- é😀 -->${METADATA}\n`,
      force_authn: true,
      allow_idp_initiated: true,
      authorized_groups: ['b', 'a', 'b'],
      nameid_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    };
    const { json } = await add(saml);
    expect(json.saml).toMatchObject(saml);
    expect((await send('GET', json.uri)).json).toEqual(json);
  });

  it('supplies values that are real and stay', async () => {
    const { json } = await add({ idp_metadata: METADATA });
    const { entity_id, metadata_url, assertion_consumer_service_url, single_logout_url, ...saml } = json.saml;
    expect(entity_id).toBe(metadata_url);
    const urls = [metadata_url, assertion_consumer_service_url, single_logout_url];
    expect(new Set(urls).size).toBe(3);
    for (const url of urls) expect(url.startsWith(`http://${HOST}/`)).toBe(true);
    const certificate = new X509Certificate(saml.request_signing_certificate_pem);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    const changed = await send('PATCH', json.uri, { body: { saml: { idp_metadata: METADATA, force_authn: true } } });
    expect(changed.json.saml).toEqual({ ...json.saml, force_authn: true });
  });

  it.each([
    [{}, ['/saml/idp_metadata required']],
    [{ idp_metadata: '' }, ['/saml/idp_metadata too_short']],
    [{ idp_metadata: null }, ['/saml/idp_metadata type']],
    [{ idp_metadata: 'no XML' }, ['/saml/idp_metadata format']],
    [{ idp_metadata: '<EntityDescriptor>' }, ['/saml/idp_metadata format']],
    [{ idp_metadata: '<EntitiesDescriptor/>' }, ['/saml/idp_metadata format']],
    [{ idp_metadata: '<entityDescriptor/>' }, ['/saml/idp_metadata format']],
    [{ idp_metadata: '<a><EntityDescriptor/></a>' }, ['/saml/idp_metadata format']],
    [{ idp_metadata: '<EntityDescriptor:a/>' }, ['/saml/idp_metadata format']],
    [{ idp_metadata: '<XEntityDescriptor/>' }, ['/saml/idp_metadata format']],
    [{ idp_metadata: `<!DOCTYPE EntityDescriptor>${METADATA}` }, ['/saml/idp_metadata format']],
    [
      { idp_metadata: '<!DOCTYPE a [<!ENTITY b "c">]><EntityDescriptor>&b;</EntityDescriptor>' },
      ['/saml/idp_metadata format'],
    ],
    [{ idp_metadata: `${METADATA}${' '.repeat(262_145)}` }, ['/saml/idp_metadata too_long']],
    [{ idp_metadata: METADATA, nameid_format: 'persistent' }, ['/saml/nameid_format value']],
    [
      { idp_metadata: METADATA, nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted' },
      ['/saml/nameid_format value'],
    ],
    [{ idp_metadata: METADATA, entity_id: 'https://a' }, ['/saml/entity_id unknown']],
    [
      { idp_metadata: METADATA, authorized_groups: ['', 'a'.repeat(257)], force_authn: 'yes', auth_check_interval: 1 },
      [
        '/saml/auth_check_interval unknown',
        '/saml/authorized_groups/0 too_short',
        '/saml/authorized_groups/1 too_long',
        '/saml/force_authn type',
      ],
    ],
  ])('cannot be %j', async (saml, expected) => {
    const answer = await add(saml);
    expect([answer.status, faults(answer)]).toEqual([400, expected]);
    expect(answer.text).not.toContain('EntityDescriptor>');
  });

  it.each(['<md:EntityDescriptor xmlns:md="urn:x"/>', '<a:EntityDescriptor/>', `${METADATA.padEnd(262_144)}`])(
    'can have the metadata %s',
    async (idp_metadata) => {
      expect((await add({ idp_metadata })).json.saml.idp_metadata).toBe(idp_metadata);
    },
  );
});

describe('the metadata of the service provider', () => {
  it('is XML, whatever Accept says, and says what the route says', async () => {
    const nameid_format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
    const { saml } = (await add({ idp_metadata: METADATA, nameid_format })).json;
    const { status, headers, text } = await send('GET', saml.metadata_url, { headers: { accept: 'text/html' } });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/samlmetadata+xml; charset=utf-8');
    expect(rootOf(text)).toBe('md:EntityDescriptor');
    expect(text).toContain(`entityID="${saml.entity_id}"`);
    expect(text).toContain(`Location="${saml.assertion_consumer_service_url}"`);
    expect(text).toContain(`Location="${saml.single_logout_url}"`);
    expect(text).toContain(`>${nameid_format}<`);
    const base64 = saml.request_signing_certificate_pem.split('\n').slice(1, -2).join('');
    expect(text).toContain(`>${base64}<`);
    expect(await send('HEAD', saml.metadata_url)).toEqual({ status, headers, text: '', json: undefined });
  });

  it('is all that needs no token', async () => {
    const guarded = client(createIndependentService({ token: 't', publicUrl: 'https://api.example.com/a&b' }));
    const headers = { authorization: 'Bearer t' };
    const { json: other } = await guarded('POST', '/edges/https', { body: {}, headers });
    const list = `/edges/https/${other.id}/routes`;
    const body = { match_type: 'exact_path', match: '/', saml: { idp_metadata: METADATA } };
    const { json } = await guarded('POST', list, { body, headers });
    const path = json.saml.metadata_url.replace('https://api.example.com/a&b', '');
    const metadata = await guarded('GET', path);
    expect([metadata.status, rootOf(metadata.text)]).toEqual([200, 'md:EntityDescriptor']);
    expect(metadata.text).toContain(`entityID="https://api.example.com/a&amp;b${path}"`);
    expect((await guarded('GET', path.replace(json.id, 'unknown'))).status).toBe(404);
    expect((await guarded('PUT', path)).status).toBe(401);
    expect((await guarded('GET', `${list}/${json.id}`)).status).toBe(401);
  });

  it('is there as long as the module', async () => {
    const { json } = await add({ idp_metadata: METADATA, enabled: false });
    const url = json.saml.metadata_url;
    expect((await send('OPTIONS', url)).headers['allow']).toBe('OPTIONS,GET,HEAD');
    expect((await send('GET', url)).status).toBe(200);
    await send('PATCH', json.uri, { body: { saml: null } });
    expect((await send('GET', url)).status).toBe(404);
  });
});
