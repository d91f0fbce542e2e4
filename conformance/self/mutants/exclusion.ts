/** More, or fewer, than one of `oauth`, `saml` and `oidc` can be enabled. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import type { ServiceRequest } from '../service.ts';
import { jsonOf, problem, showing } from '../mutate/response.ts';
import { asSent, disabled, enables, SIGN_IN } from '../mutate/modules.ts';
import type { OperationId } from '../mutate/operation.ts';
import { instead, type Mutate } from '../mutate/mutate.ts';
import { isObject, type Json, jsonIn, sending } from '../mutate/request.ts';
import { changing, keepingRoute, refusingRoutes, ROUTE_WRITES } from '../mutate/route.ts';
import { without } from '../mutate/values.ts';

const mutant = mutantsOf('exclusion', 'extended');

const enabledIn = (body: unknown): string[] => (isObject(body) ? SIGN_IN.filter((name) => enables(body, name)) : []);

/** A body with several that are enabled becomes one with fewer. */
const settling = (fewer: (body: Json, enabled: string[]) => Json, operations: OperationId[] = ROUTE_WRITES): Mutate =>
  keepingRoute((body) => (enabledIn(body).length > 1 ? fewer(body, enabledIn(body)) : body), operations);

const disabling = (body: Json, names: string[]): Json => ({
  ...body,
  ...Object.fromEntries(names.map((name) => [name, disabled(body[name])])),
});

/** Does not look at one pair. */
const overlooking = (...pair: string[]): Mutate =>
  settling((body, enabled) =>
    enabled.every((name) => pair.includes(name)) ? disabling(body, enabled.slice(1)) : body,
  );

const isSaid = (body: Json, name: string) => isObject(body[name]) && body[name]['enabled'] === true;

/** What a change is answered that enables one beside another, which is `there`. */
const beside = (
  handle: Parameters<typeof changing>[0],
  when: (patch: Json, added: string, there: string, before: Json) => boolean = () => true,
): Mutate =>
  changing((next, request, patch, before) => {
    const [added, ...more] = enabledIn(patch);
    const there = SIGN_IN.find(
      (name) =>
        name !== added && isObject(before[name]) && before[name]['enabled'] === true && !Object.hasOwn(patch, name),
    );
    return added !== undefined && more.length === 0 && there !== undefined && when(patch, added, there, before)
      ? handle(next, request, patch, before)
      : next(request);
  });

const withoutSignIn = (request: ServiceRequest, patch: Json) => sending(request, without(patch, ...SIGN_IN));

/** Takes the new one, and shows both as enabled. */
const takes: Parameters<typeof changing>[0] = async (next, request, patch) => {
  const added = enabledIn(patch);
  const response = await next(sending(request, disabling(patch, added)));
  const shown = jsonOf(response);
  return showing(response, {
    ...shown,
    ...Object.fromEntries(added.map((name) => [name, { ...shown[name], enabled: true }])),
  });
};

const present = (body: Json) => SIGN_IN.filter((name) => isObject(body[name]));

