/** Every mutant: those that operators make of the contract, and those that are written by hand. */
import type { Contract } from '../engine/contract/load.ts';
import type { Mutant } from './mutant.ts';
import { handWritten } from './mutants/index.ts';
import { operatorMutants } from './operators/index.ts';

export function mutantsFor(contract: Contract): Mutant[] {
  return [...operatorMutants(contract), ...handWritten];
}
