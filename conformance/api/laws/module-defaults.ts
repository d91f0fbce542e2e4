/** Defaults of the modules of a route. */
import { expectThat } from '../../engine/http/nonconformity.ts';
import { forEach } from '../../engine/laws/law.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { type Json } from '../model/route.ts';
import { expectShown, getRoute, newRoute } from '../route-steps.ts';
import { AT, extended } from './law.ts';
import { MODULES, MODULE_NAMES, type ModuleName, SIGN_IN, WITH_UPSTREAM } from '../modules.ts';

/** These properties of each of the modules, where they are left out. */
function defaults(
  id: string,
  origin: string,
  clause: string,
  sentence: string,
  modules: readonly ModuleName[],
  properties: Json,
): Requirement {
  return extended(id, origin, `${AT.schemas}/${clause}`, sentence, ({ origin: checked }) => [
    // By the source alone, nothing else may be left out, and ids have no form in requests.
    forEach(
      'left out',
      checked === 'source' ? modules.filter((module) => !WITH_UPSTREAM.includes(module)) : modules,
      async (module, session) => {
        const others = Object.entries(MODULES[module].full).filter(
          ([property]) => !Object.hasOwn(properties, property),
        );
        const sent = checked === 'source' ? Object.fromEntries(others) : MODULES[module].minimal;
        const route = await newRoute(session, { [module]: sent });
        for (const one of [route, await getRoute(session, route)])
          expectShown(`\`${module}\` has other defaults`, one[module] as Json, properties);
      },
    ),
  ]);
}

export function moduleDefaultLaws(): Requirement[] {
  return [
    defaults(
      'routes.defaults.enabled',
      'source §2',
      'Enabled/default',
      'A module of a route is enabled unless it says otherwise.',
      MODULE_NAMES,
      { enabled: true },
    ),
    defaults(
      'routes.defaults.circuit-breaker',
      'D24',
      'EndpointCircuitBreakerMutate',
      'A circuit breaker has the defaults 10 s, 10 s, 10 buckets, 20 requests and 0.5.',
      ['circuit_breaker'],
      {
        tripped_duration: 10,
        rolling_window: 10,
        num_buckets: 10,
        volume_threshold: 20,
        error_threshold_percentage: 0.5,
      },
    ),
    defaults(
      'routes.defaults.session',
      'D25',
      'InactivityTimeout',
      'Session settings that are omitted are false, 0 and 0.',
      SIGN_IN,
      { options_passthrough: false, inactivity_timeout: 0, maximum_duration: 0 },
    ),
    defaults(
      'routes.defaults.nameid-format',
      'source §2.9',
      'EndpointSAMLMutate/properties/nameid_format/default',
      '`nameid_format` is that of persistent identifiers unless it says otherwise.',
      ['saml'],
      { nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' },
    ),
    extended(
      'routes.defaults.cookie-prefix',
      'source §2.7',
      `${AT.schemas}/CookiePrefix`,
      'A `cookie_prefix` that is omitted reads back as a prefix that ends in a period.',
      [
        forEach('omitted', SIGN_IN, async (module, session) => {
          const { cookie_prefix: _, ...sent } = MODULES[module].full;
          const route = await newRoute(session, { [module]: sent });
          for (const one of [route, await getRoute(session, route)]) {
            const got = (one[module] as Json | null)?.['cookie_prefix'];
            expectThat(typeof got === 'string' && got.endsWith('.'), `\`${module}.cookie_prefix\` was omitted.`, {
              expected: 'a prefix that ends in a period',
              got,
            });
          }
        }),
      ],
    ),
  ];
}
