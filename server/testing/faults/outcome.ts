/** What became of one fault at one store, and the table of all. */
import { ruledColumns } from '../../../tools/columns.ts';
import type { Ledger } from './ledger.ts';

export interface Outcome {
  fault: string;
  store: string;
  rounds: number;
  acknowledged: number;
  refused: number;
  lost: number;
  torn: number;
  /** What was seen beside the counts. */
  note: string;
  /** What should not have been; empty when it passed. */
  faults: string[];
  /** Why it could not be tried. */
  skipped?: string;
}

export interface Seen {
  lost: string[];
  torn: string[];
}

/** @param faults beside what is lost, torn or a surprise */
export function outcomeOf(
  ledger: Ledger,
  seen: Seen,
  rounds: number,
  note: string,
  faults: string[] = [],
): Omit<Outcome, 'fault' | 'store'> {
  return {
    rounds,
    acknowledged: ledger.acknowledged,
    refused: ledger.refused,
    lost: seen.lost.length,
    torn: seen.torn.length,
    note,
    faults: [
      ...(ledger.acknowledged === 0 ? ['nothing was acknowledged'] : []),
      ...seen.lost.slice(0, 3).map((one) => `lost: ${one}`),
      ...seen.torn.slice(0, 3).map((one) => `torn: ${one}`),
      ...ledger.surprises.slice(0, 3).map((one) => `surprise: ${one}`),
      ...faults,
    ],
  };
}

export function table(outcomes: Outcome[]): string {
  const head = ['fault', 'store', 'rounds', 'acknowledged', 'refused', 'lost', 'torn', 'verdict', 'seen'];
  const rows = outcomes.map((one) =>
    one.skipped === undefined
      ? [
          one.fault,
          one.store,
          one.rounds,
          one.acknowledged,
          one.refused,
          one.lost,
          one.torn,
          one.faults.length > 0 ? 'FAIL' : 'pass',
          one.note,
        ].map(String)
      : [one.fault, one.store, '-', '-', '-', '-', '-', 'skip', one.skipped],
  );
  return ruledColumns([head, ...rows], [2, 3, 4, 5, 6]);
}
