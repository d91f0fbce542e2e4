/** Where the database is, without user, password and parameters. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'PostgreSQL';
  const { hostname, port, pathname } = new URL(url);
  return `postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}
