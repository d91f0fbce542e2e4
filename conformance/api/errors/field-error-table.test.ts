/** The table of field errors is read as a whole, or not at all. */
import { expect, test } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { parseFieldErrorTable } from './field-error-table.ts';

const { description } = loadContract().document['info'] as { description: string };

test('a contract need not have a table of field errors', () => {
  expect(parseFieldErrorTable('## Errors')).toBeUndefined();
});

test('a keyword has its own code, or the only code of its row', () => {
  const table = parseFieldErrorTable(description);
  expect(table?.keywords.get('maxLength')?.codes).toEqual(['too_long']);
  expect(table?.keywords.get('minimum')?.codes).toEqual(['too_small']);
  expect(table?.required.codes).toEqual(['required', 'type']);
});

interface WrongTable {
  what: string;
  from: string;
  to: string;
}

test.each<WrongTable>([
  { what: 'another place', from: '| the value |', to: '| somewhere |' },
  {
    what: 'a keyword without its quotes',
    from: '| `required` | `required` |',
    to: '| required | `required` |',
  },
  {
    what: 'a code too many',
    from: '| `format` | the value |',
    to: '| `format`, `value`, `type` | the value |',
  },
  {
    what: 'no row for `then`',
    from: '`then`, `else`: a property is missing or null',
    to: '`required`',
  },
  { what: 'another head', from: '| keyword | code | place |', to: '| keyword | code |' },
])('a table with $what is an error', ({ from, to }) => {
  expect(description).toContain(from);
  expect(() => parseFieldErrorTable(description.replace(from, to))).toThrow(/Field errors/);
});
