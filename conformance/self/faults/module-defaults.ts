/** What is left out of a route reads back as something else than its default. */
import { type Fault, faultsOf } from '../fault.ts';
import { isObject, type Json } from '../plant/request.ts';
import { keepingPart, keepingRoute, refusingRoutes, showingField, showingRoutes } from '../plant/route.ts';
import { without } from '../plant/values.ts';

const fault = faultsOf('module-defaults');

const ENABLED = 'routes.defaults.enabled';
const BREAKER = 'routes.defaults.circuit-breaker';
const SESSION = 'routes.defaults.session';
const NAME_ID = 'routes.defaults.nameid-format';

const absent = (name: string, value: unknown) =>
  keepingRoute((body) => (body[name] === undefined ? { ...body, [name]: value } : body), ['createRoute']);
const absentIn = (module: string, name: string, value: unknown) =>
  keepingPart(module, (sent) => (sent[name] === undefined ? { ...sent, [name]: value } : sent));
const nullIs = (name: string, value: Json) =>
  keepingRoute((body) => (body[name] === null ? { ...body, [name]: value } : body), ['createRoute']);
const refusesNull = (name: string) => refusingRoutes((body) => body[name] === null, `/${name}`, ['createRoute']);
const nameId = (format: string) => absentIn('saml', 'nameid_format', `urn:oasis:names:tc:SAML:${format}`);

export const moduleDefaults: Fault[] = [
  fault(
    'description',
    'routes.defaults',
    'A description that is left out is that of the match.',
    keepingRoute(
      (body) =>
        body['description'] === undefined && typeof body['match'] === 'string'
          ? { ...body, description: body['match'].slice(0, 50) }
          : body,
      ['createRoute'],
    ),
  ),
  fault('metadata', 'routes.defaults', 'Metadata that is left out reads `{}`.', absent('metadata', '{}')),
  fault(
    'metadata-null',
    'routes.defaults',
    'Metadata that is left out reads as null.',
    showingRoutes((route) => ({ ...route, metadata: route['metadata'] === '' ? null : route['metadata'] })),
  ),
  fault('compression', 'routes.defaults', 'Compression that is left out is there.', absent('compression', {})),
  fault(
    'circuit-breaker',
    'routes.defaults',
    'A circuit breaker that is left out reads as a disabled one.',
    absent('circuit_breaker', { enabled: false }),
  ),
  fault(
    'user-agent-filter',
    'routes.defaults',
    'A user agent filter that is left out reads as an empty one.',
    absent('user_agent_filter', {}),
  ),
  fault(
    'modules-left-out',
    'routes.defaults',
    'Modules that a route does not have are left out of answers.',
    showingRoutes((route) => Object.fromEntries(Object.entries(route).filter(([, value]) => value !== null))),
  ),
  fault(
    'modules-false',
    'routes.defaults',
    'A module that a route does not have is shown as false.',
    showingRoutes((route) => ({ ...route, compression: route['compression'] ?? false })),
  ),
  fault('null-refused', 'routes.defaults', 'SAML of null is refused in a new route.', refusesNull('saml')),
  fault(
    'null-policy-refused',
    'routes.defaults',
    'A traffic policy of null is refused in a new route.',
    refusesNull('traffic_policy'),
  ),
  fault(
    'null-is-default',
    'routes.defaults',
    'Compression of null reads as the default module.',
    nullIs('compression', {}),
  ),
  fault(
    'null-headers-are-empty',
    'routes.defaults',
    'Headers of null read as empty ones.',
    nullIs('response_headers', {}),
  ),

  ...[
    'compression',
    'oauth',
    'saml',
    'oidc',
    'webhook_verification',
    'traffic_policy',
    'backend',
    'circuit_breaker',
  ].map((name) =>
    fault(
      `enabled-${name.replaceAll('_', '-')}`,
      ENABLED,
      `\`${name}\` is disabled unless it says otherwise.`,
      absentIn(name, 'enabled', false),
    ),
  ),

  fault(
    'tripped-duration',
    BREAKER,
    'The tripped duration is 0 when it is left out.',
    absentIn('circuit_breaker', 'tripped_duration', 0),
  ),
  fault(
    'rolling-window',
    BREAKER,
    'The window is 60 seconds when it is left out.',
    absentIn('circuit_breaker', 'rolling_window', 60),
  ),
  fault(
    'num-buckets',
    BREAKER,
    'There is 1 bucket when their number is left out.',
    absentIn('circuit_breaker', 'num_buckets', 1),
  ),
  fault(
    'volume-threshold',
    BREAKER,
    'The volume threshold is 0 when it is left out.',
    absentIn('circuit_breaker', 'volume_threshold', 0),
  ),
  fault(
    'error-threshold',
    BREAKER,
    'The share of failed requests is 1 when it is left out.',
    absentIn('circuit_breaker', 'error_threshold_percentage', 1),
  ),
  fault(
    'breaker-null',
    BREAKER,
    'What is left out of a circuit breaker is shown as null.',
    showingField('circuit_breaker', 'rolling_window', (seconds) => (seconds === 10 ? null : seconds)),
  ),

  fault(
    'oauth-cookie-prefix',
    SESSION,
    'The prefix of cookies is `oauth.` when it is left out.',
    absentIn('oauth', 'cookie_prefix', 'oauth.'),
  ),
  fault(
    'saml-cookie-prefix',
    SESSION,
    'The prefix of cookies is empty when it is left out.',
    absentIn('saml', 'cookie_prefix', ''),
  ),
  fault(
    'oidc-cookie-prefix',
    SESSION,
    'The prefix of cookies has no period when it is left out.',
    absentIn('oidc', 'cookie_prefix', 'edge'),
  ),
  fault(
    'oauth-passthrough',
    SESSION,
    'OPTIONS passes when `options_passthrough` is left out.',
    absentIn('oauth', 'options_passthrough', true),
  ),
  fault(
    'saml-inactivity',
    SESSION,
    'Sessions end after an hour when nothing is said.',
    absentIn('saml', 'inactivity_timeout', 3600),
  ),
  fault(
    'oidc-duration',
    SESSION,
    'Sessions end after a day when nothing is said.',
    absentIn('oidc', 'maximum_duration', 86_400),
  ),
  fault(
    'oidc-zero-is-null',
    SESSION,
    'A timeout of zero is shown as null.',
    showingField('oidc', 'inactivity_timeout', (seconds) => seconds || null),
  ),
  fault(
    'saml-zero-left-out',
    SESSION,
    'A duration of zero is left out.',
    showingRoutes((route) =>
      isObject(route['saml']) && route['saml']['maximum_duration'] === 0
        ? { ...route, saml: without(route['saml'], 'maximum_duration') }
        : route,
    ),
  ),

  fault(
    'nameid-unspecified',
    NAME_ID,
    '`nameid_format` is unspecified when it is left out.',
    nameId('1.1:nameid-format:unspecified'),
  ),
  fault(
    'nameid-email',
    NAME_ID,
    '`nameid_format` is that of email addresses when it is left out.',
    nameId('1.1:nameid-format:emailAddress'),
  ),
  fault(
    'nameid-transient',
    NAME_ID,
    '`nameid_format` is that of transient identifiers when it is left out.',
    nameId('2.0:nameid-format:transient'),
  ),
];
