/** `1,234,567`. `toLocaleString` loads the tables of all languages first, which takes longer than most of what is written. */
export function inThousands(value: number): string {
  return String(value).replaceAll(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
}
