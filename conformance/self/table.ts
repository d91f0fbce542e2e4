/** Prints rows in columns: the first to the left, numbers to the right. */
export function printTable(head: string[], rows: string[][]): void {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  for (const row of all) {
    const cells = row.map((cell, column) =>
      isNumber(row === head ? rows[0]?.[column] : cell) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

function isNumber(cell: string | undefined): boolean {
  return cell !== undefined && /^[\d-]+$/.test(cell);
}
