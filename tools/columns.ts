/** Rows as columns; the first row is the head, with a line below. Columns at `numbers` are aligned to the right. */
export function ruledColumns(
  [head = [], ...rows]: readonly (readonly string[])[],
  numbers: number[] = [],
): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]!.length)),
  );
  const line = widths.map((width) => '-'.repeat(width));
  const aligned = (cell: string, column: number) => {
    if (numbers.includes(column)) {
      return cell.padStart(widths[column]!);
    }
    return cell.padEnd(widths[column]!);
  };
  return [head, line, ...rows].map((row) => row.map(aligned).join('  ').trimEnd()).join('\n');
}
