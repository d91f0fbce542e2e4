/**
 * What holds of every generated value, for all schemas and parameters of the contract and of a synthetic one. A light
 * test tries some clauses with few values, an e2e test all of them with many.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clausesOf, operationsOf, type Clause } from '../contract/clauses.ts';
import { HINTS } from '../../api/implementation.ts';
import { impliedClauses, impliedParameterClauses, parameterClauses } from '../contract/implied.ts';
import { loadContract, type Contract } from '../contract/load.ts';
import { objectAt } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { SYNTHETIC } from '../contract/synthetic.test.fixture.ts';
import { boundariesOfClause } from './boundaries.ts';
import { parameterBoundaries, parameterValues, parameterViolations } from './scalars.ts';
import { valuesSeen, type Seen } from './seen.test.fixture.ts';
import { validValues } from './valid.ts';
import { proveBreaksOnly, violationsOfClause } from './violations.ts';

export interface Extent extends Seen {
  /** How many clauses of each schema are tried; all by default. */
  clauses?: number;
  /** Shrinking takes long: it is watched for one generator out of this many. */
  shrunkOneIn: number;
}

const contract = loadContract();
const components = Object.keys(objectAt(contract.document, '/components/schemas')).map(
  (name) => `/components/schemas/${name}`,
);
const requests = [
  ...new Set(operationsOf(contract).flatMap(({ requestBody }) => (requestBody ? [requestBody.pointer] : []))),
];
/** Of the schemas of responses, those that have keywords which no request has. */
const responses = [
  'EventSourceList',
  'EndpointTLSTermination',
  'EndpointRequestHeaders',
  'EndpointCircuitBreaker',
  'EndpointWebhookValidation',
].map((name) => `/components/schemas/${name}`);
const bodies: [string, Contract, string][] = [
  ...[...requests, ...responses].map((pointer): [string, Contract, string] => [pointer, contract, pointer]),
  ['synthetic', SYNTHETIC, '/components/schemas/Everything'],
];
const parameters = ['EdgeId', 'SubscriptionId', 'SourceType', 'Limit', 'Cursor'].map(
  (name) => `/components/parameters/${name}`,
);

export function testGenerators({ samples, shrinks, clauses: most = Infinity, shrunkOneIn, seed }: Extent): void {
  const seen = <T>(arbitrary: fc.Arbitrary<T>): T[] => valuesSeen(arbitrary, { samples, shrinks, seed });
  let made = seed;
  const sometimesShrunk = <T>(arbitrary: fc.Arbitrary<T>): T[] =>
    ++made % shrunkOneIn === 0 ? seen(arbitrary) : fc.sample(arbitrary, { numRuns: samples, seed });
  const clauses = (source: Contract, pointer: string): Clause[] => {
    const all = clausesOf(source, pointer);
    const step = Math.max(1, all.length / most);
    return Array.from(
      { length: Math.min(most, all.length) },
      (_, index) => all[(Math.floor(index * step) + seed) % all.length]!,
    );
  };

  describe('valid values', () => {
    const every: [string, Contract, string][] = [
      ...components.map((pointer): [string, Contract, string] => [pointer, contract, pointer]),
      ...Object.keys(objectAt(SYNTHETIC.document, '/components/schemas')).map((name): [string, Contract, string] => [
        `synthetic ${name}`,
        SYNTHETIC,
        `/components/schemas/${name}`,
      ]),
    ];
    test.each(every)('%s', (_, source, pointer) => {
      for (const value of seen(validValues(source, pointer, HINTS))) {
        expect(schemasOf(source).validate(pointer, value), JSON.stringify(value)).toEqual([]);
      }
    });
  });

  describe.each(bodies)('%s', { timeout: 300_000 }, (_, source, pointer) => {
    test('boundaries are valid', () => {
      for (const clause of clauses(source, pointer)) {
        for (const { label, value } of boundariesOfClause(source, pointer, clause, HINTS)) {
          for (const valid of sometimesShrunk(value))
            expect(schemasOf(source).validate(pointer, valid), `${clause.id}: ${label}`).toEqual([]);
        }
      }
    });

    test('violations break exactly their clause', () => {
      for (const clause of clauses(source, pointer)) {
        const violations = violationsOfClause(source, pointer, clause, HINTS);
        for (const { label, value } of violations) {
          for (const broken of sometimesShrunk(value)) {
            if (!breaksOnly(source, pointer, clause, broken))
              expect.fail(`${clause.id} (${label}): ${JSON.stringify(broken)}`);
          }
        }
      }
    });

    test('every clause has violations with labels of their own, or a reason why it cannot be broken alone', () => {
      const implied = new Set(impliedClauses(source, pointer).map(({ clause }) => clause.id));
      for (const clause of clauses(source, pointer)) {
        const labels = violationsOfClause(source, pointer, clause, HINTS).map(({ label }) => label);
        expect(labels.length > 0, clause.id).toBe(!implied.has(clause.id));
        expect(new Set(labels).size, clause.id).toBe(labels.length);
      }
    });
  });

  describe.each(parameters)('%s', (pointer) => {
    test('every clause has a violation or a reason, under the name of the parameter', () => {
      const known = [...parameterViolations(contract, pointer, HINTS), ...impliedParameterClauses(contract, pointer)];
      expect([...new Set(known.map(({ clause }) => clause.id))].toSorted()).toEqual(
        parameterClauses(contract, pointer)
          .map(({ id }) => id)
          .toSorted(),
      );
    });

    test('every text can stand in a URL, and comes back from it as it is', () => {
      const texts = [
        ...parameterViolations(contract, pointer, HINTS),
        ...parameterBoundaries(contract, pointer, HINTS),
      ].flatMap(({ value }) => seen(value));
      const inPath = !/Limit|Cursor/.test(pointer);
      for (const text of [
        ...texts,
        ...fc.sample(parameterValues(contract, pointer, HINTS), { numRuns: samples, seed }),
      ]) {
        const url = new URL(
          inPath ? `/a/${encodeURIComponent(text)}/b` : `/a?x=${encodeURIComponent(text)}`,
          'http://a.example',
        );
        const back = inPath
          ? decodeURIComponent(url.pathname.slice('/a/'.length, -'/b'.length))
          : url.searchParams.get('x');
        expect(back).toBe(text);
        if (inPath) expect(text).not.toMatch(/^\.{0,2}$|\//);
      }
    });
  });
}

/** The proof in another way: by the errors themselves, apart from those that must come together. */
function breaksOnly(source: Contract, pointer: string, clause: Clause, value: unknown): boolean {
  if (!proveBreaksOnly(source, pointer, clause, value)) return false;
  const errors = schemasOf(source).validate(pointer, value);
  const own = errors.filter((error) =>
    clause.keyword === 'if' ? error.path.length >= clause.path.length : error.pointer === clause.pointer,
  );
  const others = errors.filter((error) => !own.includes(error));
  // A value of another type is none of the listed ones, either.
  const beside = ['enum', 'const'].includes(clause.keyword) ? ['type'] : ['maxLength', 'x-max-bytes', 'format'];
  return own.length > 0 && others.every(({ keyword }) => [...beside, clause.keyword].includes(keyword));
}
