/**
 * Spectral with its own rules and those of OWASP. Which are off, and why, stands in .spectral.yaml.
 *
 * It is no dependency of the project: it would double the number of packages in its tree, and one of them reports each
 * install to its vendor by an install script. It lives in the tool cache, by a lock file of its own, and no script is run.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cached } from '../../tools/cache.ts';
import { run } from '../../tools/shell.ts';
import type { Validator } from './validator.ts';
import { packageFolder } from '../../server/contract.ts';

const folder = join(packageFolder(), 'docs', 'validators', 'spectral');
const VERSION = (
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
).dependencies['@stoplight/spectral-cli']!;

interface Result {
  code: string;
  message: string;
  path: string[];
}

export const spectral: Validator = {
  name: 'Spectral, OWASP',
  version: VERSION,
  needs: ['npm'],
  // In .spectral.yaml, where its other users look for them.
  accepted: [],
  async validate(contract) {
    const installed = await cached(`spectral-${VERSION}`, async (to) => {
      for (const name of ['package.json', 'package-lock.json']) cpSync(join(folder, name), join(to, name));
      await run({ command: 'npm', args: ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], cwd: to });
    });
    // It looks for sets of rules beside the file that names them, and for `openapi.yaml#/...` as well.
    const work = mkdtempSync(join(tmpdir(), 'edge-spectral-'));
    try {
      symlinkSync(join(installed, 'node_modules'), join(work, 'node_modules'));
      cpSync(join(packageFolder(), '.spectral.yaml'), join(work, '.spectral.yaml'));
      cpSync(contract, join(work, 'openapi.yaml'));
      const results = join(work, 'results.json');
      const { output } = await run({
        command: join(work, 'node_modules', '.bin', 'spectral'),
        args: [
          'lint',
          'openapi.yaml',
          '--ruleset',
          '.spectral.yaml',
          '--fail-severity',
          'hint',
          '--verbose',
          '--format',
          'json',
          '--output',
          results,
        ],
        cwd: work,
        codes: [0, 1],
      });
      const findings = (JSON.parse(readFileSync(results, 'utf8')) as Result[]).map(({ code, message, path }) => ({
        rule: code,
        text: `${path.join('/')}: ${message}`,
      }));
      const enabled = /Found \d+ rules \((\d+) enabled\)/.exec(output)?.[1];
      return { rules: Number(enabled ?? 0), findings };
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  },
};
