/**
 * JUnit XML: a testsuite for each area, a testcase for each requirement. GitLab shows nothing but
 * `classname`, `name` and the text of a failure, so that text says everything. Timestamps (UTC)
 * have no zone: Ant and Jenkins allow none.
 */
import type { Report, RequirementResult, Status } from '../run/result.ts';
import { isBroken } from '../run/verdict.ts';
import { renderFailure, renderFinding } from './failure.ts';
import { type Content, type Markup, markup } from './markup.ts';
import { type Group, type GroupInFull, type Overview, overviewOf } from './overview.ts';
import { ellipsis, oneLine } from './text.ts';
import { reasonLines } from './words.ts';

/** In UTF-16 code units. */
const LONGEST_LINE = 500;

/** One result of a suite, as it is counted. */
type Counted = Pick<RequirementResult, 'status' | 'duration_ms'>;

interface Suite {
  name: string;
  results: readonly Counted[];
  cases: readonly Markup[];
}

export function renderJunit(report: Report): string {
  const overview = overviewOf(report);
  const suites = suitesOf(overview);
  let results: readonly Counted[] = report.requirements;
  const ofFindings = suites.find(({ name }) => name === 'findings')?.results ?? [];
  results = [...results, ...ofFindings];
  if (!showsVerdict(report)) {
    suites.push(verdictSuite(report, overview));
    results = [...results, VERDICT_RESULT];
  }
  const name = oneLine(`${report.suite.name} ${report.suite.version}`);
  const counters = countersOf(results, report, report.duration_ms);
  const document = markup`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="${name}" ${counters}>
${suites.map((suite) => testsuite(suite, report, overview))}</testsuites>
`;
  return document.toString();
}

function suitesOf({ areas, groups }: Overview): Suite[] {
  const examples = new Map<RequirementResult, RequirementResult>();
  for (const { example, others } of groups) {
    for (const other of example === undefined ? [] : others) {
      examples.set(other, example as RequirementResult);
    }
  }
  const suites = areas.map(({ name, results }) => {
    const cases = results.map((result) => testcase(result, name, examples.get(result)));
    return { name, results, cases };
  });
  const alone = groups.filter(isAlone);
  if (alone.length === 0) {
    return suites;
  }
  return [...suites, suiteOfFindings(alone)];
}

/** Whether a finding belongs to no requirement: then it has a separate test. */
const isAlone = (group: Group): group is GroupInFull =>
  group.example === undefined && group.failure !== undefined;

function suiteOfFindings(groups: readonly GroupInFull[]): Suite {
  const results = groups.map((group): Counted => {
    return { status: isAccepted(group) ? 'disabled' : 'fail', duration_ms: 0 };
  });
  return { name: 'findings', results, cases: groups.map(testcaseOfFinding) };
}

const isAccepted = ({ finding }: Group): boolean => finding?.accepted?.expired === false;

function testcaseOfFinding(group: GroupInFull): Markup {
  const { title, finding, failure } = group;
  const message = oneLine(failure.message);
  const name = oneLine(`${finding?.id ?? ''}: ${title}`);
  const text = renderFinding(group, { colour: false, width: 100 });
  let outcome = markup`<failure message="${message}" type="${failure.kind}">${text}</failure>`;
  if (isAccepted(group)) {
    outcome = markup`<skipped message="${message}"/>`;
  }
  return markup`    <testcase name="${name}" classname="findings" time="0.000">${outcome}</testcase>
`;
}

/**
 * Whether a reader of the requirements sees the verdict. A file without failures reads as green,
 * also if nothing could be checked; and one that is red for known failures alone may be conformant.
 */
function showsVerdict({ verdict, requirements, findings }: Report): boolean {
  if (verdict === 'nonconformant') {
    const haveOwn = findings.some(({ failure }) => failure !== undefined);
    return haveOwn || requirements.some((one) => isBroken(one) || one.status === 'error');
  }
  return verdict === 'conformant';
}

/** Counted like a requirement. */
const VERDICT_RESULT: Counted = { status: 'error', duration_ms: 0 };

