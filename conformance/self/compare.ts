#!/usr/bin/env node
/**
 * This suite beside Schemathesis: both against the correct service, and against a sample of the mutants, in one run.
 *
 *     python3 -m venv .venv && .venv/bin/pip install schemathesis
 *     node tools/run.js conformance/self/compare --schemathesis .venv/bin/schemathesis [--mutants 20] [--examples 20]
 * [--seed N]
 *
 * Schemathesis runs with all its checks and phases and its defaults otherwise; the services ask for a token, or it
 * would complain of that. A mutant counts as killed when something is complained of that is not of the correct
 * service.
 */
import { execFile } from 'node:child_process';
import { parseArgs } from 'node:util';
import { loadContract } from '../engine/contract/load.ts';
import { isBroken } from '../engine/run/verdict.ts';
import { TestBed } from './test-bed.ts';
import { GUARDED, TOKEN } from './tokens.ts';
import { mutantsOf, sampleOf } from './mutation/mutants.ts';
import { createIndependentService } from './independent/index.ts';
import { serve, type Service } from './service.ts';

const { values } = parseArgs({
  options: {
    schemathesis: { type: 'string' },
    mutants: { type: 'string', default: '20' },
    examples: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});

interface Outcome {
  /** What it complains of, by name. */
  complaints: Set<string>;
  ms: number;
}

const bed = new TestBed(loadContract());
const seed = Number(values.seed);

async function ours(service: Service): Promise<Outcome> {
  const started = performance.now();
  const report = await bed.run(service, { seed, ...GUARDED });
  const failed = report.requirements.filter(isBroken).map(({ id }) => id);
  return { complaints: new Set(failed), ms: performance.now() - started };
}

async function schemathesis(command: string, service: Service): Promise<Outcome> {
  const { url, close } = await serve(service);
  const credentials = ['--header', `Authorization: Bearer ${TOKEN}`];
  const args = [
    'run',
    bed.contract.path,
    '--url',
    url,
    '--checks',
    'all',
    '--max-examples',
    values.examples,
    '--seed',
    values.seed,
    '--no-color',
    ...credentials,
  ];
  const started = performance.now();
  const output = await new Promise<string>((resolve) => {
    execFile(command, args, { maxBuffer: 2 ** 28 }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
  await close();
  // Each failure is listed as `- Name of the check`, below the operation that it concerns.
  return { complaints: new Set(complaintsIn(output)), ms: performance.now() - started };
}

function complaintsIn(output: string): string[] {
  const complaints: string[] = [];
  let operation = '';
  for (const line of output.split('\n')) {
    operation = /^_{3,} (.+) _{3,}$/.exec(line)?.[1] ?? operation;
    const check = /^- (\w.*)$/.exec(line.trim())?.[1];
    if (check !== undefined && operation !== '') complaints.push(`${operation}: ${check}`);
  }
  return complaints;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

const command = values.schemathesis;
if (command === undefined) {
  process.stderr.write('compare: give the path of the command with --schemathesis\n');
  process.exit(2);
}
const suites = [
  ['this suite', ours],
  ['schemathesis', (service: Service) => schemathesis(command, service)],
] as const;

const mutants = sampleOf(
  mutantsOf(bed.contract).filter(({ level }) => level === 'core'),
  Number(values.mutants),
  seed,
);
const rows: string[][] = [];
const missed: string[][] = [];
for (const [name, runSuite] of suites) {
  const correct = await runSuite(createIndependentService(GUARDED));
  let killed = 0;
  let ms = 0;
  for (const mutant of mutants) {
    const outcome = await runSuite(mutant.mutate(createIndependentService(GUARDED)));
    ms += outcome.ms;
    const found = [...outcome.complaints].some((one) => !correct.complaints.has(one));
    if (found) killed++;
    else missed.push([name, mutant.id]);
  }
  rows.push([
    name,
    String(correct.complaints.size),
    `${killed} of ${mutants.length}`,
    seconds(correct.ms),
    seconds(ms / mutants.length),
  ]);
}
const head = [
  '',
  'complaints of the correct service',
  'mutants killed',
  'time on the correct service',
  'mean on a mutant',
];
process.stdout.write(`${[head, ...rows].map((row) => row.join(' | ')).join('\n')}\n`);
process.stdout.write(`\nNot killed:\n${missed.map((row) => `  ${row.join(': ')}`).join('\n')}\n`);
