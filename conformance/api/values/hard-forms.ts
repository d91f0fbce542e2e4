/** Values of modules that are right, and that services get wrong: zero, one thing twice, another case or order, white space. */
import { SMALLEST } from './xml.ts';
import type { Json, ModuleName } from '../model/route.ts';

const PROVIDERS = ['github', 'facebook', 'microsoft', 'google', 'linkedin', 'gitlab', 'twitch', 'amazon'];

const HEADERS: Json[] = [
  { add: { 'X-Both': 'a' }, remove: ['X-Both', 'X-A'] },
  {
    add: {
      Host: 'a.example',
      Connection: 'close',
      Authorization: 'Basic YTpi',
      'Set-Cookie': 'a=b, c; d',
      ['__proto__']: 'a',
    },
  },
  { remove: ['Host', 'Content-Length', 'Transfer-Encoding', 'Set-Cookie'] },
  { add: { 'X-Empty': '', 'X-Space': ' a\t', 'X-Beyond': 'é漢😀' } },
  { remove: ['b', 'a', 'C'] },
];

function app(provider: string): Json {
  return {
    client_id: 'Id',
    client_secret: `conformance-${provider}`,
    scopes: ['b', 'a', 'b'],
    email_addresses: ['Ada@Example.com', 'a@b'],
    email_domains: ['Example.COM', 'a'],
  };
}

export const HARD_FORMS: Record<ModuleName, readonly Json[]> = {
  backend: [{ backend_id: 'bkd_Upper-1' }],
  ip_restriction: [{ ip_policy_ids: ['ipp_a', 'ipp_a'] }, { ip_policy_ids: ['ipp_Upper'] }],
  circuit_breaker: [
    { tripped_duration: 0, rolling_window: 0, num_buckets: 1, volume_threshold: 0, error_threshold_percentage: 0 },
    { rolling_window: 1, num_buckets: 128, error_threshold_percentage: 1 },
    // 0.1 is another number in single precision.
    { tripped_duration: 4294967295, volume_threshold: 4294967295, error_threshold_percentage: 0.1 },
  ],
  compression: [{ enabled: true }],
  request_headers: HEADERS,
  response_headers: HEADERS,
  webhook_verification: [
    { provider: 'sns', secret: 'conformance' },
    { provider: 'sns', secret: null },
    { provider: 'example_9', secret: ' A b ' },
  ],
  oauth: [
    ...PROVIDERS.map((provider) => ({ provider: { [provider]: app(provider) } })),
    { provider: { github: { teams: ['b/a', 'a/B'], organizations: ['b', 'A'] } } },
    { provider: { google: { client_id: 'a', client_secret: 'conformance', scopes: [] } } },
  ],
  saml: [
    { idp_metadata: SMALLEST, force_authn: true },
    { idp_metadata: SMALLEST, allow_idp_initiated: true },
    { idp_metadata: SMALLEST, authorized_groups: ['A', 'a', 'A'], cookie_prefix: '' },
  ],
  oidc: [
    { issuer: 'https://Login.Example.com:443/', client_id: 'A', client_secret: 'conformance', scopes: ['b', 'a', 'b'] },
    { issuer: 'https://login.example.com/a/?b=c', client_id: 'a', cookie_prefix: '' },
  ],
  websocket_tcp_converter: [{ enabled: true }],
  user_agent_filter: [{ allow: ['b', 'a', 'b'] }, { deny: [String.raw`\bFoo\b`, '(?P<name>x)|y', ' '] }],
  traffic_policy: [
    { value: '{ "b": 1.0, "a": [] }\n' },
    { value: 'on_http_request: []\n' },
    { value: ' ' },
    { value: 'é漢😀\r\n' },
  ],
};
