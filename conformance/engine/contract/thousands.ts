/** `1,234,567`. `toLocaleString` would load the tables of all languages first. */
export function inThousands(value: number): string {
  return String(value).replaceAll(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
}
