/**
 * Rows as text in columns; the first row is the head. Columns of numbers are aligned to the right.
 * @param numbers indices of those columns
 */
export function columns(rows: readonly (readonly string[])[], numbers: readonly number[] = []): string {
  const widths = widthsOf(rows);
  const aligned = (cell: string, column: number) =>
    numbers.includes(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
  return rows.map((row) => row.map(aligned).join('  ').trimEnd()).join('\n');
}

/** The same with a line below the head. */
export function ruledColumns(
  [head = [], ...rows]: readonly (readonly string[])[],
  numbers: readonly number[] = [],
): string {
  const line = widthsOf([head, ...rows]).map((width) => '-'.repeat(width));
  return columns([head, line, ...rows], numbers);
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
}
