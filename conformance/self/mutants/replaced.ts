/** Modules of a route are not replaced whole, or not removed by null. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { jsonOf, problem, showing, succeeded } from '../mutate/response.ts';
import { asSent, disabled, MODULES } from '../mutate/modules.ts';
import { also, appended, mapping, patching, refuses, removes, replacing, sets } from '../mutate/patch.ts';
import type { Mutate } from '../mutate/mutate.ts';
import { isObject, type Json } from '../mutate/request.ts';
import { changing } from '../mutate/route.ts';
import { unique, without } from '../mutate/values.ts';

const mutant = mutantsOf('route-updates');

const NULL = 'routes.update.null-module';
const TEXT = 'routes.update.null-text';
const REPLACED = 'routes.update.replaced';
const SEVERAL = 'routes.update.several';

const TEXTS = ['description', 'metadata'];

/** Values of the old module stay where the new one does not say otherwise; at every depth, or at the top. */
function merged(old: Json, said: Json, deep: boolean): Json {
  const both = Object.entries(said).map(([name, value]) => [
    name,
    deep && isObject(value) && isObject(old[name]) ? merged(old[name], value, deep) : value,
  ]);
  return { ...old, ...(Object.fromEntries(both) as Json) };
}

const keepsOld = (module: string, ...names: string[]): Mutate =>
  replacing(
    (said, old) => ({
      ...Object.fromEntries(names.filter((name) => old[name] != null).map((name) => [name, old[name]])),
      ...said,
    }),
    [module],
  );

