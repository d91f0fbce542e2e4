/**
 * What a client may say about a route, and what stands for the rest. Modules have the names of the contract, so that
 * rules can go through them.
 */
import { apply, type Changes } from './changes.ts';
import { type Check, formed, nullable, oneOf, resettable, text } from './check.ts';
import { type Fields, object } from './fields.ts';
import { headers } from './headers.ts';
import { MATCH } from './hostport.ts';
import {
  backend,
  type Checked,
  circuitBreaker,
  ipRestriction,
  toggle,
  trafficPolicy,
  userAgentFilter,
  webhookVerification,
} from './modules.ts';
import { oauth, oidc, saml } from './sign-in.ts';

/** In the order in which a response shows them. */
const MODULES = {
  traffic_policy: nullable(trafficPolicy),
  user_agent_filter: nullable(userAgentFilter),
  websocket_tcp_converter: nullable(toggle),
  oidc: nullable(oidc),
  saml: nullable(saml),
  oauth: nullable(oauth),
  webhook_verification: nullable(webhookVerification),
  response_headers: nullable(headers),
  request_headers: nullable(headers),
  compression: nullable(toggle),
  circuit_breaker: nullable(circuitBreaker),
  ip_restriction: nullable(ipRestriction),
  backend: nullable(backend),
};

type Modules = { [Name in keyof typeof MODULES]: Checked<(typeof MODULES)[Name]> };

export type ModuleName = keyof Modules;

export const MODULE_NAMES = Object.keys(MODULES) as ModuleName[];

export const SIGN_IN = ['oauth', 'saml', 'oidc'] as const;

export interface RouteInput extends Modules {
  matchType: 'exact_path' | 'path_prefix';
  match: string;
  description: string;
  metadata: string;
}

const NOTHING_SAID: RouteInput = {
  matchType: 'exact_path',
  match: '',
  description: '',
  metadata: '',
  ...(Object.fromEntries(MODULE_NAMES.map((name) => [name, null])) as { [Name in ModuleName]: null }),
};

const MEMBERS = ['match_type', 'match', 'description', 'metadata', ...MODULE_NAMES];

function common(fields: Fields) {
  const [, ...others] = SIGN_IN.filter((name) => fields.enables(name));
  for (const name of others) fields.forbid(name, 'One module that signs users in is enabled already.');
  const modules = MODULE_NAMES.map((name) => [name, fields.maybe<unknown>(name, MODULES[name])]);
  return {
    description: fields.maybe('description', resettable(text(255), '')),
    metadata: fields.maybe('metadata', resettable(text(4096), '')),
    matchType: fields.maybe('match_type', oneOf('exact_path', 'path_prefix')),
    match: fields.maybe('match', formed(MATCH)),
    ...(Object.fromEntries(modules) as Changes<Modules>),
  };
}

export const newRoute: Check<RouteInput> = object(MEMBERS, (fields) => {
  fields.require('match_type');
  fields.require('match');
  return apply(NOTHING_SAID, {
    ...common(fields),
  });
});

export const changedRoute: Check<Changes<RouteInput>> = object(MEMBERS, (fields) => ({
  ...common(fields),
}));
