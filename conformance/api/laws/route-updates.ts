/** Changes of several members of a route in one step (D11). Those of single members are laws of any resource. */
import fc from 'fast-check';
import { forAll, forEach } from '../../engine/laws/law.ts';
import type { Json } from '../../engine/laws/resource.ts';
import { createForUpdate, expectChanged, nulls } from '../../engine/laws/updates.ts';
import type { Session } from '../../engine/http/session.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { routes } from '../resources/routes.ts';
import { BARE } from '../values/route-values.ts';
import { AT, extended } from './law.ts';
import { MODULES, MODULE_NAMES, SIGN_IN } from '../modules.ts';

async function tryChange(session: Session, modules: Json, patch: Json): Promise<void> {
  const { item, shown } = await createForUpdate(session, routes, { ...BARE, ...modules });
  await expectChanged(session, routes, item, shown, patch);
}

const NAMES = fc.subarray([...MODULE_NAMES], { minLength: 1 });

const SWAPS = SIGN_IN.flatMap((from) =>
  SIGN_IN.filter((to) => to !== from).flatMap((to) =>
    [null, { ...MODULES[from].full, enabled: false }].map((gone) => ({
      from,
      patch: { [from]: gone, [to]: MODULES[to].minimal },
    })),
  ),
);

export function routeUpdateLaws(): Requirement[] {
  return [
    extended(
      'routes.update.null-text',
      'D11',
      AT.updateRoute,
      'Null resets `description` and `metadata` to "".',
      nulls(routes, ['description', 'metadata']),
    ),
    extended(
      'routes.update.several',
      'D11',
      AT.updateRoute,
      'One change sets, replaces and removes several modules at once.',
      [
        forAll(
          'some set, some replaced, some removed',
          fc.record({ before: NAMES, set: NAMES, removed: NAMES }),
          async ({ before, set, removed }, session) => {
            const patch = Object.fromEntries([
              ...set.map((name) => [name, { ...MODULES[name].minimal, enabled: false }]),
              ...removed.map((name) => [name, null]),
            ]) as Json;
            await tryChange(session, Object.fromEntries(before.map((name) => [name, MODULES[name].full])), patch);
          },
        ),
      ],
    ),
    extended(
      'routes.update.swap',
      'D11',
      AT.updateRoute,
      'One request takes one authentication module away and enables another.',
      [
        forEach('from one to another', SWAPS, ({ from, patch }, session) =>
          tryChange(session, { [from]: { ...MODULES[from].full, enabled: true } }, patch),
        ),
      ],
    ),
  ];
}
