/**
 * The report as one page that works from a file and asks nobody for anything: its policy forbids every request, and
 * allows this style and this script by their hashes, so that nothing from a service can run even if it were not escaped.
 */
import { createHash } from 'node:crypto';
import { failureArticle } from './html/failure.ts';
import { html, Markup, prose } from './html/markup.ts';
import { areas, notCheckedTable } from './html/requirements.ts';
import { overviewSection, othersList } from './html/overview.ts';
import { groupsOf } from './groups.ts';
import { SCRIPT } from './html/script.ts';
import { STYLE } from './html/style.ts';
import type { Report, RequirementResult, Status } from '../run/result.ts';
import { formatDuration } from './text.ts';
import { inThousands } from '../requirements/rule-in-words.ts';
import {
  count,
  leftInWords,
  notChecked,
  retriesInWords,
  STATUS_WORDS,
  STATUSES,
  VERDICT_WORDS,
  verdictSentence,
} from './words.ts';

const POLICY = [
  `default-src 'none'`,
  `style-src '${hashOf(STYLE)}'`,
  `script-src '${hashOf(SCRIPT)}'`,
  `base-uri 'none'`,
  `form-action 'none'`,
].join('; ');

const VERDICT_STATUS = { conformant: 'pass', nonconformant: 'fail', inconclusive: 'error' } as const;

export function renderHtml(report: Report): string {
  const groups = groupsOf(report);
  const failures = report.summary.fail + report.summary.flaky;
  const others = notChecked(report);
  // An error has an article of its own only where there is more to show than its reason.
  const errors = others.filter(({ failure }) => failure !== undefined);
  const articles = new Map<RequirementResult, string>(
    [...groups.map(({ example }) => example), ...errors].map((result, i) => [result, `failure-${i + 1}`]),
  );
  // A failure that is one of many leads to the one of its cause that is shown.
  const places = new Map([
    ...articles,
    ...groups.flatMap(({ example, others: same }) => same.map((other) => [other, articles.get(example)!] as const)),
  ]);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${VERDICT_WORDS[report.verdict]}: ${report.target.url}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<a class="skip-link" href="#requirements">To all requirements</a>
${header(report)}
<main>
${failures === 0 ? null : overviewSection(report.requirements, groups, places)}
${
  articles.size === 0
    ? null
    : html`<section aria-labelledby="failures">
<h2 id="failures">${failures > 0 ? `${count(failures, 'failure')} of ${count(groups.length, 'cause')}` : 'Evidence of errors'}</h2>
${groups.map((group, i) => [failureArticle(group.example, i + 1), othersList(group)])}
${errors.map((result, i) => failureArticle(result, groups.length + i + 1))}
</section>`
}
${
  others.length === 0
    ? null
    : html`<section><h2 id="not-checked">${inThousands(others.length)} not checked</h2>
${notCheckedTable(others)}
</section>`
}
<section aria-labelledby="requirements"><h2 id="requirements">All requirements</h2>
${
  report.requirements.length === 0
    ? html`<p>The run ended before any requirement was looked at.</p>`
    : [filter(report), areas(report.requirements, places)]
}
</section>
</main>
<footer><p>${report.suite.name} ${report.suite.version}. The same results for programs: report.json.</p></footer>
<p id="said" role="status" class="skip-link"></p>
<script>${new Markup(SCRIPT)}</script>
</body>
</html>
`;
  return page.toString();
}

function header(report: Report): Markup {
  const { target, contract, suite } = report;
  return html`<header>
<p class="kicker">Conformance to ${contract.title}</p>
<h1 class="${VERDICT_STATUS[report.verdict]}">${VERDICT_WORDS[report.verdict]}</h1>
<p class="lead">${verdictSentence(report)}</p>
${report.reason === undefined ? null : html`<p class="reason">${prose(report.reason)}</p>`}
${report.warnings.map((warning) => html`<p class="reason error">! Warning: ${prose(warning)}</p>`)}
${bar(report.summary)}
<ul class="counts">
${STATUSES.map(
  (status) => html`<li class="${report.summary[status] === 0 ? 'soft' : status}">
<b>${inThousands(report.summary[status])}</b> ${STATUS_WORDS[status]}</li>\n`,
)}
</ul>
<dl class="facts">
<div class="wide"><dt>Service</dt><dd><code>${target.url}</code></dd></div>
<div><dt>Checked by</dt><dd>level ${target.level},
${target.origin === 'all' ? 'all origins' : 'the source document alone'},
${target.authenticated ? 'with a token' : 'without a token'}</dd></div>
<div><dt>Contract</dt><dd>${contract.version}
<code title="sha256 ${contract.sha256}">sha256 ${contract.sha256.slice(0, 12)}</code></dd></div>
<div><dt>Suite</dt><dd>${suite.name} ${suite.version}</dd></div>
<div><dt>Seed</dt><dd><code>${report.seed}</code>, ${count(report.runs, 'case')} per property</dd></div>
<div><dt>When</dt><dd><time datetime="${report.started_at}">${readableTime(report.started_at)}</time></dd></div>
<div><dt>How long</dt><dd>${formatDuration(report.duration_ms)}, ${count(report.requests, 'request')}</dd></div>
<div><dt>Sent again</dt><dd>${retriesInWords(report) ?? 'nothing'}</dd></div>
<div><dt>Left behind</dt><dd>${leftInWords(report) ?? 'nothing'}</dd></div>
</dl>
</header>`;
}

/** Always UTC, as the file has it: a reader elsewhere compares it with the log of the service. */
function readableTime(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Widths are attributes of SVG, since the policy allows no style but the one above. */
function bar(summary: Record<Status, number>): Markup {
  const order: Status[] = ['pass', 'disabled', 'skip', 'error', 'flaky', 'fail'];
  const total = order.reduce((sum, status) => sum + summary[status], 0);
  // A single failure among hundreds must still be seen.
  const widths = order.map((status) => (summary[status] === 0 ? 0 : Math.max(summary[status] / total, 0.01)));
  const whole = widths.reduce((sum, width) => sum + width, 0);
  let x = 0;
  const parts = order.map((status, i) => {
    const width = whole === 0 ? 0 : ((widths[i] ?? 0) / whole) * 100;
    x += width;
    return width === 0
      ? null
      : html`<rect class="${status}" x="${(x - width).toFixed(2)}" y="0"
 width="${width.toFixed(2)}" height="1"></rect>`;
  });
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

function filter(report: Report): Markup {
  const present = STATUSES.filter((status) => report.summary[status] > 0);
  return html`<div id="filter" hidden>
<div class="filter"><div role="group" aria-label="Filter by status">
${button('all', 'All', true)}
${present.map((status) => button(status, `${STATUS_WORDS[status]} ${inThousands(report.summary[status])}`, false))}
</div><label for="search">Filter
<input id="search" type="search" placeholder="id, sentence, origin, clause" autocomplete="off" spellcheck="false">
</label></div>
<p id="found" class="found" role="status" aria-live="polite"></p>
</div>`;
}

function button(name: Status | 'all', label: string, pressed: boolean): Markup {
  return html`<button type="button" data-filter="${name}" aria-pressed="${String(pressed)}">${label}</button>`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
