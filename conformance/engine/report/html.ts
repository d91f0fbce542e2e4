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
  clauseLine,
  count,
  countsInWords,
  type Group,
  type Overview,
  overviewOf,
  reasonsOf,
  statusInWords,
} from './words.ts';

/** Text has a contrast of at least 4.5:1 in both schemes; no status is shown by colour alone. */
export const STYLE = readFileSync(
  nearest('conformance/engine/report/report.css', import.meta.dirname),
  'utf8',
);

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

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const POLICY = `default-src 'none'; style-src ${sha256(STYLE)}; script-src ${sha256(SCRIPT)}; base-uri 'none'; form-action 'none'`;

const VERDICT_STATUS = {
  conformant: 'pass',
  nonconformant: 'fail',
  inconclusive: 'error',
} as const;

/** In characters, for each block. A page of bodies of a megabyte is of no use; report.json has them whole. */
const LONGEST = 20_000;
const LONGEST_CAUSE = 200;
/** A longer list of failures of one cause is closed at first. */
const MOST_OPEN = 5;

/** The articles of the page by the requirements that lead to them. */
type Places = ReadonlyMap<RequirementResult, string>;

export function renderHtml(report: Report): string {
  const overview = overviewOf(report);
  const { title, groups, areas, unchecked, inFull } = overview;
  const placesOf = ({ example, others }: Group, i: number) =>
    [example, ...others].map((result) => [result, `failure-${i + 1}`] as const);
  const places: Places = new Map(inFull.flatMap(placesOf));
  const areaSection = ({ name, results }: Overview['areas'][number]) => markup`
<section class="area" id="area-${name}"><h3>${name}</h3>
<p class="soft">${countsInWords(results)}</p>
${[false, true].map((passed) => {
  const some = results.filter(({ status }) => (status === 'pass') === passed);
  const rows = some.length === 0 ? null : requirementTable(name, some, places);
  if (passed && rows) {
    return markup`<details><summary>${some.length} passed</summary>${rows}</details>`;
  }
  return rows;
})}</section>`;
  // The bundler would have a helper for a tagged template with the end tag of a script.
  return String(markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}: ${report.target.url}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
${header(report, overview)}
<main>
${groups.length === 0 ? null : section('Causes', causeTable(groups, places))}
${areas.length === 0 ? null : section('Areas', areaTable(areas))}
${inFull.length === 0 ? null : section('Failures', inFull.map(article))}
${unchecked.length === 0 ? null : section('Not checked', requirementTable('Not checked', unchecked, places))}
${section('All requirements', [filter(report), areas.map(areaSection)])}
</main>
<footer class="soft">${report.suite.name} ${report.suite.version}. The same results for programs: report.json.</footer>
${new Markup(`<script>${SCRIPT}</script>`)}
</body>
</html>
`);
}

function header(report: Report, { title, sentence, counts, facts }: Overview): Markup {
  return markup`<header>
<p class="soft">Conformance to ${report.contract.title}</p>
<h1 class="${VERDICT_STATUS[report.verdict]}">${title}</h1>
<p>${sentence}</p>
${report.reason === undefined ? null : markup`<p>${prose(report.reason)}</p>`}
<ul class="counts">${counts.map(({ status, text }) => markup`<li class="${status}">${text}</li>\n`)}</ul>
<dl>
${facts.map(
  ([name, value]) => markup`<div${name === 'Warning' ? markup` class="error"` : null}>
<dt>${name}</dt><dd>${prose(value)}</dd></div>\n`,
)}
</dl>
</header>`;
}

const section = (title: string, content: Content): Markup =>
  markup`<section><h2>${title}</h2>\n${content}\n</section>`;

type Cell = [className: string, content: Content];

function table(label: string, columns: string[], rows: Cell[][]): Markup {
  const cell = ([className, content]: Cell) => markup`<td class="${className}">${content}</td>`;
  return markup`<table aria-label="${label}">
<thead><tr>${columns.map((column) => markup`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => markup`<tr>${cells.map(cell)}</tr>\n`)}</tbody></table>`;
}

function causeTable(groups: readonly Group[], places: Places): Markup {
  const rows = groups.map(({ cause, example, others }): Cell[] => [
    [`number ${example.status}`, others.length + 1],
    ['', markup`<a href="#${places.get(example)!}">${prose(ellipsis(cause, LONGEST_CAUSE))}</a>`],
  ]);
  return table('By cause', ['Broken', 'Cause'], rows);
}

function areaTable(areas: Overview['areas']): Markup {
  const number = (content: number, status = 'soft'): Cell => [`number ${status}`, content];
  const rows = areas.map(({ name, passed, broken, others, cause }): Cell[] => [
    ['', markup`<a href="#area-${name}">${name}</a>`],
    number(passed),
    number(broken, broken > 0 ? 'fail' : 'soft'),
    number(others),
    ['', cause ? [prose(ellipsis(cause.message, LONGEST_CAUSE)), ` (${cause.number})`] : null],
  ]);
  return table('By area', ['Area', 'Passed', 'Broken', 'Others', 'Most often'], rows);
}

function requirementTable(
  label: string,
  results: readonly RequirementResult[],
  places: Places,
): Markup {
  const rows = results.map((result): Cell[] => {
    const { id, sentence, level, origin, clause, cases, duration_ms } = result;
    const place = places.get(result);
    const title =
      place === undefined ? prose(sentence) : markup`<a href="#${place}">${prose(sentence)}</a>`;
    return [
      [`status ${result.status}`, statusInWords(result)],
      [
        '',
        [
          title,
          markup`\n<br><code>${id}</code>`,
          reasonsOf(result).map((reason) => markup`<br>${prose(reason)}`),
        ],
      ],
      ['place', `${level} · ${origin} · ${clauseLine(result)} ${clause.pointer}`],
      ['number soft', `${count(cases, 'case')}, ${formatDuration(duration_ms)}`],
    ];
  });
  return table(label, ['Status', 'Requirement', 'Level, origin, clause', 'Cases, time'], rows);
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

function article({ example: result, others }: Group, index: number): Markup {
  const { message: what, expected, got, exchanges, curl, replay } = result.failure!;
  const id = `failure-${index + 1}`;
  return markup`
<article id="${id}" class="${result.status}-block" aria-labelledby="${id}-title">
<h3 id="${id}-title"><span class="${result.status}">${statusInWords(result)}:</span> ${prose(result.sentence)}</h3>
<p class="soft"><code>${result.id}</code> · ${result.level} · ${result.origin} · ${clauseLine(result)}
<code>${result.clause.pointer}</code></p>
${reasonsOf(result).map((reason) => markup`<p>${prose(reason)}</p>`)}
<p><strong>${prose(what)}</strong></p>
<div class="pair">${block('Expected', expected)}${block('Got', got)}</div>
<h4>Requests and responses</h4>
${exchanges.map((one) => exchange(one, one === exchanges.at(-1)))}
<details><summary>Show it with curl</summary>${block('A shell script', curl, `${id}-curl`)}</details>
${block('Run this case again', replay, `${id}-replay`)}
${others.length === 0 ? null : sameCause(others)}
</article>`;
}

function sameCause(others: readonly RequirementResult[]): Markup {
  return markup`<details${others.length <= MOST_OPEN ? markup` open` : null}>
<summary>${count(others.length, 'other')} of the same cause</summary>
<ul>${others.map((result) => {
    return markup`<li>${statusInWords(result)}: ${prose(result.sentence)} <code>${result.id}</code></li>\n`;
  })}</ul></details>`;
}

/** @param id of a text that is there to be copied */
function block(title: string, text: string, id?: string): Markup {
  return markup`<div><h4>${title}${id === undefined ? null : markup` <button type="button" hidden data-copy="${id}">Copy</button>`}</h4>
<pre${id === undefined ? null : markup` id="${id}"`}>${text === '' ? '(empty)' : shown(text)}</pre></div>`;
}

/** The last one shows what is wrong; those before it lead there, and are closed. */
function exchange({ request, response, error }: Exchange, isLast: boolean): Markup {
  const start = `${request.method} ${oneLine(request.url)}`;
  const outcome = response === null ? 'no response' : String(response.status);
  return markup`<details${isLast ? markup` open` : null}><summary>${ellipsis(start, 200)} → ${outcome}</summary>
<div class="pair">
<pre>${message(start, request.headers, request.body ?? '')}</pre>
<pre>${response ? message(outcome, response.headers, response.body) : shown(`${outcome}\n${error ?? 'no reason given'}`)}</pre>
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
  return markup`${text.split(/`([^`]+)`/u).map((part, i) => (i % 2 === 0 ? part : markup`<code>${part}</code>`))}`;
}
