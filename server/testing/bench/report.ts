/** The figures for people: Markdown, which reads well in a terminal, too. */
import { BARE_EXPRESS, OURS } from './candidates.ts';
import type { Result, Row } from './compare.ts';
import { median, type Sample } from './load.ts';
import type { Scenario } from './scenarios.ts';

export interface Goal {
  name: string;
  measured: number;
  /** What it is to be at most, or at least. */
  bound: number;
  met: boolean;
}

/** Of each round, how a server compares with another one. The median of ratios is steadier than the ratio of medians. */
export function ratio(row: Row, to: Row, figure: keyof Sample): number {
  return median(row.samples.map((sample, round) => sample[figure] / to.samples[round]![figure]));
}

export function find(rows: readonly Row[], scenario: Scenario, connections: number, server: string): Row | undefined {
  return rows.find((row) => row.scenario === scenario && row.connections === connections && row.server === server);
}

/** @param against the name of the server at another commit */
export function goals({ rows, starts }: Result, against?: string): Goal[] {
  const all: Goal[] = [];
  const compareTo = (other: string, scenario: Scenario, connections: number, figure: keyof Sample) => {
    const [own, to] = [OURS.name, other].map((name) => find(rows, scenario, connections, name));
    return own && to && ratio(own, to, figure);
  };
  const atMost = (name: string, measured: number | undefined, bound: number): void => {
    if (measured !== undefined) all.push({ name: `${name}, at most`, measured, bound, met: measured <= bound });
  };
  atMost('CPU of a read, 8 connections, of bare Express', compareTo(BARE_EXPRESS.name, 'read', 8, 'cpuMicros'), 0.5);
  atMost('CPU of a create, 8 connections, of bare Express', compareTo(BARE_EXPRESS.name, 'create', 8, 'cpuMicros'), 1);
  const own = starts.find(({ server }) => server === OURS.name);
  atMost('seconds until the first response', own && median(own.readyMs) / 1000, 1.5);
  const gain = against && compareTo(against, 'create', 32, 'perSecond');
  if (gain) {
    all.push({
      name: `creates a second, 32 connections, of ${against}, at least`,
      measured: gain,
      bound: 3,
      met: gain >= 3,
    });
  }
  return all;
}

export function report(result: Result, against?: string): string {
  const { rows, starts } = result;
  const figures = rows.map((row) => {
    const { scenario, connections, server, samples } = row;
    const bare = find(rows, scenario, connections, BARE_EXPRESS.name);
    const cpu = samples.map(({ cpuMicros }) => cpuMicros);
    return [
      scenario,
      String(connections),
      server,
      `${median(cpu).toFixed(0)} (${Math.min(...cpu).toFixed(0)}–${Math.max(...cpu).toFixed(0)})`,
      bare ? ratio(row, bare, 'cpuMicros').toFixed(2) : '',
      median(samples.map(({ perSecond }) => perSecond)).toFixed(0),
      median(samples.map(({ p99Ms }) => p99Ms)).toFixed(0),
    ];
  });
  const head = ['request', 'connections', 'server', 'CPU µs a request', 'of bare Express', 'requests/s', 'p99 ms'];
  const startHead = ['server', 'ready after s', 'CPU s until then', 'peak MB'];
  const startRows = starts.map(({ server, readyMs, readyCpuMicros, peakMegabytes }) => [
    server,
    (median(readyMs) / 1000).toFixed(2),
    (median(readyCpuMicros) / 1e6).toFixed(2),
    peakMegabytes.toFixed(0),
  ]);
  const goalRows = goals(result, against).map(({ name, measured, bound, met }) => [
    name,
    bound.toFixed(1),
    measured.toFixed(2),
    met ? 'met' : 'MISSED',
  ]);
  return [
    table(head, figures),
    table(startHead, startRows),
    table(['goal on Node 20', 'bound', 'measured', ''], goalRows),
  ].join('\n');
}

export function table(head: string[], rows: string[][]): string {
  const widths = head.map((name, column) => Math.max(3, name.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`;
  return line(head) + line(widths.map((width) => '-'.repeat(width))) + rows.map(line).join('');
}
