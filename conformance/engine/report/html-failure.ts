/**
 * The article of one failure in the HTML report: the rule, its evidence, and how to see it again.
 */
import { count } from '../requirements/rule-in-words.ts';
import type { ReportedExchange, Failure, RequirementResult } from '../run/result.ts';
import { changeShown } from './change-shown.ts';
import { type Content, type Markup, markup } from './markup.ts';
import { explain } from './explain.ts';
import type { GroupInFull } from './overview.ts';
import { bodyInShort, cut, ellipsis, oneLine, visible, withShortValues } from './text.ts';
import {
  clauseLine,
  extentOf,
  notesOfFinding,
  rankOf,
  reasonLines,
  statusInWords,
} from './words.ts';

/**
 * In UTF-16 code units, for each block. A page with bodies of a megabyte is of no use; report.json
 * has them whole.
 */
const LONGEST_BLOCK = 20_000;
const LONGEST_START_LINE = 200;
/** A longer list of failures of one cause is closed at first. */
const MOST_OPEN = 5;

/** @param index of the failure on the page, from 0 */
export function articleId(index: number): string {
  return `failure-${index + 1}`;
}

/** @param index of the failure on the page, from 0 */
export function failureArticle(group: GroupInFull, index: number): Markup {
  const { failure, example, others } = group;
  const id = articleId(index);
  const status = example?.status ?? 'fail';
  return markup`
<article id="${id}" class="${status}-block" aria-labelledby="${id}-title">
${heading(group, id)}
${copied(group, id)}
${rule(example)}
${evidence(failure, id)}
${sameCause(others)}
</article>`;
}

function evidence(failure: Failure, id: string): Markup {
  const { message, expected, got, violations = [], exchanges, curl, replay } = failure;
  const last = exchanges.at(-1);
  const change = changeShown(failure);
  const steps = exchanges.map((exchange) => {
    return exchangeDetails(exchange, exchange === last || exchange === change);
  });
  const script = block('A shell script', curl, `${id}-curl`);
  const again = replay === '' ? null : block('Run this case again', replay, `${id}-replay`);
  return markup`<p><strong>${prose(withShortValues(message))}</strong></p>
<div class="pair">${[block('Expected', expected), block('Got', got)]}</div>
${alsoWrong(violations.slice(1))}
<h4>Requests and responses</h4>
${steps}
<details><summary>Show it with curl</summary>${script}</details>
${again}`;
}

function alsoWrong(violations: NonNullable<Failure['violations']>): Content {
  if (violations.length === 0) {
    return null;
  }
  const items = violations.map(({ message, got }) => {
    const value = withShortValues(got);
    return markup`<li>${prose(withShortValues(message))} Got <code>${value}</code></li>\n`;
  });
  return markup`<h4>Also wrong in this response</h4><ul>${items}</ul>`;
}

function heading({ finding, title }: GroupInFull, id: string): Markup {
  const extent = finding === undefined ? '' : extentOf(finding);
  const notes = (finding === undefined ? [] : notesOfFinding(finding)).map(
    (note) => markup`<p>${prose(note)}</p>`,
  );
  const cause = finding === undefined ? null : markup`<code>${finding.id}</code> · `;
  return markup`<h3 id="${id}-title">${prose(title)}</h3>
<p class="soft">${cause}${extent}</p>${notes}`;
}

/** The finding as Markdown, for an issue: hidden, behind a button. */
function copied(group: GroupInFull, id: string): Markup {
  const text = explain(group);
  const button = markup`<button type="button" hidden data-copy="${id}-markdown">`;
  return markup`<p>${button}Copy as Markdown</button></p>
<pre class="copied" hidden id="${id}-markdown">${visible(text)}</pre>`;
}

/** The rule that the example breaks: its sentence, its status, and its origin. */
function rule(result: RequirementResult | undefined): Content {
  if (result === undefined) {
    return null;
  }
  const { id, clause, sentence } = result;
  const status = markup`<span class="${result.status}">${statusInWords(result)}:</span>`;
  const reasons = reasonLines(result).map((reason) => markup`<p>${prose(reason)}</p>`);
  const file = clauseLine(result);
  return markup`<p>${status} ${prose(sentence)}</p>
<p class="soft"><code>${id}</code> · ${[...rankOf(result), file].join(' · ')}
<code>${clause.pointer}</code></p>${reasons}`;
}

/** @param id of a text that is to be copied */
function block(title: string, text: string, id?: string): Markup {
  const short = id === undefined ? withShortValues(text) : text;
  const content = text === '' ? '(empty)' : shown(short);
  if (id === undefined) {
    return markup`<div><h4>${title}</h4>
<pre>${content}</pre></div>`;
  }
  const button = markup`<button type="button" hidden data-copy="${id}">Copy</button>`;
  return markup`<div><h4>${title} ${button}</h4>
<pre id="${id}">${content}</pre></div>`;
}

/** The last exchange and the change that it shows are open; those that lead there are closed. */
function exchangeDetails({ request, response, error }: ReportedExchange, isOpen: boolean): Markup {
  const startLine = withShortValues(`${request.method} ${oneLine(request.url)}`);
  const outcome = response === null ? 'no response' : String(response.status);
  const sent = messageText(startLine, request.headers, request.body ?? '');
  let received: Content = shown(`${outcome}\n${error ?? 'no reason given'}`);
  if (response !== null) {
    received = messageText(outcome, response.headers, response.body);
  }
  const summary = `${ellipsis(startLine, LONGEST_START_LINE)} → ${outcome}`;
  return markup`<details${openIf(isOpen)}><summary>${summary}</summary>
<div class="pair">
<pre>${sent}</pre>
<pre>${received}</pre>
</div></details>
`;
}

function openIf(isOpen: boolean): Content {
  return isOpen ? markup` open` : null;
}

/** A request or a response. */
function messageText(
  startLine: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Content {
  let lines = '';
  for (const [name, value] of Object.entries(headers)) {
    lines += `\n${oneLine(name)}: ${withShortValues(oneLine(value))}`;
  }
  const content: Content[] = [markup`<strong>${shown(startLine)}</strong>`, shown(lines)];
  if (body !== '') {
    content.push(`\n\n${shown(bodyInShort(body))}`);
  }
  return content;
}

function sameCause(others: readonly RequirementResult[]): Content {
  if (others.length === 0) {
    return null;
  }
  return markup`<details${openIf(others.length <= MOST_OPEN)}>
<summary>${count(others.length, 'other')} of the same cause</summary>
<ul>${others.map(otherItem)}</ul></details>`;
}

function otherItem(result: RequirementResult): Markup {
  const status = statusInWords(result);
  return markup`<li>${status}: ${prose(result.sentence)} <code>${result.id}</code></li>\n`;
}

/** The limit counts characters as they are seen, since an invisible one takes six. */
function shown(text: string): string {
  return cut(visible(text), LONGEST_BLOCK);
}

/** A sentence, whose parts between backticks are code. */
export function prose(text: string): Markup {
  // The parts at odd places are those that the expression captures.
  const parts = text.split(/`([^`]+)`/u).map((part, index) => {
    const isCode = index % 2 === 1;
    return isCode ? markup`<code>${part}</code>` : part;
  });
  return markup`${parts}`;
}
