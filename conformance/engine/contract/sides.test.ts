/** What is `readOnly` is not sent, and what is `writeOnly` is not asked for. */
import { describe, expect, it } from 'vitest';
import { parseContract } from './load.ts';
import { schemasOf } from './schemas.ts';
import { shapeOf } from './shape.ts';
import { asRequest, asResponse } from './sides.ts';

const contract = parseContract(`
openapi: 3.1.0
info: {title: Sides, version: 1.0.0}
paths: {}
components:
  schemas:
    Id: {type: integer, readOnly: true}
    Base: {type: object, properties: {id: {$ref: '#/components/schemas/Id'}, made: {type: string, readOnly: true}}}
    User:
      allOf: [{$ref: '#/components/schemas/Base'}]
      required: [id, name, password, made]
      properties:
        name: {type: string}
        password: {type: string, writeOnly: true}
    Closed: {type: object, additionalProperties: false, properties: {id: {type: integer, readOnly: true}, name: {type: string}}}
    Copy: {$ref: '#/components/schemas/Base/properties/made'}
`);
const USER = '/components/schemas/User';

describe('a contract by its sides', () => {
  it('does not ask requests for what is readOnly, also where another part requires it', () => {
    const sent = asRequest(contract);
    expect(schemasOf(sent).isValid(USER, { name: 'a', password: 'b' })).toBe(true);
    expect(schemasOf(sent).isValid(USER, { name: 'a' })).toBe(false);
    // What is referred to stays.
    expect([...shapeOf(sent, USER).properties.keys()].toSorted()).toEqual(['made', 'name', 'password']);
  });

  it('knows what is not sent: a service may overlook it', () => {
    const { allows } = shapeOf(asRequest(contract), '/components/schemas/Closed');
    expect([allows('id'), allows('name'), allows('colour')]).toEqual([true, true, false]);
  });

  it('does not ask responses for what is writeOnly', () => {
    const shown = asResponse(contract);
    expect(schemasOf(shown).isValid(USER, { id: 1, name: 'a', made: 'now' })).toBe(true);
    expect(schemasOf(shown).isValid(USER, { name: 'a', made: 'now' })).toBe(false);
  });

  it('is the contract itself where it marks nothing', () => {
    const plain = parseContract('{openapi: 3.1.0, info: {title: a, version: 1.0.0}, paths: {}}');
    expect([asRequest(plain), asResponse(plain)]).toEqual([plain, plain]);
    expect(asRequest(plain)).toBe(plain);
  });
});
