/**
 * The suite finds mutants of services of other APIs, and errors in them. `.ci/steps/compare` shows
 * that it passes them.
 */
import { expect, it } from 'vitest';
import { serviceNamed } from '../compare/services.ts';
import { suite } from '../compare/tools.ts';
import { mutantsOf, sampleOf, tryMutant, verdictOf } from '../mutation/mutants.ts';
import { contractOf } from '../planted.ts';
import { bedOf } from '../test-bed.ts';

/** Their mutants are killed with any contract. */
const OPERATORS_OF_CONTRACTS = [
  'drop',
  'retype',
  'status',
  'other-body',
  'drop-header',
  'alter-header',
  'unchecked-body',
  'unchecked-parameter',
];

/** Their mutants are killed if links say how resources are created, read, changed and deleted. */
const OPERATORS_OF_RESOURCES = [
  'forget-create',
  'forget-update',
  'forget-delete',
  'to-sibling',
  'stale-after-write',
  'cached-response',
  'ignore-field',
  'unchecked-segment',
];

const SAMPLE = 24;

it.each([
  ['tasks', [...OPERATORS_OF_CONTRACTS, 'forget-delete']],
  ['shapes', [...OPERATORS_OF_CONTRACTS, ...OPERATORS_OF_RESOURCES]],
])('the suite kills mutants of %s', async (name, operators) => {
  const bed = bedOf(name);
  // Mutants that need a token are about bearer tokens, which these services do not have.
  const mutants = mutantsOf(bed.contract).filter(
    ({ operator, needsToken }) => !needsToken && operators.includes(operator),
  );
  const gaps: string[] = [];
  for (const mutant of sampleOf(mutants, SAMPLE, 1)) {
    const killedBy = await tryMutant(bed, mutant, 1);
    if (killedBy === undefined && verdictOf(mutant.id).kind === 'gap') {
      gaps.push(mutant.id);
    }
  }
  expect(gaps).toEqual([]);
});

it.each([
  ['orders', 'range-without-its-end'],
  ['orders', 'page-has-one-more'],
  ['orders', 'total-is-of-the-page'],
  ['orders', 'created-at-changes'],
  ['orders', 'first-of-several-values'],
  ['orders', 'cancelled-twice'],
  ['orders', 'cancel-changes-nothing'],
  ['tasks', 'list-without-the-newest'],
  ['functions', 'name-length-is-not-checked'],
])('the suite finds the error of %s: %s', { timeout: 200_000 }, async (name, error) => {
  const { start, key } = serviceNamed(name);
  const { url, close } = await start(error);
  const trial = { url, contract: contractOf(name), key, level: 'extended', seed: 1, seconds: 150 };
  const { failures } = await suite(trial).finally(close);
  expect([...failures.keys()]).not.toEqual([]);
});
