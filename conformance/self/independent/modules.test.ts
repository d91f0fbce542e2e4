import { beforeEach, describe, expect, it } from 'vitest';
import { client, faults, type Send } from './client.ts';
import { createIndependentService } from './index.ts';

let send: Send;
let list: string;
beforeEach(async () => {
  send = client(createIndependentService());
  list = `${(await send('POST', '/edges/https', { body: {} })).json.uri}/routes`;
});
const add = (body: object) => send('POST', list, { body: { match_type: 'exact_path', match: '/', ...body } });

const many = (count: number, item: unknown = 'a') => Array.from({ length: count }, () => item);
const SESSION = { options_passthrough: false, cookie_prefix: 'edge.', inactivity_timeout: 0, maximum_duration: 0 };
const NO_APP = { client_id: null, client_secret: null, scopes: [], email_addresses: [], email_domains: [] };
const APP = { client_id: 'i', client_secret: 's' };
const NONE = {
  github: null,
  facebook: null,
  microsoft: null,
  google: null,
  linkedin: null,
  gitlab: null,
  twitch: null,
  amazon: null,
};
const OTHERS = ['facebook', 'microsoft', 'google', 'linkedin', 'gitlab', 'twitch', 'amazon'];
const ISSUER = 'https://login.example.com';
const oauth = (provider: unknown) => ({ oauth: { provider } });

describe('what is left out', () => {
  it.each<[object, object]>([
    [{ backend: { backend_id: 'b' } }, { backend: { enabled: true, backend: { id: 'b' } } }],
    [{ ip_restriction: {} }, { ip_restriction: { enabled: true, ip_policies: [] } }],
    [
      { circuit_breaker: {} },
      {
        circuit_breaker: {
          enabled: true,
          tripped_duration: 10,
          rolling_window: 10,
          num_buckets: 10,
          volume_threshold: 20,
          error_threshold_percentage: 0.5,
        },
      },
    ],
    [{ compression: {} }, { compression: { enabled: true } }],
    [{ request_headers: {} }, { request_headers: { enabled: true, add: {}, remove: [] } }],
    [{ response_headers: {} }, { response_headers: { enabled: true, add: {}, remove: [] } }],
    [
      { webhook_verification: { provider: 'sns' } },
      { webhook_verification: { enabled: true, provider: 'sns', secret: null } },
    ],
    [
      { oauth: { provider: { github: {} } } },
      {
        oauth: {
          enabled: true,
          ...SESSION,
          auth_check_interval: 0,
          provider: { ...NONE, github: { ...NO_APP, teams: [], organizations: [] } },
        },
      },
    ],
    ...OTHERS.map((name): [object, object] => [oauth({ [name]: {} }), oauth({ ...NONE, [name]: NO_APP })]),
    [
      { oidc: { issuer: ISSUER, client_id: 'i' } },
      { oidc: { enabled: true, ...SESSION, issuer: ISSUER, client_id: 'i', client_secret: null, scopes: [] } },
    ],
    [{ websocket_tcp_converter: {} }, { websocket_tcp_converter: { enabled: true } }],
    [{ user_agent_filter: {} }, { user_agent_filter: { enabled: true, allow: [], deny: [] } }],
    [{ traffic_policy: { value: '' } }, { traffic_policy: { enabled: true, value: '' } }],
  ])('is filled in: %j', async (body, expected) => {
    const { status, json } = await add(body);
    expect(status).toBe(201);
    expect(json).toMatchObject(expected);
    expect((await send('GET', json.uri)).json).toEqual(json);
  });
});

