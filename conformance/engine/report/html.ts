/** One page that loads nothing; its policy names its style and script by hash: nothing else runs, escaped or not. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nearest } from '../contract/load.ts';
import type { Exchange, Report, RequirementResult } from '../run/result.ts';
import {
  type Content,
  cut,
  ellipsis,
  formatDuration,
  indentJson,
  Markup,
  markup,
  oneLine,
  visible,
} from './text.ts';
import {
  type Area,
  clauseLine,
  count,
  countsInWords,
  type Fact,
  type Group,
  type Overview,
  overviewOf,
  reasonsOf,
  statusInWords,
} from './words.ts';

const styleFile = nearest('conformance/engine/report/report.css', import.meta.dirname);

/** Text has a contrast of at least 4.5:1 in both schemes; no status is shown by colour alone. */
export const STYLE = readFileSync(styleFile, 'utf8');

/** A filter, and buttons that copy. Without JavaScript these controls stay hidden, and everything else is shown. */
export const SCRIPT = `
'use strict';
const all = (selector) => [...document.querySelectorAll(selector)];

for (const button of all('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const block = document.getElementById(button.dataset.copy);
    // Where a browser gives a page from a file no clipboard, the text is selected for the keyboard.
    getSelection().selectAllChildren(block);
    await navigator.clipboard?.writeText(block.textContent);
    button.textContent = navigator.clipboard ? 'Copied' : 'Selected';
  });
}

const search = document.getElementById('search');
const rows = all('.area tbody tr').map((row) => ({ row, text: row.textContent.toLowerCase() }));

function apply() {
  const words = search.value.toLowerCase().split(/\\s+/);
  for (const { row, text } of rows) row.hidden = !words.every((word) => text.includes(word));
  for (const fold of all('.area details')) fold.open = search.value !== '';
  for (const area of all('.area')) area.hidden = !area.querySelector('tbody tr:not([hidden])');
  const shown = rows.filter(({ row }) => !row.hidden).length;
  document.getElementById('found').textContent = shown + ' of ' + rows.length + ' requirements shown.';
}

// A run that ended early has nothing to filter; a browser that comes back to the page fills the field again.
if (search) {
  search.parentElement.hidden = false;
  search.addEventListener('input', apply);
  apply();
}
`;

function sha256(text: string): string {
  const digest = createHash('sha256').update(text).digest('base64');
  return `'sha256-${digest}'`;
}

const POLICY = [
  "default-src 'none'",
  `style-src ${sha256(STYLE)}`,
  `script-src ${sha256(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const VERDICT_STATUS = {
  conformant: 'pass',
  nonconformant: 'fail',
  incomplete: 'error',
  inconclusive: 'error',
} as const;

/** In characters, for each block. A page of bodies of a megabyte is of no use; report.json has them whole. */
const LONGEST = 20_000;
const LONGEST_CAUSE = 200;
/** A longer list of failures of one cause is closed at first. */
const MOST_OPEN = 5;

/** The ids of the articles, by the requirements that link to them. */
type Places = ReadonlyMap<RequirementResult, string>;

export function renderHtml(report: Report): string {
  const overview = overviewOf(report);
  // The bundler would have a helper for a tagged template with the end tag of a script.
  const script = new Markup(`<script>${SCRIPT}</script>`);
  return String(markup`<!doctype html>
<html lang="en">
${head(report, overview)}
<body>
${header(report, overview)}
<main>
${main(report, overview)}
</main>
<footer class="soft">${footer(report)}</footer>
${script}
</body>
</html>
`);
}

function head({ target }: Report, { title }: Overview): Markup {
  return markup`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}: ${target.url}</title>
<style>${new Markup(STYLE)}</style>
</head>`;
}

function footer({ suite }: Report): string {
  return `${suite.name} ${suite.version}. The same results for programs: report.json.`;
}

/** The sections of the page; one without content is left out. */
function main(report: Report, { groups, areas, unchecked, inFull }: Overview): Content {
  const places = placesOf(inFull);
  const details = areas.map((area) => areaSection(area, places));
  return [
    section('Causes', groups, causeTable(groups, places)),
    section('Areas', areas, areaTable(areas)),
    section('Failures', inFull, inFull.map(article)),
    section('Not checked', unchecked, requirementTable('Not checked', unchecked, places)),
    section('All requirements', [report], [filter(report), details]),
  ];
}

function section(title: string, items: readonly unknown[], content: Content): Content {
  if (items.length === 0) {
    return '\n';
  }
  return markup`<section><h2>${title}</h2>
