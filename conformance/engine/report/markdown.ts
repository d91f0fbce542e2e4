/**
 * The report for the summary page of a CI run, without exchanges: beyond 1 MiB, GitHub shows
 * nothing at all. Evidence of the service stands in fences and code spans, in which nothing is
 * markup; other text is escaped.
 */
import { count } from '../requirements/rule-in-words.ts';
import type { Report, RequirementResult } from '../run/result.ts';
import { code, fence, inline } from './markdown-text.ts';
import {
  type Area,
  byKind,
  type Fact,
  type Group,
  type GroupInFull,
  type Overview,
  overviewOf,
} from './overview.ts';
import { requestsShowing } from './request-shown.ts';
import { withShortValues } from './text.ts';
import {
  clauseLine,
  countsInWords,
  extentOf,
  notesOfFinding,
  placesInShort,
  rankOf,
  reasonLines,
  signOf,
  statusInWords,
} from './words.ts';

/** In bytes of UTF-8, from the beginning of the file to the end of that part. */
const MOST_BYTES = { failures: 700_000, failureLines: 780_000, notChecked: 860_000 };
/** The number of failures of one cause that are listed. */
const MOST_LISTED = 100;
/** In UTF-16 code units. */
const LONGEST = { evidence: 4_000, script: 6_000 };

export function renderMarkdown(report: Report): string {
  const overview = overviewOf(report);
  const file = new BoundedText();
  file.add(head(report, overview));
  file.add(findingList(overview, report.target.url), MOST_BYTES.failures);
  file.add(aboutRun(overview));
  const rest = addFailures(file, overview.inFull);
  addLines(file, 'More failures, in short', rest, MOST_BYTES.failureLines);
  addLines(file, 'Not checked', overview.unchecked, MOST_BYTES.notChecked);
  return file.text;
}

/** A text that refuses additions which would make it too long. */
class BoundedText {
  text = '';
  #bytes = 0;

  /** Adds nothing, and returns false, if the text would be longer than `most` bytes. */
  add(part: string, most = Infinity): boolean {
    const length = Buffer.byteLength(part);
    if (this.#bytes + length > most) {
      return false;
    }
    this.text += part;
    this.#bytes += length;
    return true;
  }
}

/** Adds groups in full while there is room. @returns the results of the groups that are left */
function addFailures(file: BoundedText, groups: readonly GroupInFull[]): RequirementResult[] {
  const end = groups.findIndex((group) => !file.add(groupSection(group), MOST_BYTES.failures));
  if (end === -1) {
    return [];
  }
  return groups.slice(end).flatMap(({ example, others }) => [example ?? [], others].flat());
}

/** Adds a list of the results while there is room, and how many are left. */
function addLines(
  file: BoundedText,
  title: string,
  results: readonly RequirementResult[],
  most: number,
): void {
  if (results.length === 0) {
    return;
  }
  file.add(`\n## ${title}\n\n`);
  const end = results.findIndex((result) => !file.add(resultLine(result), most));
  if (end !== -1) {
    file.add(moreLine(results.length - end));
  }
}

/** The number of findings that are listed. */
const MOST_FINDINGS = 200;

/** Each finding with the request that shows it, by kind. */
function findingList({ groups, heading: title }: Overview, base: string): string {
  if (groups.length === 0) {
    return '';
  }
  const lines = [`## ${title}`];
  let number = 0;
  for (const { heading, groups: members } of byKind(groups)) {
    lines.push('', `### ${heading}`, '');
    for (const group of members.slice(0, Math.max(0, MOST_FINDINGS - number))) {
      number++;
      lines.push(`${number}. ${findingItem(group, base)}`);
    }
  }
  if (number < groups.length) {
    lines.push('', `${count(groups.length - number, 'more finding')}: see report.json`);
  }
  return `${lines.join('\n')}\n\n`;
}

/** In columns. */
const LONGEST_REQUEST = 200;

