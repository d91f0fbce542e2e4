/** Valid values of any schema of the contract. */
import type * as fc from 'fast-check';
import type { Contract } from '../contract/load.ts';
import { schemasOf } from '../contract/schemas.ts';
import { shapeOf } from '../contract/shape.ts';
import type { Hints } from '../contract/hints.ts';
import { accepted } from './filter.ts';
import { remembered } from './memo.ts';

export type { Hints } from '../contract/hints.ts';
export { GaveUp } from './filter.ts';

const valid = remembered((build, pointer) => {
  const schemas = schemasOf(build.contract);
  const values = build.arbitraryOf(shapeOf(build.contract, pointer));
  return accepted(values, `value for ${pointer}`, (value) => schemas.isValid(pointer, value));
});

/**
 * Values that the schema at `schemaPointer` allows, each checked with Ajv. Realistic, and odd where the schema leaves
 * room; they shrink towards small and simple. `hints` fix the arbitrary of a schema by its pointer, such as
 * `{'/components/schemas/EventType': fc.constantFrom('ip_policy_created.v0')}` for a service that knows few types; what
 * a hint gives and its schema refuses is not used. Generating throws `GaveUp` when no valid value turns up. The
 * arbitrary is cached by the identity of `hints`.
 */
export function validValues(contract: Contract, schemaPointer: string, hints?: Hints): fc.Arbitrary<unknown> {
  return valid(contract, schemaPointer, hints);
}