export const exclusion: Mutant[] = [
  mutant(
    'first-wins',
    'Of two that are enabled in one request, the first one is kept.',
    settling((body, [, ...others]) => without(body, ...others)),
  ),
  mutant(
    'others-disabled',
    'Of two that are enabled in one request, the second one is disabled.',
    settling((body, [, ...others]) => disabling(body, others)),
  ),
  mutant(
    'only-said',
    'Only modules that say `enabled: true` count as enabled.',
    settling((body, enabled) =>
      enabled.every((name) => isSaid(body, name)) ? body : disabling(body, enabled.slice(1)),
    ),
  ),
  mutant(
    'one-unsaid',
    'Two that both leave `enabled` out are taken.',
    settling((body, enabled) =>
      enabled.some((name) => isSaid(body, name)) ? body : disabling(body, enabled.slice(1)),
    ),
  ),
  mutant('oauth-and-saml', '`oauth` and `saml` are taken together.', overlooking('oauth', 'saml')),
  mutant('saml-and-oidc', '`saml` and `oidc` are taken together.', overlooking('saml', 'oidc')),
  mutant(
    'not-on-update',
    'Two that are enabled are taken in a change.',
    settling((body, [, ...others]) => disabling(body, others), ['updateRoute']),
  ),
  mutant(
    'refused-first-kept',
    'A change that enables two is refused after the first one was added.',
    changing(async (next, request, patch) => {
      const response = await next(request);
      const [, ...others] = enabledIn(patch);
      if (response.status === 400 && others.length > 0) await next(sending(request, without(patch, ...others)));
      return response;
    }),
  ),

  mutant('beside-taken', 'One is enabled beside another that is there.', beside(takes)),
  mutant(
    'beside-replaces',
    'The new one replaces the one that is there.',
    beside((next, request, patch, before) =>
      next(
        sending(request, {
          ...Object.fromEntries(
            present(before)
              .filter((name) => !Object.hasOwn(patch, name))
              .map((name) => [name, null]),
          ),
          ...patch,
        }),
      ),
    ),
  ),
  mutant(
    'beside-disables',
    'The new one disables the one that is there.',
    beside((next, request, patch, before) =>
      next(
        sending(request, {
          ...Object.fromEntries(
            present(before)
              .filter((name) => !Object.hasOwn(patch, name))
              .map((name) => [name, disabled(asSent(name, before[name]))]),
          ),
          ...patch,
        }),
      ),
    ),
  ),
  mutant(
    'beside-disabled',
    'The new one is kept disabled.',
    beside((next, request, patch) => next(sending(request, disabling(patch, enabledIn(patch))))),
  ),
  mutant(
    'beside-ignored',
    'The new one is ignored, and the rest of the change done.',
    beside((next, request, patch) => next(withoutSignIn(request, patch))),
  ),
  mutant(
    'beside-rest-done',
    'The conflict is answered after the rest of the change was done.',
    beside(async (next, request, patch) => {
      const response = await next(request);
      await next(withoutSignIn(request, patch));
      return response;
    }),
  ),
  mutant(
    'beside-unsaid-taken',
    'One that leaves `enabled` out is taken beside another.',
    beside(takes, (patch, added) => !isSaid(patch, added)),
  ),
  mutant('beside-said-taken', 'One that says `enabled: true` is taken beside another.', beside(takes, isSaid)),
  mutant(
    'enabling-taken',
    'One that is there, disabled, can be enabled beside another.',
    beside(takes, (_, added, __, before) => isObject(before[added])),
  ),
  mutant(
    'oidc-overlooked',
    'OIDC that is there is not looked at.',
    beside(takes, (_, __, there) => there === 'oidc'),
  ),
  mutant(
    'saml-overlooked',
    'SAML that is there is not looked at.',
    beside(takes, (_, __, there) => there === 'saml'),
  ),

  mutant(
    'presence-400',
    'Two in one request are refused, disabled or not.',
    refusingRoutes((body) => present(body).length > 1, '/oauth', ['createRoute']),
  ),
  mutant(
    'presence-409',
    'One is refused beside another that is there, disabled or not.',
    changing(async (next, request, patch, before) =>
      present(patch).some((name) => present(before).some((there) => there !== name))
        ? problem(409, 'conflict')
        : next(request),
    ),
  ),
  mutant(
    'disabled-counts',
    'Enabling one is refused beside another that is disabled.',
    changing(async (next, request, patch, before) =>
      enabledIn(patch).length > 0 && present(before).some((there) => !Object.hasOwn(patch, there))
        ? problem(409, 'conflict')
        : next(request),
    ),
  ),
  mutant(
    'disabled-refused',
    'A disabled one is refused beside another that is enabled.',
    changing(async (next, request, patch, before) =>
      present(patch).length > 0 &&
      enabledIn(patch).length === 0 &&
      enabledIn(before).some((there) => !Object.hasOwn(patch, there))
        ? problem(409, 'conflict')
        : next(request),
    ),
  ),
  mutant(
    'disabled-dropped',
    'Disabled ones are dropped beside one that is enabled.',
    keepingRoute((body) =>
      enabledIn(body).length > 0 ? without(body, ...present(body).filter((name) => !enables(body, name))) : body,
    ),
  ),
  mutant(
    'disabled-removed-later',
    'Enabling one removes others that are disabled.',
    instead('updateRoute', (next, request) => {
      const patch = jsonIn(request);
      return next(
        isObject(patch) && enabledIn(patch).length === 1
          ? sending(request, { ...Object.fromEntries(SIGN_IN.map((name) => [name, null])), ...patch })
          : request,
      );
    }),
  ),
  mutant(
    'disabled-disables',
    'Setting a disabled one disables the one that is enabled.',
    changing((next, request, patch, before) => {
      const enabled = enabledIn(before).find((name) => !Object.hasOwn(patch, name));
      const isOff = present(patch).length > 0 && enabledIn(patch).length === 0;
      return next(
        isOff && enabled !== undefined
          ? sending(request, { ...patch, [enabled]: disabled(asSent(enabled, before[enabled])) })
          : request,
      );
    }),
  ),
];
