/** Tries one property of a requirement with generated cases, and shrinks what fails. */
import fc from 'fast-check';
import { GaveUp, shrunkUntil } from '../generate/filter.ts';
import { Unsupported } from '../contract/keywords.ts';
import type { Property } from '../requirements/requirement.ts';
import { NoResponse, ResponseLost } from '../http/response.ts';
import type { Implementation } from '../http/implementation.ts';
import { BrokenOff, Nonconformity, NotPossible } from '../http/nonconformity.ts';
import { type RecordedExchange, Session, type Shared } from '../http/session.ts';
import type { Sending } from '../http/call.ts';

export interface Trial {
  seed: number;
  runs: number;
  /** The place of one case, as an earlier failure gave it: only that case is tried. */
  path?: string;
  /** Whether a failure is made as small as possible, which takes most of its requests. */
  shrink: boolean;
}

export type Outcome =
  /** In no case where its values do not exist. */
  | { kind: 'held'; cases: number }
  | ({ kind: 'broken'; cases: number; path: string } & Evidence)
  | { kind: 'not possible'; cases: number; reason: string }
  | { kind: 'broken off'; cases: number; reason: string }
  | { kind: 'suite failed'; cases: number; error: unknown };

export interface Evidence {
  error: Nonconformity | NoResponse;
  exchanges: RecordedExchange[];
  /** The requests that remove what the case made. */
  removals: Sending[];
}

/** A minimum is not worth more than so many steps, or so many requests. */
const MAX_SHRINKS = 120;
const MAX_SHRINK_REQUESTS = 600;

/**
 * How often a case is begun, where a request of it got no response and must not be sent again: a long case may lose
 * another one each time, but a service that never responds to one of them does not keep the contract.
 */
const MAX_BEGINNINGS = 10;
const MAX_AT_ONE_STEP = 3;

/** @param shared lasts from one property of a requirement to the next */
export async function tryProperty(
  property: Property,
  implementation: Implementation,
  { seed, runs, path, shrink }: Trial,
  shared: Shared,
): Promise<Outcome> {
  let cases = 0;
  let shrinks = 0;
  let spent = 0;
  let smallest: Evidence | undefined;
  let undecided: NotPossible | BrokenOff | undefined;
  let broken: unknown;
  const enough = () =>
    (!shrink && smallest !== undefined) ||
    shrinks > MAX_SHRINKS ||
    spent > MAX_SHRINK_REQUESTS ||
    // Each smaller case would take as long again to say the same.
    (smallest?.error instanceof NoResponse && smallest.error.kind === 'late');

  // A replay is one case: not those that shrinking would try next to it.
  const over = () => undecided !== undefined || broken !== undefined || enough() || (path !== undefined && cases > 0);

  const holds = async (value: unknown): Promise<void> => {
    if (over()) return;
    if (smallest !== undefined) shrinks++;
    cases++;
    /** How often each step was the last one. */
    const lostAt = new Map<number, number>();
    const mayBeginAgain = (step: number) => {
      lostAt.set(step, (lostAt.get(step) ?? 0) + 1);
      const all = [...lostAt.values()];
      return Math.max(...all) < MAX_AT_ONE_STEP && all.reduce((sum, one) => sum + one) < MAX_BEGINNINGS;
    };
    while (await tryOnce(value, mayBeginAgain)) implementation.client.retries.cases++;
  };

  /** True where the case is to be tried again from its start. */
  const tryOnce = async (value: unknown, mayBeginAgain: (step: number) => boolean): Promise<boolean> => {
    const session = new Session(implementation, shared, seed);
    let renew = false;
    let failed = false;
    try {
      await property.check(value, session);
    } catch (error) {
      if (error instanceof ResponseLost && mayBeginAgain(session.exchanges.length)) return (renew = true);
      if (error instanceof NotPossible || error instanceof BrokenOff) undecided = error;
      else if (error instanceof Unsupported) undecided = new NotPossible(error.message);
      else if (error instanceof Nonconformity || error instanceof NoResponse) {
        // The last one that fails is the smallest: fast-check only goes on from failures.
        smallest = { error, exchanges: session.exchanges, removals: session.removals };
        renew = failed = true;
        throw error;
      } else broken = error;
    } finally {
      if (smallest !== undefined) spent += session.exchanges.length;
      await session.cleanUp(failed);
      if (renew) await shared.renew();
    }
    return false;
  };

  const settings = { seed, numRuns: property.once ? 1 : runs, ...(path === undefined ? {} : { path }) };
  let details: fc.RunDetails<[unknown]>;
  try {
    details = await fc.check(fc.asyncProperty(shrunkUntil(property.values, over), holds), settings);
  } catch (error) {
    if (property.mayBeEmpty && error instanceof GaveUp && cases === 0) return { kind: 'held', cases };
    // A path that leads to no case.
    return { kind: 'suite failed', cases, error };
  }
  if (broken !== undefined) return { kind: 'suite failed', cases, error: broken };
  // A failure that was found before the run was broken off still counts.
  if (smallest) return { kind: 'broken', cases, ...smallest, path: details.counterexamplePath ?? '0' };
  if (undecided)
    return { kind: undecided instanceof NotPossible ? 'not possible' : 'broken off', cases, reason: undecided.message };
  // Without a failing case of ours, a failure is the generator's.
  if (details.failed) return { kind: 'suite failed', cases, error: details.errorInstance };
  return { kind: 'held', cases };
}
