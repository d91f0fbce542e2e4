import { expect, test } from 'vitest';
import { casesOfSuite, contractOf } from './json-schema-suite.test.fixture.ts';
import { schemasOf } from './schemas.ts';
import { Unsupported } from './unsupported.ts';

const cases = casesOfSuite().filter(({ foreign }) => foreign === undefined);

test('the validator says of every instance what the JSON-Schema-Test-Suite says, or that it cannot', () => {
  const unjudged: string[] = [];
  const wrong: string[] = [];
  for (const one of cases) {
    try {
      const { contract, pointer } = contractOf(one);
      const isValid = (value: unknown): boolean => schemasOf(contract).isValid(pointer, value);
      const differing = [...one.valid.filter((value) => !isValid(value)), ...one.invalid.filter(isValid)];
      wrong.push(...differing.map((value) => `${one.keyword}, ${one.description}: ${JSON.stringify(value)}`));
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      unjudged.push(`${one.keyword}, ${one.description}: ${error.message}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(cases.length).toBeGreaterThan(290);
  expect(unjudged).toEqual([
    'enum, empty enum: the schema at /components/schemas/Case cannot be compiled: enum must have non-empty array',
    'properties, properties whose names are Javascript object property names: ' +
      'a property named __proto__ at /components/schemas/Case is nothing that Ajv checks',
  ]);
});