/** A suite whose one test says the verdict. */
function verdictSuite(report: Report, overview: Overview): Suite {
  const sentence = sentenceOf(overview);
  const reason = oneLine(report.reason ?? sentence);
  const attributes = markup`message="${reason}" type="${report.verdict}"`;
  const error = markup`<error ${attributes}>${sentence}\n${reason}</error>`;
  const said = markup`    <testcase name="verdict" classname="run" time="0.000">${error}</testcase>
`;
  return { name: 'run', results: [VERDICT_RESULT], cases: [said] };
}

function sentenceOf({ title, sentence }: Overview): string {
  return `${title}: ${sentence}`;
}

/** The attributes of a suite or of all suites. */
function countersOf(results: readonly Counted[], { started_at }: Report, duration: number): Markup {
  const numberOf = (...statuses: Status[]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const tests = markup`tests="${results.length}"`;
  const failures = markup`failures="${numberOf('fail', 'flaky')}"`;
  const errors = markup`errors="${numberOf('error')}"`;
  const skipped = markup`skipped="${numberOf('skip', 'blocked', 'disabled')}"`;
  const time = markup`time="${seconds(duration)}"`;
  const timestamp = new Date(started_at).toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length);
  return markup`${tests} ${failures} ${errors} ${skipped} ${time} timestamp="${timestamp}"`;
}

function testsuite({ name, results, cases }: Suite, report: Report, overview: Overview): Markup {
  let duration = 0;
  for (const { duration_ms } of results) {
    duration += duration_ms;
  }
  const facts = [...overview.facts, { name: 'Verdict', value: sentenceOf(overview) }];
  const properties = facts.map((fact) => property(fact.name, fact.value));
  return markup`  <testsuite name="${oneLine(name)}" ${countersOf(results, report, duration)}>
    <properties>
${properties}    </properties>
${cases}  </testsuite>
`;
}

function property(name: string, value: string): Markup {
  return markup`      <property name="${name}" value="${oneLine(value)}"/>\n`;
}

/** @param example of the failures of the same cause; undefined if the result has none or is it */
function testcase(
  result: RequirementResult,
  area: string,
  example: RequirementResult | undefined,
): Markup {
  const { id, sentence, clause } = result;
  const name = oneLine(`${id}: ${sentence}`);
  const time = seconds(result.duration_ms);
  const place = markup`file="${oneLine(clause.file)}" line="${clause.line}"`;
  const attributes = markup`name="${name}" classname="${oneLine(area)}" time="${time}" ${place}`;
  return markup`    <testcase ${attributes}>${outcomeOf(result, example)}</testcase>
`;
}

function outcomeOf(result: RequirementResult, example: RequirementResult | undefined): Content {
  const reason = result.reason ?? '';
  const message = oneLine(result.failure?.message ?? reason);
  switch (result.status) {
    case 'pass':
      return null;
    case 'skip':
    case 'blocked':
      return markup`<skipped message="${oneLine(reason)}"/>`;
    case 'disabled':
      return markup`<skipped message="disabled: ${oneLine(reason)}"/>`;
    case 'error':
      return markup`<error message="${message}" type="error">${evidence(result, example)}</error>`;
    default: {
      const kind = result.failure?.kind ?? result.status;
      const type = result.status === 'flaky' ? result.status : kind;
      const attributes = markup`message="${message}" type="${type}"`;
      return markup`<failure ${attributes}>${evidence(result, example)}</failure>`;
    }
  }
}

function evidence(result: RequirementResult, example: RequirementResult | undefined): string {
  if (example === undefined) {
    return renderFailure(result, { colour: false, width: 100 });
  }
  return inShort(result, example);
}

/** The cause is shown in full once, for the example; report.json has the rest. */
function inShort(result: RequirementResult, example: RequirementResult): string {
  const { message = '', expected = '', got = '', replay = '' } = result.failure ?? {};
  const lines = [
    result.sentence,
    ...reasonLines(result),
    message,
    `expected ${expected}`,
    `got ${got}`,
    `The same cause as ${example.id}, which is shown in full: ${result.failure?.cause_id}`,
    replay,
  ];
  return lines.map((line) => ellipsis(oneLine(line), LONGEST_LINE)).join('\n');
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
