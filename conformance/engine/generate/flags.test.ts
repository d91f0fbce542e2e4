/** Errors beside flags of either value. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clausesOf } from '../contract/clauses.ts';
import { parseContract } from '../contract/load.ts';
import { violationsOfClause } from './violations.ts';

const CONTRACT = parseContract(`
openapi: 3.1.0
info: {title: Flags, version: '1'}
paths: {}
components:
  schemas:
    Alarm:
      type: object
      properties:
        active: {type: boolean}
        limit:
          type: object
          required: [enabled]
          properties:
            enabled: {type: boolean}
            strict: {const: true}
            size: {type: integer, maximum: 3}
`);

interface Alarm {
  active?: boolean;
  limit: { enabled: boolean; strict?: boolean; size: number };
}

function violations(id: string): Alarm[] {
  const pointer = '/components/schemas/Alarm';
  const clause = clausesOf(CONTRACT, pointer).find((one) => one.id === id)!;
  const cases = violationsOfClause(CONTRACT, pointer, undefined, clause);
  return cases.flatMap(({ value }) => fc.sample(value, { numRuns: 60, seed: 1 }) as Alarm[]);
}

test('an error stands beside flags of either value, in all objects around it', () => {
  const alarms = violations('limit.size.maximum');
  expect(alarms.every(({ limit }) => limit.size > 3)).toBe(true);
  const flags = alarms.map(({ active, limit }) => `${active} ${limit.enabled}`);
  expect(flags).toEqual(expect.arrayContaining(['false false', 'true true', 'undefined true']));
});

test('a flag that is under test, or that has one value only, stays', () => {
  const wrongTypes = violations('limit.enabled.type');
  expect(wrongTypes.filter(({ limit }) => typeof limit.enabled === 'boolean')).toEqual([]);
  const strict = violations('limit.size.maximum').map(({ limit }) => limit.strict);
  expect(strict).not.toContain(false);
});
