/** The figures for people: Markdown, which reads well in a terminal, too. */
import type { Figure, Result } from './result.ts';
import { targets } from './targets.ts';

export function tables(result: Result): string {
  const servers = Object.keys(result.starts);
  const perRequest = Object.entries(result.scenarios).flatMap(([scenario, byServer]) =>
    Object.entries(byServer).map(([server, { cpuMicros, perSecond, p50Ms, p99Ms }]) => [
      scenario,
      server,
      micros(cpuMicros),
      perSecond.median.toFixed(0),
      p50Ms.median.toFixed(2),
      p99Ms.median.toFixed(2),
    ]),
  );
  const perServer = servers.map((server) => {
    const { readyMs, firstMs, secondMs, laterMs } = result.starts[server]!;
    return [
      server,
      readyMs.median.toFixed(0),
      firstMs.median.toFixed(2),
      secondMs.median.toFixed(2),
      laterMs.median.toFixed(2),
      result.peakMegabytes[server]!.toFixed(0),
    ];
  });
  const judged = targets(result).map(({ name, value, most }) => [
    name,
    value.toFixed(2),
    String(most),
    value <= most ? 'met' : 'MISSED',
  ]);
  return [
    table(['request', 'server', 'CPU µs (least–greatest)', 'requests/s', 'p50 ms', 'p99 ms'], perRequest),
    table(['server', 'ready ms', 'first ms', 'second ms', 'later ms', 'peak MB'], perServer),
    table(['target', 'measured', 'at most', ''], judged),
    ...result.left.map((reason) => `Not measured: ${reason}\n`),
  ].join('\n');
}

function micros({ median, least, greatest }: Figure): string {
  return `${median.toFixed(0)} (${least.toFixed(0)}–${greatest.toFixed(0)})`;
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |\n`;
  return line(head) + line(widths.map((width) => '-'.repeat(width))) + rows.map(line).join('');
}
