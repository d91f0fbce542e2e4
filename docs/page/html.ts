/** Mends the page that Redoc makes. */

/** Redoc shows its logo from its own host, even in a page that is otherwise whole. */
export function withoutRemoteLogo(html: string): string {
  const blank = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/%3E";
  return html.replaceAll(/https:\/\/cdn\.redoc\.ly\/[\w./-]*logo[\w./-]*/g, blank);
}

/** Codes in tables stay on one line; a wide table scrolls by itself. */
const STYLE = `
table { font-size: 0.9em; }
td code { white-space: nowrap; word-break: normal; }
details { margin: 0.4em 0; }
summary { cursor: pointer; }
svg.picture { max-width: 100%; height: auto; color: inherit; }
`;

export function withStyle(html: string): string {
  if (!html.includes('</head>')) throw new Error('the page has no head');
  return html.replace('</head>', () => `<style>${STYLE}</style></head>`);
}
