/** Modules of routes: each alone and all at once read back as they were sent. */
import type { Contract } from '../../engine/contract/load.ts';
import { isObject } from '../../engine/contract/pointers.ts';
import { shapeAt, shapeOf } from '../../engine/contract/shape.ts';
import { expectSame } from '../../engine/http/nonconformity.ts';
import { expectKept } from '../../engine/laws/echo.ts';
import { forAll, forEach, once } from '../../engine/laws/law.ts';
import { bodyOf, type Place } from '../../engine/laws/resource.ts';
import type { Steps } from '../../engine/laws/steps.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { type ApiRule, AT, on } from '../define.ts';
import { expectOwnUris, moduleSentAgain } from '../model/shown.ts';
import { allModules, type Json, MODULE_NAMES, type ModuleName, MODULES } from '../modules.ts';
import { edgesOf } from '../resources/edges.ts';
import { routeBodiesInPlace, routesOf } from '../resources/routes.ts';
import {
  BARE,
  MEANINGFUL_TEXTS,
  moduleValues,
  oddForms,
  ROUTE_CREATE,
  routesWithProviders,
  routeWithText,
} from '../values/bodies.ts';
import { refuseCreation } from './refusals.ts';

const law = on(routesOf, 'extended');

/** There are thirteen of these laws, with hundreds of values. */
const WEIGHT_OF_MODULE = 0.5;

function lawOfModule(name: ModuleName): Requirement {
  const { full, minimal, hard } = MODULES[name];
  const expectModuleKept = (value: Json, steps: Steps) => expectKept({ [name]: value }, steps);
  const rule: ApiRule = {
    id: `routes.module.${name}`,
    origin: 'D17',
    clause: `${ROUTE_CREATE}/properties/${name}`,
    quotes: [`| \`${name}\` |`, '`enabled: false`'],
    sentence: `\`${name}\` reads back as sent, in the form of responses and with its defaults.`,
  };
  const requirement = law(
    rule,
    ({ contract }) => {
      const values = [full, minimal, ...hard, ...oddForms(contract, name)];
      return forEach('in full, bare, and what services get wrong', values, expectModuleKept);
    },
    ({ contract }) =>
      forEach('odd texts, by a change', oddForms(contract, name), (value, steps) =>
        steps.tryChange(BARE, { [name]: value }),
      ),
    forEach('lists in another order, by a change', [full, turned(full)], (value, steps: Steps) =>
      steps.tryChange({ ...BARE, [name]: value }, { [name]: turned(value) }),
    ),
    (implementation) => forAll('any value', moduleValues(implementation, name), expectModuleKept),
  );
  return { ...requirement, weight: WEIGHT_OF_MODULE };
}

/** A copy in which each list is in the opposite order. */
function turned<T>(value: T): T;
function turned(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(turned).toReversed();
  }
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, turned(member)]),
    );
  }
  return value;
}

const allAtOnce = law(
  {
    id: 'routes.all-modules',
    origin: 'D17',
    clause: AT.createRoute,
    sentence: 'One request sets all modules.',
  },
  forEach(
    'each in full, and each minimal',
    [allModules('full'), allModules('minimal')],
    expectKept,
  ),
);

const texts = law(
  {
    id: 'routes.texts',
    origin: 'D17',
    clause: ROUTE_CREATE,
    sentence:
      'Texts that mean something to templates, shells, databases, browsers or formatters are ' +
      'kept as they were sent, in each place that takes any text.',
  },
  ({ contract }) =>
    forEach('in a creation', MEANINGFUL_TEXTS, (text, steps: Steps) =>
      expectKept(routeWithText(contract, text), steps),
    ),
  ({ contract }) =>
    forEach('in a change', MEANINGFUL_TEXTS, (text, steps: Steps) =>
      steps.tryChange(BARE, routeWithText(contract, text)),
    ),
  ({ contract }) =>
    forEach('in a creation, at each provider', routesWithTexts(contract), expectKept),
  ({ contract }) =>
    forEach('in a change, at each provider', routesWithTexts(contract), (route, steps: Steps) =>
      steps.tryChange(BARE, route),
    ),
);

const routesWithTexts = (contract: Contract): Json[] =>
  routesWithProviders(contract, MEANINGFUL_TEXTS);

const refs = law(
  {
    id: 'routes.refs',
    origin: 'source §2.3',
    clause: `${AT.schemas}/Ref`,
    sentence: 'Each Ref of a route has a `uri` that no other Ref has.',
  },
  once('all modules in full', async (steps) => {
    const route = await steps.createOne(allModules('full'));
    for (const shown of [route.shown, await steps.read(route)]) {
      expectOwnUris(shown);
    }
  }),
);

