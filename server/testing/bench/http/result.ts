/** The figures of one run, as they are written to JSON and told in tables. */
import { median, type Sample } from './measure.ts';
import type { Start } from './start.ts';

/** The median over all rounds, and the least and greatest. */
export interface Figure {
  median: number;
  least: number;
  greatest: number;
}

export type Figures<T> = { [K in keyof T]: Figure };

export interface Result {
  rounds: number;
  requests: number;
  connections: number;
  node: string;
  cpu: string;
  /** By scenario, then by server. */
  scenarios: Record<string, Record<string, Figures<Sample>>>;
  /** By server. */
  starts: Record<string, Figures<Start>>;
  peakMegabytes: Record<string, number>;
  refusals: { checked: number; wrong: string[] };
  /** Servers that could not be had, and why. */
  left: string[];
}

export function figuresOf<T extends { [K in keyof T]: number }>(samples: readonly T[]): Figures<T> {
  const figure = (key: keyof T): Figure => {
    const values = samples.map((one) => one[key] as number);
    return { median: median(values), least: Math.min(...values), greatest: Math.max(...values) };
  };
  return Object.fromEntries(Object.keys(samples[0]!).map((key) => [key, figure(key as keyof T)])) as Figures<T>;
}
