/**
 * Values of modules in unusual forms: null, numbers as JSON may write them, and the ends of a
 * range.
 */
import * as fc from 'fast-check';
import { forAll, forEach } from '../../engine/laws/law.ts';
import { AT, on } from '../define.ts';
import { shownRoute } from '../model/shown.ts';
import { type Json, MODULES } from '../modules.ts';
import { routesOf } from '../resources/routes.ts';
import { ROUTE_CREATE } from '../values/bodies.ts';
import { expectModule } from './module-defaults.ts';
import { refuseCreation } from './refusals.ts';

const law = on(routesOf, 'extended');

/**
 * A body with null or [] for each member that a response may show so, and the same body without
 * them.
 */
interface NullBody {
  sent: Json;
  without: Json;
}

const NO_APP = {
  client_id: null,
  client_secret: null,
  scopes: [],
  teams: [],
  organizations: [],
  email_addresses: [],
};
const OPEN_ID = { issuer: 'https://login.example.com', client_id: 'a' };

/** OAuth with these providers. */
function oauth(provider: Json): Json {
  return { oauth: { provider } };
}

const NULL_BODIES: NullBody[] = [
  { sent: { description: null }, without: {} },
  { sent: { metadata: null }, without: {} },
  {
    sent: oauth({ github: NO_APP, facebook: null, amazon: null }),
    without: oauth({ github: {} }),
  },
  {
    sent: oauth({ twitch: { client_id: null }, google: null }),
    without: oauth({ twitch: {} }),
  },
  {
    sent: { webhook_verification: { provider: 'sns', secret: null } },
    without: { webhook_verification: { provider: 'sns' } },
  },
  {
    sent: { oidc: { ...OPEN_ID, client_secret: null, scopes: [] } },
    without: { oidc: OPEN_ID },
  },
];

const nullValues = law(
  {
    id: 'routes.null-values',
    origin: 'D04',
    clause: ROUTE_CREATE,
    quotes: ['In a create request'],
    sentence:
      'A property that a response may show as null or [] can be sent so, and means the same as ' +
      'an omitted one.',
  },
  forEach('each of them', NULL_BODIES, async ({ sent, without }, steps) => {
    const shown = await steps.read(await steps.createOne(sent));
    steps.expectShown('Null is not the same as an omitted property', shown, shownRoute(without));
  }),
);

/** Integers as JSON may write them. */
const INTEGERS = [
  { text: '5.0', value: 5 },
  { text: '1e1', value: 10 },
  { text: '0.5e1', value: 5 },
  { text: '128.000', value: 128 },
];

const integers = law(
  {
    id: 'routes.integers',
    origin: 'D31',
    clause: `${AT.schemas}/TrippedDuration/type`,
    quotes: ['`5.0` and `1e1` are integers'],
    sentence: '`5.0` and `1e1` are integers.',
  },
  forEach('as they stand in JSON', INTEGERS, async ({ text, value }, steps) => {
    const { path } = await steps.place();
    const module = `"circuit_breaker":{"num_buckets":${text}}`;
    const body = `{"match_type":"path_prefix","match":"/",${module}}`;
    const { json } = await steps.succeed('create', { path, body }, `${text} is an integer.`);
    const due = { circuit_breaker: { num_buckets: value } };
    steps.expectShown('The response has another number', json as Json, due);
  }),
);

function withThreshold(error_threshold_percentage: number): Json {
  return { ...MODULES.circuit_breaker.full, error_threshold_percentage };
}

const fractions = fc.integer({ min: 1, max: 999 }).map((thousandths) => thousandths / 1000);

// The source says "between 0 and 1.0 (not 0-100.0)". Whether the ends are between was decided
// (D24).
const between = law(
  {
    id: 'routes.circuit-breaker.between',
    origin: 'source §8',
    clause: `${AT.schemas}/ErrorThresholdPercentage`,
    sentence:
      'An `error_threshold_percentage` between 0 and 1 is accepted and read back, and one below ' +
      'or above is refused.',
  },
  forAll('accepts a fraction', fractions, (fraction, steps) => {
    const module = withThreshold(fraction);
    return expectModule(steps, 'circuit_breaker', module, module);
  }),
  forEach('refuses', [-0.01, -1, 1.01, 50, 100], (number, steps) => {
    const body = { circuit_breaker: withThreshold(number) };
    return refuseCreation(steps, body, `${number} is not between 0 and 1.`);
  }),
);

export const moduleValueLaws = [nullValues, integers, between];
