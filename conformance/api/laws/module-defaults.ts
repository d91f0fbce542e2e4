/** Properties of modules that a request omits read back as their defaults. */
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import { forEach } from '../../engine/laws/law.ts';
import type { Steps } from '../../engine/laws/steps.ts';
import { type ApiRequirement, type ApiRule, AT, on } from '../define.ts';
import {
  type Json,
  MODULE_NAMES,
  type ModuleName,
  MODULES,
  SIGN_IN,
  type ValueKind,
  WITH_UPSTREAM,
} from '../modules.ts';
import { routesOf } from '../resources/routes.ts';

const law = on(routesOf, 'extended');

/** A module that is sent so shows `due`, at once and when the route is read. */
export async function expectModule(
  steps: Steps,
  name: ModuleName,
  sent: Json,
  due: Json,
): Promise<void> {
  const route = await steps.createOne({ [name]: sent });
  for (const shown of [route.shown, await steps.read(route)]) {
    expectSame(`\`${name}\` shows something else`, shown[name], due);
  }
}

/** A law of the values that these properties have in each of the modules, if they are omitted. */
function defaults(rule: ApiRule, modules: readonly ModuleName[], properties: Json): ApiRequirement {
  return law(rule, ({ origin }) => {
    if (origin === 'all') {
      const bare = modules.map((module) => ({ module, beside: {} }));
      const all = [...bare, ...modules.flatMap(besideEachValue)];
      return forEach('left out', all, ({ module, beside }, steps: Steps) => {
        const due = Object.entries(properties).filter(([name]) => !Object.hasOwn(beside, name));
        const sent = { ...MODULES[module].minimal, ...beside };
        return expectModule(steps, module, sent, Object.fromEntries(due));
      });
    }
    // By the source alone, nothing else may be omitted, and ids have no form in requests.
    const withoutIds = modules.filter((module) => !WITH_UPSTREAM.includes(module));
    return forEach('left out', withoutIds, (module, steps) =>
      expectModule(steps, module, fullWithout(module, properties), properties),
    );
  });
}

/** A module, and a property that is sent when others are left out. */
interface Beside {
  module: ModuleName;
  beside: Json;
}

/** Each flag and number of the module with values that are no default. */
function besideEachValue(module: ModuleName): Beside[] {
  return Object.entries(MODULES[module].fields).flatMap(([name, kind]) =>
    unusualValuesOf(kind).map((value) => ({ module, beside: { [name]: value } })),
  );
}

function unusualValuesOf({ is, least = 0, most = 0, default: usual }: ValueKind): unknown[] {
  if (is === 'boolean') {
    return [!usual];
  }
  if (is === 'integer') {
    return [least, least + 1, most];
  }
  if (is === 'number') {
    return [least, (least + most) / 4, most];
  }
  return [];
}

/** The full form of a module, without these properties. */
function fullWithout(module: ModuleName, properties: Json): Json {
  const others = Object.entries(MODULES[module].full).filter(
    ([name]) => !Object.hasOwn(properties, name),
  );
  return Object.fromEntries(others);
}

function defaultsOf(module: ModuleName, properties: readonly string[]): Json {
  const { fields } = MODULES[module];
  return Object.fromEntries(properties.map((name) => [name, fields[name]?.default]));
}

const enabled = defaults(
  {
    id: 'routes.defaults.enabled',
    origin: 'source §2',
    clause: `${AT.schemas}/Enabled/default`,
    sentence: 'A module of a route is enabled unless the request says otherwise.',
  },
  MODULE_NAMES,
  { enabled: true },
);

const CIRCUIT_BREAKER = Object.keys(MODULES.circuit_breaker.fields).filter(
  (name) => name !== 'enabled',
);

const circuitBreaker = defaults(
  {
    id: 'routes.defaults.circuit-breaker',
    origin: 'D24',
    clause: `${AT.schemas}/EndpointCircuitBreakerMutate`,
    sentence: 'A circuit breaker has the defaults 10 s, 10 s, 10 buckets, 20 requests and 0.5.',
  },
  ['circuit_breaker'],
  defaultsOf('circuit_breaker', CIRCUIT_BREAKER),
);

const session = defaults(
  {
    id: 'routes.defaults.session',
    origin: 'D25',
    clause: `${AT.schemas}/InactivityTimeout`,
    sentence: 'Session settings that are omitted are false, 0 and 0.',
  },
  SIGN_IN,
  defaultsOf('oidc', ['options_passthrough', 'inactivity_timeout', 'maximum_duration']),
);

const nameidFormat = defaults(
  {
    id: 'routes.defaults.nameid-format',
    origin: 'source §2.9',
    clause: `${AT.schemas}/EndpointSAMLMutate/properties/nameid_format/default`,
    sentence: 'The default of `nameid_format` is that of persistent identifiers.',
  },
  ['saml'],
  defaultsOf('saml', ['nameid_format']),
);

const cookiePrefix = law(
  {
    id: 'routes.defaults.cookie-prefix',
    origin: 'source §2.7',
    clause: `${AT.schemas}/CookiePrefix`,
    sentence: 'A `cookie_prefix` that is omitted reads back as a prefix that ends in a period.',
  },
  forEach('omitted', SIGN_IN, async (module, steps) => {
    const { cookie_prefix: _, ...sent } = MODULES[module].full;
    const route = await steps.createOne({ [module]: sent });
    expectPeriod(module, route.shown, await steps.read(route));
  }),
  forEach('omitted in a change', SIGN_IN, async (module, steps) => {
    const { full } = MODULES[module];
    const { cookie_prefix: _, ...sent } = full;
    const route = await steps.createOne({ [module]: { ...full, cookie_prefix: 'own' } });
    const changed = await steps.update(route, { [module]: sent });
    expectPeriod(module, changed.shown, await steps.read(route));
  }),
);

function expectPeriod(module: ModuleName, ...routes: readonly Json[]): void {
  for (const shown of routes) {
    const got = (shown[module] as Json | null)?.['cookie_prefix'];
    const endsInPeriod = typeof got === 'string' && got.endsWith('.');
    const expected = 'a period at its end';
    expectThat(endsInPeriod, `\`${module}.cookie_prefix\` was omitted.`, { expected, got });
  }
}

export const moduleDefaultLaws = [enabled, circuitBreaker, session, nameidFormat, cookiePrefix];