function findingItem(group: Group, base: string): string {
  const { title, finding, notes } = group;
  let item = inline(title);
  if (finding !== undefined) {
    item += ` (${extentOf(finding)})`;
    item += notes.map((note) => `; ${inline(note)}`).join('');
    const places = placesInShort(finding, LONGEST_REQUEST);
    item += places === '' ? '' : `; ${inline(places)}`;
  }
  for (const request of requestsShowing(group, base, LONGEST_REQUEST)) {
    item += `<br>${code(request)}`;
  }
  return item;
}

function moreLine(number: number): string {
  return `- … and ${count(number, 'more', 'more')}: see report.json\n`;
}

function head(report: Report, { title, sentence }: Overview): string {
  const paragraphs = [`# ${title}`, `**${sentence}** ${countsInWords(report.requirements)}`];
  if (report.reason !== undefined) {
    paragraphs.push(inline(report.reason));
  }
  return `${paragraphs.join('\n\n')}\n\n`;
}

/** Findings come first; what else there is to know follows them. */
function aboutRun({ areas, facts }: Overview): string {
  const paragraphs = ['## The run', facts.map(factLine).join('\n')];
  if (areas.length > 0) {
    paragraphs.push(areaTable(areas));
  }
  return `${paragraphs.join('\n\n')}\n`;
}

function factLine({ name, value }: Fact): string {
  // Inline text has no links; a code span can be copied.
  const shown = name === 'Service' ? code(value) : inline(value);
  return `- ${name}: ${shown}`;
}

function areaTable(areas: readonly Area[]): string {
  const lines = ['| area | passed | broken | others | most often |', '|---|---:|---:|---:|---|'];
  for (const { name, passed, broken, others, cause } of areas) {
    let mostOften = '';
    if (cause !== undefined) {
      const message = inline(cause.message).replaceAll('|', String.raw`\|`);
      mostOften = `${message} (${cause.number})`;
    }
    const cells = [code(name), passed, broken, others, mostOften];
    lines.push(`| ${cells.join(' | ')} |`);
  }
  return lines.join('\n');
}

/** One finding in full, and the other requirements of its cause in a list. */
function groupSection({ title, finding, failure, example, others }: GroupInFull): string {
  const { message, expected, got, curl, replay } = failure;
  const sign = example === undefined ? '✗' : signOf(example);
  const paragraphs = [`## ${sign} ${inline(title)}`];
  if (finding !== undefined) {
    paragraphs.push(`${code(finding.id)}, ${extentOf(finding)}`);
    paragraphs.push(...notesOfFinding(finding).map(inline));
  }
  if (example !== undefined) {
    paragraphs.push(inline(example.sentence), placeLine(example));
    paragraphs.push(...reasonLines(example).map(inline));
  }
  paragraphs.push(`**${inline(withShortValues(message))}**`);
  paragraphs.push('Expected:', fence(withShortValues(expected), LONGEST.evidence));
  paragraphs.push('Got:', fence(withShortValues(got), LONGEST.evidence));
  paragraphs.push('Show it with curl:', fence(curl, LONGEST.script, 'sh'));
  if (replay !== '') {
    paragraphs.push('Run this case again:', fence(replay, LONGEST.evidence, 'sh'));
  }
  if (others.length > 0) {
    paragraphs.push(`${count(others.length, 'other')} of the same cause:`, otherLines(others));
  }
  return `\n${paragraphs.join('\n\n')}\n`;
}

/** The id, level, origin and clause of a requirement. */
function placeLine(result: RequirementResult): string {
  const { id, clause } = result;
  const place = `${code(clauseLine(result))} ${code(clause.pointer)}`;
  return [code(id), ...rankOf(result).map(inline), place].join(', ');
}

function otherLines(others: readonly RequirementResult[]): string {
  const lines = others.slice(0, MOST_LISTED).map(resultLine);
  const more = others.length - MOST_LISTED;
  if (more > 0) {
    lines.push(moreLine(more));
  }
  return lines.join('').trimEnd();
}

function resultLine(result: RequirementResult): string {
  const status = statusInWords(result);
  const reasons = reasonLines(result).map((reason) => `: ${inline(reason)}`);
  return `- ${status}: ${inline(result.sentence)} (${code(result.id)})${reasons.join('')}\n`;
}
