/**
 * The report for the summary page of a CI run (`$GITHUB_STEP_SUMMARY`, a comment): what a reviewer needs to act, and
 * within its limit of 1 MiB, beyond which GitHub shows nothing at all. The exchanges are in the other reports.
 *
 * Evidence of the service stands in fences and code spans, where nothing is markup; other text is escaped.
 */
import { type Group, groupsOf } from './groups.ts';
import { overview } from './overview.ts';
import type { Report, RequirementResult } from '../run/result.ts';
import { cut, ellipsis, formatDuration, oneLine, visible } from './text.ts';
import { inThousands } from '../requirements/rule-in-words.ts';
import {
  clauseLine,
  count,
  leftInWords,
  notChecked,
  reasonsOf,
  retriesInWords,
  STATUS_SIGNS,
  STATUS_WORDS,
  STATUSES,
  VERDICT_WORDS,
  verdictSentence,
} from './words.ts';

/** In UTF-8, each for the file up to the end of that part: whole failures, those in a line, and what was not checked. */
const MOST_BYTES = { failures: 700_000, failureLines: 780_000, notChecked: 860_000 };
/** Of one cause. */
const MOST_LISTED = 100;
/** In characters. */
const LONGEST = { line: 400, evidence: 4_000, script: 6_000 };

export function renderMarkdown(report: Report): string {
  const file = new BoundedText();
  file.add(head(report), Infinity);

  const groups = groupsOf(report);
  const failures = report.summary.fail + report.summary.flaky;
  if (failures > 0) file.add(`\n## ${count(failures, 'failure')} of ${count(groups.length, 'cause')}\n`, Infinity);
  let shown = 0;
  while (shown < groups.length && file.add(groupSection(groups[shown]!), MOST_BYTES.failures)) shown += 1;
  const rest = groups.slice(shown).flatMap(({ example, others }) => [example, ...others]);
  if (rest.length > 0)
    file.add(`\n### ${inThousands(rest.length)} more, in short: report.json has them whole\n\n`, Infinity);
  file.addLines(rest, (result) => `${title(result)}, \`${clauseLine(result)}\``, MOST_BYTES.failureLines);

  const others = notChecked(report);
  if (others.length > 0) file.add('\n## Not checked\n\n', Infinity);
  file.addLines(others, notCheckedLine, MOST_BYTES.notChecked);
  return file.text;
}

class BoundedText {
  text = '';
  #bytes = 0;

