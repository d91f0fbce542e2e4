/** The client of this repository. */
import { bracketed, subjectOf } from './layout.ts';
import type { SampleRequest } from './request.ts';

export function typescript({ operationId, parameters, query, body, returns, base }: SampleRequest): string {
  const path =
    parameters.length === 0 ? [] : [literal(Object.fromEntries(parameters.map((one) => [one.name, one.value])))];
  const args = [...path, ...(body === undefined ? [] : [literal(body.value)])];
  const call = `api.${operationId}${bracketed('(', args, ')', { by: '  ' })}`;
  const subject = subjectOf(operationId);
  // A list is read to its end, page by page.
  const use = query.includes('cursor')
    ? `for await (const item of ${call}) console.log(item);`
    : returns
      ? `const ${subject} = await ${call};\nconsole.log(${subject});`
      : `await ${call};`;
  return `import { createClient } from '@edge-contract/client';

const api = createClient({
  baseUrl: '${base}',
  token: process.env.API_TOKEN,
});
${use}
`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return bracketed('[', value.map(literal), ']', { by: '  ' });
  if (typeof value === 'string') return text(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : text(name)}: ${literal(one)}`,
  );
  return bracketed('{', members, '}', { by: '  ', space: ' ' });
}

function text(value: string): string {
  if (/[\\\n]/.test(value) || (value.includes("'") && value.includes('"'))) return JSON.stringify(value);
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}
