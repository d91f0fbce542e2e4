/** What became of one kind of attack, and the table of all. */
import { ruledColumns } from '../../../tools/columns.ts';
import type { Case, Kind, Reply } from './case.ts';

/**
 * The most that the process may have in memory at any time, in MiB. It begins with 120, of which Node and the validator of
 * the contract take most; 16 bodies of 1 MiB at once, parsed, are the largest part of the rest. Memory that was
 * taken once is hardly given back, so that this holds for all kinds, one after the other.
 */
export const MOST_MEMORY = 512;

export interface Outcome {
  kind: string;
  cases: number;
  /** Cases by what the server did: refused with 4xx (or 505), closed without a response, served. */
  refused: number;
  closed: number;
  served: number;
  /** The highest status of all; null when there was none. */
  worst: number | null;
  /** The most memory of the server, in MiB. */
  peak: number | undefined;
  /** Of the well-behaved client: responses, and the slowest in milliseconds. */
  good: number;
  slowest: number;
  seconds: number;
  problems: string[];
}

export type Verdict = 'refused' | 'closed' | 'served';

export function classify(
  { mayBeServed = false }: Case,
  replies: Reply[],
): { verdict: Verdict; worst: number; problems: string[] } {
  const statuses = replies.flatMap((reply) => reply.statuses);
  const worst = Math.max(0, ...statuses);
  const problems = replies.flatMap((reply) => reply.problems);
  if (replies.some(({ closed }) => !closed)) problems.push('the server did not end the connection');
  const verdict = worst >= 400 ? 'refused' : statuses.length > 0 ? 'served' : 'closed';
  // Of several requests on a connection, those before the hostile one are served.
  if (verdict === 'served' && !mayBeServed) problems.push(`served with ${worst}`);
  if (worst >= 500 && worst !== 501 && worst !== 505) problems.push(`response ${worst}`);
  return { verdict, worst, problems: [...new Set(problems)] };
}

export function emptyOutcome({ name, cases }: Kind): Outcome {
  return {
    kind: name,
    cases: cases.length,
    refused: 0,
    closed: 0,
    served: 0,
    worst: null,
    peak: undefined,
    good: 0,
    slowest: 0,
    seconds: 0,
    problems: [],
  };
}

export function table(outcomes: Outcome[]): string {
  const head = [
    'kind',
    'cases',
    '4xx',
    'closed',
    'served',
    'worst',
    'peak MiB',
    'good',
    'slowest ms',
    'seconds',
    'verdict',
  ];
  const rows = outcomes.map((one) =>
    [
      one.kind,
      one.cases,
      one.refused,
      one.closed,
      one.served,
      one.worst ?? '-',
      one.peak ?? '-',
      one.good,
      one.slowest,
      one.seconds,
      one.problems.length > 0 ? 'FAIL' : 'pass',
    ].map(String),
  );
  return ruledColumns([head, ...rows], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}
