/** One failure with its evidence. */
import type { Exchange, RequirementResult } from '../../run/result.ts';
import { cut, ellipsis, indentJson, oneLine, visible } from '../text.ts';
import { clauseLine, reasonsOf, STATUS_SIGNS, STATUS_WORDS } from '../words.ts';
import { html, prose, type Content, type Markup } from './markup.ts';

/** In characters, for each block. A page of bodies of a megabyte is no use to anybody; report.json has them whole. */
const LONGEST = 20_000;

/** `number` is unique on the page. */
export function failureArticle(result: RequirementResult, number: number): Markup {
  const { failure } = result;
  const id = `failure-${number}`;
  return html`
<article id="${id}" aria-labelledby="${id}-title"${result.status === 'fail' ? null : html` class="in-error"`}>
<h3 id="${id}-title">
<span class="${result.status}">${STATUS_SIGNS[result.status]} ${STATUS_WORDS[result.status]}:</span>
${prose(result.sentence)}</h3>
<p class="tags"><span class="id">${result.id}</span> · ${result.level} · ${result.origin} · ${clauseLine(result)}
<span class="id">${result.clause.pointer}</span></p>
${reasonsOf(result).map((reason) => html`<p class="reason">${prose(reason)}</p>`)}
${
  failure
    ? html`<p class="message">${prose(failure.message)}</p>
<div class="pair">
<div><h4>Expected</h4>${pre(failure.expected, 'expected')}</div>
<div><h4>Got</h4>${pre(failure.got, 'got')}</div>
</div>
${exchangeList(failure.exchanges)}
${copied('Show it with curl', failure.curl, `${id}-curl`)}
${copied('Run this case again', failure.replay, `${id}-replay`)}`
    : null
}
</article>`;
}

function pre(text: string, className: string): Markup {
  return html`<pre class="${className}">${text === '' ? html`<span class="soft">(empty)</span>` : shown(text)}</pre>`;
}

/** What is cut is what is seen, since each invisible character takes six. */
function shown(text: string): string {
  return cut(visible(text), LONGEST);
}

function copied(title: string, text: string, id: string): Markup {
  return html`<div class="block">
<div class="titled"><h4>${title}</h4><button type="button" hidden data-copy="${id}">Copy</button></div>
<pre id="${id}">${shown(text)}</pre></div>`;
}

function exchangeList(exchanges: readonly Exchange[]): Content {
  if (exchanges.length === 0) return null;
  const title = exchanges.length === 1 ? 'Request and response' : `The ${exchanges.length} requests that show it`;
  return html`<div class="block"><h4>${title}</h4><ol class="steps">
${exchanges.map((exchange, i) => step(exchange, i + 1, exchanges.length))}
</ol></div>`;
}

/** All are open: what is closed cannot be printed nor found everywhere. */
function step({ request, response, error }: Exchange, number: number, of: number): Markup {
  const outcome = response === null ? 'no response' : String(response.status);
  return html`<li><details open>
<summary>${of > 1 ? `${number}. ` : ''}${request.method} ${pathOf(request.url)} → ${outcome}</summary>
<div class="pair">
<pre role="group" aria-label="request">${message(`${request.method} ${request.url}`, request.headers, request.body)}</pre>
<pre role="group" aria-label="response">${
    response === null
      ? html`<span class="start">no response</span>${'\n'}${shown(error ?? 'no reason given')}`
      : message(String(response.status), response.headers, response.body)
  }</pre>
</div></details></li>
`;
}

function message(start: string, headers: Record<string, string>, body: string | null): Markup {
  const lines = Object.entries(headers).map(([name, value]) => `\n${oneLine(name)}: ${oneLine(value)}`);
  const rest = body === null || body === '' ? null : `\n\n${shown(indentJson(body))}`;
  return html`<span class="start">${shown(oneLine(start))}</span>${shown(lines.join(''))}${rest}`;
}

/** The base URL is the same in every line. */
function pathOf(url: string): string {
  return ellipsis(oneLine(url.replace(/^https?:\/\/[^/]*(?=\/)/u, '')), 100);
}