const ownFields = law(
  {
    id: 'routes.modules.own-fields',
    origin: 'D35',
    clause: `${AT.schemas}/HTTPSEdgeRouteCreate`,
    sentence:
      'A property of one module, or of one OAuth provider, is refused on each of the others.',
  },
  ({ contract }) =>
    forEach('all that are foreign to one', withForeignFields(contract), (modules, steps) =>
      refuseCreation(steps, modules, 'A property belongs to another module.'),
    ),
);

/**
 * For each module and each OAuth provider: bodies that give it one property more, which only others
 * have.
 */
function withForeignFields(contract: Contract): Json[][] {
  const fieldsAt = (...path: string[]): string[] => {
    const shape = shapeAt(shapeOf(contract, ROUTE_CREATE), path);
    return [...(shape?.properties.keys() ?? [])];
  };
  const names = new Set(MODULE_NAMES.flatMap((module) => fieldsAt(module)));
  const bodies: Json[][] = [];
  for (const module of MODULE_NAMES) {
    const own = fieldsAt(module);
    const foreign = [...names].filter((name) => !own.includes(name));
    bodies.push(foreign.map((name) => withField(module, name)));
  }
  const others = fieldsAt('oauth', 'provider').filter((name) => name !== 'github');
  for (const provider of others) {
    bodies.push(['teams', 'organizations'].map((name) => withProviderField(provider, name)));
  }
  return bodies;
}

/** The minimal form of the module, with a property of another one. */
function withField(module: ModuleName, name: string): Json {
  const values = MODULE_NAMES.map((one) => MODULES[one].full[name]);
  const value = values.find((one) => one !== undefined);
  return { [module]: { ...MODULES[module].minimal, [name]: value } };
}

function withProviderField(provider: string, name: string): Json {
  return { oauth: { provider: { [provider]: { [name]: ['a/b'] } } } };
}

const EACH_BARE = MODULE_NAMES.map((name): Json => ({ [name]: MODULES[name].minimal }));

const sentAgain = law(
  {
    id: 'routes.sent-again',
    origin: 'D04',
    clause: AT.updateRoute,
    quotes: ['Only Refs'],
    sentence: 'A module can be sent as it was read, with the ids of its Refs in place of the Refs.',
  },
  forEach('all modules in full, and each bare', [allModules(), ...EACH_BARE], sendAgain),
);

/** A route with the modules is changed to what it shows. */
async function sendAgain(modules: Json, steps: Steps): Promise<void> {
  const route = await steps.createOne(modules);
  const read = await steps.read(route);
  const present = MODULE_NAMES.filter((name) => read[name] !== null);
  const patch: Json = {};
  for (const name of present) {
    patch[name] = moduleSentAgain(MODULES[name].fields, read[name] as Json);
  }
  const { shown } = await steps.update(route, patch, 'It was read so.');
  for (const name of present) {
    expectSame(`\`${name}\` was sent as it was read`, shown[name], read[name]);
  }
}

const LONGEST_HEADER = 8192;

/** A module of 800 KB. */
const LARGE_HEADERS: Json = {
  request_headers: {
    add: Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`X-${index}`, 'a'.repeat(LONGEST_HEADER)]),
    ),
  },
};

const ROUTES_OF_2_MIB = 28;
const LONGEST_POLICY = 65_536;

const size = law(
  {
    id: 'routes.size',
    origin: 'D39',
    clause: `${AT.responses}/RouteConflict`,
    quotes: ['A service may refuse with 409'],
    sentence:
      'An edge with its routes of nearly 2 MiB is accepted, and listed; routes that were removed ' +
      'do not count.',
  },
  once('28 routes of 64 KiB', async (steps) => {
    const edgeSteps = steps.on(edgesOf(steps.implementation.contract));
    const edge = await edgeSteps.createOne();
    const place: Place = { path: edge.path, bodies: [], foreign: [] };
    const traffic_policy = { value: 'a'.repeat(LONGEST_POLICY) };
    const bodies = routeBodiesInPlace(ROUTES_OF_2_MIB).map((body) => ({ ...body, traffic_policy }));
    const created = await steps.createAll(place, bodies);
    await steps.expectItems(place, created, 'The edge has lost routes');
    await edgeSteps.list(edge.place, [edge]);
    await edgeSteps.remove(edge);
  }),
  once('8 routes of 800 KB, each removed before the next one', async (steps) => {
    const place = await steps.place({ items: 1 });
    for (let count = 0; count < 8; count++) {
      const route = await steps.create(place, { ...bodyOf(place, 0), ...LARGE_HEADERS });
      await steps.remove(route);
    }
  }),
);

export const moduleLaws = [
  ...MODULE_NAMES.map(lawOfModule),
  allAtOnce,
  texts,
  refs,
  ownFields,
  sentAgain,
  size,
];
