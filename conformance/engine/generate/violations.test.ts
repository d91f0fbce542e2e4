import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HINTS } from '../../api/implementation.ts';
import { clausesOf } from '../contract/clauses.ts';
import { loadContract } from '../contract/load.ts';
import { impliedClauses } from '../contract/implied.ts';
import { proveBreaksOnly, violationsOf, type Violation } from './violations.ts';

const contract = loadContract();

function find(violations: readonly Violation[], id: string, label: string): fc.Arbitrary<unknown> {
  const found = violations.find((one) => one.clause.id === id && one.label === label);
  if (!found) throw new Error(`no violation ${id}: ${label}`);
  return found.value;
}

/** What shrinking comes to when everything fails. */
function smallest(value: fc.Arbitrary<unknown>): unknown {
  return fc.check(
    fc.property(value, () => false),
    { seed: 7 },
  ).counterexample?.[0];
}

describe('violationsOf HTTPSEdgeCreate', () => {
  const violations = violationsOf(contract, '/components/schemas/HTTPSEdgeCreate', HINTS);

  test('gives the cases that a service gets wrong', () => {
    expect(violations.map(({ clause, label }) => `${clause.id}: ${label}`)).toMatchSnapshot();
    expect(
      impliedClauses(contract, '/components/schemas/HTTPSEdgeCreate').map(
        ({ clause, reason }) => `${clause.id}: ${reason}`,
      ),
    ).toMatchSnapshot();
  });

  test.each<[string, string, unknown]>([
    ['type', '[] in place of object', []],
    ['description.type', '1 in place of null or string', { description: 1 }],
    ['mutual_tls.enabled.type', '"" in place of boolean', { mutual_tls: { enabled: '' } }],
    ['hostports.uniqueItems', 'one item twice', { hostports: ['a:1', 'a:1'] }],
    ['hostports.*.pattern', 'port 65536', { hostports: ['a.example:65536'] }],
    ['additionalProperties', '__proto__', JSON.parse('{"__proto__": ""}')],
    ['tls_termination.terminate_at.enum', 'another case: "EDGE"', { tls_termination: { terminate_at: 'EDGE' } }],
    [
      'if.then',
      'then mutual_tls.type: a value that is allowed otherwise',
      { mutual_tls: {}, tls_termination: { terminate_at: 'upstream' } },
    ],
    [
      'tls_termination.if.then',
      'then min_version.type: a value that is allowed otherwise',
      { tls_termination: { min_version: '1.2', terminate_at: 'upstream' } },
    ],
  ])('%s: %s shrinks to the obvious minimum', (id, label, minimum) => {
    expect(smallest(find(violations, id, label))).toEqual(minimum);
  });

  test('texts that are too long in bytes are not so in characters', () => {
    const tooLong = find(violations, 'description.x-max-bytes', '256 bytes in characters of 2, one more than allowed');
    for (const value of fc.sample(tooLong, { numRuns: 50, seed: 1 })) {
      const { description } = value as { description: string };
      expect([Buffer.byteLength(description), [...description].length]).toEqual([256, 128]);
    }
  });

  test('a hint holds in what stands around the broken place', () => {
    const hints = { known: { '/components/schemas/ResourceId': fc.constant('ca_known') } };
    const text = JSON.stringify(
      fc.sample(
        find(
          violationsOf(contract, '/components/schemas/HTTPSEdgeCreate', hints),
          'description.type',
          'true in place of null or string',
        ),
        { numRuns: 200, seed: 1 },
      ),
    );
    expect(new Set(text.match(/"certificate_authority_ids":\["[^"]*/g))).toEqual(
      new Set(['"certificate_authority_ids":["ca_known']),
    );
  });
});

describe('proveBreaksOnly', () => {
  const EDGE = '/components/schemas/HTTPSEdgeCreate';
  const proves = (id: string, value: unknown): boolean => {
    const clause = clausesOf(contract, EDGE).find((one) => one.id === id);
    if (!clause) throw new Error(`no clause ${id}`);
    return proveBreaksOnly(contract, EDGE, clause, value);
  };

  test.each<[string, unknown]>([
    ['description.x-max-bytes', { description: 'a'.repeat(256) }],
    ['description.x-max-bytes', { description: 'é'.repeat(128) }],
    ['description.type', { description: 5 }],
    ['if.then', { mutual_tls: {}, tls_termination: { terminate_at: 'upstream' } }],
    ['description.maxLength', { description: 'a'.repeat(256) }],
    ['hostports.*.pattern', { hostports: ['a:1', 'a:0'] }],
  ])('accepts %s %j', (id, value) => expect(proves(id, value)).toBe(true));

  test.each<[string, unknown, string]>([
    ['description.type', {}, 'nothing is broken'],
    ['description.type', { description: 5, metadata: 5 }, 'another clause is broken, too'],
    ['metadata.type', { description: 5 }, 'the same rule at another place is broken'],
    ['description.x-max-bytes', { description: 5 }, 'another rule of the same property is broken'],
    ['hostports.*.pattern', { hostports: ['a:0', 'b:0'] }, 'it is broken at two places'],
    ['hostports.*.pattern', { hostports: ['b'] }, 'it is too short as well'],
    ['additionalProperties', { x: 1, y: 1 }, 'there are two unknown names at one place'],
    ['if.then', { mutual_tls: 5, tls_termination: { terminate_at: 'upstream' } }, 'the type is wrong anyway'],
    [
      'if.then',
      { mutual_tls: {}, tls_termination: { terminate_at: 'upstream', min_version: '1.2' } },
      'the inner if is broken, too',
    ],
  ])('refuses %s %j, since %s', (id, value) => expect(proves(id, value)).toBe(false));
});
