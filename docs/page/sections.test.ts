import { describe, expect, it } from 'vitest';
import { guideText } from './guides.ts';
import { narrowTables, sectionsOf } from './sections.ts';

describe('sectionsOf', () => {
  it('parts what integrators read from how the contract came about', () => {
    expect(
      sectionsOf('What it is.\n\n## Levels\n\nl\n\n## Paging\n\np\n\n### Inside\n\ni\n\n## Decisions\n\nd\n'),
    ).toEqual({
      preamble: 'What it is.',
      guide: [{ title: 'Pagination', text: 'p\n\n### Inside\n\ni' }],
      background: [
        { title: 'Levels', text: 'l' },
        { title: 'Decisions', text: 'd' },
      ],
    });
  });
});

describe('narrowTables', () => {
  it('puts status and code into one column, and names what stood between', () => {
    expect(
      narrowTables(
        'Before\n\n| status | code | retry | what to do |\n|---|---|---|---|\n| 400 | `a` | no | Fix it. |\n\nAfter',
      ),
    ).toBe('Before\n\n| error | what to do |\n|---|---|\n| 400 `a` | Fix it. Retry: no. |\n\nAfter');
  });

  it('leaves other tables alone', () => {
    const table = '| keyword | code | place |\n|---|---|---|\n| a | b | c |\n';
    expect(narrowTables(table)).toBe(table);
  });
});

describe('guideText', () => {
  it('has no title, links within the page alone, and leaves code as it is', () => {
    expect(
      guideText(
        '# Title\n\nSee [the clients](../docs/generate-a-client.md#go), [code](../server/main.ts) and [x](https://a.test).\n\n## Part\n\n```md\n# [a](b.md)\n```\n',
      ),
    ).toBe('See [the clients](#/clients), code and [x](https://a.test).\n\n### Part\n\n```md\n# [a](b.md)\n```');
  });
});
