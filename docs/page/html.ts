/** Mends the page that Redoc makes. */

/** Redoc shows its logo from its own host, even in a page that is otherwise whole: here, its name. */
export function withoutRemoteLogo(html: string): string {
  const name =
    "%3Csvg xmlns='http://www.w3.org/2000/svg' width='46' height='14'%3E%3Ctext y='11' font-family='sans-serif' font-size='11' fill='%23808080'%3ERedocly%3C/text%3E%3C/svg%3E";
  return html.replaceAll(/https:\/\/cdn\.redoc\.ly\/[\w./-]*logo[\w./-]*/g, `data:image/svg+xml,${name}`);
}

/** Codes stay on one line, but in the column that says most; on a phone, titles and pictures are smaller. */
const STYLE = `
table { font-size: 0.9em; }
td:not(:last-child) code { white-space: nowrap; word-break: normal; }
details { margin: 0.4em 0; }
summary { cursor: pointer; }
@media (max-width: 600px) {
  h1 { font-size: 1.7em !important; line-height: 1.25 !important; }
  pre, pre * { font-size: 11px !important; }
  th, td { padding: 6px !important; }
  td:not(:last-child) code { white-space: normal; overflow-wrap: anywhere; }
  td:not(:last-child):has(code) { min-width: 6.5em; }
  td:last-child { min-width: 8.5em; }
}
`;

/** What is rendered ahead links to paths of a server; the page itself, once it runs, to places in it. */
export function withLinksInPage(html: string): string {
  const start = html.indexOf('<div id="redoc">');
  const end = html.indexOf('<script type="module">', start);
  if (start === -1 || end === -1) throw new Error('the page has no rendered part');
  return html.slice(0, start) + html.slice(start, end).replaceAll('href="/', 'href="#/') + html.slice(end);
}

export function withStyle(html: string): string {
  if (!html.includes('</head>')) throw new Error('the page has no head');
  return html.replace('</head>', () => `<style>${STYLE}</style></head>`);
}
