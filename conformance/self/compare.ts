#!/usr/bin/env node
/**
 * This suite beside Schemathesis: both against the correct service, and against a sample of the planted faults, in one run.
 *
 *     python3 -m venv .venv && .venv/bin/pip install schemathesis
 *     node dist/conformance/self/compare.js --schemathesis .venv/bin/schemathesis [--faults 20] [--examples 20] [--seed N]
 *
 * Schemathesis runs with all its checks and phases and its defaults otherwise; the services ask for a token, or it would
 * complain of that. A fault counts as killed when something is complained of that is not of the correct service.
 */
import { execFile } from 'node:child_process';
import { parseArgs } from 'node:util';
import { loadContract } from '../contract/load.ts';
import { TestBed } from './test-bed.ts';
import { type Fault, GUARDED, TOKEN } from './fault.ts';
import { faultsFor } from './faults/index.ts';
import { createIndependentService } from './independent/index.ts';
import { serve, type Service } from './service.ts';
import { printTable } from './table.ts';

const { values } = parseArgs({
  options: {
    schemathesis: { type: 'string' },
    faults: { type: 'string', default: '20' },
    examples: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});

interface Judgement {
  /** What it complains of, by name. */
  complaints: Set<string>;
  ms: number;
}

const bed = new TestBed(loadContract());
const seed = Number(values.seed);

async function ours(service: Service): Promise<Judgement> {
  const started = performance.now();
  const report = await bed.judge(service, { seed, ...GUARDED });
  const failed = report.requirements.filter(({ status }) => status === 'fail').map(({ id }) => id);
  return { complaints: new Set(failed), ms: performance.now() - started };
}

async function schemathesis(command: string, service: Service): Promise<Judgement> {
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

/** Evenly over the hand-written ones, whatever their order. */
function sample(faults: Fault[], count: number): Fault[] {
  const byHand = faults.filter((fault) => fault.class !== 'clauses');
  return Array.from(
    { length: Math.min(count, byHand.length) },
    (_, index) => byHand[Math.floor((index * byHand.length) / count)]!,
  );
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

const command = values.schemathesis;
if (command === undefined) {
  process.stderr.write('compare: give the path of the command with --schemathesis\n');
  process.exit(2);
}
const judges = [
  ['this suite', ours],
  ['schemathesis', (service: Service) => schemathesis(command, service)],
] as const;

const faults = sample(
  faultsFor(bed.contract).filter(({ caughtBy }) => bed.requirements.get(caughtBy) === 'core'),
  Number(values.faults),
);
const rows: string[][] = [];
const missed: string[][] = [];
for (const [name, judge] of judges) {
  const correct = await judge(createIndependentService(GUARDED));
  let killed = 0;
  let ms = 0;
  for (const fault of faults) {
    const judgement = await judge(fault.plant(createIndependentService(GUARDED)));
    ms += judgement.ms;
    const found = [...judgement.complaints].some((one) => !correct.complaints.has(one));
    if (found) killed++;
    else missed.push([name, fault.id]);
  }
  rows.push([
    name,
    String(correct.complaints.size),
    `${killed} of ${faults.length}`,
    seconds(correct.ms),
    seconds(ms / faults.length),
  ]);
}
printTable(
  [
    '',
    'complaints of the correct service',
    'faults killed',
    'time on the correct service',
    'mean time on a faulty one',
  ],
  rows,
);
process.stdout.write(`\nNot killed:\n${missed.map((row) => `  ${row.join(': ')}`).join('\n')}\n`);
