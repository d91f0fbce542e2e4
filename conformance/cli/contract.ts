/** The contract that a run is about: the one that `--contract` names, or that of this package. */
import { resolve } from 'node:path';
import { type Contract, loadAnyContract, loadContract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import { OptionError } from '../engine/run/known-failures.ts';
import type { Options } from './options.ts';

const HTTP_URL = /^https?:/i;

/**
 * @param cwd the folder at which relative paths start @throws OptionError for a contract that
 * cannot be used
 */
export async function contractFor(
  { contract, references }: Pick<Options, 'contract' | 'references'>,
  cwd: string,
): Promise<Contract> {
  if (contract === undefined) {
    return loadContract();
  }
  const placeOf = (place: string) => (HTTP_URL.test(place) ? place : resolve(cwd, place));
  try {
    const loaded = await loadAnyContract(placeOf(contract), references.map(placeOf));
    // An operation that cannot be used is an error of the option, not one of the run.
    operationsOf(loaded);
    return loaded;
  } catch (error) {
    const [reason] = (error as Error).message.split('\n', 1);
    throw new OptionError(`--contract ${contract}: ${reason}`);
  }
}
