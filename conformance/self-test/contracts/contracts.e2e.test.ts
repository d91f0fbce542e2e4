/** The command finds mutants and errors in services of other APIs. `.ci/steps/compare` shows that it passes them without. */
import { expect, it } from 'vitest';
import { mutantsOf, sampleOf, tryMutant, verdictOf } from '../mutation/mutants.ts';
import { SERVICES } from '../compare/services.ts';
import { TOOLS } from '../compare/tools.ts';
import { contractOf } from '../planted.ts';
import { bedOf } from '../test-bed.ts';

/** Found in any contract. */
const OF_CONTRACTS = [
  'drop',
  'retype',
  'status',
  'other-body',
  'drop-header',
  'alter-header',
  'unchecked-body',
  'unchecked-parameter',
];
/** Found where links say how resources are created, read, changed and deleted. */
const OF_RESOURCES = [
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
  ['tasks', [...OF_CONTRACTS, 'forget-delete']],
  ['shapes', [...OF_CONTRACTS, ...OF_RESOURCES]],
] as const)('finds mutants of %s', async (name, operators) => {
  const bed = bedOf(name);
  const gaps: string[] = [];
  // Mutants of tokens need bearer tokens.
  const mutants = mutantsOf(bed.contract).filter(
    (one) => !one.needsToken && operators.includes(one.operator),
  );
  for (const mutant of sampleOf(mutants, SAMPLE, 1)) {
    const by = await tryMutant(bed, mutant, 1);
    if (by === undefined && verdictOf(mutant.id).kind === 'gap') {
      gaps.push(mutant.id);
    }
  }
  expect(gaps).toEqual([]);
});

it.each([
  'orders: range-without-its-end',
  'orders: page-has-one-more',
  'orders: total-is-of-the-page',
  'orders: created-at-changes',
  'orders: first-of-several-values',
  'orders: cancelled-twice',
  'orders: cancel-changes-nothing',
  'tasks: list-without-the-newest',
  'functions: name-length-is-not-checked',
])('finds in %s', { timeout: 200_000 }, async (planted) => {
  const [name, error] = planted.split(': ') as [string, string];
  const { start, key } = SERVICES[name]!;
  const { url, close } = await start(error);
  const trial = {
    url,
    contract: contractOf(name),
    key,
    level: 'extended',
    first: false,
    seed: 1,
    seconds: 150,
  };
  const { failures } = await TOOLS['suite']!(trial).finally(close);
  expect([...failures.keys()]).not.toEqual([]);
});
