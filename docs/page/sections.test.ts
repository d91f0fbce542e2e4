import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { guideText } from './guides.ts';
import { narrowTables, sectionsOf } from './sections.ts';

describe('sectionsOf', () => {
  it('parts what integrators read from how the contract came about', () => {
    expect(
      sectionsOf('What it is.\n\n## Levels\n\nl\n\n## Pagination\n\np\n\n### Inside\n\ni\n\n## Decisions\n\nd\n'),
    ).toEqual({
      opening: 'What it is.',
      guide: [{ title: 'Pagination', text: 'p\n\n### Inside\n\ni' }],
      background: [
        { title: 'Levels', text: 'l' },
        { title: 'Decisions', text: 'd' },
      ],
    });
  });
});

describe('what stands before the first heading', () => {
  it('is the opening and an overview', () => {
    const text = 'What it is.\n\nBodies are JSON.\n\n## Errors\n\ne\n';
    expect(sectionsOf(text)).toEqual({
      opening: 'What it is.',
      guide: [
        { title: 'Overview', text: 'Bodies are JSON.' },
        { title: 'Errors', text: 'e' },
      ],
      background: [],
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
        'docs',
      ),
    ).toBe('See [the clients](#/clients), code and [x](https://a.test).\n\n### Part\n\n```md\n# [a](b.md)\n```');
  });
});

describe('the contract', () => {
  it('has a section under each word that people search for', () => {
    const { info } = load(readFileSync(join(import.meta.dirname, '..', '..', 'openapi.yaml'), 'utf8'), {
      schema: CORE_SCHEMA,
    }) as { info: { description: string } };
    const words = ['Authentication', 'Errors', 'Retries', 'Pagination', 'Limits', 'Updating safely', 'Versioning'];
    const titles = sectionsOf(info.description).guide.map(({ title }) => title);
    expect(titles.filter((title) => words.includes(title))).toEqual(words);
  });
});
