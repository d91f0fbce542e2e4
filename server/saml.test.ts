import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JsonObject } from './contract.ts';
import { crossFieldErrors, LONGEST_METADATA } from './cross-field-rules.ts';
import { createSigningCertificate, entityDescriptorError } from './saml.ts';
import { contract, serveApp } from './testing/serve.ts';

test.for([
  ['<a/>', /root element EntityDescriptor \(line 1/],
  ['<EntityDescriptor/><?x \ud800', /well-formed/],
  ['<EntityDescriptor>\n<secret>', /^must be well-formed XML: unclosed tag \(line 2, column 8\)$/],
  ['<!DOCTYPE EntityDescriptor><EntityDescriptor/>', /document type declaration/],
  [
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>\n' +
      '<EntityDescriptor>&e;</EntityDescriptor>',
    /document type/,
  ],
] as const)(
  'the metadata of an identity provider are refused with a reason: %s',
  ([xml, message]) => {
    expect(entityDescriptorError(xml)).toMatch(message);
  },
);

test('metadata that are longer than the contract allows are not read', () => {
  const { IdpMetadata } = (contract.document['components'] as JsonObject)['schemas'] as never;
  expect(LONGEST_METADATA).toBe(IdpMetadata['maxLength']);
  const of = (length: number) => crossFieldErrors({ saml: { idp_metadata: '<'.padEnd(length) } });
  expect(of(LONGEST_METADATA)).toEqual([
    { pointer: '/saml/idp_metadata', code: 'format', detail: expect.any(String) },
  ]);
  expect(of(LONGEST_METADATA + 1)).toEqual([]);
});

test('each certificate is different, signed by its key, and comes without it', async () => {
  const made = await Promise.all([createSigningCertificate(), createSigningCertificate()]);
  const certificates = made.map(({ certificate_pem }) => new X509Certificate(certificate_pem));
  for (const [index, certificate] of certificates.entries()) {
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(Object.keys(made[index]!)).toEqual(['certificate_pem']);
    const from = new Date(certificate.validFrom);
    const to = new Date(certificate.validTo);
    expect([Date.now() - from.getTime() < 60_000, to.getFullYear() - from.getFullYear()]).toEqual([
      true,
      10,
    ]);
  }
  expect(certificates[0]!.serialNumber).not.toBe(certificates[1]!.serialNumber);
});

test('the metadata of the service provider are served as long as the route has SAML', async () => {
  const { send } = await serveApp();
  const { json: edge } = await send({ method: 'POST', path: '/edges/https', body: {} });
  const path = `/edges/https/${edge.id}/routes`;
  const body = {
    match_type: 'exact_path',
    match: '/',
    saml: { idp_metadata: '<EntityDescriptor/>' },
  };
  const { saml, id } = (await send({ method: 'POST', path, body })).json;
  const metadata = new URL(saml.metadata_url).pathname;
  expect((await send({ path: metadata })).text).toContain(saml.assertion_consumer_service_url);
  await send({ method: 'PATCH', path: `${path}/${id}`, body: { saml: null } });
  expect((await send({ path: metadata })).status).toBe(404);
});
