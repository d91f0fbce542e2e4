/** The client of this repository. */
import { bracketed, literal, program, subjectOf } from './layout.ts';
import type { SampleRequest } from './request.ts';

export function typescript({
  operationId,
  parameters,
  query,
  body,
  returns,
  base,
}: SampleRequest): string {
  const path = Object.fromEntries(parameters.map((one) => [one.name, one.value]));
  const args = [
    ...(parameters.length === 0 ? [] : [path]),
    ...(body === undefined ? [] : [body.value]),
  ];
  const written = args.map((one) =>
    literal(one, text, (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : text(name))),
  );
  const call = `api.${operationId}${bracketed('(', written, ')', { by: '  ' })}`;
  const subject = subjectOf(operationId);
  // A list is read to its end, page by page.
  const use = query.includes('cursor')
    ? `for await (const item of ${call}) console.log(item);`
    : returns
      ? `const ${subject} = await ${call};\nconsole.log(${subject});`
      : `await ${call};`;
  return program('typescript', { base, use });
}

function text(value: string): string {
  if (/[\\\n]/.test(value) || (value.includes("'") && value.includes('"'))) {
    return JSON.stringify(value);
  }
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}
