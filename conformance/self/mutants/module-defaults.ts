/** What is left out of a route reads back as something else than its default. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { isObject, type Json } from '../mutate/request.ts';
import { keepingPart, keepingRoute, refusingRoutes, showingField, showingRoutes } from '../mutate/route.ts';
import { without } from '../mutate/values.ts';

const mutant = mutantsOf('module-defaults');

const ENABLED = 'routes.defaults.enabled';
const BREAKER = 'routes.defaults.circuit-breaker';
const SESSION = 'routes.defaults.session';
const COOKIE_PREFIX = 'routes.defaults.cookie-prefix';
const NAME_ID = 'routes.defaults.nameid-format';

const absent = (name: string, value: unknown) =>
  keepingRoute((body) => (body[name] === undefined ? { ...body, [name]: value } : body), ['createRoute']);
const absentIn = (module: string, name: string, value: unknown) =>
  keepingPart(module, (sent) => (sent[name] === undefined ? { ...sent, [name]: value } : sent));
const nullIs = (name: string, value: Json) =>
  keepingRoute((body) => (body[name] === null ? { ...body, [name]: value } : body), ['createRoute']);
const refusesNull = (name: string) => refusingRoutes((body) => body[name] === null, `/${name}`, ['createRoute']);
const nameId = (format: string) => absentIn('saml', 'nameid_format', `urn:oasis:names:tc:SAML:${format}`);

export const moduleDefaults: Mutant[] = [
  mutant(
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
  mutant('metadata', 'routes.defaults', 'Metadata that is left out reads `{}`.', absent('metadata', '{}')),
  mutant(
    'metadata-null',
    'routes.defaults',
    'Metadata that is left out reads as null.',
    showingRoutes((route) => ({ ...route, metadata: route['metadata'] === '' ? null : route['metadata'] })),
  ),
  mutant('compression', 'routes.defaults', 'Compression that is left out is there.', absent('compression', {})),
  mutant(
    'circuit-breaker',
    'routes.defaults',
    'A circuit breaker that is left out reads as a disabled one.',
    absent('circuit_breaker', { enabled: false }),
  ),
  mutant(
    'user-agent-filter',
    'routes.defaults',
    'A user agent filter that is left out reads as an empty one.',
    absent('user_agent_filter', {}),
  ),
  mutant(
    'modules-left-out',
    'routes.defaults',
    'Modules that a route does not have are left out of answers.',
    showingRoutes((route) => Object.fromEntries(Object.entries(route).filter(([, value]) => value !== null))),
  ),
  mutant(
    'modules-false',
    'routes.defaults',
    'A module that a route does not have is shown as false.',
    showingRoutes((route) => ({ ...route, compression: route['compression'] ?? false })),
  ),
  mutant('null-refused', 'routes.defaults', 'SAML of null is refused in a new route.', refusesNull('saml')),
  mutant(
    'null-policy-refused',
    'routes.defaults',
    'A traffic policy of null is refused in a new route.',
    refusesNull('traffic_policy'),
  ),
  mutant(
    'null-is-default',
    'routes.defaults',
    'Compression of null reads as the default module.',
    nullIs('compression', {}),
  ),
  mutant(
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
    mutant(
      `enabled-${name.replaceAll('_', '-')}`,
      ENABLED,
      `\`${name}\` is disabled unless it says otherwise.`,
      absentIn(name, 'enabled', false),
    ),
  ),

  mutant(
    'tripped-duration',
    BREAKER,
    'The tripped duration is 0 when it is left out.',
    absentIn('circuit_breaker', 'tripped_duration', 0),
  ),
  mutant(
    'rolling-window',
    BREAKER,
    'The window is 60 seconds when it is left out.',
    absentIn('circuit_breaker', 'rolling_window', 60),
  ),
  mutant(
    'num-buckets',
    BREAKER,
    'There is 1 bucket when their number is left out.',
    absentIn('circuit_breaker', 'num_buckets', 1),
  ),
  mutant(
    'volume-threshold',
    BREAKER,
    'The volume threshold is 0 when it is left out.',
    absentIn('circuit_breaker', 'volume_threshold', 0),
  ),
  mutant(
    'error-threshold',
    BREAKER,
    'The share of failed requests is 1 when it is left out.',
    absentIn('circuit_breaker', 'error_threshold_percentage', 1),
  ),
  mutant(
    'breaker-null',
    BREAKER,
    'What is left out of a circuit breaker is shown as null.',
    showingField('circuit_breaker', 'rolling_window', (seconds) => (seconds === 10 ? null : seconds)),
  ),

  mutant(
    'oauth-cookie-prefix',
    COOKIE_PREFIX,
    'The prefix of cookies has its period before its end when it is left out.',
    absentIn('oauth', 'cookie_prefix', 'oauth.x'),
  ),
  mutant(
    'saml-cookie-prefix',
    COOKIE_PREFIX,
    'The prefix of cookies is empty when it is left out.',
    absentIn('saml', 'cookie_prefix', ''),
  ),
  mutant(
    'oidc-cookie-prefix',
    COOKIE_PREFIX,
    'The prefix of cookies has no period when it is left out.',
    absentIn('oidc', 'cookie_prefix', 'edge'),
  ),
  mutant(
    'oauth-passthrough',
    SESSION,
    'OPTIONS passes when `options_passthrough` is left out.',
    absentIn('oauth', 'options_passthrough', true),
  ),
  mutant(
    'saml-inactivity',
    SESSION,
    'Sessions end after an hour when nothing is said.',
    absentIn('saml', 'inactivity_timeout', 3600),
  ),
  mutant(
    'oidc-duration',
    SESSION,
    'Sessions end after a day when nothing is said.',
    absentIn('oidc', 'maximum_duration', 86_400),
  ),
  mutant(
    'oidc-zero-is-null',
    SESSION,
    'A timeout of zero is shown as null.',
    showingField('oidc', 'inactivity_timeout', (seconds) => seconds || null),
  ),
  mutant(
    'saml-zero-left-out',
    SESSION,
    'A duration of zero is left out.',
    showingRoutes((route) =>
      isObject(route['saml']) && route['saml']['maximum_duration'] === 0
        ? { ...route, saml: without(route['saml'], 'maximum_duration') }
        : route,
    ),
  ),

  mutant(
    'nameid-unspecified',
    NAME_ID,
    '`nameid_format` is unspecified when it is left out.',
    nameId('1.1:nameid-format:unspecified'),
  ),
  mutant(
    'nameid-email',
    NAME_ID,
    '`nameid_format` is that of email addresses when it is left out.',
    nameId('1.1:nameid-format:emailAddress'),
  ),
  mutant(
    'nameid-transient',
    NAME_ID,
    '`nameid_format` is that of transient identifiers when it is left out.',
    nameId('2.0:nameid-format:transient'),
  ),
];
