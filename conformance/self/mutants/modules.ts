/** A module of a route is not what was sent. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { problem } from '../mutate/response.ts';
import { MODULES } from '../mutate/modules.ts';
import { instead } from '../mutate/mutate.ts';
import { isObject, jsonIn, type Json } from '../mutate/request.ts';
import {
  keepingField,
  keepingPart,
  keepingRoute,
  refusingPart,
  showingField,
  showingPart,
  showingRoutes,
} from '../mutate/route.ts';
import { unique, without } from '../mutate/values.ts';

const mutant = mutantsOf('modules');

const of = (name: string) => `routes.module.${name}`;
const named = (name: string, what: string) => `${name.replaceAll('_', '-')}-${what}`;

const BREAKER = of('circuit_breaker');
const WEBHOOK = of('webhook_verification');
const AGENTS = of('user_agent_filter');
const POLICY = of('traffic_policy');

const breaker = (name: string, change: (value: number) => unknown) =>
  keepingField('circuit_breaker', name, (value) => (typeof value === 'number' ? change(value) : value));
const agents = (change: (items: string[]) => unknown) =>
  keepingPart('user_agent_filter', (sent) =>
    Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, Array.isArray(value) ? change(value) : value]),
    ),
  );
/** What no engine with the syntax of RE2 takes. */
const NO_RE2 = /^(\(|\)|\[a|\*a|\+|a\\|\(\?=a\)|\(\?!a\)|\(\?<=a\)|\(a\)\\1|\[z-a\]|a\{2,1\}|\(\?P<>a\)|\(\?>a\))$/;

/** Takes such texts, too. What it keeps is another one: only that it takes them counts. */
const acceptingAgents = (list: 'allow' | 'deny', wrong: RegExp, operation: 'createRoute' | 'updateRoute') =>
  keepingPart(
    'user_agent_filter',
    (sent) =>
      Array.isArray(sent[list])
        ? { ...sent, [list]: sent[list].map((one) => (typeof one === 'string' && wrong.test(one) ? 'a' : one)) }
        : sent,
    [operation],
  );
const policy = (change: (text: string) => unknown) =>
  keepingField('traffic_policy', 'value', (value) => (typeof value === 'string' ? change(value) : value));

/** The ids of the Refs of an IP policy. */
const policies = (change: (ids: unknown[]) => unknown) =>
  keepingField('ip_restriction', 'ip_policy_ids', (ids) => (Array.isArray(ids) ? change(ids) : ids));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const countOf = (body: Json) => MODULES.filter((name) => isObject(body[name])).length;
const LAST = MODULES.at(-1)!;

export const modules: Mutant[] = [
  ...MODULES.map((name) =>
    mutant(
      named(name, 'always-enabled'),
      of(name),
      `\`enabled: false\` of \`${name}\` is taken for left out.`,
      keepingPart(name, (sent) => (sent['enabled'] === false ? without(sent, 'enabled') : sent)),
    ),
  ),
  ...MODULES.map((name) =>
    mutant(
      named(name, 'disabled-is-none'),
      of(name),
      `\`${name}\` is not kept when it is disabled.`,
      keepingRoute((body) =>
        isObject(body[name]) && body[name]['enabled'] === false ? { ...body, [name]: null } : body,
      ),
    ),
  ),
  ...['compression', 'websocket_tcp_converter'].map((name) =>
    mutant(
      named(name, 'lost'),
      of(name),
      `\`${name}\` is not kept.`,
      keepingRoute((body) => (isObject(body[name]) ? without(body, name) : body)),
    ),
  ),
  ...['compression', 'websocket_tcp_converter'].map((name) =>
    mutant(
      named(name, 'flag'),
      of(name),
      `\`${name}\` is shown as a flag in place of an object.`,
      showingRoutes((route) => (isObject(route[name]) ? { ...route, [name]: route[name]['enabled'] } : route)),
    ),
  ),
  mutant(
    'websocket-renamed',
    of('websocket_tcp_converter'),
    'The WebSocket converter is shown under another name.',
    showingRoutes((route) => ({
      ...without(route, 'websocket_tcp_converter'),
      websocket_tcp_conversion: route['websocket_tcp_converter'],
    })),
  ),

  mutant(
    'backend-request-form',
    of('backend'),
    'A backend is shown in the form of requests.',
    showingPart('backend', ({ enabled, backend }) => ({ enabled, backend_id: (backend as Json)['id'] })),
  ),
  mutant(
    'backend-list',
    of('backend'),
    'A backend is shown as a list of one.',
    showingField('backend', 'backend', (ref) => [ref]),
  ),
  mutant(
    'backend-id-alone',
    of('backend'),
    'A backend is shown as its id, without a URI.',
    showingField('backend', 'backend', ({ id }) => ({ id })),
  ),
  mutant(
    'backend-lower-case',
    of('backend'),
    'The id of a backend is turned into lower case.',
    keepingField('backend', 'backend_id', (id) => (typeof id === 'string' ? id.toLowerCase() : id)),
  ),
  mutant(
    'backend-must-exist',
    of('backend'),
    'A backend that the service does not know is refused.',
    refusingPart('backend', () => true),
  ),

  mutant(
    'ip-policies-request-form',
    of('ip_restriction'),
    'IP policies are shown in the form of requests.',
    showingPart('ip_restriction', ({ enabled, ip_policies }) => ({
      enabled,
      ip_policy_ids: (ip_policies as Json[]).map(({ id }) => id),
    })),
  ),
  mutant(
    'ip-policies-one',
    of('ip_restriction'),
    'IP policies are shown as one Ref, as the source prints it.',
    showingField('ip_restriction', 'ip_policies', ([first]) => first ?? null),
  ),
  mutant(
    'ip-policies-first-only',
    of('ip_restriction'),
    'Only the first IP policy is kept.',
    policies((ids) => ids.slice(0, 1)),
  ),
  mutant(
    'ip-policies-sorted',
    of('ip_restriction'),
    'IP policies are sorted.',
    policies((ids) => ids.toSorted()),
  ),
  mutant(
    'ip-policies-deduped',
    of('ip_restriction'),
    'An IP policy that is sent twice is kept once.',
    policies(unique),
  ),
  mutant(
    'ip-policies-empty-null',
    of('ip_restriction'),
    'An empty list of IP policies is shown as null.',
    showingField('ip_restriction', 'ip_policies', (refs) => (refs.length === 0 ? null : refs)),
  ),

  mutant(
    'breaker-percent',
    BREAKER,
    'The share of failed requests is shown as a percentage.',
    showingField('circuit_breaker', 'error_threshold_percentage', (share) => share * 100),
  ),
  mutant(
    'breaker-whole-share',
    BREAKER,
    'The share of failed requests is rounded to 0 or 1.',
    breaker('error_threshold_percentage', Math.round),
  ),
  mutant(
    'breaker-tenths',
    BREAKER,
    'The share of failed requests is rounded to tenths.',
    breaker('error_threshold_percentage', (share) => Math.round(share * 10) / 10),
  ),
  mutant(
    'breaker-single-precision',
    BREAKER,
    'The share of failed requests is kept in single precision.',
    breaker('error_threshold_percentage', Math.fround),
  ),
  mutant(
    'breaker-int32',
    BREAKER,
    'Seconds above 2,147,483,647 are kept as that.',
    breaker('rolling_window', (seconds) => Math.min(seconds, 2 ** 31 - 1)),
  ),
  mutant(
    'breaker-zero-is-absent',
    BREAKER,
    'A volume threshold of zero is taken for left out.',
    breaker('volume_threshold', (count) => count || 20),
  ),
  mutant(
    'breaker-zero-share-is-absent',
    BREAKER,
    'A share of zero is taken for left out.',
    breaker('error_threshold_percentage', (share) => share || 0.5),
  ),
  mutant(
    'breaker-whole-buckets',
    BREAKER,
    'The window is rounded so that its buckets are whole seconds.',
    keepingPart('circuit_breaker', (sent) => {
      const { rolling_window: window, num_buckets: buckets } = sent;
      return typeof window === 'number' && typeof buckets === 'number' && buckets >= 1 && window >= buckets
        ? { ...sent, rolling_window: window - (window % buckets) }
        : sent;
    }),
  ),
  mutant(
    'breaker-milliseconds',
    BREAKER,
    'The tripped duration is shown in milliseconds.',
    showingField('circuit_breaker', 'tripped_duration', (seconds) => seconds * 1000),
  ),
  mutant(
    'breaker-swapped',
    BREAKER,
    'The tripped duration and the window are swapped.',
    showingPart('circuit_breaker', (shown) => ({
      ...shown,
      tripped_duration: shown['rolling_window'],
      rolling_window: shown['tripped_duration'],
    })),
  ),
  mutant(
    'breaker-window-below-buckets',
    BREAKER,
    'More buckets than seconds are refused.',
    refusingPart(
      'circuit_breaker',
      ({ rolling_window: window, num_buckets: buckets }) => Number(buckets) > Number(window),
    ),
  ),

  mutant(
    'webhook-known-providers',
    WEBHOOK,
    'Only some webhook providers are taken.',
    refusingPart(
      'webhook_verification',
      ({ provider }) => !['github', 'gitlab', 'sns', 'slack', 'stripe'].includes(String(provider)),
    ),
  ),
  mutant(
    'webhook-sns-secret-lost',
    WEBHOOK,
    'A secret that `sns` does not need is not kept.',
    keepingPart('webhook_verification', (sent) => (sent['provider'] === 'sns' ? without(sent, 'secret') : sent)),
  ),
  mutant(
    'webhook-sns-secret-required',
    WEBHOOK,
    'A secret is required with `sns`, too.',
    refusingPart('webhook_verification', ({ provider, secret }) => provider === 'sns' && secret === undefined),
  ),
  mutant(
    'webhook-sns-null-refused',
    WEBHOOK,
    'A secret of null is refused with `sns`.',
    refusingPart('webhook_verification', ({ secret }) => secret === null),
  ),
  mutant(
    'webhook-secret-empty',
    WEBHOOK,
    'A secret that was left out is shown as an empty text.',
    showingField('webhook_verification', 'secret', (secret) => secret ?? ''),
  ),
  mutant(
    'webhook-secret-trimmed',
    WEBHOOK,
    'White space around a secret is removed.',
    keepingField('webhook_verification', 'secret', (secret) => (typeof secret === 'string' ? secret.trim() : secret)),
  ),
  mutant(
    'webhook-provider-lower-upper',
    WEBHOOK,
    'A provider is shown with a capital letter.',
    showingField(
      'webhook_verification',
      'provider',
      (provider: string) => provider.charAt(0).toUpperCase() + provider.slice(1),
    ),
  ),

  mutant(
    'agents-swapped',
    AGENTS,
    '`allow` and `deny` are swapped.',
    showingPart('user_agent_filter', (shown) => ({ ...shown, allow: shown['deny'], deny: shown['allow'] })),
  ),
  mutant(
    'agents-sorted',
    AGENTS,
    'Expressions are sorted.',
    agents((items) => items.toSorted()),
  ),
  mutant('agents-deduped', AGENTS, 'An expression that is sent twice is kept once.', agents(unique)),
  mutant(
    'agents-anchored',
    AGENTS,
    'Expressions get anchors.',
    agents((items) =>
      items.map((item) =>
        typeof item === 'string' && !item.startsWith('^') && item.length < 1000 ? `^${item}` : item,
      ),
    ),
  ),
  mutant(
    'agents-lower-case',
    AGENTS,
    'Expressions are turned into lower case.',
    agents((items) => items.map((item) => (typeof item === 'string' ? item.toLowerCase() : item))),
  ),
  mutant(
    'agents-blank-lost',
    AGENTS,
    'Expressions of white space are dropped.',
    agents((items) => items.filter((item) => typeof item !== 'string' || item.length === 0 || item.trim() !== '')),
  ),
  mutant(
    'agents-one-list',
    AGENTS,
    'Beside `allow`, `deny` is not kept.',
    keepingPart('user_agent_filter', (sent) => (sent['allow'] === undefined ? sent : without(sent, 'deny'))),
  ),
  ...(['allow', 'deny'] as const).flatMap((list) => [
    mutant(
      `agents-any-text-${list}`,
      `createRoute.body.user_agent_filter.${list}.*.format`,
      `Any text is taken for an expression in \`${list}\`.`,
      acceptingAgents(list, NO_RE2, 'createRoute'),
    ),
    mutant(
      `agents-any-text-changed-${list}`,
      `updateRoute.body.user_agent_filter.${list}.*.format`,
      `A change may set any text as an expression in \`${list}\`.`,
      acceptingAgents(list, NO_RE2, 'updateRoute'),
    ),
  ]),
  mutant(
    'agents-own-engine',
    'createRoute.body.user_agent_filter.deny.*.format',
    'Expressions are compiled by an engine that has look-around and references.',
    acceptingAgents('deny', /^(\(\?(=|!|<=)a\)|\(a\)\\1)$/, 'createRoute'),
  ),
  mutant(
    'agents-other-syntax',
    AGENTS,
    'Expressions of RE2 that JavaScript does not have are refused.',
    refusingPart('user_agent_filter', ({ allow, deny }) =>
      [allow, deny].flat().some((one) => typeof one === 'string' && /^\(\?(i|P<)/.test(one)),
    ),
  ),

  mutant(
    'policy-object',
    POLICY,
    'A policy that is JSON is shown as an object.',
    showingField('traffic_policy', 'value', (text: string) => parsed(text) ?? text),
  ),
  mutant(
    'policy-rewritten',
    POLICY,
    'A policy that is JSON is parsed and written again.',
    policy((text) => (parsed(text) === undefined ? text : JSON.stringify(parsed(text)))),
  ),
  mutant(
    'policy-json-only',
    POLICY,
    'A policy that is no JSON is refused.',
    refusingPart(
      'traffic_policy',
      ({ value }) => typeof value === 'string' && value !== '' && parsed(value) === undefined,
    ),
  ),
  mutant(
    'policy-empty-refused',
    POLICY,
    'An empty policy is refused.',
    refusingPart('traffic_policy', ({ value }) => value === ''),
  ),
  mutant(
    'policy-trimmed',
    POLICY,
    'White space around a policy is removed.',
    policy((text) => text.trim()),
  ),
  mutant(
    'policy-line-ends',
    POLICY,
    'Carriage returns of a policy become line feeds.',
    policy((text) => text.replaceAll(/\r\n?/g, '\n')),
  ),

  mutant(
    'all-last-lost',
    'routes.all-modules',
    'Of thirteen modules the last one is not kept.',
    keepingRoute((body) => (countOf(body) === MODULES.length ? without(body, LAST) : body)),
  ),
  mutant(
    'all-ten-at-most',
    'routes.all-modules',
    'More than ten modules are refused.',
    instead('createRoute', async (next, request) => {
      const body = jsonIn(request);
      return isObject(body) && countOf(body) > 10 ? problem(409, 'conflict') : next(request);
    }),
  ),
  mutant(
    'all-headers-shared',
    'routes.all-modules',
    'Where both are sent, headers of responses are those of requests.',
    keepingRoute(({ ...body }) =>
      isObject(body['request_headers']) && isObject(body['response_headers'])
        ? { ...body, response_headers: body['request_headers'] }
        : body,
    ),
  ),
  mutant(
    'all-compression-lost',
    'routes.all-modules',
    'Beside the WebSocket converter, compression is not kept.',
    keepingRoute((body) =>
      isObject(body['websocket_tcp_converter']) && isObject(body['compression']) ? without(body, 'compression') : body,
    ),
  ),
  mutant(
    'all-413',
    'routes.all-modules',
    'A route with all modules is too large.',
    instead('createRoute', async (next, request) =>
      request.body.length > 1024 && countOf((jsonIn(request) ?? {}) as Json) === MODULES.length
        ? problem(413, 'content_too_large')
        : next(request),
    ),
  ),
];
