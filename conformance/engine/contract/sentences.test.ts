import { expect, test } from 'vitest';
import { sentencesOf } from './sentences.ts';

const DESCRIPTION = `First one. Second \`a.b\`
goes on (see this). 409 is third.

- an item. With two
- another one

\`\`\`sh
Not. A sentence.
\`\`\`

## Some heading, here
| a | b |
|---|---|
| 1. | 2. One row. |
| 3 | 4 |

**Bold.** e.g. lower case: no end`;

test('sentences have ids by their section', () => {
  const sentences = sentencesOf({ document: { info: { description: DESCRIPTION } } });
  expect(sentences.map(({ id, text }) => `${id} ${text}`)).toEqual([
    'info.introduction.1 First one.',
    'info.introduction.2 Second `a.b` goes on (see this).',
    'info.introduction.3 409 is third.',
    'info.introduction.4 an item.',
    'info.introduction.5 With two',
    'info.introduction.6 another one',
    'info.some-heading-here.1 | 1. | 2. One row. |',
    'info.some-heading-here.2 | 3 | 4 |',
    'info.some-heading-here.3 **Bold.** e.g. lower case: no end',
  ]);
});

test('a contract without a description has none', () => {
  expect(sentencesOf({ document: { info: {} } })).toEqual([]);
});
