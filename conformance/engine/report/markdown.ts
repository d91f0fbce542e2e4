/**
 * The report for the summary page of a CI run, without exchanges: beyond 1 MiB, GitHub shows nothing at all.
 * Evidence of the service stands in fences and code spans, where nothing is markup; other text is escaped.
 */
import type { Report, RequirementResult } from '../run/result.ts';
import { cut, ellipsis, oneLine, visible } from './text.ts';
import {
  clauseLine,
  count,
  countsInWords,
  type Group,
  type Overview,
  overviewOf,
  reasonsOf,
  signOf,
  statusInWords,
} from './words.ts';

/** In UTF-8, each for the file up to the end of that part: failures in full, failures in a line, and what was not checked. */
const MOST_BYTES = { failures: 700_000, failureLines: 780_000, notChecked: 860_000 };
const MOST_LISTED = 100;
/** In characters. */
const LONGEST = { line: 400, evidence: 4_000, script: 6_000 };

export function renderMarkdown(report: Report): string {
  let text = '';
  let bytes = 0;
  /** False, and nothing added, when the file would be longer than `most` bytes. */
  const add = (part: string, most = Infinity): boolean => {
    const length = Buffer.byteLength(part);
    if (bytes + length > most) {
      return false;
    }
    text += part;
    bytes += length;
    return true;
  };
  const addLines = (title: string, results: readonly RequirementResult[], most: number): void => {
    if (results.length > 0) {
      add(`\n## ${title}\n\n`);
    }
    const end = results.findIndex((result) => !add(lineOf(result), most));
    if (end !== -1) {
      add(`- … and ${count(results.length - end, 'more', 'more')}: see report.json\n`);
    }
  };

  const overview = overviewOf(report);
  add(head(report, overview));
  const { inFull, unchecked } = overview;
  const end = inFull.findIndex((group) => !add(groupSection(group), MOST_BYTES.failures));
  const left = end === -1 ? [] : inFull.slice(end);
  const rest = left.flatMap(({ example, others }) => [example, ...others]);
  addLines('More failures, in short', rest, MOST_BYTES.failureLines);
  addLines('Not checked', unchecked, MOST_BYTES.notChecked);
  return text;
}

function head(report: Report, { title, sentence, areas, facts }: Overview): string {
  const parts = [`# ${title}`, `**${sentence}** ${countsInWords(report.requirements)}`];
  if (report.reason !== undefined) {
    parts.push(inline(report.reason));
  }
  const lines = facts.map(({ name, value }) => {
    const shown = name === 'Service' ? code(value) : inline(value);
    return `- ${name}: ${shown}`;
  });
  parts.push(lines.join('\n'));
  if (areas.length > 0) {
    parts.push(areaTable(areas));
  }
  return [...parts, ''].join('\n\n');
}

function areaTable(areas: Overview['areas']): string {
  const rows = areas.map(({ name, passed, broken, others, cause }) => {
    const most = cause ? `${inCell(cause.message)} (${cause.number})` : '';
    return `| ${[code(name), passed, broken, others, most].join(' | ')} |`;
  });
  const header = ['| area | passed | broken | others | most often |', '|---|---:|---:|---:|---|'];
  return [...header, ...rows].join('\n');
}

/** In a cell of a table, a bar is escaped. */
function inCell(text: string): string {
  return inline(text).replaceAll('|', String.raw`\|`);
}

/** One failure in full, and those of the same cause in a list. */
function groupSection({ cause, example, others }: Group): string {
  const { id, level, origin, clause, sentence } = example;
  const place = `${code(clauseLine(example))} ${code(clause.pointer)}`;
  const parts = [
    `## ${signOf(example)} ${inline(sentence)}`,
    `${code(id)}, ${level}, ${inline(origin)}, ${place}`,
    ...reasonsOf(example).map(inline),
    ...evidenceParts(example),
  ];
  if (others.length > 0) {
    parts.push(`${count(others.length, 'other')} of the same cause, ${inline(cause)}:`);
    parts.push(listOf(others));
  }
  return `\n${parts.join('\n\n')}\n`;
}

function evidenceParts({ failure }: RequirementResult): string[] {
  if (!failure) {
    return [];
  }
  const { message, expected, got, curl, replay } = failure;
  return [
    `**${inline(message)}**`,
    `Expected:\n\n${fence(expected, LONGEST.evidence)}`,
    `Got:\n\n${fence(got, LONGEST.evidence)}`,
    `Show it with curl:\n\n${fence(curl, LONGEST.script, 'sh')}`,
    `Run this case again:\n\n${fence(replay, LONGEST.evidence, 'sh')}`,
  ];
}

function listOf(results: readonly RequirementResult[]): string {
  const lines = results.slice(0, MOST_LISTED).map(lineOf);
  const more = results.length - MOST_LISTED;
  if (more > 0) {
    lines.push(`- … and ${count(more, 'more', 'more')}: see report.json\n`);
  }
  return lines.join('').trimEnd();
}

function lineOf(result: RequirementResult): string {
  const what = `${inline(result.sentence)} (${code(result.id)})`;
  const parts = [statusInWords(result), what, ...reasonsOf(result).map(inline)];
  return `- ${parts.join(': ')}\n`;
}

/** A fence longer than any run of backticks inside. */
function fence(text: string, limit: number, language = ''): string {
  const content = cut(visible(text), limit);
  const marks = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${marks}${language}\n${content.replace(/\n$/u, '')}\n${marks}`;
}

function code(text: string): string {
  const content = ellipsis(oneLine(text), LONGEST.line);
  if (content === '') {
    return '';
  }
  const marks = '`'.repeat(longestRun(content) + 1);
  const space = content.startsWith('`') || content.endsWith('`') ? ' ' : '';
  return marks + space + content + space + marks;
}

/** The length of the longest run of backticks. */
function longestRun(text: string): number {
  const runs = text.match(/`+/gu) ?? [];
  return Math.max(0, ...runs.map((run) => run.length));
}

/** On one line; the only markup is single backticks, as in sentences of the contract. `@name`, `#1` do not link. */
function inline(text: string): string {
  const parts = ellipsis(oneLine(text), LONGEST.line).split(/(`[^`]+`)/u);
  return parts.map((part, i) => (i % 2 === 1 ? part : escapeInline(part))).join('');
}

/** Characters that are markup anywhere, and those by which GitHub recognizes issues and addresses. */
const MARKUP = /[\\`*_[\]|~!$@]|(?<!&)#|:(?=\/\/)|(?<=www)\./giu;

function escapeInline(text: string): string {
  const withoutTags = text.replace(/[<>&]/gu, (character) => `&#${character.charCodeAt(0)};`);
  return withoutTags.replace(MARKUP, String.raw`\$&`);
}
