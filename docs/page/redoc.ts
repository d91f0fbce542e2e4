/** Completes Redoc's page. Each replaced part occurs once in its pinned version, or the build stops and names it. */
import type { PageContent } from './document.ts';

/** @param script the text of docs/browser/page-script.js */
export function completed(html: string, content: PageContent, style: string, script: string): string {
  const { samples, base, sections } = content;
  const data = JSON.stringify({ base, samples, sections }).replaceAll('<', String.raw`\u003c`);
  const own = `<script type="application/json" id="page-data">${data}</script><script>${script}</script>`;
  let page = withLinksInPage(withoutRemoteLogo(html));
  for (const [name, from, to] of [
    ['the end of its head', '</head>\n', `<style>${style}</style></head>\n`],
    ['its module', '<script type="module">', `${own}<script type="module">`],
    ['its start', 'hydrate(__redoc_definition,', 'hydrate(pageDefinition(__redoc_definition),'],
    // The sample of the example that is chosen, where Redoc has one sample a language.
    [
      'the choice of a sample',
      'let e=O?.find(e=>Dj(e)===ee);return e?e.source:',
      'let e=O?.find(e=>Dj(e)===ee);return e?pageSample(r,e,k):',
    ],
    ['what a sample depends on', '},[ee,O,n]),ae=', '},[ee,O,n,r,k]),ae='],
    // Otherwise a screen reader says "Example" in place of the name of the example.
    ['the menu of examples', '"aria-label":`Example`,options:', 'options:'],
    // An operation has the heading 2, and its parts had 4 and 5.
    ['the heading of a part of an operation', 'AL=L.h4.', 'AL=L.h3.'],
    ['the heading of a group of parameters', 'nwe=L.h5`', 'nwe=L.h4`'],
    [
      'the hits of the search',
      'return yOe(this.rankCandidates(n,t),t,this.lowered).',
      'return pageHits(yOe(this.rankCandidates(n,t),t,this.lowered),t.words).',
    ],
    // Some are too pale on white, others too dark on black.
    [
      'the colours of nested levels',
      'DC=[`#9D00FF`,`#615CEA`,`#147DF5`,`#08BFCC`,`#08CC7A`,`#81CC08`,`#E5BE00`,`#FF8700`,`#FF00B8`]',
      'DC=[`var(--link-color-primary)`]',
    ],
    // Otherwise the words of two lines or two cells run together.
    [
      'the text of a search hit',
      'for(let t of e.children??[])n(t)}}return n(e),t.join(``)}',
      'for(let t of e.children??[])n(t);/^(softbreak|t[dh]|item|paragraph|heading)$/.test(e.type)&&t.push(` `)}}return n(e),t.join(``)}',
    ],
  ] as const)
    page = replacedOnce(page, name, from, to);
  return page;
}

function replacedOnce(html: string, name: string, from: string, to: string): string {
  const found = html.split(from).length - 1;
  if (found !== 1) throw new Error(`Redoc changed: ${name} is there ${found} times, not once (docs/page/redoc.ts)`);
  return html.replace(from, () => to);
}

/** Redoc loads its logo from its own host: the page has its name instead. */
function withoutRemoteLogo(html: string): string {
  const name =
    "%3Csvg xmlns='http://www.w3.org/2000/svg' width='46' height='14'%3E%3Ctext y='11' font-family='sans-serif' font-size='11' fill='%23808080'%3ERedocly%3C/text%3E%3C/svg%3E";
  return html.replaceAll(/https:\/\/cdn\.redoc\.ly\/[\w./-]*logo[\w./-]*/g, `data:image/svg+xml,${name}`);
}

/** The part that is rendered ahead links to paths of a server; the running page links to places in itself. */
function withLinksInPage(html: string): string {
  const start = html.indexOf('<div id="redoc">');
  const end = html.indexOf('<script type="module">', start);
  if (start === -1 || end === -1) throw new Error('Redoc changed: the page has no rendered part (docs/page/redoc.ts)');
  return html.slice(0, start) + html.slice(start, end).replaceAll('href="/', 'href="#/') + html.slice(end);
}
