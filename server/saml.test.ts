import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { signingKeys } from './saml.ts';

test('each certificate is its own, signed by its key, and comes without it', async () => {
  const create = signingKeys(() => new Date('2026-01-15T09:30:00.000Z'));
  const made = await Promise.all([create(), create()]);
  const certificates = made.map(({ certificate_pem }) => new X509Certificate(certificate_pem));
  for (const [index, certificate] of certificates.entries()) {
    expect(certificate.publicKey.asymmetricKeyType).toBe('rsa');
    expect(certificate.publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(Object.keys(made[index]!)).toEqual(['certificate_pem']);
    expect([certificate.validFrom, certificate.validTo]).toEqual([
      'Jan 15 09:30:00 2026 GMT',
      'Jan 15 09:30:00 2036 GMT',
    ]);
  }
  expect(certificates[0]!.serialNumber).not.toBe(certificates[1]!.serialNumber);
});
