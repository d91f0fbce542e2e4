/** The table of modules, held to the contract. */
import { describe, expect, test } from 'vitest';
import { loadContract } from '../engine/contract/load.ts';
import { schemasOf } from '../engine/contract/schemas.ts';
import { shapeAt, shapeOf } from '../engine/contract/shape.ts';
import { shownModule } from './model/shown.ts';
import { type Json, MODULE_NAMES, MODULES } from './modules.ts';
import { BARE, distinctNames, ROUTE_CREATE } from './values/bodies.ts';

const contract = loadContract();
const ROUTE = '/components/schemas/HTTPSEdgeRoute';
const schemas = schemasOf(contract);

describe.each(MODULE_NAMES)('%s', (name) => {
  const { fields, full, minimal, hard } = MODULES[name];

  test('has the fields of the contract, with their defaults', () => {
    const { properties, required } = shapeAt(shapeOf(contract, ROUTE_CREATE), [name])!;
    expect(Object.keys(fields).toSorted()).toEqual([...properties.keys()].toSorted());
    expect(Object.keys(fields).filter((field) => fields[field]!.required)).toEqual([...required]);
    for (const [field, { parts }] of properties) {
      for (const { schema } of parts) {
        expect(schema['default'] ?? fields[field]!.default).toEqual(fields[field]!.default);
      }
    }
  });

  test.each([full, minimal, ...hard])(
    '%j is valid, and what it must show has the form of responses',
    (value) => {
      expect(schemas.validate(ROUTE_CREATE, { ...BARE, [name]: value })).toEqual([]);
      const errors = schemas.validate(`${ROUTE}/properties/${name}`, shownModule(name, value));
      // The service supplies the URIs of Refs, a prefix of cookies, and values of SAML.
      expect(errors.filter(({ keyword }) => keyword !== 'required')).toEqual([]);
    },
  );

  test('its full form sets every field to another value than its default', () => {
    const [all, least] = [full, minimal].map((value) => shownModule(name, value) as Json);
    expect(Object.keys(full).toSorted()).toEqual(Object.keys(fields).toSorted());
    for (const [field, value] of Object.entries(all!)) {
      expect(value, field).not.toEqual(least![field]);
    }
  });
});

test('names of headers are made distinct, and no header is lost', () => {
  const add = { A: '1', a: '2', b: '3' };
  expect(distinctNames({ request_headers: { add, remove: ['X', 'x', 'X', 'y'] } })).toEqual({
    request_headers: { add: { A: '1', 'a-2': '2', b: '3' }, remove: ['X', 'x-2', 'X-3', 'y'] },
  });
});