  /** False, and nothing added, when the file would be longer than `most` bytes. */
  add(text: string, most: number): boolean {
    const bytes = Buffer.byteLength(text);
    if (this.#bytes + bytes > most) return false;
    this.text += text;
    this.#bytes += bytes;
    return true;
  }

  addLines(results: readonly RequirementResult[], line: (result: RequirementResult) => string, most: number): void {
    const end = results.findIndex((result) => !this.add(`- ${line(result)}\n`, most));
    if (end !== -1) this.add(`- … and ${inThousands(results.length - end)} more: see report.json\n`, Infinity);
  }
}

function head(report: Report): string {
  const { target, contract, suite } = report;
  const counted = STATUSES.map((status) => ({ word: STATUS_WORDS[status], number: report.summary[status] }));
  const token = target.authenticated ? ', with a token' : '';
  const facts = [
    ['Service', `${code(target.url)}, level ${target.level}, origin ${target.origin}${token}`],
    ['Contract', `${inline(contract.title)} ${inline(contract.version)}, sha256 ${code(contract.sha256.slice(0, 12))}`],
    [
      'Suite',
      `${inline(suite.name)} ${inline(suite.version)}, ` +
        `seed \`${report.seed}\`, ${count(report.runs, 'case')} per property`,
    ],
    [
      'Run',
      `${inline(report.started_at)}, ${formatDuration(report.duration_ms)}, ${count(report.requests, 'request')}`,
    ],
  ];
  const retries = retriesInWords(report);
  const left = leftInWords(report);
  if (retries !== undefined) facts.push(['Sent again', retries]);
  if (left !== undefined) facts.push(['Left behind', left]);
  facts.push(...report.warnings.map((warning) => ['Warning', `**${inline(warning)}**`]));
  return [
    `# ${VERDICT_WORDS[report.verdict]}`,
    '',
    `**${verdictSentence(report)}**`,
    ...(report.reason === undefined ? [] : ['', inline(report.reason)]),
    '',
    `| ${counted.map(({ word }) => word).join(' | ')} |`,
    `|${counted.map(() => '---:').join('|')}|`,
    `| ${counted.map(({ number }) => inThousands(number)).join(' | ')} |`,
    '',
    ...facts.map(([name, value]) => `- ${name}: ${value}`),
    ...areaTable(report),
    '',
  ].join('\n');
}

/** A row for each area; of the causes, the most frequent. */
function areaTable(report: Report): string[] {
  const areas = overview(report.requirements);
  if (areas.length === 0) return [];
  return [
    '',
    '| area | passed | broken | others | most often |',
    '|---|---:|---:|---:|---|',
    ...areas.map(({ area, passed, broken, others, cause }) => {
      const numbers = [passed, broken, others].map(inThousands).join(' | ');
      const message = cause ? inline(cause.message).replaceAll('|', String.raw`\|`) : '';
      return `| ${code(area)} | ${numbers} | ${cause ? `${message} (${inThousands(cause.number)})` : ''} |`;
    }),
  ];
}

/** One failure in full, and those of the same cause in a list. */
function groupSection({ cause, example, others }: Group): string {
  const section = failureSection(example);
  if (others.length === 0) return section;
  const lines = others.slice(0, MOST_LISTED).map((result) => `- ${STATUS_SIGNS[result.status]} ${title(result)}`);
  const more = others.length - MOST_LISTED;
  if (more > 0) lines.push(`- … and ${inThousands(more)} more: see report.json`);
  return `${section}\n${count(others.length, 'other')} of the same cause, ${inline(cause)}:\n\n${lines.join('\n')}\n`;
}

function failureSection(result: RequirementResult): string {
  const { failure } = result;
  const clause = `\`${clauseLine(result)}\` ${code(result.clause.pointer)}`;
  const place = `${code(result.id)}, ${result.level}, ${inline(result.origin)}, ${clause}`;
  const parts = [`### ${STATUS_SIGNS[result.status]} ${inline(result.sentence)}`, place];
  parts.push(...reasonsOf(result).map(inline));
  if (failure) {
    parts.push(
      `**${inline(failure.message)}**`,
      'Expected:',
      fence(failure.expected, LONGEST.evidence),
      'Got:',
      fence(failure.got, LONGEST.evidence),
      'Show it with curl:',
      fence(failure.curl, LONGEST.script, 'sh'),
      'Run this case again:',
      fence(failure.replay, LONGEST.evidence, 'sh'),
    );
  }
  return `\n${parts.join('\n\n')}\n`;
}

function title(result: RequirementResult): string {
  return `${inline(result.sentence)} (${code(result.id)})`;
}

function notCheckedLine(result: RequirementResult): string {
  return `**${STATUS_WORDS[result.status]}**: ${title(result)}: ${inline(result.reason ?? 'no reason given')}`;
}

/** A fence longer than any run of backticks inside. */
function fence(text: string, limit: number, language = ''): string {
  const content = cut(visible(text), limit);
  const marks = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${marks}${language}\n${content.replace(/\n$/u, '')}\n${marks}`;
}

function code(text: string): string {
  const content = ellipsis(oneLine(text), LONGEST.line);
  if (content === '') return '';
  const marks = '`'.repeat(longestRun(content) + 1);
  const space = content.startsWith('`') || content.endsWith('`') ? ' ' : '';
  return marks + space + content + space + marks;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/gu) ?? []).map((run) => run.length));
}

/**
 * Text on one line in which nothing is markup, but for code between single backticks, as sentences of the contract have
 * it. `@name`, `#1` and addresses are not linked either.
 */
function inline(text: string): string {
  return ellipsis(oneLine(text), LONGEST.line)
    .split(/(`[^`]+`)/u)
    .map((part, i) => (i % 2 === 1 ? part : escapeInline(part)))
    .join('');
}

function escapeInline(text: string): string {
  return text
    .replace(/[<>&]/gu, (character) => ENTITIES[character] ?? '')
    .replace(/[\\`*_[\]|~#!$@]|:(?=\/\/)|(?<=www)\./giu, String.raw`\$&`);
}

const ENTITIES: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };
