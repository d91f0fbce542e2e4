/**
 * Rows as text in columns; the first row is the head. Columns of numbers stand to the right.
 * @param numbers indices of those columns
 */
export function columns(rows: readonly (readonly string[])[], numbers: readonly number[] = []): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const aligned = (cell: string, column: number) => (numbers.includes(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!));
  return rows.map((row) => row.map(aligned).join('  ').trimEnd()).join('\n');
}
