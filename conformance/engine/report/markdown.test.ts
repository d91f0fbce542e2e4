/** The report for the summary page of GitHub: its own markup, and no other. */
import { expect, it } from 'vitest';
import { renderMarkdown } from './markdown.ts';
import { failing, hostileReport, reportOf, requirement } from './sample.test.fixture.ts';

/** A fence, as a reader of CommonMark finds its end. */
const FENCE = /^(`{3,})\w*\n[^]*?^\1$/gm;
const CODE_SPAN = /(?<!\\)(`+)[^\n]+?(?<!`)\1(?!`)/g;
const MARKUP = /<|(?<!\\|^- |^## )(?:!|\[|@|\*\*b)|http:|^# heading/m;

function outsideFences(text: string): string {
  return text.replaceAll(FENCE, '');
}

it('shows no markup of the service', () => {
  const lines = [
    '</b><img onerror=x>![x](http://evil.example) **b** @admin #1',
    '',
    '# heading',
    '| a |',
    '````',
    '```',
  ];
  const markdown = renderMarkdown(hostileReport(lines.join('\n')));
  const prose = outsideFences(markdown).replaceAll(CODE_SPAN, '');
  expect(prose).not.toMatch(MARKUP);
  expect(prose).toContain('&#60;/b&#62;&#60;img onerror=x&#62;\\!\\[x\\](http\\://evil.example)');
});

it.each([
  ['createEdge.201', '`createEdge.201`'],
  ['`a', '`` `a ``'],
  ['a`', '`` a` ``'],
  ['a``b', '```a``b```'],
])('the id %s is the code span %s', (id, span) => {
  const markdown = renderMarkdown(reportOf([{ ...failing(), id }]));
  expect(markdown).toContain(`\n${span}, core, `);
});

it('findings come first, each with the request that shows it', () => {
  const markdown = renderMarkdown(reportOf([failing()]));
  expect(markdown).toMatch(/^1\. createEdge: .*<br>`POST \/edges \{"a":1\} → 201`$/m);
  expect(markdown.indexOf('1 finding, in the order')).toBeLessThan(markdown.indexOf('## The run'));
  expect(markdown.indexOf('## The run')).toBeLessThan(markdown.indexOf('## ✗ createEdge'));
});

it('stays below the limit of GitHub, and counts what is left out', () => {
  const long = Array.from({ length: 3_000 }, (_, index) => `<€😀\`\u0000${index}`).join('');
  const failures = Array.from({ length: 2_000 }, (_, index) => {
    const cause_id = `law:createEdge:${index % 200}`;
    const failed = failing({ message: long, cause: long, cause_id, expected: long, got: long });
    return { ...failed, id: `createEdge.${index}` };
  });
  const skipped = { ...requirement('getEdge.skipped'), reason: long };
  const others = Array.from({ length: 5_000 }, () => skipped);
  const { warnings } = hostileReport(long);
  const markdown = renderMarkdown(reportOf([...failures, ...others], { warnings }));
  expect(Buffer.byteLength(markdown)).toBeLessThan(900_000);
  const notes = markdown.match(/… and [\d,]+ more: see report\.json/g) ?? [];
  expect(notes.length).toBeGreaterThanOrEqual(2);
  expect(outsideFences(markdown)).not.toMatch(/^```/m);
});
