/** The modules of a route that need little said: all but headers and the three that sign users in. */
import { RE2JS } from 're2js';
import { boolean, type Check, formed, list, nullable, number, integer, plain, uint32 } from './check.ts';
import { object } from './fields.ts';
import { RESOURCE_ID, WEBHOOK_PROVIDER } from './names.ts';

/** What a check answers. */
export type Checked<C> = C extends Check<infer T> ? T : never;

export const backend = object(['enabled', 'backend_id'], (fields) => {
  fields.require('backend_id');
  return {
    backendId: fields.read('backend_id', '', formed(RESOURCE_ID)),
    enabled: fields.read('enabled', true, boolean),
  };
});

export const ipRestriction = object(['enabled', 'ip_policy_ids'], (fields) => ({
  policyIds: fields.read('ip_policy_ids', [], list(formed(RESOURCE_ID), { most: 100 })),
  enabled: fields.read('enabled', true, boolean),
}));

const BREAKER = [
  'enabled',
  'tripped_duration',
  'rolling_window',
  'num_buckets',
  'volume_threshold',
  'error_threshold_percentage',
];

export const circuitBreaker = object(BREAKER, (fields) => ({
  error_threshold_percentage: fields.read('error_threshold_percentage', 0.5, number(0, 1)),
  volume_threshold: fields.read('volume_threshold', 20, uint32),
  num_buckets: fields.read('num_buckets', 10, integer(1, 128)),
  rolling_window: fields.read('rolling_window', 10, uint32),
  tripped_duration: fields.read('tripped_duration', 10, uint32),
  enabled: fields.read('enabled', true, boolean),
}));

/** For compression and the conversion of WebSocket connections. */
export const toggle = object(['enabled'], (fields) => ({ enabled: fields.read('enabled', true, boolean) }));

export const webhookVerification = object(['enabled', 'provider', 'secret'], (fields) => {
  fields.require('provider');
  const provider = fields.read('provider', '', formed(WEBHOOK_PROVIDER));
  const secret = fields.read('secret', null, nullable(plain(1, 4096)));
  if (provider !== 'sns') fields.insist('secret');
  return { secret, provider, enabled: fields.read('enabled', true, boolean) };
});

/** Expressions are compiled to see that they can be, and kept as sent: what they match is outside the contract. */
const expressions = list(formed({ shortest: 1, longest: 1024, fits: isExpression, words: 'an expression of RE2' }), {
  most: 100,
});

function isExpression(sent: string): boolean {
  try {
    RE2JS.compile(sent);
    return true;
  } catch {
    return false;
  }
}

export const userAgentFilter = object(['enabled', 'allow', 'deny'], (fields) => ({
  deny: fields.read('deny', [], expressions),
  allow: fields.read('allow', [], expressions),
  enabled: fields.read('enabled', true, boolean),
}));

export const trafficPolicy = object(['enabled', 'value'], (fields) => {
  fields.require('value');
  return { value: fields.read('value', '', plain(0, 65_536)), enabled: fields.read('enabled', true, boolean) };
});
