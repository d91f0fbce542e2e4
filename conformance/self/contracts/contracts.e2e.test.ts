/** The command serves contracts of other APIs: it passes services that conform, and finds mutants of any operator. */
import { describe, expect, it } from 'vitest';
import { mutantsOf, sampleOf, tryMutant, verdictOf } from '../mutation/mutants.ts';
import { OPEN } from '../service.ts';
import { SERVICES } from '../compare/services.ts';
import { TOOLS } from '../compare/tools.ts';
import { contractOf } from '../planted.ts';
import { bedOf } from '../test-bed.ts';

/** Found in any contract. */
const OF_CONTRACTS = [
  ...['drop', 'retype', 'status', 'other-body', 'drop-header', 'alter-header'],
  ...['unchecked-body', 'unchecked-parameter'],
];
/** Found where links say how resources are created, read, changed and deleted. */
const OF_RESOURCES = [
  ...['forget-create', 'forget-update', 'forget-delete', 'to-sibling'],
  ...['stale-after-write', 'cached-response', 'ignore-field', 'unchecked-segment'],
];
const SAMPLE = 24;

describe.each([
  ['tasks', [...OF_CONTRACTS, 'forget-delete']],
  ['shapes', [...OF_CONTRACTS, ...OF_RESOURCES]],
] as const)('%s', (name, operators) => {
  const bed = bedOf(name);

  it('conforms, and each skip has its reason', async () => {
    const { requirements, verdict, summary } = await bed.run(bed.createService(OPEN), { seed: 1 });
    const wrong = requirements.filter(({ status }) => status === 'fail' || status === 'error');
    expect(wrong.map(({ id, failure, reason }) => [id, failure?.message ?? reason])).toEqual([]);
    expect(verdict).toBe('conformant');
    expect(summary.pass).toBeGreaterThan(30);
    expect(requirements.filter(({ status, reason }) => status === 'skip' && !reason)).toEqual([]);
  });

  it('finds its mutants', { timeout: 300_000 }, async () => {
    const gaps: string[] = [];
    // Mutants of tokens need bearer tokens.
    const mutants = mutantsOf(bed.contract).filter((one) => !one.needsToken && operators.includes(one.operator));
    for (const mutant of sampleOf(mutants, SAMPLE, 1)) {
      const by = await tryMutant(bed, mutant, 1);
      if (by === undefined && verdictOf(mutant.id).kind === 'gap') gaps.push(mutant.id);
    }
    expect(gaps).toEqual([]);
  });
});

it.each([
  ...['orders: range-without-its-end', 'orders: page-has-one-more', 'orders: total-is-of-the-page'],
  ...['orders: created-at-changes', 'orders: first-of-several-values', 'orders: cancelled-twice'],
  ...['orders: cancel-changes-nothing', 'tasks: list-without-the-newest', 'functions: name-length-is-not-checked'],
])('finds in %s', { timeout: 200_000 }, async (planted) => {
  const [name, error] = planted.split(': ') as [string, string];
  const { start, key } = SERVICES[name]!;
  const { url, close } = await start(error);
  const trial = { url, contract: contractOf(name), key, level: 'extended', first: false, seed: 1, seconds: 150 };
  const { failures } = await TOOLS['suite']!(trial).finally(close);
  expect([...failures.keys()]).not.toEqual([]);
});
