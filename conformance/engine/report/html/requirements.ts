/** Tables of requirements: what was not checked, and all of them by area. */
import type { RequirementResult } from '../../run/result.ts';
import { formatDuration } from '../text.ts';
import { inThousands } from '../../requirements/rule-in-words.ts';
import { clauseLine, count, groupByArea, reasonsOf, STATUS_SIGNS, STATUS_WORDS, STATUSES } from '../words.ts';
import { html, prose, type Markup } from './markup.ts';

/** The roles repeat what the elements mean, since on a phone their `display` changes and some browsers forget it. */
export function notCheckedTable(results: readonly RequirementResult[]): Markup {
  return html`<div class="scroll"><table role="table" aria-labelledby="not-checked">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">Status</th>
<th role="columnheader" scope="col">Requirement and reason</th>
</tr></thead>
<tbody role="rowgroup">
${results.map(
  (result) => html`<tr role="row"><td role="cell" class="${result.status}">${status(result)}</td>
<td role="cell">${prose(result.sentence)}
<span class="id">${result.id}</span><span class="why">${prose(result.reason ?? 'No reason given.')}</span></td></tr>
`,
)}
</tbody></table></div>`;
}

/** `articles` names the article that shows what is wrong with a requirement. */
export function areas(results: readonly RequirementResult[], articles: ReadonlyMap<RequirementResult, string>): Markup {
  const groups = [...groupByArea(results)].map(([name, members], i) => ({ name, members, id: `area-${i + 1}` }));
  return html`<nav aria-label="Areas"><ul class="areas">
${groups.map(
  ({ name, members, id }) => html`<li><a href="#${id}">${name}</a> <span class="soft">${members.length}</span></li>
`,
)}
</ul></nav>
${groups.map(
  ({ name, members, id }) => html`<section class="area" id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title">${name}</h3>
<p class="soft">${countsOf(members)}</p>
<div class="scroll"><table role="table" aria-labelledby="${id}-title">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">Status</th>
<th role="columnheader" scope="col">Requirement</th>
<th role="columnheader" scope="col">Level, origin, clause</th>
<th role="columnheader" scope="col" class="number">Cases, time</th>
</tr></thead>
<tbody role="rowgroup">
${members.map((result) => row(result, articles.get(result)))}
</tbody></table></div>
</section>
`,
)}`;
}

function row(result: RequirementResult, article: string | undefined): Markup {
  const { sentence } = result;
  return html`<tr role="row" data-status="${result.status}">
<td role="cell" class="${result.status}">${status(result)}</td>
<td role="cell">${article === undefined ? prose(sentence) : html`<a href="#${article}">${prose(sentence)}</a>`}
<span class="id">${result.id}</span>
${reasonsOf(result).map((reason) => html`<span class="why">${prose(reason)}</span>`)}</td>
<td role="cell" class="place">${result.level} · ${result.origin} · ${clauseLine(result)}
<span class="pointer">${result.clause.pointer}</span></td>
<td role="cell" class="number">${count(result.cases, 'case')}, ${formatDuration(result.duration_ms)}</td></tr>
`;
}

function status(result: RequirementResult): string {
  return `${STATUS_SIGNS[result.status]} ${STATUS_WORDS[result.status]}`;
}

function countsOf(results: readonly RequirementResult[]): string {
  return STATUSES.map((name) => ({ name, number: results.filter((result) => result.status === name).length }))
    .filter(({ number }) => number > 0)
    .map(({ name, number }) => `${inThousands(number)} ${STATUS_WORDS[name]}`)
    .join(', ');
}
