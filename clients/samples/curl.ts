import { literal } from './layout.ts';
import type { SampleRequest } from './request.ts';

export function curl({ method, path, parameters, body, base }: SampleRequest): string {
  const values = new Map(parameters.map(({ name, value }) => [name, encodeURIComponent(value)]));
  const url =
    base + path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole);
  const parts = [
    method === 'GET' ? `curl ${url}` : `curl -X ${method} ${url}`,
    '-H "Authorization: Bearer $API_TOKEN"',
  ];
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(json(body.value))}`);
  }
  return `${parts.join(' \\\n  ')}\n`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** As `JSON.stringify` writes it, with short objects and lists on one line. */
export const json = (value: unknown): string => literal(value, JSON.stringify, JSON.stringify, '');
