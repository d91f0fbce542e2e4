/** All pages in one text, as HTML without scripts: for print and for the browser's own search. */
import { Marked, type Tokens } from 'marked';
import type { DocsPage } from './page-data.ts';

/** @param pages in the order of the menu */
export function wholeDocument(pages: readonly DocsPage[]): string {
  const places = new Map(pages.map(({ file, place }) => [file, place]));
  const renderer = { link: linkTo(places) };
  const beginning = new Marked({ renderer });
  const others = new Marked({ renderer, walkTokens: lowerHeading });
  const sections = pages.map(({ title, text }, at) => {
    const level = at === 0 ? 1 : 2;
    const html = (at === 0 ? beginning : others).parse(text, { async: false });
    return `<section><h${level}>${escaped(title)}</h${level}>\n${html}</section>`;
  });
  return `<div id="whole" hidden="until-found">
<button type="button" id="leave-whole">Back to the page</button>
${sections.join('\n')}
</div>`;
}

/** The titles of pages have level 2, except for that of the first page. */
function lowerHeading(token: { type: string }): void {
  if (token.type === 'heading') {
    const heading = token as Tokens.Heading;
    heading.depth = Math.min(heading.depth + 1, 6);
  }
}

/** Links to Markdown files lead to the section of the page. */
function linkTo(places: ReadonlyMap<string, string>) {
  return ({ href, text }: Tokens.Link): string => {
    const place = places.get(href);
    const to = place === undefined ? href.replace('../', '') : `#/${place}`;
    return `<a href="${to}">${escaped(text)}</a>`;
  };
}

function escaped(text: string): string {
  return text
    .replaceAll('`', '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
