/** What is made once per contract, hints and schema. */
import { entry } from '../contract/entry.ts';
import type { Contract } from '../contract/load.ts';
import type { Hints } from '../contract/hints.ts';
import type { Build } from './build.ts';
import { createBuild } from './values.ts';

const NO_HINTS: Hints = {};
const builds = new WeakMap<Contract, WeakMap<Hints, Build>>();

/** The same build for the same contract and the same hints (by identity), so that what it holds is shared. */
export function buildOf(contract: Contract, hints: Hints = NO_HINTS): Build {
  const known = entry(builds, contract, () => new WeakMap<Hints, Build>());
  return entry(known, hints, () => createBuild(contract, hints));
}

const unlimited = new WeakMap<Hints, Hints>();

/** The build for all values that the schemas allow, also those that an implementation is not known to know. */
export function withoutKnown({ contract, hints }: Build): Build {
  const { known, ...others } = hints;
  return known === undefined
    ? buildOf(contract, hints)
    : buildOf(
        contract,
        entry(unlimited, hints, () => others),
      );
}

/** `make`, called once per contract, hints (by identity) and pointer. */
export function remembered<T>(
  make: (build: Build, pointer: string) => T,
): (contract: Contract, pointer: string, hints?: Hints) => T {
  const made = new WeakMap<Build, Map<string, T>>();
  return (contract, pointer, hints) => {
    const build = buildOf(contract, hints);
    return entry(
      entry(made, build, () => new Map<string, T>()),
      pointer,
      () => make(build, pointer),
    );
  };
}
