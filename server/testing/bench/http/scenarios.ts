/** What is asked of every server, and what makes the answer a good one. */
import type { Connection } from './connection.ts';

export const TOKEN = 'bench-token-0123456789';

export interface Scenario {
  name: string;
  /** A good answer has one of these. */
  statuses: number[];
  /** Only servers that judge requests can answer it. */
  refusal: boolean;
  /**
   * Makes what `count` requests need.
   * @returns the request of each number, from 0 to `count` - 1
   */
  prepare(connections: readonly Connection[], count: number): Promise<(n: number) => Buffer>;
}

/** A request as it goes over the wire. */
export function wire(method: string, path: string, body?: unknown): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const content =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\n${content}\r\n${text}`,
  );
}

/** 600 bytes of JSON. */
export const EDGE = {
  description: 'Storefront of the shop, behind the edge in two regions',
  metadata: `{"team":"storefront","tier":"gold","note":"${'n'.repeat(115)}"}`,
  hostports: ['shop.example.com:443', 'www.shop.example.com:443', '*.eu.shop.example.com:8443'],
  mutual_tls: {
    enabled: true,
    certificate_authority_ids: ['ca_01hq3v5t8w9x2y4z6a7b8c9d0e', 'ca_01hq3v5t8w9x2y4z6a7b8c9d0f'],
  },
  tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.2' },
};

const XML = '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com"/>';

/** A route with each of the 13 modules. At most one way to authenticate may be on (D21). */
export const ROUTE = {
  match_type: 'path_prefix',
  match: '/shop',
  description: 'Everything at once',
  metadata: '{"owner":"storefront"}',
  backend: { enabled: true, backend_id: 'bkd_01hq3v5t8w9x2y4z6a7b8c9d0e' },
  ip_restriction: { enabled: true, ip_policy_ids: ['ipp_01hq3v5t8w9x2y4z6a7b8c9d0e'] },
  circuit_breaker: {
    enabled: true,
    tripped_duration: 10,
    rolling_window: 10,
    num_buckets: 10,
    volume_threshold: 20,
    error_threshold_percentage: 0.5,
  },
  compression: { enabled: true },
  request_headers: { enabled: true, add: { 'X-Edge': 'eu-1', 'X-Tier': 'gold' }, remove: ['X-Internal'] },
  response_headers: { enabled: true, add: { 'X-Frame-Options': 'DENY' }, remove: ['Server'] },
  webhook_verification: { enabled: true, provider: 'github', secret: 'webhook-secret' },
  oauth: {
    enabled: true,
    provider: {
      github: {
        client_id: 'id',
        client_secret: 'secret',
        scopes: ['read:user'],
        teams: ['shop/admins'],
        organizations: ['shop'],
      },
    },
    options_passthrough: true,
    cookie_prefix: 'edge',
    inactivity_timeout: 600,
    maximum_duration: 3600,
    auth_check_interval: 60,
  },
  saml: {
    enabled: false,
    options_passthrough: true,
    cookie_prefix: 'edge',
    inactivity_timeout: 600,
    maximum_duration: 3600,
    idp_metadata: XML,
    force_authn: true,
    allow_idp_initiated: true,
    authorized_groups: ['admins'],
  },
  oidc: {
    enabled: false,
    options_passthrough: true,
    cookie_prefix: 'edge',
    inactivity_timeout: 600,
    maximum_duration: 3600,
    issuer: 'https://id.example.com',
    client_id: 'id',
    client_secret: 'secret',
    scopes: ['openid', 'email'],
  },
  websocket_tcp_converter: { enabled: true },
  user_agent_filter: { enabled: true, allow: ['(?i)firefox'], deny: ['curl/.*'] },
};

const CREATE = wire('POST', '/edges/https', EDGE);

const always = (request: Buffer) => async () => () => request;

export const SCENARIOS: readonly Scenario[] = [
  { name: 'POST edge', statuses: [201], refusal: false, prepare: always(CREATE) },
  {
    name: 'GET edge',
    statuses: [200],
    refusal: false,
    prepare: async (connections) => {
      const [id] = await makeEdges(connections, 1);
      const request = wire('GET', `/edges/https/${id}`);
      return () => request;
    },
  },
  {
    name: 'POST route',
    statuses: [201],
    refusal: false,
    // An edge for each: one with a thousand routes would be measured for its size.
    prepare: async (connections, count) => {
      const requests = (await makeEdges(connections, count)).map((id) =>
        wire('POST', `/edges/https/${id}/routes`, ROUTE),
      );
      return (n) => requests[n]!;
    },
  },
  {
    name: 'list 20 edges',
    statuses: [200],
    refusal: false,
    prepare: async (connections) => {
      await makeEdges(connections, 20);
      const request = wire('GET', '/edges/https?limit=20');
      return () => request;
    },
  },
  {
    name: 'refused POST',
    statuses: [400, 422],
    refusal: true,
    prepare: always(
      wire('POST', '/edges/https', { ...EDGE, hostports: ['no port'], colour: 'red', mutual_tls: { enabled: 'yes' } }),
    ),
  },
];

async function makeEdges(connections: readonly Connection[], count: number): Promise<string[]> {
  const ids: string[] = [];
  let asked = 0;
  const work = async (connection: Connection) => {
    while (asked < count) {
      asked += 1;
      const { text } = await connection.send(CREATE);
      ids.push(/"id":"([^"]+)"/.exec(text)?.[1] ?? 'none');
    }
  };
  await Promise.all(connections.map(work));
  return ids;
}
