/**
 * JUnit XML: a testsuite per area, a testcase per requirement. GitLab shows `classname`, `name` and the text of a
 * failure alone, so that text says everything. Timestamps (UTC) have no zone: Ant and Jenkins allow none.
 */
import { isBroken } from '../run/verdict.ts';
import type { Report, RequirementResult } from '../run/result.ts';
import { renderFailure } from './terminal.ts';
import { ellipsis, type Markup, markup, oneLine } from './text.ts';
import { type Overview, overviewOf, reasonsOf } from './words.ts';

const LONGEST_LINE = 500;

export function renderJunit(report: Report): string {
  const { requirements } = report;
  const overview = overviewOf(report);
  const examples = new Map<RequirementResult, RequirementResult>();
  for (const { example, others } of overview.groups) {
    for (const other of others) {
      examples.set(other, example);
    }
  }
  const suites = overview.areas.map(({ name, results }) => {
    const cases = results.map((result) => testcase(result, name, examples.get(result)));
    return suite(report, overview, { name, results, cases });
  });
  const all: Counted[] = [...requirements];
  if (!showsVerdict(report)) {
    const cases = [verdictCase(report, overview)];
    suites.push(suite(report, overview, { name: 'run', results: [VERDICT], cases }));
    all.push(VERDICT);
  }
  const title = oneLine(`${report.suite.name} ${report.suite.version}`);
  const attributes = counts(all, report, report.duration_ms);
  const root = markup`<testsuites name="${title}" ${attributes}>
${suites}</testsuites>
`;
  return `<?xml version="1.0" encoding="UTF-8"?>
${root}`;
}

/** Whether the test cases show the verdict. A file without failures reads as green, also when nothing was checked. */
function showsVerdict({ requirements, verdict }: Report): boolean {
  if (verdict === 'conformant') {
    return true;
  }
  const isRed = requirements.some((result) => isBroken(result) || result.status === 'error');
  return verdict === 'nonconformant' && isRed;
}

/** Counts as one more requirement in error. */
const VERDICT = { status: 'error', duration_ms: 0 } as const;

function verdictCase({ verdict, reason }: Report, overview: Overview): Markup {
  const sentence = sentenceOf(overview);
  const message = oneLine(reason ?? sentence);
  const error = markup`<error message="${message}" type="${verdict}">${sentence}\n${message}</error>`;
  return markup`    <testcase name="verdict" classname="run" time="0.000">${error}</testcase>
`;
}

type Counted = Pick<RequirementResult, 'status' | 'duration_ms'>;

function counts(results: readonly Counted[], { started_at }: Report, duration: number): Markup {
  const having = (...statuses: string[]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  return attributesOf({
    tests: results.length,
    failures: having('fail', 'flaky'),
    errors: having('error'),
    skipped: having('skip', 'disabled'),
    time: seconds(duration),
    timestamp: new Date(started_at).toISOString().slice(0, 19),
  });
}

function attributesOf(values: Record<string, string | number>): Markup {
  const attributes = Object.entries(values).map(([name, value], index) => {
    const space = index === 0 ? '' : ' ';
    return markup`${space}${name}="${value}"`;
  });
  return markup`${attributes}`;
}

interface Suite {
  name: string;
  results: readonly Counted[];
  cases: Markup[];
}

function suite(report: Report, overview: Overview, { name, results, cases }: Suite): Markup {
  const duration = results.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  const facts = [...overview.facts, { name: 'Verdict', value: sentenceOf(overview) }];
  const properties = facts.map((fact) => {
    return markup`      <property name="${fact.name}" value="${oneLine(fact.value)}"/>\n`;
  });
  return markup`  <testsuite name="${oneLine(name)}" ${counts(results, report, duration)}>
    <properties>
${properties}    </properties>
${cases}  </testsuite>
`;
}

function testcase(
  result: RequirementResult,
  area: string,
  example: RequirementResult | undefined,
): Markup {
  const { id, sentence, clause } = result;
  const attributes = attributesOf({
    name: oneLine(`${id}: ${sentence}`),
    classname: oneLine(area),
    time: seconds(result.duration_ms),
    file: oneLine(clause.file),
    line: clause.line,
  });
  return markup`    <testcase ${attributes}>${outcome(result, example)}</testcase>
`;
}

function outcome(result: RequirementResult, example: RequirementResult | undefined): Markup | null {
  const { status, reason = '', failure } = result;
  if (status === 'pass') {
    return null;
  }
  if (status === 'skip') {
    return markup`<skipped message="${oneLine(reason)}"/>`;
  }
  if (status === 'disabled') {
    return markup`<skipped message="disabled: ${oneLine(reason)}"/>`;
  }
  const text = example
    ? inShort(result, example)
    : renderFailure(result, { colour: false, width: 100 });
  const message = oneLine(failure?.message ?? reason);
  if (status === 'error') {
    return markup`<error message="${message}" type="error">${text}</error>`;
  }
  return markup`<failure message="${message}" type="${status}">${text}</failure>`;
}

const sentenceOf = ({ title, sentence }: Overview): string => `${title}: ${sentence}`;

/** The cause is shown once, in full; report.json has the rest. */
function inShort(result: RequirementResult, example: RequirementResult): string {
  const { message = '', expected = '', got = '', replay = '' } = result.failure ?? {};
  const same = `The same cause as ${example.id}, which is shown in full.`;
  const lines = [
    result.sentence,
    ...reasonsOf(result),
    message,
    `expected ${expected}`,
    `got ${got}`,
    same,
    replay,
  ];
  return lines.map((line) => ellipsis(oneLine(line), LONGEST_LINE)).join('\n');
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);
