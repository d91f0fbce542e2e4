/**
 * The report as one HTML page that loads nothing. Its policy names its style and its script by
 * hash, so that nothing else runs, even if it were not escaped.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { nearest } from '../contract/load.ts';
import { count } from '../requirements/rule-in-words.ts';
import type { Report, RequirementResult, Status, Verdict } from '../run/result.ts';
import { articleId, failureArticle, prose } from './html-failure.ts';
import { SCRIPT } from './html-script.ts';
import { type Content, Markup, markup } from './markup.ts';
import {
  type Area,
  byKind,
  type Fact,
  type Group,
  type GroupInFull,
  isWarning,
  type Overview,
  overviewOf,
} from './overview.ts';
import { requestsShowing } from './request-shown.ts';
import { ellipsis, formatDuration } from './text.ts';
import {
  clauseLine,
  countsInWords,
  extentOf,
  placesInShort,
  rankOf,
  reasonLines,
  type StatusCount,
  statusInWords,
} from './words.ts';

/** Text has a contrast of at least 4.5:1 in both schemes; no status is shown by colour alone. */
export const STYLE = readFileSync(
  nearest('conformance/engine/report/report.css', import.meta.dirname),
  'utf8',
);

const POLICY = [
  "default-src 'none'",
  `style-src ${sourceHash(STYLE)}`,
  `script-src ${sourceHash(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A source expression of a content security policy. */
function sourceHash(text: string): string {
  const hash = createHash('sha256').update(text).digest('base64');
  return `'sha256-${hash}'`;
}

/** The class of the verdict, which gives it the colour of a status. */
const VERDICT_CLASS: Record<Verdict, Status> = {
  conformant: 'pass',
  nonconformant: 'fail',
  incomplete: 'error',
  inconclusive: 'error',
};

/** In UTF-16 code units. */
const LONGEST_CAUSE = 200;
/** In columns. */
const LONGEST_REQUEST = 200;

/** The id of the article that shows a requirement, alone or as an example. */
type ArticleIds = ReadonlyMap<RequirementResult, string>;

export function renderHtml(report: Report): string {
  const overview = overviewOf(report);
  const title = `${overview.title}: ${report.target.url}`;
  const page = markup`<!doctype html>
<html lang="en">
${head(title)}
<body>
${header(report, overview)}
${main(report, overview)}
${footer(report)}
${script()}
</body>
</html>
`;
  return page.toString();
}

function head(title: string): Markup {
  return markup`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>`;
}

/** Findings come first; what else there is to know follows them. */
function header(report: Report, { title, sentence, counts, facts, groups }: Overview): Markup {
  const warnings = groups.length === 0 ? factList(facts.filter(isWarning)) : null;
  return markup`<header>
<p class="soft">Conformance to ${report.contract.title}</p>
<h1 class="${VERDICT_CLASS[report.verdict]}">${title}</h1>
<p>${sentence}</p>
${reasonParagraph(report.reason)}
<ul class="counts">${counts.map(countItem)}</ul>
${warnings}
</header>`;
}

function reasonParagraph(reason: string | undefined): Content {
  if (reason === undefined) {
    return null;
  }
  return markup`<p>${prose(reason)}</p>`;
}

function warningsBelow(facts: readonly Fact[]): Content {
  const warnings = facts.filter(isWarning);
  if (warnings.length === 0) {
    return null;
  }
  return section('Warnings', factList(warnings));
}

function factList(facts: readonly Fact[]): Content {
  if (facts.length === 0) {
    return null;
  }
  return markup`<dl>\n${facts.map(factItem)}\n</dl>`;
}

/**
 * The facts that a reader needs after the findings: the service, the settings and the time of the
 * run.
 */
function aboutRun(facts: readonly Fact[]): Content {
  return section('The run', factList(facts.filter((fact) => !isWarning(fact))));
}

function countItem({ status, text }: StatusCount): Markup {
  return markup`<li class="${status}">${text}</li>\n`;
}

function factItem(fact: Fact): Markup {
  const className = isWarning(fact) ? markup` class="error"` : null;
  return markup`<div${className}>
<dt>${fact.name}</dt><dd>${prose(fact.value)}</dd></div>\n`;
}

function main(report: Report, overview: Overview): Markup {
  const { groups, inFull, areas, unchecked, facts, heading } = overview;
  const articles = articleIdsOf(inFull);
  return markup`<main>
${findings({ groups, inFull, heading }, report.target.url)}
${groups.length === 0 ? null : warningsBelow(facts)}
${aboutRun(facts)}
${areasSection(areas)}
${failures(inFull)}
${notChecked(unchecked, articles)}
${allRequirements(report, areas, articles)}
</main>`;
}

function articleIdsOf(groups: readonly GroupInFull[]): ArticleIds {
  const ids = new Map<RequirementResult, string>();
  for (const [index, { example, others }] of groups.entries()) {
    for (const result of [example ?? [], others].flat()) {
      ids.set(result, articleId(index));
    }
  }
  return ids;
}

function section(title: string, content: Content): Markup {
  return markup`<section><h2>${title}</h2>\n${content}\n</section>`;
}

type Found = Pick<Overview, 'groups' | 'inFull' | 'heading'>;

function findings({ groups, inFull: shown, heading: title }: Found, base: string): Content {
  if (groups.length === 0) {
    return null;
  }
  let number = 1;
  const lists = byKind(groups).map(({ kind, heading, groups: members }) => {
    const start = number;
    number += members.length;
    const items = members.map((group) => {
      return findingItem(
        group,
        shown.findIndex((one) => one === group),
        base,
      );
    });
    return markup`<h3 class="kind">${heading}</h3>
<ol class="findings" start="${start}" aria-label="${kind}">${items}</ol>\n`;
  });
  return section(title, lists);
}

/** @param index of its article; -1 if it has none */
function findingItem(group: Group, index: number, base: string): Markup {
  const { title, finding, notes } = group;
  const words = prose(ellipsis(title, LONGEST_CAUSE));
  const name = index < 0 ? words : link(articleId(index), words);
  const extent = finding === undefined ? '' : extentOf(finding);
  const requests = requestsShowing(group, base, LONGEST_REQUEST);
  const shown = requests.map((request) => markup`<br><code>${request}</code>`);
  const places = finding === undefined ? '' : placesInShort(finding, Infinity);
  const listed = places === '' ? null : markup`<br><span class="soft">${places}</span>`;
  const sentences = (finding?.notes ?? []).map((note) => markup`<br>${prose(note)}`);
  const excused = notes.map((note) => markup`<br><span class="skip">${prose(note)}</span>`);
  const counted = markup`<span class="soft">${extent}</span>`;
  return markup`<li>${name} ${counted}${listed}${shown}${sentences}${excused}</li>\n`;
}

function link(id: string, content: Content): Markup {
  return markup`<a href="#${id}">${content}</a>`;
}

function areasSection(areas: readonly Area[]): Content {
  if (areas.length === 0) {
    return null;
  }
  const columns = ['Area', 'Passed', 'Broken', 'Others', 'Most often'];
  return section('Areas', table('By area', columns, areas.map(areaCells)));
}

function areaCells({ name, passed, broken, others, cause }: Area): Cell[] {
  const mostOften: Content[] = [];
  if (cause !== undefined) {
    mostOften.push(prose(ellipsis(cause.message, LONGEST_CAUSE)), ` (${cause.number})`);
  }
  return [
    { content: link(`area-${name}`, name) },
    { className: 'number soft', content: passed },
    { className: broken > 0 ? 'number fail' : 'number soft', content: broken },
    { className: 'number soft', content: others },
    { content: mostOften },
  ];
}

function failures(groups: readonly GroupInFull[]): Content {
  if (groups.length === 0) {
    return null;
  }
  return section('Findings in full', groups.map(failureArticle));
}

function notChecked(results: readonly RequirementResult[], articles: ArticleIds): Content {
  if (results.length === 0) {
    return null;
  }
  const title = 'Not checked';
  return section(title, requirementTable(title, results, articles));
}

function allRequirements(report: Report, areas: readonly Area[], articles: ArticleIds): Markup {
  const sections = areas.map((area) => areaSection(area, articles));
  return section('All requirements', [filter(report), sections]);
}

/**
 * The search hides rows whose text lacks a word, so that the name of a status works as well as an
 * id.
 */
function filter(report: Report): Markup {
  if (report.requirements.length === 0) {
    return markup`<p>The run ended before any requirement was tried.</p>`;
  }
  const examples = 'failed, id, sentence, origin, clause';
  return markup`<p class="filter" hidden><label for="search">Filter</label>
<input id="search" type="search" placeholder="${examples}" autocomplete="off">
<span id="found" role="status"></span></p>`;
}

/** The requirements of an area; those that passed are folded. */
function areaSection({ name, results }: Area, articles: ArticleIds): Markup {
  const passed = results.filter(({ status }) => status === 'pass');
  const others = results.filter(({ status }) => status !== 'pass');
  return markup`
<section class="area" id="area-${name}"><h3>${name}</h3>
<p class="soft">${countsInWords(results)}</p>
${othersTable(name, others, articles)}${passedTable(name, passed, articles)}</section>`;
}

function othersTable(
  area: string,
  results: readonly RequirementResult[],
  articles: ArticleIds,
): Content {
  if (results.length === 0) {
    return null;
  }
  return requirementTable(area, results, articles);
}

function passedTable(
  area: string,
  results: readonly RequirementResult[],
  articles: ArticleIds,
): Content {
  if (results.length === 0) {
    return null;
  }
  const rows = requirementTable(area, results, articles);
  return markup`<details><summary>${results.length} passed</summary>${rows}</details>`;
}

function requirementTable(
  label: string,
  results: readonly RequirementResult[],
  articles: ArticleIds,
): Markup {
  const columns = ['Status', 'Requirement', 'Level, origin, clause', 'Cases, time'];
  const rows = results.map((result) => requirementCells(result, articles));
  return table(label, columns, rows);
}

function requirementCells(result: RequirementResult, articles: ArticleIds): Cell[] {
  const { status, clause, cases, duration_ms: duration } = result;
  const place = `${clauseLine(result)} ${clause.pointer}`;
  const effort = `${count(cases, 'case')}, ${formatDuration(duration)}`;
  return [
    { className: `status ${status}`, content: statusInWords(result) },
    { content: requirementCell(result, articles) },
    { className: 'place', content: [...rankOf(result), place].join(' · ') },
    { className: 'number soft', content: effort },
  ];
}

/** The rule, which links to the failure if there is one, its id and the reasons. */
function requirementCell(result: RequirementResult, articles: ArticleIds): Content {
  const article = articles.get(result);
  let sentence = prose(result.sentence);
  if (article !== undefined) {
    sentence = link(article, sentence);
  }
  const reasons = reasonLines(result).map((reason) => markup`<br>${prose(reason)}`);
  return [sentence, markup`\n<br><code>${result.id}</code>`, reasons];
}

interface Cell {
  className?: string;
  content: Content;
}

function table(label: string, columns: readonly string[], rows: readonly Cell[][]): Markup {
  const headings = columns.map((column) => markup`<th scope="col">${column}</th>`);
  return markup`<table aria-label="${label}">
<thead><tr>${headings}</tr></thead>
<tbody>
${rows.map(tableRow)}</tbody></table>`;
}

function tableRow(cells: readonly Cell[]): Markup {
  return markup`<tr>${cells.map(tableCell)}</tr>\n`;
}

function tableCell({ className = '', content }: Cell): Markup {
  return markup`<td class="${className}">${content}</td>`;
}

function footer({ suite }: Report): Markup {
  const note = 'The same results for programs: report.json.';
  return markup`<footer class="soft">${suite.name} ${suite.version}. ${note}</footer>`;
}

function script(): Markup {
  // The bundler would have a helper for a tagged template with the end tag of a script.
  return new Markup(`<script>${SCRIPT}</script>`);
}