${content}
</section>
`;
}

function placesOf(inFull: readonly Group[]): Places {
  const places = new Map<RequirementResult, string>();
  for (const [index, { example, others }] of inFull.entries()) {
    for (const result of [example, ...others]) {
      places.set(result, `failure-${index + 1}`);
    }
  }
  return places;
}

/** All requirements of an area: first those that a reader looks for, then those that passed. */
function areaSection({ name, results }: Area, places: Places): Markup {
  const passed = results.filter(({ status }) => status === 'pass');
  const others = results.filter(({ status }) => status !== 'pass');
  const open = others.length === 0 ? null : requirementTable(name, others, places);
  const closed =
    passed.length === 0
      ? null
      : markup`<details><summary>${passed.length} passed</summary>${requirementTable(name, passed, places)}</details>`;
  return markup`
<section class="area" id="area-${name}"><h3>${name}</h3>
<p class="soft">${countsInWords(results)}</p>
${open}${closed}</section>`;
}

function header(report: Report, { title, sentence, counts, facts }: Overview): Markup {
  const reason = report.reason === undefined ? null : markup`<p>${prose(report.reason)}</p>`;
  const items = counts.map(({ status, text }) => markup`<li class="${status}">${text}</li>\n`);
  return markup`<header>
<p class="soft">Conformance to ${report.contract.title}</p>
<h1 class="${VERDICT_STATUS[report.verdict]}">${title}</h1>
<p>${sentence}</p>
${reason}
<ul class="counts">${items}</ul>
<dl>
${facts.map(factItem)}
</dl>
</header>`;
}

function factItem({ name, value }: Fact): Markup {
  const attribute = name === 'Warning' ? markup` class="error"` : null;
  return markup`<div${attribute}>
<dt>${name}</dt><dd>${prose(value)}</dd></div>
`;
}

interface Cell {
  className?: string;
  content: Content;
}

function table(label: string, columns: string[], rows: Cell[][]): Markup {
  const headings = columns.map((column) => markup`<th scope="col">${column}</th>`);
  return markup`<table aria-label="${label}">
<thead><tr>${headings}</tr></thead>
<tbody>
${rows.map(tableRow)}</tbody></table>`;
}

function tableRow(cells: readonly Cell[]): Markup {
  const content = cells.map((cell) => {
    return markup`<td class="${cell.className ?? ''}">${cell.content}</td>`;
  });
  return markup`<tr>${content}</tr>\n`;
}

function causeTable(groups: readonly Group[], places: Places): Markup {
  const rows = groups.map(({ cause, example, others }): Cell[] => {
    const text = prose(ellipsis(cause, LONGEST_CAUSE));
    return [
      { className: `number ${example.status}`, content: others.length + 1 },
      { content: markup`<a href="#${places.get(example) ?? ''}">${text}</a>` },
    ];
  });
  return table('By cause', ['Broken', 'Cause'], rows);
}

function areaTable(areas: readonly Area[]): Markup {
  const number = (content: number, status = 'soft'): Cell => {
    return { className: `number ${status}`, content };
  };
  const rows = areas.map(({ name, passed, broken, others, cause }): Cell[] => {
    const most = cause && [prose(ellipsis(cause.message, LONGEST_CAUSE)), ` (${cause.number})`];
    return [
      { content: markup`<a href="#area-${name}">${name}</a>` },
      number(passed),
      number(broken, broken > 0 ? 'fail' : 'soft'),
      number(others),
      { content: most ?? null },
    ];
  });
  return table('By area', ['Area', 'Passed', 'Broken', 'Others', 'Most often'], rows);
}

function requirementTable(
  label: string,
  results: readonly RequirementResult[],
  places: Places,
): Markup {
  const rows = results.map((result) => requirementRow(result, places.get(result)));
  return table(label, ['Status', 'Requirement', 'Level, origin, clause', 'Cases, time'], rows);
}

/** @param place the id of the article about the requirement */
function requirementRow(result: RequirementResult, place: string | undefined): Cell[] {
  const { id, sentence, level, origin, clause, cases, duration_ms } = result;
  const words = prose(sentence);
  const title = place === undefined ? words : markup`<a href="#${place}">${words}</a>`;
  const reasons = reasonsOf(result).map((reason) => markup`<br>${prose(reason)}`);
  const where = `${level} · ${origin} · ${clauseLine(result)} ${clause.pointer}`;
  return [
    { className: `status ${result.status}`, content: statusInWords(result) },
    { content: [title, markup`\n<br><code>${id}</code>`, reasons] },
    { className: 'place', content: where },
    {
      className: 'number soft',
      content: `${count(cases, 'case')}, ${formatDuration(duration_ms)}`,
    },
  ];
}

/** The search hides rows whose text lacks a word, so that the name of a status works as well as an id. */
function filter(report: Report): Markup {
  if (report.requirements.length === 0) {
    return markup`<p>The run ended before any requirement was tried.</p>`;
  }
  return markup`<p class="filter" hidden><label for="search">Filter</label>
