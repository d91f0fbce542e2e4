/**
 * JUnit XML as GitLab, Jenkins and the usual GitHub actions read it: one testsuite per area, one testcase per
 * requirement.
 *
 * What those readers leave out decides what stands where: GitLab shows `classname` and `name` but no suite name, and
 * the text of a failure but not its `message`; so the text says everything. Timestamps have no zone (they are UTC),
 * since the schemas of Ant and Jenkins allow none.
 */
import type { Report, RequirementResult } from '../run/result.ts';
import { isBroken } from '../run/verdict.ts';
import { renderFailure } from './failure-text.ts';
import { groupsOf } from './groups.ts';
import { ellipsis, oneLine, visible } from './text.ts';
import {
  areaOf,
  groupByArea,
  leftInWords,
  reasonsOf,
  retriesInWords,
  VERDICT_WORDS,
  verdictSentence,
} from './words.ts';

interface Suite {
  name: string;
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  duration_ms: number;
  cases: string[];
}

export function renderJunit(report: Report): string {
  const examples = new Map(
    groupsOf(report).flatMap(({ example, others }) => others.map((other) => [other, example] as const)),
  );
  const suites = [...groupByArea(report.requirements)].map(([area, results]) => suiteOf(area, results, examples));
  const red = suites.some(({ failures, errors }) => failures + errors > 0);
  // A file without failures reads as green, also when nothing could be checked.
  if (report.verdict === 'inconclusive' || (report.verdict === 'nonconformant' && !red))
    suites.push(verdictSuite(report));
  const timestamp = new Date(report.started_at).toISOString().slice(0, 19);
  const total = (key: 'tests' | 'failures' | 'errors' | 'skipped') =>
    suites.reduce((sum, suite) => sum + suite[key], 0);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    open('testsuites', {
      name: `${report.suite.name} ${report.suite.version}`,
      tests: total('tests'),
      failures: total('failures'),
      errors: total('errors'),
      skipped: total('skipped'),
      time: seconds(report.duration_ms),
      timestamp,
    }),
  ];
  for (const suite of suites) {
    const { name, tests, failures, errors, skipped } = suite;
    const time = seconds(suite.duration_ms);
    lines.push(
      `  ${open('testsuite', { name, tests, failures, errors, skipped, time, timestamp })}`,
      ...properties(report),
      ...suite.cases.map((testcase) => `    ${testcase}`),
      '  </testsuite>',
    );
  }
  lines.push('</testsuites>', '');
  return lines.join('\n');
}

/** Of a failure that is one of many: the one of the same cause that is shown in full. */
type Examples = ReadonlyMap<RequirementResult, RequirementResult>;

function suiteOf(name: string, results: readonly RequirementResult[], examples: Examples): Suite {
  const having = (...statuses: string[]) => results.filter(({ status }) => statuses.includes(status)).length;
  return {
    name,
    tests: results.length,
    failures: results.filter(isBroken).length,
    errors: having('error'),
    skipped: having('skip', 'disabled'),
    duration_ms: results.reduce((sum, result) => sum + result.duration_ms, 0),
    cases: results.map((result) => caseOf(result, examples.get(result))),
  };
}

function verdictSuite(report: Report): Suite {
  const message = report.reason ?? verdictSentence(report);
  const body = `${VERDICT_WORDS[report.verdict]}: ${verdictSentence(report)}\n${message}`;
  const error = element('error', { message, type: report.verdict }, body);
  const cases = [element('testcase', { name: 'verdict', classname: 'run', time: '0.000' }, [error])];
  return { name: 'run', tests: 1, failures: 0, errors: 1, skipped: 0, duration_ms: 0, cases };
}

function caseOf(result: RequirementResult, example: RequirementResult | undefined): string {
  const attributes = {
    name: `${result.id}: ${oneLine(result.sentence)}`,
    classname: areaOf(result.id),
    time: seconds(result.duration_ms),
    file: result.clause.file,
    line: result.clause.line,
  };
  return element('testcase', attributes, outcome(result, example));
}

function outcome(result: RequirementResult, example: RequirementResult | undefined): string[] {
  const reason = oneLine(result.reason ?? '');
  switch (result.status) {
    case 'pass':
      return [];
    case 'skip':
      return [element('skipped', { message: reason }, '')];
    case 'disabled':
      return [element('skipped', { message: `disabled: ${reason}` }, '')];
    case 'fail':
    case 'flaky':
    case 'error': {
      const message = oneLine(result.failure?.message ?? reason);
      const name = isBroken(result) ? 'failure' : 'error';
      const text = example ? inShort(result, example) : renderFailure(result, { colour: false, width: 100 });
      return [element(name, { message, type: result.status }, text)];
    }
  }
}

/** The cause is shown once; the rest is in report.json. */
function inShort(result: RequirementResult, example: RequirementResult): string {
  const { failure } = result;
  return [
    result.sentence,
    ...reasonsOf(result),
    failure?.message ?? '',
    `expected ${failure?.expected ?? ''}`,
    `got ${failure?.got ?? ''}`,
    `The same cause as ${example.id}, which is shown in full.`,
    failure?.replay ?? '',
  ]
    .map((line) => ellipsis(oneLine(line), LONGEST_LINE))
    .join('\n');
}

const LONGEST_LINE = 500;

function properties(report: Report): string[] {
  const values = {
    target: report.target.url,
    level: report.target.level,
    origin: report.target.origin,
    contract: `${report.contract.version} ${report.contract.sha256}`,
    suite: report.suite.version,
    seed: report.seed,
    runs: report.runs,
    verdict: report.verdict,
    retries: retriesInWords(report) ?? 'none',
    'left behind': leftInWords(report) ?? 'nothing',
    ...Object.fromEntries(report.warnings.map((warning, index) => [`warning ${index + 1}`, warning])),
  };
  const entries = Object.entries(values).map(([name, value]) => `      ${element('property', { name, value }, '')}`);
  return ['    <properties>', ...entries, '    </properties>'];
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}

type Attributes = Record<string, string | number>;

/** Children are markup already, a string is text. */
function element(name: string, attributes: Attributes, content: string | string[]): string {
  const start = open(name, attributes);
  if (content.length === 0) return `${start.slice(0, -1)}/>`;
  if (typeof content === 'string') return `${start}${escapeXml(visible(content))}</${name}>`;
  return [start, ...content.map((child) => `      ${child}`), `    </${name}>`].join('\n');
}

function open(name: string, attributes: Attributes): string {
  const pairs = Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(oneLine(String(value)))}"`);
  return `<${[name, ...pairs].join(' ')}>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** For text that `visible` has seen: it replaces all that XML 1.0 cannot carry, even as a character reference. */
function escapeXml(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? '');
}
