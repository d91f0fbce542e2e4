/**
 * The key pair of a service provider with a self-signed X.509 certificate (D26): RSA with SHA-256, which every identity
 * provider reads.
 */
// The X.509 library resolves its parts through decorators, and asks its user to bring their metadata.
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import type { SigningKey } from '../domain/route-modules.ts';

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

/** Identity providers pin the certificate: one that expires soon would break every login. */
const YEARS = 10;

export async function createSigningKey(now: Date): Promise<SigningKey> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    { name: 'CN=SAML request signing', notBefore: now, notAfter, signingAlgorithm: ALGORITHM, keys },
    webcrypto as never,
  );
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return {
    certificate_pem: `${certificate.toString('pem').trim()}\n`,
    private_key_pem: `-----BEGIN PRIVATE KEY-----\n${(pkcs8.match(/.{1,64}/g) ?? []).join('\n')}\n-----END PRIVATE KEY-----\n`,
  };
}
