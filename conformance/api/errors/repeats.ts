/** The indexes of the items that equal an earlier one, compared as JSON. */
export function repeatsIn(list: readonly unknown[]): number[] {
  const seen = new Set<string>();
  const repeats: number[] = [];
  for (const [index, item] of list.entries()) {
    const text = JSON.stringify(item);
    if (seen.has(text)) {
      repeats.push(index);
    }
    seen.add(text);
  }
  return repeats;
}
