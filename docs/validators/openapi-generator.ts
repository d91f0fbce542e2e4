/** The validator of OpenAPI Generator, which makes the clients in Java and Rust. It does not tell how many rules it has. */
import { openapiGeneratorJar, VERSION } from '../../tools/openapi-generator.ts';
import { run } from '../../tools/shell.ts';
import type { Finding, Validator } from './validator.ts';

export const openapiGenerator: Validator = {
  name: 'OpenAPI Generator',
  version: VERSION,
  needs: ['java', 'mvn'],
  accepted: [
    {
      rule: 'warning',
      text: "The 'nullable' attribute is deprecated in OpenAPI 3.1",
      reason: 'The contract has no `nullable`: the generator puts it in, where it reads `oneOf` with null.',
    },
  ],
  async validate(contract) {
    const { output } = await run({
      command: 'java',
      args: ['-jar', await openapiGeneratorJar(), 'validate', '--recommend', '--input-spec', contract],
      codes: [0, 1],
    });
    return { rules: undefined, findings: findingsIn(output) };
  },
};

/** Below `Errors:` and `Warnings:`, an item may go on in further lines. */
function findingsIn(output: string): Finding[] {
  if (!/^(No validation issues detected|\[info\] Spec has|\[error\] Spec has)/m.test(output))
    throw new Error(`OpenAPI Generator said nothing that is known:\n${output.slice(-2000)}`);
  const findings: Finding[] = [];
  let rule = '';
  for (const line of output.split('\n')) {
    const heading = /^(Error|Warning)s:\s*$/.exec(line)?.[1];
    const item = /^\t- (.*)$/.exec(line)?.[1];
    if (heading) rule = heading.toLowerCase();
    else if (rule !== '' && item !== undefined) findings.push({ rule, text: item });
    else if (/^\t\s+\S/.test(line) && findings.length > 0) findings.at(-1)!.text += ` ${line.trim()}`;
    else if (line.trim() === '') continue;
    else rule = '';
  }
  return findings;
}
