/** A change of a route is not kept, not shown, or reaches further than it says. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { invalid, json, jsonOf, problem, showing, succeeded } from '../mutate/response.ts';
import { asSent, disabled, MODULES } from '../mutate/modules.ts';
import { also, appended, mapping, only, patching, replacing, sets } from '../mutate/patch.ts';
import { done, instead, type Mutate, remembering, taking } from '../mutate/mutate.ts';
import { ask, isObject, type Json, sending } from '../mutate/request.ts';
import { changing } from '../mutate/route.ts';
import { without } from '../mutate/values.ts';

const mutant = mutantsOf('route-updates');

const ECHO = 'routes.update.echo';
const ABSENT = 'routes.update.absent';
const NOTHING = 'routes.update.nothing';
const AGAIN = 'routes.update.idempotent';
const IDENTITY = 'routes.update.identity';

const TEXTS = ['description', 'metadata'];

const ignores = (...names: string[]): Mutate =>
  taking('updateRoute', (patch) => (isObject(patch) ? without(patch, ...names) : patch));

/** A change that says the same as is shown already. */
const saysNothing = (patch: Json, before: Json, changed: Json) =>
  Object.keys(patch).length > 0 && JSON.stringify(before) === JSON.stringify(changed);

const whenNothingChanged = (other: (response: ServiceResponse) => ServiceResponse): Mutate =>
  changing(async (next, request, patch, before) => {
    const response = await next(request);
    return succeeded(response) && saysNothing(patch, before, jsonOf(response)) ? other(response) : response;
  });

const whenEmpty = (
  handle: (next: Service, request: ServiceRequest, before: Json) => Promise<ServiceResponse>,
): Mutate =>
  changing((next, request, patch, before) =>
    Object.keys(patch).length === 0 ? handle(next, request, before) : next(request),
  );

/** Something else than the change is shown later on. */
const stale = (operation: 'getRoute' | 'getEdge'): Mutate =>
  remembering(() => {
    const first = new Map<string, Json>();
    return instead(['createRoute', 'getRoute', 'getEdge'], async (next, request, call) => {
      const response = await next(request);
      if (!succeeded(response)) return response;
      const shown: Json = jsonOf(response);
      if (call.operationId === 'createRoute') first.set(String(shown['id']), shown);
      if (call.operationId !== operation) return response;
      const cached = (route: Json): Json => first.get(String(route['id'])) ?? route;
      return showing(
        response,
        operation === 'getRoute' ? cached(shown) : { ...shown, routes: (shown['routes'] as Json[]).map(cached) },
      );
    });
  });

