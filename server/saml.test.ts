import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { entityDescriptorError, signingKeys } from './saml.ts';
import { serveApp } from './testing/serve.ts';

test.for([
  ['<EntityDescriptor>', /well-formed.*line 1/],
  ['<a/>', /root element EntityDescriptor \(line 1/],
  ['<EntityDescriptor a="1" a="2"/>', /well-formed/],
  ['<EntityDescriptor/><?x \ud800', /well-formed/],
  ['<EntityDescriptor>&nbsp;</EntityDescriptor>', /well-formed/],
  ['<EntityDescriptor>\n<secret>', /^must be well-formed XML: unclosed tag \(line 2, column 8\)$/],
  ['<!DOCTYPE EntityDescriptor><EntityDescriptor/>', /document type declaration/],
  ['<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n<EntityDescriptor>&e;</EntityDescriptor>', /document type/],
  ['<?xml version="1.0"?><md:EntityDescriptor xmlns:md="m">é&amp;&#233;<!-- c --><![CDATA[<]]></md:EntityDescriptor>'],
] as [string, RegExp?][])('the metadata of an identity provider: %s', ([xml, message]) => {
  if (message === undefined) expect(entityDescriptorError(xml)).toBeUndefined();
  else expect(entityDescriptorError(xml)).toMatch(message);
});

test('each certificate is different, signed by its key, and comes without it', async () => {
  const create = signingKeys(() => new Date('2026-01-15T09:30:00.000Z'));
  const made = await Promise.all([create(), create()]);
  const certificates = made.map(({ certificate_pem }) => new X509Certificate(certificate_pem));
  for (const [index, certificate] of certificates.entries()) {
    expect(certificate.publicKey.asymmetricKeyType).toBe('rsa');
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(Object.keys(made[index]!)).toEqual(['certificate_pem']);
    expect([certificate.validFrom, certificate.validTo]).toEqual([
      ...['Jan 15 09:30:00 2026 GMT', 'Jan 15 09:30:00 2036 GMT'],
    ]);
  }
  expect(certificates[0]!.serialNumber).not.toBe(certificates[1]!.serialNumber);
});

test('the metadata of the service provider is at metadata_url, as long as the route has SAML', async () => {
  const { send } = await serveApp();
  const { json: edge } = await send({ method: 'POST', path: '/edges/https', body: {} });
  const path = `/edges/https/${edge.id}/routes`;
  const body = { match_type: 'exact_path', match: '/', saml: { idp_metadata: '<EntityDescriptor/>' } };
  const { saml, id } = (await send({ method: 'POST', path, body })).json;
  const metadata = new URL(saml.metadata_url).pathname;
  const { headers, text } = await send({ path: metadata });
  expect(headers['content-type']).toMatch(/^application\/samlmetadata\+xml/);
  expect(text).toContain(`entityID="${saml.entity_id}"`);
  expect(text).toContain(saml.assertion_consumer_service_url);
  await send({ method: 'PATCH', path: `${path}/${id}`, body: { saml: null } });
  expect((await send({ path: metadata })).status).toBe(404);
});
