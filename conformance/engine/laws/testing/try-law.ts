/** Tries the cases of a law on a library in memory. */
import fc from 'fast-check';
import { Nonconformity } from '../../http/nonconformity.ts';
import { CaseSession } from '../../http/session.ts';
import type { Law, LawProperties } from '../law.ts';
import { levelOf, type Resource, type ResourceCall } from '../resource.ts';
import { Steps } from '../steps.ts';
import type { Fault } from './faults.ts';
import { libraryImplementation } from './library-implementation.ts';
import { LibraryService } from './library-service.ts';

/** The number of cases of a property whose values vary. */
const CASES = 6;
const SEED = 1;

export interface LawTrial {
  /** The number of cases that were tried. */
  cases: number;
  /** The messages of those that failed. */
  failures: string[];
}

/** @throws every error of a case that is not a failure, such as NotPossible */
export async function tryLaw(
  law: Pick<Law, 'properties'>,
  resource: Resource,
  faults: readonly Fault[] = [],
): Promise<LawTrial> {
  const service = new LibraryService(faults);
  const implementation = libraryImplementation(service);
  const operations = [...implementation.operations.values()];
  const isOffered = (call: ResourceCall) => levelOf(resource, operations, call) !== undefined;
  const { properties } = law;
  const stated =
    typeof properties === 'function' ? properties(resource, implementation, isOffered) : properties;
  const sleep = (ms: number) => service.pass(ms);
  const newSteps = () => new Steps(new CaseSession(implementation), resource, sleep);
  return tryAll(stated, newSteps);
}

async function tryAll(properties: LawProperties, newSteps: () => Steps): Promise<LawTrial> {
  const trial: LawTrial = { cases: 0, failures: [] };
  for (const { values, once, check } of [properties].flat(2)) {
    for (const value of fc.sample(values, { numRuns: once ? 1 : CASES, seed: SEED })) {
      trial.cases++;
      try {
        await check(value, newSteps());
      } catch (error) {
        if (!(error instanceof Nonconformity)) {
          throw error;
        }
        trial.failures.push(error.message);
      }
    }
  }
  return trial;
}
