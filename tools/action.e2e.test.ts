/** The step of conformance/action.yml that runs the suite, as a runner of GitHub runs it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';
import { ROOT } from './build.js';
import { startReferenceServer } from './reference-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Action = { runs: { steps: { run: string; env?: Record<string, string> }[] } };

it.each([
  ['201', 0, /^(?![^]*::error)/],
  ['200', 1, /^::error title=createEdge\.[^,:\n]*::[^\n]*201/m],
])(
  'with a contract that documents %s, ends with %d, and annotates failures',
  async (status, code, annotation) => {
    const { runs } = load(readFileSync(join(ROOT, 'conformance', 'action.yml'), 'utf8')) as Action;
    const { run, env } = runs.steps.at(-1)!;
    await using server = await startReferenceServer();
    const folder = await temporaryFolder();
    const inputs: Record<string, string> = {
      SUITE: env!['SUITE']!.replace('${{ github.action_path }}', join(ROOT, 'conformance')),
      URL: server.url,
      CONTRACT: join(folder, 'openapi.yaml'),
      REPORT: join(folder, 'reports'),
      WAIT: '30',
      ARGUMENTS: '--runs 2 --only createEdge.20',
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    };
    const contract = readFileSync(join(ROOT, 'openapi.yaml'), 'utf8');
    writeFileSync(inputs['CONTRACT']!, contract.replaceAll("'201':", `'${status}':`));
    const options = { env: { ...process.env, ...inputs }, encoding: 'utf8' } as const;
    const ended = spawnSync('bash', ['-eo', 'pipefail', '-c', run], options);
    expect(ended.stdout).toMatch(annotation);
    expect(ended.status, ended.stderr).toBe(code);
    expect(readFileSync(inputs['GITHUB_STEP_SUMMARY']!, 'utf8')).toContain('createEdge');
    expect(Object.keys(env!).filter((name) => !(name in inputs))).toEqual(['LEVEL']);
  },
);
