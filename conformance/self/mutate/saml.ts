/** What SAML is made of. */

/** The smallest document that describes an identity provider. */
export const SMALLEST = '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:mutant"/>';

/**
 * A certificate like the given one, with the serial number `count`: it can be parsed, and nobody checks what it signs.
 */
export function otherCertificate(pem: string, count: number): string {
  const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
  // The first integer of one byte in the body of a certificate is its serial number.
  const at = der.indexOf(Buffer.from([2, 1]));
  der[at + 2] = 2 + (count % 100);
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
