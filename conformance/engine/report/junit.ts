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
  const { requirements, verdict } = report;
  const overview = overviewOf(report);
  const examples = new Map(
    overview.groups.flatMap(({ example, others }) => others.map((other) => [other, example])),
  );
  const suites = overview.areas.map(({ name, results }) => {
    const cases = results.map((result) => testcase(result, name, examples.get(result)));
    return suite(report, overview, name, results, cases);
  });
  // A file without failures reads as green, also when nothing could be checked.
  const isRed = requirements.some((result) => isBroken(result) || result.status === 'error');
  const isSaid = verdict === 'conformant' || (verdict === 'nonconformant' && isRed);
  const sentence = sentenceOf(overview);
  const reason = oneLine(report.reason ?? sentence);
  const said = markup`    <testcase name="verdict" classname="run" time="0.000"><error message="${reason}" type="${verdict}">${sentence}\n${reason}</error></testcase>
`;
  if (!isSaid) {
    suites.push(suite(report, overview, 'run', [VERDICT], [said]));
  }
  const all = isSaid ? requirements : [...requirements, VERDICT];
  return `<?xml version="1.0" encoding="UTF-8"?>
${markup`<testsuites name="${oneLine(`${report.suite.name} ${report.suite.version}`)}" ${counts(all, report, report.duration_ms)}>
${suites}</testsuites>
`}`;
}

/** The verdict where no requirement says it. */
const VERDICT = { status: 'error', duration_ms: 0 } as const;

type Counted = Pick<RequirementResult, 'status' | 'duration_ms'>;

function counts(results: readonly Counted[], { started_at }: Report, duration: number): Markup {
  const having = (...statuses: string[]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  return markup`tests="${results.length}" failures="${having('fail', 'flaky')}" errors="${having('error')}" skipped="${having('skip', 'disabled')}" time="${seconds(duration)}" timestamp="${new Date(started_at).toISOString().slice(0, 19)}"`;
}

function suite(
  report: Report,
  overview: Overview,
  name: string,
  results: readonly Counted[],
  cases: Markup[],
): Markup {
  const duration = results.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  const properties = [...overview.facts, ['Verdict', sentenceOf(overview)]] as const;
  return markup`  <testsuite name="${oneLine(name)}" ${counts(results, report, duration)}>
    <properties>
${properties.map(([key, value]) => markup`      <property name="${key}" value="${oneLine(value)}"/>\n`)}    </properties>
${cases}  </testsuite>
`;
}

function testcase(
  result: RequirementResult,
  area: string,
  example: RequirementResult | undefined,
): Markup {
  const { id, sentence, clause } = result;
  return markup`    <testcase name="${oneLine(`${id}: ${sentence}`)}" classname="${oneLine(area)}" time="${seconds(result.duration_ms)}" file="${oneLine(clause.file)}" line="${clause.line}">${outcome(result, example)}</testcase>
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