export const replaced: Mutant[] = [
  mutant(
    'null-ignored',
    NULL,
    'A module of null is taken for left out.',
    patching((patch) => without(patch, ...removes(patch))),
  ),
  mutant(
    'null-refused',
    NULL,
    'A module of null is refused.',
    refuses((patch) => removes(patch).length > 0, '/saml'),
  ),
  mutant(
    'null-disables',
    NULL,
    'Null disables a module in place of removing it.',
    mapping(MODULES, (value, name, before) => (value === null ? disabled(asSent(name, before[name])) : value)),
  ),
  mutant(
    'null-resets',
    NULL,
    'Null sets compression to its default in place of removing it.',
    mapping(['compression'], (value, name, before) => (value === null && before[name] !== null ? {} : value)),
  ),
  mutant(
    'null-is-default',
    NULL,
    'Null adds an IP restriction that is not there.',
    mapping(['ip_restriction'], (value, name, before) => (value === null && before[name] === null ? {} : value)),
  ),
  mutant(
    'null-removes-all',
    NULL,
    'Null removes all modules.',
    also((patch) => (removes(patch).length > 0 ? Object.fromEntries(MODULES.map((name) => [name, null])) : {})),
  ),
  mutant(
    'null-removes-both-headers',
    NULL,
    'Null for headers of requests also removes those of responses.',
    also((patch) => (patch['request_headers'] === null ? { response_headers: null } : {})),
  ),
  mutant(
    'null-removes-first',
    NULL,
    'Of several modules that are null, only the first one is removed.',
    patching((patch) => without(patch, ...removes(patch).slice(1))),
  ),
  mutant(
    'null-404',
    NULL,
    'Null for a module that is not there is answered with 404.',
    changing(async (next, request, patch, before) =>
      removes(patch).some((name) => before[name] === null) ? problem(404, 'not_found') : next(request),
    ),
  ),
  mutant(
    'null-409',
    NULL,
    'Null for a module that is not there is refused with 409.',
    changing(async (next, request, patch, before) =>
      removes(patch).some((name) => before[name] === null) ? problem(409, 'conflict') : next(request),
    ),
  ),
  ...['backend', 'oidc', 'traffic_policy'].map((name) =>
    mutant(
      `null-${name.replaceAll('_', '-')}`,
      NULL,
      `\`${name}\` cannot be removed.`,
      mapping([name], (value, one, before) => (value === null ? asSent(one, before[one]) : value)),
    ),
  ),

  ...TEXTS.map((name) =>
    mutant(
      `null-${name}-ignored`,
      TEXT,
      `A ${name} of null is taken for left out.`,
      patching((patch) => (patch[name] === null ? without(patch, name) : patch)),
    ),
  ),
  ...TEXTS.map((name) =>
    mutant(
      `null-${name}-refused`,
      TEXT,
      `A ${name} of null is refused.`,
      refuses((patch) => patch[name] === null, `/${name}`),
    ),
  ),
  mutant(
    'null-word',
    TEXT,
    'Texts of null are kept as the word.',
    mapping(TEXTS, (value) => (value === null ? 'null' : value)),
  ),
  mutant(
    'null-shown',
    TEXT,
    'A description of null is shown as null.',
    changing(async (next, request, patch) => {
      const response = await next(request);
      return succeeded(response) && patch['description'] === null
        ? showing(response, { ...jsonOf(response), description: null })
        : response;
    }),
  ),
  mutant(
    'null-both-texts',
    TEXT,
    'A description of null resets metadata, too.',
    also((patch) => (patch['description'] === null ? { metadata: null } : {})),
  ),

  mutant(
    'merges',
    REPLACED,
    'Modules are merged, as by JSON Merge Patch.',
    replacing(
      (said, old) => merged(old, said, true),
      MODULES.filter((name) => name !== 'oauth'),
    ),
  ),
  mutant(
    'merges-shallow',
    REPLACED,
    'What a module leaves out keeps its old value.',
    replacing((said, old) => merged(old, said, false)),
  ),
  mutant(
    'keeps-enabled',
    REPLACED,
    '`enabled` that is left out keeps its old value.',
    replacing((said, old) => ({ enabled: old['enabled'], ...said })),
  ),
  mutant(
    'keeps-webhook-secret',
    REPLACED,
    'A webhook secret that is left out keeps its old value.',
    keepsOld('webhook_verification', 'secret'),
  ),
  mutant(
    'keeps-oidc-secret',
    REPLACED,
    'A client secret that is left out keeps its old value.',
    keepsOld('oidc', 'client_secret'),
  ),
  mutant(
    'keeps-session',
    REPLACED,
    'Session settings that are left out keep their old values.',
    keepsOld('oauth', 'cookie_prefix', 'inactivity_timeout', 'maximum_duration'),
  ),
  mutant(
    'keeps-name-id',
    REPLACED,
    '`nameid_format` that is left out keeps its old value.',
    keepsOld('saml', 'nameid_format'),
  ),
  mutant(
    'keeps-breaker',
    REPLACED,
    'Settings of the circuit breaker that are left out keep their old values.',
    keepsOld('circuit_breaker', 'num_buckets', 'volume_threshold'),
  ),
  mutant(
    'appends-lists',
    REPLACED,
    'Lists of a module are put behind the old ones.',
    replacing((said, old) => appended(old, said), ['ip_restriction', 'user_agent_filter']),
  ),
  mutant(
    'merges-headers',
    REPLACED,
    'Headers to add are merged with the old ones.',
    replacing(
      (said, old) => ({ ...said, add: { ...(old['add'] as Json), ...(said['add'] as Json | undefined) } }),
      ['response_headers'],
    ),
  ),
  mutant(
    'unions-policies',
    REPLACED,
    'IP policies are united with the old ones.',
    replacing(
      (said, old) => ({
        ...said,
        ip_policy_ids: unique([
          ...(old['ip_policy_ids'] as unknown[]),
          ...((said['ip_policy_ids'] as unknown[] | undefined) ?? []),
        ]).slice(0, 100),
      }),
      ['ip_restriction'],
    ),
  ),
  mutant(
    'keeps-there',
    REPLACED,
    'A module that is there is not replaced.',
    patching((patch, before) => without(patch, ...sets(patch).filter((name) => before[name] !== null))),
  ),
  mutant(
    'replace-409',
    REPLACED,
    'A module that is there must be removed first.',
    changing(async (next, request, patch, before) =>
      sets(patch).some((name) => before[name] !== null) ? problem(409, 'conflict') : next(request),
    ),
  ),

  mutant(
    'several-first',
    SEVERAL,
    'Of several modules only the first one is changed.',
    patching((patch) => without(patch, ...MODULES.filter((name) => Object.hasOwn(patch, name)).slice(1))),
  ),
  mutant(
    'several-refused',
    SEVERAL,
    'More than one module in a change is refused.',
    refuses((patch) => MODULES.filter((name) => Object.hasOwn(patch, name)).length > 1, ''),
  ),
  mutant(
    'several-no-removal',
    SEVERAL,
    'Beside modules that are set, none is removed.',
    patching((patch) => (sets(patch).length > 0 ? without(patch, ...removes(patch)) : patch)),
  ),
  mutant(
    'several-removal-only',
    SEVERAL,
    'Beside modules that are removed, none is set.',
    patching((patch) => (removes(patch).length > 0 ? without(patch, ...sets(patch)) : patch)),
  ),
  mutant(
    'several-last-lost',
    SEVERAL,
    'Of several modules that are set, the last one is lost.',
    patching((patch) => without(patch, ...sets(patch).slice(1).slice(-1))),
  ),
  mutant(
    'several-mixed-refused',
    SEVERAL,
    'A change sets modules or removes them, and not both.',
    refuses((patch) => sets(patch).length > 0 && removes(patch).length > 0, ''),
  ),
];
