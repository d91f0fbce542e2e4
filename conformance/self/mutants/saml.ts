/** What the service supplies for SAML is not real, or not stable. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import { type Mutate, remembering, showingAs } from '../mutate/mutate.ts';
import { isObject, type Json } from '../mutate/request.ts';
import { showingField, showingPart, showingRoutes } from '../mutate/route.ts';
import { otherCertificate } from '../mutate/saml.ts';

const mutant = mutantsOf('saml', 'extended');

const PEM = 'request_signing_certificate_pem';
const certificate = (change: (pem: string) => unknown) => showingField('saml', PEM, change);
const entityId = (change: (url: string) => unknown) => showingField('saml', 'entity_id', change);

/** Values that are other ones each time that some operations show a route. */
const changing = (operations: Parameters<typeof showingAs>[0], change: (saml: Json, count: number) => Json): Mutate =>
  remembering(() => {
    let count = 0;
    return showingAs(operations, (route: Json) =>
      isObject(route['saml']) ? { ...route, saml: change(route['saml'], ++count) } : route,
    );
  });

const newCertificate = (saml: Json, count: number): Json => ({
  ...saml,
  [PEM]: otherCertificate(String(saml[PEM]), count),
});

export const saml: Mutant[] = [
  mutant(
    'no-logout',
    'The URL for logging out is null, since the service has none.',
    showingField('saml', 'single_logout_url', () => null),
  ),
  mutant(
    'pem-base64',
    'The certificate is Base64 without the lines of PEM.',
    certificate((pem) => pem.replaceAll(/-----[^-]+-----|\s/g, '')),
  ),
  mutant(
    'pem-truncated',
    'The certificate is cut at 256 characters.',
    certificate((pem) => pem.slice(0, 256)),
  ),
  mutant(
    'pem-public-key',
    'A public key stands in place of the certificate.',
    certificate((pem) => pem.replaceAll('CERTIFICATE', 'PUBLIC KEY')),
  ),
  mutant(
    'supplied-when-read',
    'A new route does not show yet what the service supplies.',
    showingAs('createRoute', (route: Json) =>
      isObject(route['saml']) ? { ...route, saml: { ...route['saml'], [PEM]: '' } } : route,
    ),
  ),

  mutant(
    'entity-host',
    '`entity_id` is the base URL.',
    entityId((url) => new URL(url).origin),
  ),
  mutant(
    'entity-slash',
    '`entity_id` has a slash at its end.',
    entityId((url) => `${url}/`),
  ),
  mutant(
    'entity-of-provider',
    '`entity_id` is that of the identity provider.',
    showingPart('saml', (shown) => ({ ...shown, entity_id: 'https://idp.example.com' })),
  ),
  mutant(
    'metadata-query',
    '`metadata_url` has a query that `entity_id` does not have.',
    showingField('saml', 'metadata_url', (url) => `${url}?format=xml`),
  ),

  mutant('certificate-each-read', 'The certificate is made anew at each read.', changing('getRoute', newCertificate)),
  mutant(
    'certificate-each-change',
    'The certificate is made anew at each change of the route.',
    changing('updateRoute', newCertificate),
  ),
  mutant(
    'urls-each-change',
    'URLs move when the route changes.',
    changing('updateRoute', (shown, count) => ({
      ...shown,
      assertion_consumer_service_url: `${String(shown['assertion_consumer_service_url'])}/${count}`,
    })),
  ),
  mutant(
    'urls-signed',
    'The URL for logging out has another token at each read.',
    changing('getRoute', (shown, count) => ({
      ...shown,
      single_logout_url: `${String(shown['single_logout_url'])}?token=${count}`,
    })),
  ),
  mutant(
    'urls-of-match',
    'URLs depend on the match of the route.',
    showingRoutes((route) =>
      isObject(route['saml'])
        ? {
            ...route,
            saml: {
              ...route['saml'],
              assertion_consumer_service_url: `http://edge.example.com/${encodeURIComponent(String(route['match']))}`,
            },
          }
        : route,
    ),
  ),
  mutant(
    'urls-of-description',
    'URLs depend on the description of the route.',
    showingRoutes((route) =>
      isObject(route['saml'])
        ? {
            ...route,
            saml: {
              ...route['saml'],
              single_logout_url: logoutUrl(String(route['description'])),
            },
          }
        : route,
    ),
  ),
];

function logoutUrl(description: string): string {
  return `http://edge.example.com/${encodeURIComponent(description).slice(0, 50)}`;
}