describe('what is sent', () => {
  it.each([
    {
      circuit_breaker: {
        enabled: false,
        tripped_duration: 0,
        rolling_window: 4_294_967_295,
        num_buckets: 1,
        volume_threshold: 4_294_967_295,
        error_threshold_percentage: 0,
      },
    },
    { circuit_breaker: { num_buckets: 128, error_threshold_percentage: 1 } },
    { circuit_breaker: { error_threshold_percentage: 0.123456789012345 } },
    { request_headers: { add: { "!#$%&'*+.^_`|~0aZ-": '', A: 'é\t😀\u0001', b: ' x ' }, remove: ['a', 'B'] } },
    { response_headers: { enabled: false, add: { __proto__x: '1', constructor: '2' }, remove: ['__proto__'] } },
    { webhook_verification: { provider: 'sns', secret: 's' } },
    { webhook_verification: { provider: '_9'.repeat(32), secret: '€'.repeat(4096) } },
    oauth({ github: { ...APP, scopes: [], teams: ['a/b', '\n/ '], organizations: ['a', 'a'] } }),
    ...OTHERS.map((name) => oauth({ [name]: { ...APP, scopes: ['s'], email_addresses: ['a'], email_domains: ['b'] } })),
    { oauth: { provider: { gitlab: {} }, cookie_prefix: '', auth_check_interval: 4_294_967_295 } },
    { oidc: { issuer: 'urn:x', client_id: 'i', client_secret: 's', scopes: ['openid'], options_passthrough: true } },
    { user_agent_filter: { allow: many(100), deny: [String.raw`\(`, '😀'.repeat(1024)] } },
    { traffic_policy: { value: '漢'.repeat(65_536), enabled: false } },
  ])('reads back: %j', async (body) => {
    const { status, json } = await add(body);
    expect(status).toBe(201);
    expect(json).toMatchObject(body);
    expect((await send('GET', json.uri)).json).toEqual(json);
  });

  it('may be a whole number with a fraction of zero', async () => {
    const body = '{"match_type":"exact_path","match":"/","circuit_breaker":{"num_buckets":5.0,"rolling_window":1e2}}';
    const { json } = await send('POST', list, { body });
    expect(json.circuit_breaker).toMatchObject({ num_buckets: 5, rolling_window: 100 });
  });

  it('keeps a header of the name __proto__', async () => {
    const body = '{"match_type":"exact_path","match":"/","request_headers":{"add":{"__proto__":"x"}}}';
    expect((await send('POST', list, { body })).text).toContain('"__proto__": "x"');
  });

  it('keeps references in their order, with their repeats', async () => {
    const { json } = await add({ ip_restriction: { enabled: false, ip_policy_ids: ['b', 'a', 'b'] } });
    expect(json.ip_restriction.ip_policies.map(({ id }: any) => id)).toEqual(['b', 'a', 'b']);
    for (const { uri } of json.ip_restriction.ip_policies) expect(uri).toMatch(/^https:\/\//);
  });
});

describe('faults', () => {
  it.each<[object, string[]]>([
    [{ backend: {} }, ['/backend/backend_id required']],
    [{ backend: { backend_id: 'a.b', backend: {} } }, ['/backend/backend unknown', '/backend/backend_id format']],
    [{ backend: [] }, ['/backend type']],
    [{ ip_restriction: { ip_policy_ids: many(101) } }, ['/ip_restriction/ip_policy_ids too_many']],
    [{ ip_restriction: { ip_policy_ids: null } }, ['/ip_restriction/ip_policy_ids type']],
    [
      { circuit_breaker: { num_buckets: 0, rolling_window: -1, error_threshold_percentage: -0.1 } },
      [
        '/circuit_breaker/error_threshold_percentage too_small',
        '/circuit_breaker/num_buckets too_small',
        '/circuit_breaker/rolling_window too_small',
      ],
    ],
    [
      { circuit_breaker: { num_buckets: 129, tripped_duration: 4_294_967_296, error_threshold_percentage: 1.01 } },
      [
        '/circuit_breaker/error_threshold_percentage too_large',
        '/circuit_breaker/num_buckets too_large',
        '/circuit_breaker/tripped_duration too_large',
      ],
    ],
    [
      { circuit_breaker: { num_buckets: 1.5, volume_threshold: '20', error_threshold_percentage: '0.5' } },
      [
        '/circuit_breaker/error_threshold_percentage type',
        '/circuit_breaker/num_buckets type',
        '/circuit_breaker/volume_threshold type',
      ],
    ],
    [
      { circuit_breaker: { enabled: 'true', num_buckets: null, max: 1 } },
      ['/circuit_breaker/enabled type', '/circuit_breaker/max unknown', '/circuit_breaker/num_buckets type'],
    ],
    [{ compression: { enabled: null, level: 9 } }, ['/compression/enabled type', '/compression/level unknown']],
    [{ websocket_tcp_converter: { enabled: 0 } }, ['/websocket_tcp_converter/enabled type']],
    [
      { request_headers: { add: { '': 'x', 'a b': 'x', é: 'x', ['a'.repeat(257)]: 'x' } } },
      [
        `/request_headers/add/${'a'.repeat(257)} too_long`,
        '/request_headers/add/ too_short',
        '/request_headers/add/a b format',
        '/request_headers/add/é format',
      ].sort(),
    ],
    [
      { request_headers: { add: { a: 'x\r', b: '\nx', c: 'x\u0000y', d: null, e: 'x'.repeat(8193) } } },
      [
        '/request_headers/add/a format',
        '/request_headers/add/b format',
        '/request_headers/add/c format',
        '/request_headers/add/d type',
        '/request_headers/add/e too_long',
      ],
    ],
    [{ response_headers: { add: { 'X-A': '1', 'x-a': '1' } } }, ['/response_headers/add/x-a duplicate']],
    [
      { response_headers: { remove: ['X-A', 'b', 'x-a', 'b'] } },
      ['/response_headers/remove/2 duplicate', '/response_headers/remove/3 duplicate'],
    ],
    [{ response_headers: { add: [], remove: {} } }, ['/response_headers/add type', '/response_headers/remove type']],
    [
      { response_headers: { remove: Array.from({ length: 101 }, (_, index) => `h${index}`) } },
      ['/response_headers/remove too_many'],
    ],
    [
      { response_headers: { add: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`h${index}`, ''])) } },
      ['/response_headers/add too_many'],
    ],
    [
      { response_headers: { remove: ['a:', 5, ''] } },
      ['/response_headers/remove/0 format', '/response_headers/remove/1 type', '/response_headers/remove/2 too_short'],
    ],
    [
      { webhook_verification: {} },
      ['/webhook_verification/provider required', '/webhook_verification/secret required'],
    ],
    [{ webhook_verification: { provider: 'github' } }, ['/webhook_verification/secret required']],
    [{ webhook_verification: { provider: 'github', secret: null } }, ['/webhook_verification/secret required']],
    [{ webhook_verification: { provider: 'sns', secret: '' } }, ['/webhook_verification/secret too_short']],
    [
      { webhook_verification: { provider: 'SNS', secret: 's'.repeat(4097) } },
      ['/webhook_verification/provider format', '/webhook_verification/secret too_long'],
    ],
    [{ webhook_verification: { provider: 'a'.repeat(65), secret: 's' } }, ['/webhook_verification/provider too_long']],
    [{ oauth: {} }, ['/oauth/provider required']],
    [oauth(null), ['/oauth/provider type']],
    [oauth({}), ['/oauth/provider too_few']],
    [oauth({ github: {}, google: {} }), ['/oauth/provider too_many']],
    [oauth({ github: {}, google: null }), ['/oauth/provider too_many', '/oauth/provider/google type']],
    [oauth({ okta: {} }), ['/oauth/provider/okta unknown']],
    [
      { oauth: { provider: { google: {} }, idp: 1, cookie_prefix: 'a'.repeat(129) } },
      ['/oauth/cookie_prefix too_long', '/oauth/idp unknown'],
    ],
    [
      { oauth: { provider: { google: {} }, options_passthrough: 'no', inactivity_timeout: 0.5 } },
      ['/oauth/inactivity_timeout type', '/oauth/options_passthrough type'],
    ],
    ...['github', ...OTHERS].flatMap((name): [object, string[]][] => {
      const at = `/oauth/provider/${name}`;
      return [
        [oauth({ [name]: { client_id: 'i' } }), [`${at}/client_secret required`]],
        [oauth({ [name]: { client_secret: 's' } }), [`${at}/client_id required`]],
        [oauth({ [name]: { scopes: [] } }), [`${at}/client_id required`, `${at}/client_secret required`]],
        [oauth({ [name]: { scopes: ['s'], client_id: 'i' } }), [`${at}/client_secret required`]],
        [
          oauth({ [name]: { client_id: null, client_secret: null } }),
          [`${at}/client_id type`, `${at}/client_secret type`],
        ],
        [
          oauth({ [name]: { client_id: '', client_secret: '', scopes: [''] } }),
          [`${at}/client_id too_short`, `${at}/client_secret too_short`, `${at}/scopes/0 too_short`],
        ],
        [
          oauth({ [name]: { email_domains: many(101), email_addresses: ['a'.repeat(321)] } }),
          [`${at}/email_addresses/0 too_long`, `${at}/email_domains too_many`],
        ],
      ];
    }),
    ...OTHERS.map((name): [object, string[]] => [
      oauth({ [name]: { teams: [] } }),
      [`/oauth/provider/${name}/teams unknown`],
    ]),
    [
      oauth({ github: { teams: ['', 'a', 'a/', '/b', 'a/b/c', `a/${'b'.repeat(255)}`], organizations: [''] } }),
      [
        '/oauth/provider/github/organizations/0 too_short',
        ...[0, 1, 2, 3, 4].map((index) => `/oauth/provider/github/teams/${index} format`),
        '/oauth/provider/github/teams/5 too_long',
      ],
    ],
    [{ oidc: {} }, ['/oidc/client_id required', '/oidc/issuer required']],
    [{ oidc: { issuer: 'login.example.com', client_id: '' } }, ['/oidc/client_id too_short', '/oidc/issuer format']],
    [{ oidc: { issuer: `${ISSUER}/${'a'.repeat(2048)}`, client_id: 'i' } }, ['/oidc/issuer too_long']],
    [
      { oidc: { issuer: ISSUER, client_id: 'i', client_secret: null, scopes: null } },
      ['/oidc/client_secret type', '/oidc/scopes type'],
    ],
    [
      { user_agent_filter: { allow: many(101), deny: ['', 'a'.repeat(1025)] } },
      [
        '/user_agent_filter/allow too_many',
        '/user_agent_filter/deny/0 too_short',
        '/user_agent_filter/deny/1 too_long',
      ],
    ],
    [{ traffic_policy: {} }, ['/traffic_policy/value required']],
    [{ traffic_policy: { value: {} } }, ['/traffic_policy/value type']],
    [{ traffic_policy: { value: 'a'.repeat(65_537) } }, ['/traffic_policy/value too_long']],
    [{ traffic_policy: 'none', cors: {} }, ['/cors unknown', '/traffic_policy type']],
  ])('are all named: %j', async (body, expected) => {
    const answer = await add(body);
    expect([answer.status, answer.json.code, faults(answer)]).toEqual([400, 'invalid_request', expected]);
    const { json } = await add({});
    expect(faults(await send('PATCH', json.uri, { body }))).toEqual(expected);
  });
});
