/** What is broken at a glance, by area and by cause, and the list of those that have the same cause. */
import type { Group } from '../groups.ts';
import { overview } from '../overview.ts';
import type { RequirementResult } from '../../run/result.ts';
import { ellipsis } from '../text.ts';
import { inThousands } from '../../requirements/rule-in-words.ts';
import { count, STATUS_SIGNS, STATUS_WORDS } from '../words.ts';
import { html, prose, type Markup } from './markup.ts';

const LONGEST_CAUSE = 200;
/** A longer list is opened by who wants it. */
const MOST_OPEN = 5;

/** `places` names the article that shows the cause of a requirement. */
export function overviewSection(
  results: readonly RequirementResult[],
  groups: readonly Group[],
  places: ReadonlyMap<RequirementResult, string>,
): Markup {
  return html`<section aria-labelledby="overview">
<h2 id="overview">Overview</h2>
<div class="scroll"><table role="table" aria-label="By cause">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col" class="number">Broken</th>
<th role="columnheader" scope="col">Cause</th>
</tr></thead>
<tbody role="rowgroup">
${groups.map(
  ({ cause, example, others }) => html`<tr role="row"><td role="cell" class="${example.status} number">
${STATUS_SIGNS[example.status]} ${inThousands(others.length + 1)}</td>
<td role="cell"><a href="#${places.get(example) ?? 'failures'}">${prose(ellipsis(cause, LONGEST_CAUSE))}</a></td></tr>
`,
)}
</tbody></table></div>
<div class="scroll"><table role="table" aria-label="By area">
<thead role="rowgroup"><tr role="row">
<th role="columnheader" scope="col">Area</th>
<th role="columnheader" scope="col" class="number">Passed</th>
<th role="columnheader" scope="col" class="number">Broken</th>
<th role="columnheader" scope="col" class="number">Others</th>
<th role="columnheader" scope="col">Most often</th>
</tr></thead>
<tbody role="rowgroup">
${overview(results).map(
  ({ area, passed, broken, others, cause }) => html`<tr role="row"><td role="cell">${area}</td>
<td role="cell" class="number">${inThousands(passed)}</td>
<td role="cell" class="number${broken > 0 ? ' fail' : ''}">${inThousands(broken)}</td>
<td role="cell" class="number">${inThousands(others)}</td>
<td role="cell">${cause ? html`${prose(ellipsis(cause.message, LONGEST_CAUSE))} (${inThousands(cause.number)})` : null}</td></tr>
`,
)}
</tbody></table></div>
</section>`;
}

/** Below the one that is shown in full. */
export function othersList({ others }: Group): Markup | null {
  if (others.length === 0) return null;
  return html`<details class="same-cause"${others.length <= MOST_OPEN ? html` open` : null}><summary>${count(others.length, 'other')} of the same cause</summary>
<ul>
${others.map(
  (
    result,
  ) => html`<li><span class="${result.status}">${STATUS_SIGNS[result.status]} ${STATUS_WORDS[result.status]}:</span>
${prose(result.sentence)} <span class="id">${result.id}</span></li>
`,
)}
</ul></details>`;
}
