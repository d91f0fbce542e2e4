import { bracketed } from './layout.ts';
import type { SampleRequest } from './request.ts';

export function curl({ method, path, parameters, body, base }: SampleRequest): string {
  const values = new Map(parameters.map(({ name, value }) => [name, encodeURIComponent(value)]));
  const url = base + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values.get(name)!);
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${url}`,
    '-H "Authorization: Bearer $API_TOKEN"',
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(body.value)}`]),
  ];
  return `${parts.join(' \\\n  ')}\n`;
}

function quoted(value: unknown): string {
  return `'${json(value).replaceAll("'", String.raw`'\''`)}'`;
}

/** As `JSON.stringify` writes it, with short objects and lists on one line. */
export function json(value: unknown): string {
  if (Array.isArray(value)) return bracketed('[', value.map(json), ']', { by: '  ', trailing: '' });
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${json(one)}`);
  return bracketed('{', members, '}', { by: '  ', space: ' ', trailing: '' });
}
