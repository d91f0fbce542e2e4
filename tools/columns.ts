type Row = readonly string[];

/**
 * Rows as columns of text.
 * @param rows the first row is the head, which has a line below it
 * @param numbers the indexes of the columns that are aligned to the right
 */
export function ruledColumns(rows: readonly Row[], numbers: readonly number[] = []): string {
  const [head = [], ...others] = rows;
  const widths = head.map((_, column) => widthOf(rows, column));
  const rule = widths.map((width) => '-'.repeat(width));
  const lines = [head, rule, ...others].map((row) => lineOf(row, widths, numbers));
  return lines.join('\n');
}

function widthOf(rows: readonly Row[], column: number): number {
  const lengths = rows.map((row) => row[column]?.length ?? 0);
  return Math.max(...lengths);
}

function lineOf(row: Row, widths: readonly number[], numbers: readonly number[]): string {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    if (numbers.includes(column)) {
      return cell.padStart(width);
    }
    return cell.padEnd(width);
  });
  return cells.join('  ').trimEnd();
}
