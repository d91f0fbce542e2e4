import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { accepted } from '../generate/filter.ts';
import { Client } from '../http/client.ts';
import { plainImplementation } from '../http/plain.ts';
import type { Property, Requirement } from '../requirements/requirement.ts';
import { attempt } from './attempt.ts';

const client = new Client({ base: 'http://127.0.0.1:1', headers: {}, timeoutMs: 1_000, connections: 1 });
const options = { client, level: 'core', origin: 'all', token: undefined, readOnlyToken: undefined } as const;
const implementation = plainImplementation({ contract: loadContract(), ...options });

const full: Property = { label: 'full', values: fc.constant(1), check: async () => {} };
const empty: Property = {
  label: 'empty',
  values: accepted(fc.constant(1), 'value', () => false),
  check: async () => {},
};

let made = 0;

async function tried(properties: Property[]) {
  const requirement: Requirement = {
    ...{ id: `law-${++made}`, level: 'core', origin: 'D01', clause: '/info/description', sentence: 'X.' },
    properties: () => properties,
  };
  const { result } = await attempt(requirement, implementation, {
    ...{ seed: 1, runs: 5, shrink: true, part: 'first' },
    replayCommand: String,
    script: () => '',
  });
  return result;
}

test('a property without values counts for nothing where that may be', async () => {
  const maybe = { ...empty, mayBeEmpty: true };
  expect(await tried([maybe, full])).toMatchObject({ status: 'pass', cases: 1 });
  expect(await tried([maybe])).toMatchObject({
    status: 'skip',
    cases: 0,
    reason: expect.stringMatching(/^nothing of it can be tried/) as string,
  });
});

test('and is an error of the suite elsewhere', async () => {
  expect(await tried([empty, full])).toMatchObject({
    status: 'error',
    reason: expect.stringMatching(/^the suite failed: GaveUp/) as string,
  });
});
