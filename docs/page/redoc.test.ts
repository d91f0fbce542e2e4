import { describe, expect, it } from 'vitest';
import { completed } from './redoc.ts';

const PAGE = `<html><head></head>
<body><div id="redoc"><a href="/edges">x</a><img src="https://cdn.redoc.ly/redoc/logo-mini.svg"></div>
<script type="module">let e=O?.find(e=>Dj(e)===ee);return e?e.source:1},[ee,O,n]),ae=2;f({"aria-label":\`Example\`,options:3});
hydrate(__redoc_definition, {})</script></body></html>`;
const CONTENT = {
  document: {},
  base: 'http://api.test',
  samples: { 'GET /x': { curl: { '': "echo '</script><b>'" } } },
};
const ASSETS = { style: 'a > b { color: red }', script: 'own()' };

describe('the page', () => {
  const page = completed(PAGE, CONTENT, ASSETS);

  it('has its style, its script and the samples, in this order before the module', () => {
    const order = ['<style>a > b', '<div id="redoc">', 'id="page-data"', '<script>own()</script>', 'type="module"'];
    const places = order.map((part) => page.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    const [, data] = /id="page-data">(.*?)<\/script>/.exec(page)!;
    expect(JSON.parse(data!)).toEqual({ base: CONTENT.base, samples: CONTENT.samples });
  });

  it('asks for samples and definition where Redoc uses them', () => {
    expect(page).toContain('return e?pageSample(r,e,k):1},[ee,O,n,r,k]),ae=2');
    expect(page).toContain('hydrate(pageDefinition(__redoc_definition), {})');
    expect(page).toContain('f({options:3})');
  });

  it('links to places in itself, and loads nothing', () => {
    expect(page).toContain('href="#/edges"');
    expect(page).not.toContain('cdn.redoc.ly');
  });

  it.each([
    ['a part is gone', PAGE.replace('},[ee,O,n]),ae=', ''), /what a sample depends on is there 0 times/],
    ['a part is there twice', PAGE.replace('<body>', '<body></head>\n'), /the end of its head is there 2 times/],
    ['nothing is rendered', PAGE.replace('id="redoc"', ''), /no rendered part/],
  ])('is refused where Redoc changed: %s', (_, html, message) => {
    expect(() => completed(html, CONTENT, ASSETS)).toThrow(message);
  });
});
