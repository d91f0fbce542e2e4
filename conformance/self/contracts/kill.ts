/**
 * Runs the command with `--contract` on a service that conforms to a contract and on its mutants, and prints which
 * mutants fail:
 *
 *     node tools/run.js conformance/self/contracts/kill [--seed N] [tasks|shapes ...]
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { main } from '../../cli.ts';
import { isBroken } from '../../engine/run/verdict.ts';
import type { Report } from '../../engine/run/result.ts';
import { type Service, serve } from '../service.ts';
import { MUTANTS as SHAPE_MUTANTS } from './shapes/mutants.ts';
import { createShapes } from './shapes/service.ts';
import { MUTANTS as TASK_MUTANTS } from './tasks/mutants.ts';
import { createTasks, KEY } from './tasks/service.ts';

export interface Subject {
  contract: string;
  args: string[];
  service: () => Service;
  mutants: Record<string, () => Service>;
}

/** The contracts stand beside the sources, wherever this runs from. */
const HERE = import.meta.dirname.replace(/\/dist(?=\/conformance\/)/, '');

export const SUBJECTS: Record<string, Subject> = {
  tasks: {
    contract: join(HERE, 'tasks/openapi.yaml'),
    args: ['--header', `X-Key: ${KEY}`],
    service: createTasks,
    mutants: TASK_MUTANTS,
  },
  shapes: {
    contract: join(HERE, 'shapes/openapi.yaml'),
    args: [],
    service: createShapes,
    mutants: SHAPE_MUTANTS,
  },
};

/** One run of the command, in this process. @throws Error where it gives no report */
export async function check(
  { contract, args }: Subject,
  service: Service,
  more: readonly string[] = [],
): Promise<Report> {
  const served = await serve(service);
  let stdout = '';
  let stderr = '';
  try {
    await main(
      [served.url, '--contract', contract, ...args, '--format', 'json', ...more],
      {},
      {
        stdout: { write: (text) => (stdout += text) },
        stderr: { write: (text) => (stderr += text) },
        cwd: HERE,
        signal: new AbortController().signal,
        startedAt: Date.now(),
      },
    );
  } finally {
    await served.close();
  }
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Report;
}

/** For each mutant the first requirements that fail on it; none where it survives. */
export async function killTable(subject: Subject, more: readonly string[], names = Object.keys(subject.mutants)) {
  const table: { mutant: string; killedBy: string[] }[] = [];
  for (const mutant of names) {
    const { requirements } = await check(subject, subject.mutants[mutant]!(), ['--bail', ...more]);
    table.push({ mutant, killedBy: requirements.filter(isBroken).map(({ id }) => id) });
  }
  return table;
}

async function print(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { seed: { type: 'string', default: '1' } },
    allowPositionals: true,
  });
  for (const name of positionals.length > 0 ? positionals : Object.keys(SUBJECTS)) {
    const subject = SUBJECTS[name];
    if (!subject) throw new Error(`there is no ${name}: ${Object.keys(SUBJECTS).join(' or ')}`);
    const { verdict, summary, requests } = await check(subject, subject.service(), ['--seed', values.seed]);
    process.stdout.write(`${name}: ${verdict}, ${JSON.stringify(summary)}, ${requests} requests\n`);
    const table = await killTable(subject, ['--seed', values.seed]);
    for (const { mutant, killedBy } of table)
      process.stdout.write(`  ${killedBy.length > 0 ? 'killed  ' : 'SURVIVED'}  ${mutant}  ${killedBy[0] ?? ''}\n`);
    process.stdout.write(`  ${table.filter(({ killedBy }) => killedBy.length > 0).length} of ${table.length} killed\n`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await print();
