/** Routes on which users sign in (D21): at most one of `oauth`, `saml` and `oidc` is enabled. */
import type { Property } from '../../engine/requirements/requirement.ts';
import { AT, extended } from '../define.ts';
import { type Command, createEdge, createRoute, patchRoute } from '../model/commands.ts';
import { stories } from '../model/run.ts';
import { type Json, type ModuleName, MODULES, SIGN_IN } from '../modules.ts';
import { ROUTE_CREATE } from '../values/bodies.ts';

const AT_MOST_ONE = 'At most one of `oauth`';
const CHANGED = { description: 'changed' };

/** The module without `enabled`, which is true by default. */
function enabled(name: ModuleName): Json {
  return { [name]: MODULES[name].minimal };
}

/** The module with `enabled: true`, which means the same. */
function explicitlyEnabled(name: ModuleName): Json {
  return { [name]: { ...MODULES[name].minimal, enabled: true } };
}

function disabled(name: ModuleName): Json {
  return { [name]: { ...MODULES[name].minimal, enabled: false } };
}

/** Two modules that sign users in: one that a route has, and one that is added to it. */
interface Pair {
  present: ModuleName;
  added: ModuleName;
}

const PAIRS: readonly Pair[] = SIGN_IN.flatMap((present) =>
  SIGN_IN.filter((name) => name !== present).map((added) => ({ present, added })),
);

/** A story on a new edge for each two of the modules, in both orders. */
function withEachPair(label: string, storyOf: (pair: Pair) => Command[]): Property[] {
  return stories(label, PAIRS, (pair) => [createEdge(), ...storyOf(pair)]);
}

/** A request that enables two modules, and a change that does. */
function enabledTogether(two: Json): Command[] {
  const change = { ...two, ...CHANGED };
  return [createRoute(two), createRoute({}), patchRoute(change)];
}

const oneRequest = extended(
  {
    id: 'routes.authentication.one-request',
    origin: 'D21',
    clause: `${ROUTE_CREATE}/if`,
    quotes: [AT_MOST_ONE],
    sentence: 'A request that enables two of `oauth`, `saml` and `oidc` is refused with 400.',
  },
  withEachPair('two enabled, of which neither says it', ({ present, added }) => {
    return enabledTogether({ ...enabled(present), ...enabled(added) });
  }),
  withEachPair('two enabled, of which one says it', ({ present, added }) => {
    return enabledTogether({ ...explicitlyEnabled(present), ...enabled(added) });
  }),
  withEachPair('two enabled, of which both say it', ({ present, added }) => {
    return enabledTogether({ ...explicitlyEnabled(present), ...explicitlyEnabled(added) });
  }),
  withEachPair('two enabled beside a disabled one', ({ present, added }) => {
    const others = SIGN_IN.filter((name) => name !== present && name !== added);
    const two = { ...enabled(present), ...enabled(added) };
    return enabledTogether(Object.assign(two, ...others.map(disabled)));
  }),
  stories('all three enabled', [enabled, explicitlyEnabled], (form) => {
    return [createEdge(), ...enabledTogether(Object.assign({}, ...SIGN_IN.map(form)))];
  }),
);

function addedToEnabled({ present, added }: Pair): Command[] {
  const create = createRoute(enabled(present));
  const change = patchRoute({ ...enabled(added), ...CHANGED });
  const explicitChange = patchRoute({ ...explicitlyEnabled(added), ...CHANGED });
  return [create, change, explicitChange];
}

function addedUntilRemoved({ present, added }: Pair): Command[] {
  const enable = patchRoute(enabled(present));
  const refused = patchRoute({ ...enabled(added), ...CHANGED });
  const remove = patchRoute({ [present]: null });
  const accepted = patchRoute(enabled(added));
  const refusedNow = patchRoute({ ...enabled(present), ...CHANGED });
  return [createRoute({}), enable, refused, remove, accepted, refusedNow];
}

function enabledLater({ present, added }: Pair): Command[] {
  const create = createRoute({ ...explicitlyEnabled(present), ...disabled(added) });
  return [create, patchRoute(explicitlyEnabled(added))];
}

const stored = extended(
  {
    id: 'routes.authentication.stored',
    origin: 'D21',
    clause: AT.conflict,
    quotes: [AT_MOST_ONE, '| 409 | `conflict`'],
    sentence:
      'A change that enables one of `oauth`, `saml` and `oidc` beside another enabled one is ' +
      'refused with 409, and changes nothing.',
  },
  withEachPair('beside an enabled one', addedToEnabled),
  withEachPair(
    'beside one that a change enabled, until another change takes it away',
    addedUntilRemoved,
  ),
  withEachPair('enabling one that is there', enabledLater),
);

/** The module enabled, and the other ones that sign users in disabled. */
function onlyEnabled(name: ModuleName): Json {
  const modules: Json = {};
  for (const one of SIGN_IN) {
    Object.assign(modules, disabled(one));
  }
  return { ...modules, ...explicitlyEnabled(name) };
}

function enabledThenDisabled({ present, added }: Pair): Command[] {
  const enable = patchRoute(enabled(present));
  const disable = patchRoute(disabled(present));
  return [createRoute({}), enable, disable, patchRoute(enabled(added))];
}

const besideDisabled = extended(
  {
    id: 'routes.authentication.disabled',
    origin: 'D21',
    clause: AT.updateRoute,
    quotes: [AT_MOST_ONE],
    sentence: 'One of them may be enabled beside others that are disabled.',
  },
  stories('in one request', SIGN_IN, (name) => {
    return [createEdge(), createRoute(onlyEnabled(name))];
  }),
  withEachPair('one after the other', ({ present, added }) => {
    return [createRoute(disabled(present)), patchRoute(enabled(added))];
  }),
  withEachPair('beside one that one change enabled and another disabled', enabledThenDisabled),
  withEachPair('a disabled one beside an enabled one', ({ present, added }) => {
    return [createRoute(enabled(present)), patchRoute(disabled(added))];
  }),
);

export const signInLaws = [oneRequest, stored, besideDisabled];
