/** What this service is to a SAML identity provider: the values that it supplies, and its metadata. */
import { CERTIFICATE } from './certificate.ts';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings';

/** Behind the base URL; with `edge_id` and `id` in their places. */
export const METADATA_PATH = '/service_providers/{edge_id}/{id}/metadata';

/** Not below the URI of the route, which needs a token. */
export function supplied(base: string, edgeId: string, routeId: string) {
  const own = `${base}/service_providers/${edgeId}/${routeId}`;
  return {
    metadata_url: `${own}/metadata`,
    request_signing_certificate_pem: CERTIFICATE,
    single_logout_url: `${own}/logout`,
    assertion_consumer_service_url: `${own}/assertions`,
    entity_id: `${own}/metadata`,
  };
}

/** For text and attributes alike. */
const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export function metadata(values: ReturnType<typeof supplied>, nameIdFormat: string): string {
  const assertions = escape(values.assertion_consumer_service_url);
  const certificate = values.request_signing_certificate_pem.replaceAll(/-----[^-]+-----|\s/g, '');
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escape(values.entity_id)}">
 <md:SPSSODescriptor AuthnRequestsSigned="true" WantAssertionsSigned="true" protocolSupportEnumeration="${PROTOCOL}">
  <md:KeyDescriptor use="signing">
   <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
    <ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data>
   </ds:KeyInfo>
  </md:KeyDescriptor>
  <md:SingleLogoutService Binding="${BINDINGS}:HTTP-Redirect" Location="${escape(values.single_logout_url)}"/>
  <md:NameIDFormat>${escape(nameIdFormat)}</md:NameIDFormat>
  <md:AssertionConsumerService Binding="${BINDINGS}:HTTP-POST" Location="${assertions}" index="0" isDefault="true"/>
 </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}
