/**
 * Validators of others read the contract:
 *
 *     node tools/run.js docs/validators/main [CONTRACT]    openapi.yaml when omitted
 *
 * Each must also find an error that is made on purpose in a copy. Ends with `N passed, N failed`, one for each validator; a validator
 * whose tools are missing is skipped, and fails where `CI` is set. Exits with 0 when none failed and one passed, with 1 when
 * one failed, with 2 when none could be run.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columns } from '../../tools/columns.ts';
import { missing } from '../../tools/shell.ts';
import type { Validator } from './validator.ts';
import { oasdiff } from './oasdiff.ts';
import { openapiGenerator } from './openapi-generator.ts';
import { packageFolder } from '../../server/contract.ts';
import { spectral } from './spectral.ts';
import { kinOpenapi, specValidator, swaggerParser } from './other-parsers.ts';
import { type Verdict, verdictOf } from './verdict.ts';

type Outcome = { validator: Validator } & ({ skipped: string } | { failed: string } | { verdict: Verdict });

/** The title of the contract, misspelled: each validator must report it. */
function breakContract(contract: string, folder: string): string {
  const path = join(folder, 'broken.yaml');
  const text = readFileSync(contract, 'utf8');
  const broken = text.replace(/^  title:/m, '  titel:');
  if (broken === text) throw new Error(`${contract} has no title to take away`);
  writeFileSync(path, broken);
  return path;
}

async function validateBoth(validator: Validator, contract: string, broken: string): Promise<Outcome> {
  const absent = missing(validator.needs);
  if (absent.length > 0)
    return { validator, [process.env['CI'] ? 'failed' : 'skipped']: `${absent.join(', ')} not installed` } as Outcome;
  try {
    return {
      validator,
      verdict: verdictOf(validator, await validator.validate(contract), await validator.validate(broken)),
    };
  } catch (error) {
    return { validator, failed: (error as Error).message };
  }
}

const resultOf = (outcome: Outcome): 'passed' | 'failed' | 'skipped' => {
  if ('skipped' in outcome) return 'skipped';
  return 'verdict' in outcome && outcome.verdict.findings.length === 0 && outcome.verdict.faults.length === 0
    ? 'passed'
    : 'failed';
};

function row(outcome: Outcome): string[] {
  const { validator } = outcome;
  if (!('verdict' in outcome)) return [validator.name, validator.version, '-', '-', '-', resultOf(outcome)];
  const { rules, findings, accepted } = outcome.verdict;
  return [
    validator.name,
    validator.version,
    String(rules ?? 'not told'),
    String(findings.length),
    String(accepted),
    resultOf(outcome),
  ];
}

function detailsOf(outcome: Outcome): string[] {
  const { name } = outcome.validator;
  if ('skipped' in outcome) return [`${name}: skipped, since ${outcome.skipped}`];
  if ('failed' in outcome) return [`FAIL  ${name}: ${outcome.failed}`];
  const { findings, faults } = outcome.verdict;
  return [
    ...faults.map((fault) => `FAIL  ${name}: ${fault}`),
    ...findings.map(({ rule, text }) => `FAIL  ${name}: ${text} [${rule}]`),
  ];
}

async function main(contract: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'edge-validators-'));
  const outcomes: Outcome[] = [];
  try {
    const broken = breakContract(contract, folder);
    for (const validator of [spectral, swaggerParser, specValidator, kinOpenapi, oasdiff, openapiGenerator]) {
      process.stderr.write(`${validator.name} …\n`);
      outcomes.push(await validateBoth(validator, contract, broken));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const details = outcomes.flatMap(detailsOf);
  const count = (result: string) => outcomes.filter((outcome) => resultOf(outcome) === result).length;
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')];
  process.stdout.write(
    `\n${columns([['validator', 'version', 'rules', 'findings', 'let stand', 'result'], ...outcomes.map(row)], [2, 3, 4])}\n\n`,
  );
  if (details.length > 0) process.stdout.write(`${details.join('\n')}\n\n`);
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return failed > 0 ? 1 : passed > 0 ? 0 : 2;
}

const [contract = join(packageFolder(), 'openapi.yaml')] = process.argv.slice(2);
if (existsSync(contract)) {
  process.exitCode = await main(contract);
} else {
  process.stderr.write(`validators: there is no ${contract}\n`);
  process.exitCode = 2;
}
