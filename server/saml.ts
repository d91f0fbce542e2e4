/**
 * SAML (D26): metadata of identity providers and of the service provider, and the certificate that
 * signs requests.
 */
import { webcrypto } from 'node:crypto';
import { SaxesParser } from 'saxes';
import type { SigningCertificate } from './domain/modules.ts';
import type { Route } from './domain/types.ts';

/**
 * The first error with its place, without its text. Only predefined entities are expanded; no
 * network is used.
 */
export function entityDescriptorError(xml: string): string | undefined {
  // The parser ends with an internal error for some of them.
  if (!xml.isWellFormed()) {
    return 'must be well-formed XML: it has a lone surrogate';
  }
  const parser = entityDescriptorParser();
  try {
    parser.write(xml).close();
    return undefined;
  } catch (error) {
    if (error instanceof MetadataError) {
      return error.message;
    }
    throw error;
  }
}

class MetadataError extends Error {}

/**
 * It throws a MetadataError at the first error: a document may have as many as it has characters.
 */
function entityDescriptorParser(): SaxesParser {
  const parser = new SaxesParser();
  const stop = (reason: string) => {
    throw new MetadataError(`${reason} (line ${parser.line}, column ${parser.column})`);
  };
  let depth = 0;
  parser.on('error', ({ message }) => stop(`must be well-formed XML: ${reasonIn(message)}`));
  parser.on('doctype', () => stop('must not have a document type declaration'));
  parser.on('opentag', ({ name }) => {
    const localName = name.slice(name.indexOf(':') + 1);
    if (depth === 0 && localName !== 'EntityDescriptor') {
      stop('must have the root element EntityDescriptor');
    }
    depth += 1;
  });
  parser.on('closetag', () => {
    depth -= 1;
  });
  return parser;
}

/** @param message such as `1:5: text`; the text may quote the document, which is omitted */
function reasonIn(message: string): string {
  const text = message.replace(/^\d+:\d+: /, '');
  const [reason = ''] = text.split(/[:"']/);
  return reason.trim();
}

/** An RSA key, which every identity provider supports. */
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
};

/** Identity providers pin the certificate: one that expires soon would break every login. */
const YEARS = 10;

/**
 * A self-signed X.509 certificate with its own serial number. Nothing signs anything: the private
 * key does not leave this file.
 */
export async function createSigningCertificate(): Promise<SigningCertificate> {
  // Loaded only here: they take a good part of the start. The second needs the first.
  await import('reflect-metadata');
  const { X509CertificateGenerator } = await import('@peculiar/x509');
  const notBefore = new Date();
  const notAfter = new Date(notBefore);
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + YEARS);
  const certificate = await X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=SAML request signing',
      notBefore,
      notAfter,
      signingAlgorithm: RSA,
      keys: await keyPair(),
    },
    webcrypto as never,
  );
  return { certificate_pem: `${certificate.toString('pem').trim()}\n` };
}

let keys: Promise<webcrypto.CryptoKeyPair> | undefined;

/** All routes of a process share a pair, as is common: making one takes a quarter of a second. */
async function keyPair(): Promise<webcrypto.CryptoKeyPair> {
  keys ??= webcrypto.subtle.generateKey(RSA, false, ['sign', 'verify']);
  try {
    return await keys;
  } catch (error) {
    // The next call tries again.
    keys = undefined;
    throw error;
  }
}

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings';

/** The metadata of a service provider, which an identity provider reads at `metadata_url`. */
export function serviceProviderMetadata(saml: NonNullable<Route['saml']>): string {
  const certificate = saml.request_signing_certificate_pem.replaceAll(/-----[^-]+-----|\s/g, '');
  const entityId = escape(saml.entity_id);
  const logout = escape(saml.single_logout_url);
  const acs = escape(saml.assertion_consumer_service_url);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"' +
      ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}">`,
    `  <md:SPSSODescriptor AuthnRequestsSigned="true" protocolSupportEnumeration="${PROTOCOL}">`,
    '    <md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data>' +
      `<ds:X509Certificate>${certificate}</ds:X509Certificate>` +
      '</ds:X509Data></ds:KeyInfo></md:KeyDescriptor>',
    `    <md:SingleLogoutService Binding="${BINDINGS}:HTTP-Redirect" Location="${logout}"/>`,
    `    <md:NameIDFormat>${escape(saml.nameid_format)}</md:NameIDFormat>`,
    `    <md:AssertionConsumerService Binding="${BINDINGS}:HTTP-POST" Location="${acs}"` +
      ' index="0" isDefault="true"/>',
    '  </md:SPSSODescriptor>',
    '</md:EntityDescriptor>',
  ];
  return `${lines.join('\n')}\n`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
