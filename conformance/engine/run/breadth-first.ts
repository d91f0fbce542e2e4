/** The order of requirements, and the workers that take them in turn. */
import { entry } from '../contract/load.ts';
import { CLAUSE, type Requirement } from '../requirements/requirement.ts';

/**
 * Each operation once, then the next requirement of each, so that a run that is cut short has seen
 * all operations. Those that look for errors of the service come after the first one of their
 * operation: no other finding is as urgent. Requirements that are lighter than a clause, of which
 * there are hundreds, come after the others.
 */
export function breadthFirst(requirements: readonly Requirement[]): Requirement[] {
  const rank = ({ weight = 1 }: Requirement) => Math.min(weight, CLAUSE);
  const byWeight = requirements.toSorted((one, other) => rank(other) - rank(one));
  const byOperation = new Map<string, Requirement[]>();
  for (const requirement of byWeight) {
    const [operation = ''] = requirement.id.split('.', 1);
    entry(byOperation, operation, () => []).push(requirement);
  }
  const turns = new Map<Requirement, number>();
  for (const all of byOperation.values()) {
    for (const [turn, requirement] of errorsEarly(all).entries()) {
      turns.set(requirement, turn);
    }
  }
  const turnOf = (requirement: Requirement): number => turns.get(requirement) ?? 0;
  return byWeight.toSorted((one, other) => turnOf(one) - turnOf(other));
}

function errorsEarly([first, ...rest]: readonly Requirement[]): Requirement[] {
  const urgent = rest.filter((one) => one.isForErrors === true);
  const others = rest.filter((one) => one.isForErrors !== true);
  if (first === undefined) {
    return [];
  }
  return [first, ...urgent, ...others];
}

/** Each worker takes the next item that it owns, as long as there is one, or else any. */
export async function inParallel<T, W>(
  items: readonly T[],
  workers: readonly W[],
  owners: ReadonlyMap<T, W>,
  work: (item: T, by: W) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const next = (worker: W): T | undefined => {
    const ownIndex = rest.findIndex((one) => owners.get(one) === worker);
    const index = ownIndex === -1 ? 0 : ownIndex;
    const [item] = rest.splice(index, 1);
    return item;
  };
  const takeTurns = async (worker: W): Promise<void> => {
    for (let item = next(worker); item !== undefined; item = next(worker)) {
      await work(item, worker);
    }
  };
  await Promise.all(workers.map(takeTurns));
}
