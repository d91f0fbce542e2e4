/**
 * What a service provider signs its SAML requests with: an RSA key, which every identity provider reads, and for each route
 * a self-signed X.509 certificate of its own (D26).
 *
 * The routes of one process share a key pair, as those of a service provider commonly do: making one takes a quarter of a
 * second of computing, and whoever makes many routes would wait for nothing else. Nothing here ever signs a request, so the
 * private key never leaves this file: a route keeps its certificate alone.
 */
import { webcrypto } from 'node:crypto';
import type { SigningCertificate } from '../domain/modules.ts';

const ALGORITHM = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};

/** Identity providers pin the certificate: one that expires soon would break every login. */
const YEARS = 10;

/** Nothing is made before the first certificate is asked for. */
export function signingKeys(clock: () => Date): () => Promise<SigningCertificate> {
  let keys: Promise<webcrypto.CryptoKeyPair> | undefined;
  return async () => {
    keys ??= webcrypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']).catch((error: unknown) => {
      // The next one tries again.
      keys = undefined;
      throw error;
    });
    return { certificate_pem: await createCertificate(await keys, clock()) };
  };
}

/** In PEM, with a serial number of its own. */
async function createCertificate(keys: webcrypto.CryptoKeyPair, now: Date): Promise<string> {
  // Loaded by those only who use it: it takes a good part of the start.
  const { X509CertificateGenerator } = await loadX509();
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    { name: 'CN=SAML request signing', notBefore: now, notAfter, signingAlgorithm: ALGORITHM, keys },
    webcrypto as never,
  );
  return `${certificate.toString('pem').trim()}\n`;
}

async function loadX509(): Promise<typeof import('@peculiar/x509')> {
  // It resolves its parts through decorators, and asks its user to bring their metadata.
  await import('reflect-metadata');
  return import('@peculiar/x509');
}
