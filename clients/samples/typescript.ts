/** The client of this repository. */
import { bracketed, literal, program, subjectOf } from './layout.ts';
import type { SampleRequest } from './request.ts';

export function typescript(request: SampleRequest): string {
  return program('typescript', { base: request.base, use: statementsOf(request) });
}

function statementsOf({ operationId, parameters, isList, body, returns }: SampleRequest): string {
  const args: unknown[] = [];
  if (parameters.length > 0) {
    args.push(Object.fromEntries(parameters.map(({ name, value }) => [name, value])));
  }
  if (body !== undefined) {
    args.push(body.value);
  }
  const written = args.map((one) => literal(one, text, propertyName));
  const call = `api.${operationId}${bracketed('(', written, ')', { by: '  ' })}`;
  if (isList) {
    // A list is read to its end, page by page.
    return `for await (const item of ${call}) console.log(item);`;
  }
  if (!returns) {
    return `await ${call};`;
  }
  const subject = subjectOf(operationId);
  return `const ${subject} = await ${call};\nconsole.log(${subject});`;
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;

function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : text(name);
}

function text(value: string): string {
  if (/[\\\n]/.test(value) || (value.includes("'") && value.includes('"'))) {
    return JSON.stringify(value);
  }
  return value.includes("'") ? `"${value}"` : `'${value}'`;
}
