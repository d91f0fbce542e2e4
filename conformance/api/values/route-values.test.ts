import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { HINTS } from '../implementation.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';
import { MODULES, shownModule } from '../model/route.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import {
  allModules,
  BARE,
  distinctNames,
  FORMS,
  moduleValues,
  ROUTE_CREATE,
  ROUTE_UPDATE,
  routeBodies,
  routePatches,
} from './route-values.ts';

const contract = loadContract();
const schemas = schemasOf(contract);
const implementation = { contract, hints: HINTS, origin: 'all' } as unknown as Implementation;

describe.each(MODULES)('%s', (name) => {
  test.each(['full', 'bare'] as const)(
    'its %s form is valid, and what it must show has the form of responses',
    (form) => {
      const value = FORMS[name][form];
      expect(schemas.validate(ROUTE_CREATE, { ...BARE, [name]: value })).toEqual([]);
      const faults = schemas.validate(
        `/components/schemas/HTTPSEdgeRoute/properties/${name}`,
        shownModule(name, value),
      );
      // What the service itself supplies is missing: the URIs of Refs, and what SAML has.
      expect(faults.filter(({ keyword }) => keyword !== 'required')).toEqual([]);
    },
  );

  test('its full form has every property, and replaces each by another one than the default', () => {
    const full = shownModule(name, FORMS[name].full) as Record<string, unknown>;
    const bare = shownModule(name, FORMS[name].bare) as Record<string, unknown>;
    for (const [property, value] of Object.entries(full)) expect(value, property).not.toEqual(bare[property]);
  });

  test('any value is valid', () => {
    for (const value of fc.sample(moduleValues(implementation, name), { numRuns: 100, seed: 1 })) {
      expect(schemas.validate(ROUTE_CREATE, { ...BARE, [name]: value }), JSON.stringify(value)).toEqual([]);
    }
  });
});

test('all thirteen modules go together', () => {
  expect(schemas.validate(ROUTE_CREATE, { ...BARE, ...allModules() })).toEqual([]);
});

test.each([
  [ROUTE_CREATE, routeBodies(implementation)],
  [ROUTE_UPDATE, routePatches(implementation)],
])('any body is valid for %s, with names of headers that differ by more than case', (pointer, bodies) => {
  for (const body of fc.sample(bodies, { numRuns: 300, seed: 1 })) {
    expect(schemas.validate(pointer, body), JSON.stringify(body)).toEqual([]);
    for (const name of ['request_headers', 'response_headers']) {
      const { add = {}, remove = [] } = (body[name] ?? {}) as { add?: object; remove?: string[] };
      for (const names of [Object.keys(add), remove])
        expect(new Set(names.map((one) => one.toLowerCase())).size).toBe(names.length);
    }
  }
});

describe('distinctNames', () => {
  test('keeps every header, and names that differ already', () => {
    const add = { A: '1', a: '2', b: '3' };
    expect(distinctNames({ request_headers: { enabled: true, add, remove: ['X', 'x', 'X', 'y'] } })).toEqual({
      request_headers: { enabled: true, add: { A: '1', 'a-2': '2', b: '3' }, remove: ['X', 'x-2', 'X-3', 'y'] },
    });
    const fine = { response_headers: { add: { a: '1' } }, request_headers: null, description: 'a' };
    expect(distinctNames(fine)).toEqual(fine);
  });
});
