/** This service as a SAML service provider: the values that it supplies, and its metadata. */

/** Made once for this service. It signs nothing, so nobody has kept the key. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBNzCB3gIBATAKBggqhkjOPQQDAjAnMSUwIwYDVQQDDBxzZXJ2aWNlLXByb3Zp
ZGVyLmV4YW1wbGUubmV0MCAXDTI0MDEwMTAwMDAwMFoYDzIxMjQwMTAxMDAwMDAw
WjAnMSUwIwYDVQQDDBxzZXJ2aWNlLXByb3ZpZGVyLmV4YW1wbGUubmV0MFkwEwYH
KoZIzj0CAQYIKoZIzj0DAQcDQgAEkG2lOG0Fa0Cp0ySjsSaCHwOa5rJamVbS1HYN
EkX/S0h8cmmM7fisvME4Yu1pvye0+xJ66bS3npvbSFmBGiL5cjAKBggqhkjOPQQD
AgNIADBFAiEAw6MpIlNh/EjguwXyPBA2/DMdgDqBr7DL/izyfVdEN3sCIApN57I6
OTYcH3Y8LlZ7JOC1i4Y/sIw7hhNjojEnNLeV
-----END CERTIFICATE-----
`;

/** Not below the URI of the route, which requires a token. */
export const METADATA_PATH = '/service_providers/{edge_id}/{route_id}/metadata';

/** The values that the service supplies for the `saml` module of a route. */
interface ServiceProvider {
  metadata_url: string;
  request_signing_certificate_pem: string;
  single_logout_url: string;
  assertion_consumer_service_url: string;
  entity_id: string;
}

export function serviceProvider(base: string, edgeId: string, routeId: string): ServiceProvider {
  const own = `${base}/service_providers/${edgeId}/${routeId}`;
  return {
    metadata_url: `${own}/metadata`,
    request_signing_certificate_pem: CERTIFICATE,
    single_logout_url: `${own}/logout`,
    assertion_consumer_service_url: `${own}/assertions`,
    entity_id: `${own}/metadata`,
  };
}

/** The metadata document of a service provider. */
export function metadataOf(provider: ServiceProvider): string {
  const entity = escapeAmpersands(provider.entity_id);
  const location = escapeAmpersands(provider.assertion_consumer_service_url);
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entity}">
 <md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
  <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
   Location="${location}" index="0"/>
 </md:SPSSODescriptor>
</md:EntityDescriptor>
`;
}

const escapeAmpersands = (url: string) => url.replaceAll('&', '&amp;');
