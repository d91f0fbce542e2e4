/**
 * Tests of every value that is generated for this API: its schemas, its bodies with hints, and its
 * parameters.
 */
import { loadContract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import {
  componentsOf,
  type Extent,
  testClauses,
  testParameters,
  testValues,
} from '../engine/generate/generators.test.fixture.ts';
import { HINTS } from './implementation.ts';

export function testGenerators(extent: Extent): void {
  const contract = loadContract();
  const subject = { contract, hints: HINTS, extent };
  const bodies = operationsOf(contract).flatMap(({ requestBody }) => requestBody?.pointer ?? []);
  testValues(subject, componentsOf(contract, 'schemas'));
  testClauses(subject, [...new Set(bodies)]);
  testParameters(subject, componentsOf(contract, 'parameters'));
}
