/** The step of conformance/action.yml that runs the suite, as a runner of GitHub runs it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { ROOT } from './build.js';
import { startReferenceServer } from './reference-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

interface Step {
  run: string;
  env: Record<string, string>;
}

interface Action {
  runs: { steps: Step[] };
}

const NO_ERROR = /^(?![^]*::error)/;
const ERROR_ABOUT_201 = /^::error title=createEdge\.[^,:\n]*::[^\n]*201/m;

it.each([
  { status: '201', code: 0, annotation: NO_ERROR },
  { status: '200', code: 1, annotation: ERROR_ABOUT_201 },
])(
  'with a contract that documents $status, the step ends with $code and annotates failures',
  async ({ status, code, annotation }) => {
    const action = readFileSync(join(ROOT, 'conformance', 'action.yml'), 'utf8');
    const { runs } = load(action) as Action;
    const { run, env } = runs.steps.at(-1)!;
    await using server = await startReferenceServer();
    const folder = await temporaryFolder();
    const contractFile = join(folder, 'openapi.yaml');
    const summaryFile = join(folder, 'summary.md');
    const inputs: Record<string, string> = {
      SUITE: env['SUITE']!.replace('${{ github.action_path }}', join(ROOT, 'conformance')),
      URL: server.url,
      CONTRACT: contractFile,
      REPORT: join(folder, 'reports'),
      WAIT: '30',
      ARGUMENTS: '--runs 2 --only createEdge.20',
      GITHUB_STEP_SUMMARY: summaryFile,
    };
    const contract = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8');
    writeFileSync(contractFile, contract.replaceAll("'201':", `'${status}':`));
    const ended = spawnSync('bash', ['-eo', 'pipefail', '-c', run], {
      env: { ...process.env, ...inputs },
      encoding: 'utf8',
    });
    expect(ended.stdout).toMatch(annotation);
    expect(ended.status, ended.stderr).toBe(code);
    expect(readFileSync(summaryFile, 'utf8')).toContain('createEdge');
    expect(Object.keys(env).filter((name) => !(name in inputs))).toEqual(['LEVEL']);
  },
);
