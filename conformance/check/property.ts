/** Tries one property of a requirement with generated cases, and shrinks what fails. */
import fc from 'fast-check';
import type { Property } from '../requirements/requirement.ts';
import { NotPossible } from '../requirements/requirement.ts';
import { NoAnswer } from '../target/client.ts';
import type { Target } from '../target/target.ts';
import { Nonconformity } from './nonconformity.ts';
import { type RecordedExchange, Session } from './session.ts';

export interface Trial {
  seed: number;
  runs: number;
  /** The place of one case, as an earlier failure gave it: only that case is tried. */
  path?: string;
}

export type Outcome =
  | { kind: 'held'; cases: number }
  | { kind: 'broken'; cases: number; error: Nonconformity | NoAnswer; exchanges: RecordedExchange[]; path: string }
  | { kind: 'not possible'; cases: number; reason: string }
  | { kind: 'suite failed'; cases: number; error: unknown };

/** Each shrinking step costs requests; a minimum is not worth more than this. */
const MAX_SHRINKS = 120;

export async function tryProperty(property: Property, target: Target, { seed, runs, path }: Trial): Promise<Outcome> {
  let cases = 0;
  let failures = 0;
  let smallest: { error: Nonconformity | NoAnswer; exchanges: RecordedExchange[] } | undefined;
  let impossible: NotPossible | undefined;
  let broken: unknown;

  const holds = async (value: unknown): Promise<void> => {
    if (impossible || broken !== undefined || failures > MAX_SHRINKS) return;
    if (smallest !== undefined) failures++;
    cases++;
    const session = new Session(target);
    try {
      await property.check(value, session);
    } catch (error) {
      if (error instanceof NotPossible) impossible = error;
      else if (error instanceof Nonconformity || error instanceof NoAnswer) {
        // The last one that fails is the smallest: fast-check only goes on from failures.
        smallest = { error, exchanges: session.exchanges };
        throw error;
      } else broken = error;
    } finally {
      await session.cleanUp();
    }
  };

  const details = await fc.check(fc.asyncProperty(property.values, holds), {
    seed,
    numRuns: property.once ? 1 : runs,
    ...(path === undefined ? {} : { path }),
  });
  if (broken !== undefined) return { kind: 'suite failed', cases, error: broken };
  if (impossible) return { kind: 'not possible', cases, reason: impossible.message };
  if (smallest) return { kind: 'broken', cases, ...smallest, path: details.counterexamplePath ?? '0' };
  // Without a failing case of ours, a failure is the generator's.
  if (details.failed) return { kind: 'suite failed', cases, error: details.errorInstance };
  return { kind: 'held', cases };
}
