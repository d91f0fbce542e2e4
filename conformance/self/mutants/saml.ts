/** What the service supplies for SAML is not real, or not stable. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { type Mutate, remembering, showingAs } from '../mutate/mutate.ts';
import { isObject, type Json } from '../mutate/request.ts';
import { showingField, showingPart, showingRoutes } from '../mutate/route.ts';
import { otherCertificate } from '../mutate/saml.ts';

const mutant = mutantsOf('saml');

const SUPPLIED = 'routes.saml.supplied';
const ENTITY = 'routes.saml.entity-id';
const STABLE = 'routes.saml.supplied.stable';

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
    'relative-urls',
    SUPPLIED,
    'URLs that the service supplies are paths.',
    showingPart('saml', (shown) => ({
      ...shown,
      assertion_consumer_service_url: new URL(String(shown['assertion_consumer_service_url'])).pathname,
    })),
  ),
  mutant(
    'no-logout-url',
    SUPPLIED,
    'The URL for logging out is empty.',
    showingField('saml', 'single_logout_url', () => ''),
  ),
  mutant(
    'no-logout',
    SUPPLIED,
    'The URL for logging out is null, since the service has none.',
    showingField('saml', 'single_logout_url', () => null),
  ),
  mutant(
    'urn',
    SUPPLIED,
    'The entity has a URN in place of a URL.',
    showingPart('saml', (shown) => ({ ...shown, entity_id: 'urn:example:edge', metadata_url: 'urn:example:edge' })),
  ),
  mutant(
    'pem-base64',
    SUPPLIED,
    'The certificate is Base64 without the lines of PEM.',
    certificate((pem) => pem.replaceAll(/-----[^-]+-----|\s/g, '')),
  ),
  mutant(
    'pem-placeholder',
    SUPPLIED,
    'The certificate is a placeholder.',
    certificate(() => '-----BEGIN CERTIFICATE-----\nMIIB...\n-----END CERTIFICATE-----\n'),
  ),
  mutant(
    'pem-empty',
    SUPPLIED,
    'The certificate is empty.',
    certificate(() => ''),
  ),
  mutant(
    'pem-truncated',
    SUPPLIED,
    'The certificate is cut at 256 characters.',
    certificate((pem) => pem.slice(0, 256)),
  ),
  mutant(
    'pem-public-key',
    SUPPLIED,
    'A public key stands in place of the certificate.',
    certificate((pem) => pem.replaceAll('CERTIFICATE', 'PUBLIC KEY')),
  ),
  mutant(
    'pem-one-line',
    SUPPLIED,
    'The line feeds of the certificate are escaped twice.',
    certificate((pem) => pem.replaceAll('\n', String.raw`\n`)),
  ),
  mutant(
    'nothing-supplied',
    SUPPLIED,
    'What the service should supply is null.',
    showingPart('saml', (shown) => ({
      ...shown,
      entity_id: null,
      assertion_consumer_service_url: null,
      single_logout_url: null,
      [PEM]: null,
      metadata_url: null,
    })),
  ),
  mutant(
    'supplied-when-read',
    SUPPLIED,
    'A new route does not show yet what the service supplies.',
    showingAs('createRoute', (route: Json) =>
      isObject(route['saml']) ? { ...route, saml: { ...route['saml'], [PEM]: '' } } : route,
    ),
  ),

  mutant(
    'entity-host',
    ENTITY,
    '`entity_id` is the base URL.',
    entityId((url) => new URL(url).origin),
  ),
  mutant(
    'entity-route',
    ENTITY,
    '`entity_id` is `metadata_url` without its last part.',
    entityId((url) => url.replace(/\/[^/]*$/, '')),
  ),
  mutant(
    'entity-slash',
    ENTITY,
    '`entity_id` has a slash at its end.',
    entityId((url) => `${url}/`),
  ),
  mutant(
    'entity-https',
    ENTITY,
    '`entity_id` has another scheme.',
    entityId((url) => url.replace(/^http:/, 'https:')),
  ),
  mutant(
    'entity-of-provider',
    ENTITY,
    '`entity_id` is that of the identity provider.',
    showingPart('saml', (shown) => ({ ...shown, entity_id: 'https://idp.example.com' })),
  ),
  mutant(
    'metadata-query',
    ENTITY,
    '`metadata_url` has a query that `entity_id` does not have.',
    showingField('saml', 'metadata_url', (url) => `${url}?format=xml`),
  ),

  mutant(
    'certificate-each-read',
    STABLE,
    'The certificate is made anew at each read.',
    changing('getRoute', newCertificate),
  ),
  mutant(
    'certificate-each-change',
    STABLE,
    'The certificate is made anew at each change of the route.',
    changing('updateRoute', newCertificate),
  ),
  mutant(
    'certificate-each-answer',
    STABLE,
    'Each answer shows another certificate.',
    changing(['createRoute', 'getRoute', 'updateRoute'], newCertificate),
  ),
  mutant(
    'certificate-on-create-only',
    STABLE,
    'The certificate is shown once, and not when it is read.',
    showingAs(['getRoute', 'updateRoute'], (route: Json) =>
      isObject(route['saml']) ? { ...route, saml: { ...route['saml'], [PEM]: '' } } : route,
    ),
  ),
  mutant(
    'urls-each-change',
    STABLE,
    'URLs move when the route changes.',
    changing('updateRoute', (shown, count) => ({
      ...shown,
      assertion_consumer_service_url: `${String(shown['assertion_consumer_service_url'])}/${count}`,
    })),
  ),
  mutant(
    'urls-signed',
    STABLE,
    'The URL for logging out has another token at each read.',
    changing('getRoute', (shown, count) => ({
      ...shown,
      single_logout_url: `${String(shown['single_logout_url'])}?token=${count}`,
    })),
  ),
  mutant(
    'urls-of-match',
    STABLE,
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
    STABLE,
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