<input id="search" type="search" placeholder="failed, id, sentence, origin, clause" autocomplete="off">
<span id="found" role="status"></span></p>`;
}

function article({ example: result, others }: Group, index: number): Content {
  if (!result.failure) {
    return null;
  }
  const id = `failure-${index + 1}`;
  const place = `${result.level} · ${result.origin} · ${clauseLine(result)}`;
  const status = markup`<span class="${result.status}">${statusInWords(result)}:</span>`;
  const reasons = reasonsOf(result).map((reason) => markup`<p>${prose(reason)}</p>`);
  return markup`
<article id="${id}" class="${result.status}-block" aria-labelledby="${id}-title">
<h3 id="${id}-title">${status} ${prose(result.sentence)}</h3>
<p class="soft"><code>${result.id}</code> · ${place}
<code>${result.clause.pointer}</code></p>
${reasons}
${evidence(result.failure, id)}
${others.length === 0 ? null : sameCause(others)}
</article>`;
}

function evidence(failure: NonNullable<RequirementResult['failure']>, id: string): Markup {
  const { message: what, expected, got, exchanges, curl, replay } = failure;
  const last = exchanges.at(-1);
  const script = block('A shell script', curl, `${id}-curl`);
  return markup`<p><strong>${prose(what)}</strong></p>
<div class="pair">${block('Expected', expected)}${block('Got', got)}</div>
<h4>Requests and responses</h4>
${exchanges.map((one) => exchange(one, one === last))}
<details><summary>Show it with curl</summary>${script}</details>
${block('Run this case again', replay, `${id}-replay`)}`;
}

function sameCause(others: readonly RequirementResult[]): Markup {
  const items = others.map((result) => {
    const words = prose(result.sentence);
    return markup`<li>${statusInWords(result)}: ${words} <code>${result.id}</code></li>\n`;
  });
  const open = others.length <= MOST_OPEN ? markup` open` : null;
  return markup`<details${open}>
<summary>${count(others.length, 'other')} of the same cause</summary>
<ul>${items}</ul></details>`;
}

/** @param id of a text that readers copy: it has a button */
function block(title: string, text: string, id?: string): Markup {
  const content = text === '' ? '(empty)' : shown(text);
  if (id === undefined) {
    return markup`<div><h4>${title}</h4>
<pre>${content}</pre></div>`;
  }
  const button = markup`<button type="button" hidden data-copy="${id}">Copy</button>`;
  return markup`<div><h4>${title} ${button}</h4>
<pre id="${id}">${content}</pre></div>`;
}

/** The last exchange shows what is wrong. Those before it lead there, and are closed. */
function exchange({ request, response, error }: Exchange, isLast: boolean): Markup {
  const start = `${request.method} ${oneLine(request.url)}`;
  const outcome = response === null ? 'no response' : String(response.status);
  const got = response
    ? message(outcome, response.headers, response.body)
    : shown(`${outcome}\n${error ?? 'no reason given'}`);
  const open = isLast ? markup` open` : null;
  return markup`<details${open}><summary>${ellipsis(start, 200)} → ${outcome}</summary>
<div class="pair">
<pre>${message(start, request.headers, request.body ?? '')}</pre>
<pre>${got}</pre>
</div></details>
`;
}

function message(start: string, headers: Record<string, string>, body: string): Markup {
  const lines = Object.entries(headers).map(
    ([name, value]) => `\n${oneLine(name)}: ${oneLine(value)}`,
  );
  const rest = body === '' ? '' : `\n\n${shown(indentJson(body))}`;
  return markup`<strong>${shown(start)}</strong>${shown(lines.join(''))}${rest}`;
}

/** The limit counts characters as they are seen, since an invisible one takes six. */
const shown = (text: string): string => cut(visible(text), LONGEST);

/** A sentence, whose parts between backticks are code. */
function prose(text: string): Markup {
  const parts = text.split(/`([^`]+)`/u).map((part, index) => {
    const isCode = index % 2 === 1;
    return isCode ? markup`<code>${part}</code>` : part;
  });
  return markup`${parts}`;
}
