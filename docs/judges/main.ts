/**
 * Outside judges of the contract:
 *
 *     node tools/run.js docs/judges/main [CONTRACT]    openapi.yaml when left out
 *
 * Each one must first find a fault that is planted into it. Ends with `N passed, N failed`, one for each judge; a judge
 * whose tools are missing is skipped, and fails where `CI` is set. Exits with 0 when none failed and one passed, with 1 when
 * one failed, with 2 when none could judge.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columns } from '../../tools/columns.ts';
import { missing } from '../../tools/shell.ts';
import type { Judge } from './judge.ts';
import { oasdiff } from './oasdiff.ts';
import { openapiGenerator } from './openapi-generator.ts';
import { packageFolder } from '../../server/contract.ts';
import { spectral } from './spectral.ts';
import { kinOpenapi, specValidator, swaggerParser } from './validators.ts';
import { type Verdict, verdictOf } from './verdict.ts';

type Outcome = { judge: Judge } & ({ skipped: string } | { failed: string } | { verdict: Verdict });

/** The title of the contract, misspelled: each judge must miss it. */
function plantFault(contract: string, folder: string): string {
  const path = join(folder, 'planted.yaml');
  const text = readFileSync(contract, 'utf8');
  const planted = text.replace(/^  title:/m, '  titel:');
  if (planted === text) throw new Error(`${contract} has no title to take away`);
  writeFileSync(path, planted);
  return path;
}

async function hear(judge: Judge, contract: string, planted: string): Promise<Outcome> {
  const absent = missing(judge.needs);
  if (absent.length > 0)
    return { judge, [process.env['CI'] ? 'failed' : 'skipped']: `${absent.join(', ')} not installed` } as Outcome;
  try {
    return { judge, verdict: verdictOf(judge, await judge.judge(contract), await judge.judge(planted)) };
  } catch (error) {
    return { judge, failed: (error as Error).message };
  }
}

const resultOf = (outcome: Outcome): 'passed' | 'failed' | 'skipped' => {
  if ('skipped' in outcome) return 'skipped';
  return 'verdict' in outcome && outcome.verdict.findings.length === 0 && outcome.verdict.faults.length === 0
    ? 'passed'
    : 'failed';
};

function row(outcome: Outcome): string[] {
  const { judge } = outcome;
  if (!('verdict' in outcome)) return [judge.name, judge.version, '-', '-', '-', resultOf(outcome)];
  const { rules, findings, accepted } = outcome.verdict;
  return [
    judge.name,
    judge.version,
    String(rules ?? 'not told'),
    String(findings.length),
    String(accepted),
    resultOf(outcome),
  ];
}

function detailsOf(outcome: Outcome): string[] {
  const { name } = outcome.judge;
  if ('skipped' in outcome) return [`${name}: skipped, since ${outcome.skipped}`];
  if ('failed' in outcome) return [`FAIL  ${name}: ${outcome.failed}`];
  const { findings, faults } = outcome.verdict;
  return [
    ...faults.map((fault) => `FAIL  ${name}: ${fault}`),
    ...findings.map(({ rule, text }) => `FAIL  ${name}: ${text} [${rule}]`),
  ];
}

async function main(contract: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-judges-'));
  const outcomes: Outcome[] = [];
  try {
    const planted = plantFault(contract, folder);
    for (const judge of [spectral, swaggerParser, specValidator, kinOpenapi, oasdiff, openapiGenerator]) {
      process.stderr.write(`${judge.name} …\n`);
      outcomes.push(await hear(judge, contract, planted));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const details = outcomes.flatMap(detailsOf);
  const count = (result: string) => outcomes.filter((outcome) => resultOf(outcome) === result).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  process.stdout.write(
    `\n${columns([['judge', 'version', 'rules', 'findings', 'let stand', 'result'], ...outcomes.map(row)], [2, 3, 4])}\n\n`,
  );
  if (details.length > 0) process.stdout.write(`${details.join('\n')}\n\n`);
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return failed > 0 ? 1 : passed > 0 ? 0 : 2;
}

const [contract = join(packageFolder(), 'openapi.yaml')] = process.argv.slice(2);
if (existsSync(contract)) {
  process.exitCode = await main(contract);
} else {
  process.stderr.write(`judge:contract: there is no ${contract}\n`);
  process.exitCode = 2;
}
