/** The tools that are compared. Each of them tries a service for the same time at most. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schemathesisProgram } from '../../../tools/schemathesis.ts';
import type { Report } from '../../engine/run/result.ts';
import { isBroken } from '../../engine/run/verdict.ts';
import { sourceFolderOf } from '../planted.ts';
import type { ApiKey } from './services.ts';

export interface Outcome {
  /** Each kind of failure by a name that is the same in another run, with a line about it. */
  failures: Map<string, string>;
  requests: number;
  seconds: number;
  /** Why the tool has no verdict; undefined if it has one. */
  trouble: string | undefined;
}

export interface Trial {
  url: string;
  /** The path or URL of the contract. */
  contract: string;
  key?: ApiKey | undefined;
  /** The time that a run may take, in seconds. */
  seconds: number;
  seed: number;
  level: string;
  /** The run may end at the first failure. */
  first?: boolean;
  /** Requirements that the suite does not try, each with its reason, as in `--skip`. */
  skip?: readonly string[];
}

export type Tool = (trial: Trial) => Promise<Outcome>;

/** The suite as it is built. */
const SUITE = join(sourceFolderOf(import.meta.dirname), '../../../dist/conformance/main.js');

/** Tries a service with the suite, always to the end. */
export const suite: Tool = async ({ url, contract, key, seconds, seed, level, skip = [] }) => {
  const args = [SUITE, url, '--contract', contract, '--format', 'json'];
  for (const one of skip) {
    args.push('--skip', one);
  }
  args.push('--level', level, '--seed', String(seed));
  const env = { CONFORMANCE_TOKEN: key?.value ?? '' };
  const run = await runTimed({ program: process.execPath, args, seconds, env });
  if (run.stdout === '') {
    return withoutVerdict(run, run.stderr);
  }
  const report = JSON.parse(run.stdout) as Report;
  const failures = new Map<string, string>();
  for (const { id, level: ownLevel, failure } of report.requirements.filter(isBroken)) {
    failures.set(`${id} (${ownLevel})`, failure?.message ?? '');
  }
  return {
    failures,
    requests: report.requests,
    seconds: run.seconds,
    trouble: troubleIn(report),
  };
};

/** The requirements that could not be tried, or why the run is inconclusive. */
function troubleIn({ requirements, verdict, reason }: Report): string | undefined {
  const errors = requirements.filter(({ status }) => status === 'error');
  if (errors.length > 0) {
    return errors.map((one) => `${one.id}: ${one.reason}`).join('; ');
  }
  return verdict === 'inconclusive' ? reason : undefined;
}

interface SchemathesisReport {
  failures: { code: string; title: string; operations: string[] }[];
  errors: { title: string }[];
  test_cases: { generated: number };
}

/** Tries a service with Schemathesis and all of its checks. */
export const schemathesis: Tool = async (trial) => {
  const { seconds } = trial;
  const program = await schemathesisProgram();
  const folder = mkdtempSync(join(tmpdir(), 'compare-'));
  const reportFile = join(folder, 'report.json');
  const args = schemathesisArguments(trial, reportFile);
  const run = await runTimed({ program, args, seconds, cwd: folder });
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8')) as SchemathesisReport;
    return schemathesisOutcome(report, run.seconds);
  } catch {
    return withoutVerdict(run, run.stdout.slice(-500));
  } finally {
    rmSync(folder, { recursive: true });
  }
};

function schemathesisArguments(trial: Trial, reportFile: string): string[] {
  const { url, contract, key, seconds, seed, first } = trial;
  const args = ['run', contract, '--origin', url, '--checks', 'all'];
  args.push('--max-time', String(seconds), '--seed', String(seed));
  args.push('--continue-on-failure', '--suppress-health-check', 'all');
  args.push('--report-json-path', reportFile);
  if (first) {
    args.push('--max-failures', '1');
  }
  if (key) {
    args.push('--header', `${key.header}: ${key.value}`);
  }
  return args;
}

function schemathesisOutcome(report: SchemathesisReport, seconds: number): Outcome {
  const failures = new Map<string, string>();
  for (const { code, title, operations } of report.failures) {
    for (const operation of operations) {
      failures.set(`${code} ${operation}`, title);
    }
  }
  const errors = report.errors.map(({ title }) => title).join('; ');
  return {
    failures,
    requests: report.test_cases.generated,
    seconds,
    trouble: errors || undefined,
  };
}

function withoutVerdict({ seconds }: TimedRun, trouble: string): Outcome {
  return { failures: new Map(), requests: 0, seconds, trouble };
}

export const TOOLS: Readonly<Record<string, Tool>> = { suite, schemathesis };

interface TimedProgram {
  program: string;
  args: readonly string[];
  /** The time that the tool is given. */
  seconds: number;
  env?: Record<string, string>;
  cwd?: string;
}

interface TimedRun {
  stdout: string;
  stderr: string;
  seconds: number;
}

/** How much longer a tool may take to start, and to finish what it has begun, on a busy machine. */
const GRACE_MS = 10_000;

/** Runs a program, and stops it if it takes too long. */
function runTimed({ program, args, seconds: limit, env, cwd }: TimedProgram): Promise<TimedRun> {
  const started = performance.now();
  const options = {
    env: { ...process.env, ...env },
    cwd,
    maxBuffer: Infinity,
    timeout: limit * 1000 + GRACE_MS,
  };
  return new Promise((resolve) => {
    // A tool that finds failures ends with an exit code, which is not an error here.
    execFile(program, args, options, (_, stdout, stderr) => {
      const seconds = (performance.now() - started) / 1000;
      resolve({ stdout, stderr, seconds });
    });
  });
}
