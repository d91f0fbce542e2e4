import { expect, test } from 'vitest';
import { areRandom } from './unknown.ts';

test.for([
  ['rt_2Qm8vX1pLz', 'rt_9bYt4KcW7e'],
  ['edghts_2QmRbF8vX1pLzAq', 'edghts_2QmRbG0qT7wNuCd'],
  ['018f3a1e-7c1b-7f00-9c41-5d0f8c2b6a91', '018f3a1e-7c1c-7a3e-8b02-e1a94f7d3c55'],
] as const)('%s and %s are random', ([one, other]) => {
  expect(areRandom(one, other)).toBe(true);
});

test.for([
  ['0', '1'],
  ['edge-of-the-https-module-number-9', 'edge-of-the-https-module-number-10'],
  ['1093847563829145601', '1093847563829149733'],
  ['0000000000a1', '0000000000a2'],
  ['same-0b8ee9de', 'same-0b8ee9de'],
  ['aaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbb'],
] as const)('%s and %s may count', ([one, other]) => {
  expect(areRandom(one, other)).toBe(false);
});
