/**
 * The result of a property without values, and the text that failures of one cause have in common.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { joinPointer } from '../contract/pointers.ts';
import { accepted } from '../generate/filter.ts';
import { Client } from '../http/client.ts';
import { Nonconformity } from '../http/nonconformity.ts';
import { plainImplementation } from '../http/plain-implementation.ts';
import { serviceOf } from '../http/service.test.fixture.ts';
import type { Property, Requirement } from '../requirements/requirement.ts';
import { attempt, type AttemptOptions } from './attempt.ts';

const client = new Client({
  base: 'http://127.0.0.1:1',
  headers: {},
  timeoutMs: 1_000,
  connections: 1,
});
const options = {
  client,
  level: 'core',
  origin: 'all',
  token: undefined,
  readOnlyToken: undefined,
} as const;
const implementation = plainImplementation({ contract: loadContract(), ...options });
const check = async () => {};
const full: Property = { label: 'full', values: fc.constant(1), check };
const empty: Property = {
  label: 'empty',
  values: accepted(fc.constant(1), 'value', () => false),
  check,
};
const maybe: Property = { ...empty, mayBeEmpty: true };

const given = {
  seed: 1,
  runs: 5,
  shrink: true,
  replay: undefined,
  replayCommand: String,
  script: () => '',
};
const settings: AttemptOptions = { ...given, part: 'first' };
const requirementWith = (id: string, properties: () => Property[]): Requirement => {
  return { id, level: 'core', origin: 'D01', clause: '/info', sentence: 'X.', properties };
};

test.each<[string, Property[], string, string | undefined]>([
  ['counts as passed if others have values', [maybe, full], 'pass', undefined],
  ['alone is skipped', [maybe], 'skip', 'no value for it is known'],
  ['is an error of the suite elsewhere', [empty, full], 'error', 'the suite failed: GaveUp'],
])('a property without values %s', async (name, properties, status, reason) => {
  const requirement = requirementWith(name, () => properties);
  const { result } = await attempt(requirement, implementation, settings);
  expect([result.status, result.reason?.slice(0, reason?.length)]).toEqual([status, reason]);
});

test('an error in the skip of a requirement is an error of that requirement', async () => {
  const skip = () => String(Object(undefined).operation.path);
  const { result } = await attempt(
    { ...requirementWith('skip', () => [full]), skip },
    implementation,
    settings,
  );
  expect([result.status, result.reason?.slice(0, 27)]).toEqual([
    'error',
    'the suite failed: TypeError',
  ]);
});

test.each([
  ['of properties that vary', [full], 5, true],
  ['of one case', [full], 1, undefined],
  ['of cases that do not vary', [{ ...full, once: true }], 5, undefined],
])(
  'a requirement %s is made once, and again when it is over',
  async (name, properties, runs, hasRest) => {
    let made = 0;
    const requirement = requirementWith(name, () => (made++, properties));
    const first = await attempt(requirement, implementation, { ...settings, runs });
    if (hasRest) {
      await attempt(requirement, implementation, { ...settings, runs, part: 'rest' });
    }
    expect([first.hasRest, made]).toEqual([hasRest, 1]);
    await attempt(requirement, implementation, settings);
    expect(made).toBe(2);
  },
);

test.each([
  [1, 1, 2],
  [4, 1, 4],
  [1, 30, 7],
])(
  'with %i cases and %i seeds, %i of six of a kind and one without are tried',
  async (runs, seeds, expected) => {
    const tried = new Set<string>();
    const properties = [...'abcdefg'].map((label): Property => {
      return {
        ...full,
        label,
        kind: label === 'g' ? undefined : 'kind',
        check: async () => void tried.add(label),
      };
    });
    const requirement = requirementWith(`kinds, ${runs} cases, ${seeds} seeds`, () => properties);
    for (let seed = 1; seed <= seeds; seed++) {
      await attempt(requirement, implementation, { ...settings, runs, seed });
    }
    expect([tried.size, tried.has('g')]).toEqual([expected, true]);
  },
);

test('a failure is made small as long as it is the same failure', async () => {
  const failing = async (count: number) => {
    const status = count >= 10 ? 422 : 409;
    throw new Nonconformity(`Got ${status}.`, {
      expected: '201',
      got: `${status}, ${count}`,
      kind: 'status',
    });
  };
  const values = fc.integer({ min: 0, max: 1_000 }).filter((count) => count !== 10);
  const requirement = requirementWith('kind', () => [{ label: 'many', values, check: failing }]);
  const { result } = await attempt(requirement, implementation, { ...settings, seed: 3 });
  expect(result.failure?.got).toBe('422, 11');
});

test('an error of the suite names its place in the code, and the response before it', async () => {
  const { implementation: served } = serviceOf('  /a: {}', () => ({ status: 200, json: [1] }));
  const property: Property = {
    ...full,
    check: async (_, session) => {
      const { json } = await session.send({ method: 'GET', target: '/a' });
      joinPointer('', ...(json as { names: string[] }).names);
    },
  };
  const requirement = requirementWith('error', () => [property]);
  const { result } = await attempt(requirement, served, settings);
  expect(result.reason).toMatch(
    /^the suite failed: TypeError: .* \(at .*attempt\.test\.ts:\d+\), after GET .*\/a → 200 \[1\]$/,
  );
});
