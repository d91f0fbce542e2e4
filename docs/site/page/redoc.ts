/**
 * Completes Redoc's page. Each replaced part occurs once in its pinned version, or the build stops
 * and names it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { filled } from '../../../clients/samples/layout.ts';
import type { PageContent } from './document.ts';
import { iconUrl } from './icon.ts';
import type { PageData } from './page-data.ts';
import { wholeDocument } from './whole.ts';

type Change = Record<'part' | 'from' | 'to', string>;

/** @param script the page's own */
export function completed(
  html: string,
  content: PageContent,
  root: string,
  script: string,
): string {
  const { samples, base, pages } = content;
  const read = (name: string): string =>
    readFileSync(join(root, 'docs', 'site', 'page', name), 'utf8');
  const data: PageData = { base, samples, pages };
  const values = {
    icon: iconUrl(root),
    data: JSON.stringify(data).replaceAll('<', String.raw`\u003c`),
    style: read('style.css'),
    script,
    whole: wholeDocument(pages),
  };
  let page = withLinksInPage(withoutRemoteLogo(html));
  for (const { part, from, to } of load(read('redoc.yaml')) as Change[]) {
    const found = page.split(from).length - 1;
    if (found !== 1) {
      throw new Error(
        `Redoc changed: ${part} is there ${found} times, not once (docs/site/page/redoc.yaml)`,
      );
    }
    page = page.replace(from, () => filled(to, values));
  }
  return page;
}

const REMOTE_LOGO = /https:\/\/cdn\.redoc\.ly\/[\w./-]*logo[\w./-]*/g;

/** Redoc loads its logo from its own host: the page has its name instead. */
function withoutRemoteLogo(html: string): string {
  const name =
    "%3Csvg xmlns='http://www.w3.org/2000/svg' width='46' height='14'%3E" +
    "%3Ctext y='11' font-family='sans-serif' font-size='11' fill='%23808080'%3E" +
    'Redocly%3C/text%3E%3C/svg%3E';
  return html.replaceAll(REMOTE_LOGO, `data:image/svg+xml,${name}`);
}

/**
 * The part that is rendered ahead links to paths of a server; the running page links to places in
 * itself.
 */
function withLinksInPage(html: string): string {
  const start = html.indexOf('<div id="redoc">');
  const end = html.indexOf('<script type="module">', start);
  if (start === -1 || end === -1) {
    throw new Error('Redoc changed: the page has no rendered part (docs/site/page/redoc.ts)');
  }
  return (
    html.slice(0, start) +
    html.slice(start, end).replaceAll('href="/', 'href="#/') +
    html.slice(end)
  );
}
