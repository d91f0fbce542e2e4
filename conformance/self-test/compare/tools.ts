/** The tools that are compared. Each tries a service for the same time at most. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonEnvironment } from '../../../tools/shell.ts';
import type { Report } from '../../engine/run/result.ts';
import { isBroken } from '../../engine/run/verdict.ts';

export interface Outcome {
  /** Each kind of failure by a name that is the same in another run, with a line about it. */
  failures: Map<string, string>;
  requests: number;
  seconds: number;
  /** Where the tool gave no verdict. */
  trouble: string | undefined;
}

export interface Trial {
  url: string;
  contract: string;
  key: readonly [header: string, value: string] | undefined;
  /** The time that a run may take, in seconds. */
  seconds: number;
  seed: number;
  level: string;
  /** One failure is enough. */
  first: boolean;
  /** Requirements of the suite that are not tried, each with its reason. */
  skip?: readonly string[];
}

/** A start, and the end of what is under way, take longer on a busy machine; in ms. */
const GRACE_MS = 10_000;
/** As it is built, from the sources as from the build. */
const SUITE = import.meta.dirname.replace(
  /(\/dist)?(\/conformance)\/self-test\/compare$/,
  '/dist$2/main.js',
);
/** The versions of .ci/steps/schemathesis, which makes the same environment. */
const SCHEMATHESIS = ['schemathesis==4.32.5', 'hypothesis==6.170.15', 'jsonschema_rs==0.60.3'];

interface SchemathesisReport {
  failures: { code: string; title: string; operations: string[] }[];
  errors: { title: string }[];
  test_cases: { generated: number };
}

export const TOOLS: Readonly<Record<string, (trial: Trial) => Promise<Outcome>>> = {
  async suite({ url, contract, key, seconds, ...options }) {
    const args = [SUITE, url, '--contract', contract, '--format', 'json'];
    for (const one of options.skip ?? []) {
      args.push('--skip', one);
    }
    args.push('--level', options.level, '--seed', `${options.seed}`);
    const run = await timed(process.execPath, args, seconds, { CONFORMANCE_TOKEN: key?.[1] ?? '' });
    if (run.stdout === '') {
      return { failures: new Map(), requests: 0, seconds: run.seconds, trouble: run.stderr };
    }
    const { requirements, requests, reason, verdict } = JSON.parse(run.stdout) as Report;
    const broken = requirements.filter(isBroken);
    const errors = requirements
      .filter(({ status }) => status === 'error')
      .map((one) => `${one.id}: ${one.reason}`);
    return {
      failures: new Map(
        broken.map(({ id, level, failure }) => [`${id} (${level})`, failure?.message ?? '']),
      ),
      requests,
      seconds: run.seconds,
      trouble: errors.join('; ') || (verdict === 'inconclusive' ? reason : undefined),
    };
  },

  async schemathesis({ url, contract, key, seconds, seed, first }) {
    const environment = await pythonEnvironment('schemathesis-4.32.5', ...SCHEMATHESIS);
    const folder = mkdtempSync(join(tmpdir(), 'compare-'));
    const report = join(folder, 'report.json');
    const args = [
      'run',
      contract,
      '--origin',
      url,
      '--checks',
      'all',
      '--max-time',
      `${seconds}`,
      '--seed',
      `${seed}`,
    ];
    args.push(
      '--continue-on-failure',
      '--suppress-health-check',
      'all',
      '--report-json-path',
      report,
    );
    if (first) {
      args.push('--max-failures', '1');
    }
    if (key) {
      args.push('--header', key.join(': '));
    }
    const run = await timed(join(environment, 'bin/schemathesis'), args, seconds, {}, folder);
    try {
      const found = JSON.parse(readFileSync(report, 'utf8')) as SchemathesisReport;
      const kinds = found.failures.flatMap(({ code, title, operations }) =>
        operations.map((operation) => [`${code} ${operation}`, title] as const),
      );
      return {
        failures: new Map(kinds),
        requests: found.test_cases.generated,
        seconds: run.seconds,
        trouble: found.errors.map(({ title }) => title).join('; ') || undefined,
      };
    } catch {
      return {
        failures: new Map(),
        requests: 0,
        seconds: run.seconds,
        trouble: run.stdout.slice(-500),
      };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

function timed(
  program: string,
  args: readonly string[],
  limit: number,
  env: Record<string, string>,
  cwd?: string,
) {
  const started = performance.now();
  const options = {
    env: { ...process.env, ...env },
    cwd,
    maxBuffer: Infinity,
    timeout: limit * 1000 + GRACE_MS,
  };
  return new Promise<{ stdout: string; stderr: string; seconds: number }>((resolve) => {
    execFile(program, args, options, (_, stdout, stderr) =>
      resolve({ stdout, stderr, seconds: (performance.now() - started) / 1000 }),
    );
  });
}
