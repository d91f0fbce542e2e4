/** The figures of both tools on one service, beside one another. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_RESPONSE } from './recording-proxy.ts';
import type { RealService } from './service.ts';
import type { Tool } from './tools.ts';
import type { Counts, Outcome } from './trial.ts';

export interface Row {
  service: RealService;
  /** The suite first. */
  outcomes: ReadonlyMap<Tool, Outcome>;
}

interface Report {
  requirements: { status: string }[];
}

/** The number of requirements that the suite reports as failed; undefined without its report. */
function failedRequirements({ outcomes }: Row): number | undefined {
  const suite = [...outcomes].find(([tool]) => tool.name === 'suite');
  const file = join(suite?.[1].reports ?? '', 'report.json');
  if (suite === undefined || !existsSync(file)) {
    return undefined;
  }
  const { requirements } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  return requirements.filter(({ status }) => status === 'fail' || status === 'flaky').length;
}

const COLUMNS = [
  'name',
  'service',
  'operations',
  'reached',
  'with 5xx',
  'failed requirements',
  'seconds',
  'harmed',
];

/** The first two lines of the table. */
export const HEAD = `| ${COLUMNS.join(' | ')} |\n|${'---|'.repeat(COLUMNS.length)}\n`;

/** A line of the table. Figures of the tools are beside one another. */
export function lineOf(row: Row): string {
  const { service, outcomes } = row;
  const all = [...outcomes.values()];
  const beside = (figure: (outcome: Outcome) => unknown) => all.map(figure).join(' / ');
  const cells = [
    service.name,
    service.title,
    all[0]?.operations ?? '',
    beside(({ counts }) => reached(counts).length),
    beside(({ counts }) => withServerErrors(counts).length),
    failedRequirements(row) ?? 'no report',
    beside(({ seconds }) => Math.round(seconds)),
    beside(({ harmed }) => harmed.map(({ thing }) => thing).join(', ') || 'nothing'),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

/** The operations with a 2xx. */
export function reached(counts: Counts): string[] {
  return operationsWith(counts, (status) => status >= 200 && status < 300);
}

/** The operations with a 5xx, or whose connection was closed: a framework may do so at a panic. */
export function withServerErrors(counts: Counts): string[] {
  return operationsWith(counts, (status) => status >= 500 || status === NO_RESPONSE);
}

function operationsWith(counts: Counts, isMeant: (status: number) => boolean): string[] {
  const operations: string[] = [];
  for (const [operation, statuses] of Object.entries(counts)) {
    if (Object.keys(statuses).some((status) => isMeant(Number(status)))) {
      operations.push(operation);
    }
  }
  return operations;
}

/** The things that each tool harms, and the operations that it alone reaches or gets a 5xx from. */
export function detailsOf({ outcomes }: Row): string[] {
  const lines: string[] = [];
  for (const [tool, { counts, harmed }] of outcomes) {
    for (const { thing, before, after } of harmed) {
      lines.push(`  ${thing}, harmed by ${tool.name}:`, `    ${before}`, `    ${after}`);
    }
    const others = [...outcomes].filter(([other]) => other !== tool);
    if (others.length > 0) {
      const of = (operations: (counts: Counts) => string[]) => {
        const elsewhere = new Set(others.flatMap(([, outcome]) => operations(outcome.counts)));
        return operations(counts).filter((operation) => !elsewhere.has(operation));
      };
      lines.push(...listed(`reached by ${tool.name} alone`, of(reached)));
      lines.push(...listed(`5xx by ${tool.name} alone`, of(withServerErrors)));
    }
  }
  return lines;
}

function listed(title: string, operations: readonly string[]): string[] {
  if (operations.length === 0) {
    return [];
  }
  return [`  ${title}:`, ...operations.map((one) => `    ${one}`)];
}