export const routeUpdates: Mutant[] = [
  mutant(
    'answer-before',
    ECHO,
    'The answer to a change shows the route before it.',
    changing(async (next, request, _, before) => {
      const response = await next(request);
      return succeeded(response) ? showing(response, before) : response;
    }),
  ),
  mutant(
    'answer-patch',
    ECHO,
    'The answer to a change shows only what was changed.',
    changing(async (next, request, patch) => {
      const response = await next(request);
      return succeeded(response) ? showing(response, only('id', ...Object.keys(patch))(jsonOf(response))) : response;
    }),
  ),
  mutant(
    'answer-204',
    ECHO,
    'A change is answered with 204 and no body.',
    done('updateRoute', () => ({ status: 204, headers: {}, body: '' })),
  ),
  mutant(
    'answer-only',
    ECHO,
    'A change is shown in the answer, and not kept.',
    changing(async (next, request, _, before) => {
      const response = await next(request);
      if (succeeded(response))
        await next(
          sending(request, {
            ...Object.fromEntries(MODULES.map((name) => [name, asSent(name, before[name])])),
            ...only(...TEXTS, 'match', 'match_type')(before),
          }),
        );
      return response;
    }),
  ),
  mutant('stale-route', ECHO, 'A changed route is read as it was made.', stale('getRoute')),
  mutant('stale-edge', ECHO, 'The edge shows its routes as they were made.', stale('getEdge')),
  ...['description', 'metadata', 'match', 'match_type'].map((name) =>
    mutant(`ignores-${name.replaceAll('_', '-')}`, ECHO, `Changes of \`${name}\` are not kept.`, ignores(name)),
  ),
  ...MODULES.map((name) =>
    mutant(`ignores-${name.replaceAll('_', '-')}`, ECHO, `Changes of \`${name}\` are not kept.`, ignores(name)),
  ),
  mutant(
    'adds-no-module',
    ECHO,
    'A change cannot add a module that was not there.',
    patching((patch, before) => without(patch, ...sets(patch).filter((name) => before[name] === null))),
  ),

  mutant(
    'put',
    ABSENT,
    'A change works like PUT: modules that are left out are removed.',
    also(() => Object.fromEntries(MODULES.map((name) => [name, null]))),
  ),
  mutant(
    'put-texts',
    ABSENT,
    'Texts that are left out are reset.',
    also(() => ({ description: null, metadata: null })),
  ),
  mutant(
    'resets-metadata',
    ABSENT,
    'Metadata is reset by any change that leaves it out.',
    also(() => ({ metadata: null })),
  ),
  mutant(
    'resets-match-type',
    ABSENT,
    'A change of the match also changes its type.',
    also((patch) => (patch['match'] === undefined ? {} : { match_type: 'exact_path' })),
  ),
  mutant(
    'resets-match',
    ABSENT,
    'A change of the type also changes the match.',
    also((patch) => (patch['match_type'] === undefined ? {} : { match: '/reset' })),
  ),
  mutant(
    'disables-oauth',
    ABSENT,
    'Any change disables OAuth.',
    also((_, before) => (isObject(before['oauth']) ? { oauth: disabled(asSent('oauth', before['oauth'])) } : {})),
  ),
  mutant(
    'removes-oauth',
    ABSENT,
    'A change that sets SAML, disabled as it is, removes OAuth.',
    also((patch) => (isObject(patch['saml']) ? { oauth: null } : {})),
  ),
  mutant(
    'shares-headers',
    ABSENT,
    'A change of the headers of requests also changes those of responses.',
    also((patch) => (isObject(patch['request_headers']) ? { response_headers: patch['request_headers'] } : {})),
  ),
  mutant(
    'loses-secret',
    ABSENT,
    'Any change loses the client secret of OIDC.',
    also((_, before) =>
      isObject(before['oidc']) ? { oidc: without(asSent('oidc', before['oidc'])!, 'client_secret') } : {},
    ),
  ),
  mutant(
    'loses-policies',
    ABSENT,
    'Any change loses the IP policies.',
    also((_, before) =>
      isObject(before['ip_restriction']) ? { ip_restriction: { enabled: before['ip_restriction']['enabled'] } } : {},
    ),
  ),
  mutant(
    'empty-is-absent',
    ABSENT,
    'An empty text is taken for left out.',
    patching((patch) => without(patch, ...TEXTS.filter((name) => patch[name] === ''))),
  ),

  mutant(
    'nothing-400',
    NOTHING,
    'A change of nothing is refused.',
    whenEmpty(async () => invalid('', 'too_few')),
  ),
  mutant(
    'nothing-204',
    NOTHING,
    'A change of nothing is answered with 204.',
    whenEmpty(async () => ({ status: 204, headers: {}, body: '' })),
  ),
  mutant(
    'nothing-304',
    NOTHING,
    'A change of nothing is answered with 304.',
    whenEmpty(async () => ({ status: 304, headers: {}, body: '' })),
  ),
  mutant(
    'nothing-empty',
    NOTHING,
    'A change of nothing is answered with an empty object.',
    whenEmpty(async () => json(200, {})),
  ),
  mutant(
    'nothing-resets',
    NOTHING,
    'A change of nothing resets the texts.',
    whenEmpty((next, request) => next(sending(request, { description: null, metadata: null }))),
  ),
  mutant(
    'nothing-removes',
    NOTHING,
    'A change of nothing removes all modules.',
    whenEmpty((next, request) => next(sending(request, Object.fromEntries(MODULES.map((name) => [name, null]))))),
  ),

  mutant(
    'again-304',
    AGAIN,
    'A change to what is there already is answered with 304.',
    whenNothingChanged(() => ({ status: 304, headers: {}, body: '' })),
  ),
  mutant(
    'again-204',
    AGAIN,
    'A change to what is there already is answered with 204.',
    whenNothingChanged(() => ({ status: 204, headers: {}, body: '' })),
  ),
  mutant(
    'again-409',
    AGAIN,
    'A change to what is there already is refused with 409.',
    whenNothingChanged(() => problem(409, 'conflict')),
  ),
  mutant(
    'again-toggles',
    AGAIN,
    'Compression that is sent as it is there is switched.',
    mapping(['compression'], (value, name, before) =>
      isObject(value) && isObject(before[name]) ? { enabled: before[name]['enabled'] !== true } : value,
    ),
  ),
  mutant(
    'again-appends',
    AGAIN,
    'A description is put behind the old one.',
    mapping(TEXTS, (value, name, before) =>
      typeof value === 'string' && Buffer.byteLength(`${String(before[name])}${value}`) <= 255
        ? `${String(before[name])}${value}`
        : value,
    ),
  ),
  mutant(
    'again-lists',
    AGAIN,
    'Lists of a module are put behind the old ones.',
    replacing((said, old) => appended(old, said), ['ip_restriction', 'user_agent_filter', 'saml']),
  ),
  mutant(
    'again-new-certificate',
    AGAIN,
    'SAML that is sent again has other URLs.',
    remembering(() => {
      let count = 0;
      return done('updateRoute', (response) => {
        const shown = jsonOf(response);
        return isObject(shown.saml)
          ? showing(response, {
              ...shown,
              saml: { ...shown.saml, single_logout_url: `${String(shown.saml['single_logout_url'])}/${++count}` },
            })
          : response;
      });
    }),
  ),

  mutant(
    'created-at-moves',
    IDENTITY,
    '`created_at` is the time of the last change.',
    done('updateRoute', (response) => showing(response, { ...jsonOf(response), created_at: new Date().toISOString() })),
  ),
  mutant(
    'new-id',
    IDENTITY,
    'A changed route has a new id.',
    done('updateRoute', (response) =>
      showing(response, { ...jsonOf(response), id: `${String(jsonOf(response).id).slice(0, 50)}_2` }),
    ),
  ),
  mutant(
    'new-uri',
    IDENTITY,
    'The URI of a changed route names its match.',
    done('updateRoute', (response) =>
      showing(response, {
        ...jsonOf(response),
        uri: `${String(jsonOf(response).uri)}?match=${encodeURIComponent(String(jsonOf(response).match))}`,
      }),
    ),
  ),
  mutant(
    'edge-of-change',
    IDENTITY,
    'A changed route shows its own id in place of that of its edge.',
    done('updateRoute', (response) => showing(response, { ...jsonOf(response), edge_id: jsonOf(response).id })),
  ),
  mutant(
    'replaced-by-new',
    IDENTITY,
    'A change deletes the route and makes another one.',
    changing(async (next, request, patch, before) => {
      const checked = await next(request);
      if (!succeeded(checked) || !Object.hasOwn(patch, 'match')) return checked;
      const all = {
        ...Object.fromEntries(MODULES.map((name) => [name, asSent(name, jsonOf(checked)[name])])),
        ...only(...TEXTS, 'match', 'match_type')(jsonOf(checked)),
      };
      await ask(next, request, 'DELETE', request.target);
      const made = await ask(next, request, 'POST', `/edges/https/${String(before['edge_id'])}/routes`, all);
      return { ...made, status: 200 };
    }),
  ),
];
