/** The validator of oasdiff, the program that `node tools/run.js docs/breaking/check` compares contracts with. */
import { installOasdiff, OASDIFF_VERSION } from '../breaking/oasdiff.ts';
import { run } from '../../tools/shell.ts';
import type { Validator } from './validator.ts';
import { packageFolder } from '../../server/contract.ts';

interface Result {
  id: string;
  text: string;
  section?: string;
  source?: { line: number };
}

export const oasdiff: Validator = {
  name: 'oasdiff',
  version: OASDIFF_VERSION,
  needs: process.env['OASDIFF'] ? [] : ['go'],
  accepted: [
    {
      rule: 'required-with-default',
      reason:
        'Requests and responses share the schemas of their values. The default is for requests, which may leave the value out.',
    },
  ],
  async validate(contract) {
    const command = installOasdiff(packageFolder());
    const rules = JSON.parse(
      (await run({ command, args: ['checks', 'validate', '--format', 'json'] })).stdout,
    ) as unknown[];
    // 102 is a contract that it cannot load, told on stderr.
    const { stdout, output, code } = await run({
      command,
      args: ['validate', contract, '--format', 'json', '--fail-on', 'INFO', '--allow-external-refs=false'],
      codes: [0, 1, 102],
    });
    if (code === 102) return { rules: rules.length, findings: [{ rule: 'load', text: output.trim() }] };
    const results = JSON.parse(stdout || '[]') as Result[];
    return {
      rules: rules.length,
      findings: results.map(({ id, text, section, source }) => ({
        rule: id,
        text: `${section ?? ''} line ${source?.line ?? '?'}: ${text}`,
      })),
    };
  },
};
