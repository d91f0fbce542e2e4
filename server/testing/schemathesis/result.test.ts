/** From the reports of Schemathesis, in the form in which it writes them, to a result. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { readResult, type Result } from './result.ts';

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'positive_data_acceptance',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'use_after_free',
  'ensure_resource_availability',
  'ignored_auth',
  'object_level_authorization',
];
const PHASES = ['examples', 'coverage', 'fuzzing', 'stateful'];

interface Sample {
  checks?: string[];
  phases?: string[];
  /** A check that fails in the first phase. */
  failing?: string;
  summary?: object;
}

/** One operation, tested with one case in each phase. */
async function resultOf({ checks = CHECKS, phases = PHASES, failing, summary = {} }: Sample): Promise<Result> {
  const folder = await temporaryFolder();
  const results = (index: number) =>
    [...checks, 'max_response_time'].map((name) => ({
      name,
      status: (name === failing && index === 0) || name === 'max_response_time' ? 'failure' : 'success',
    }));
  const lines = [
    { Initialize: {} },
    ...phases.map((phase, index) => ({
      ScenarioFinished: { phase, recorder: { cases: { id1: {}, unanswered: {} }, checks: { id1: results(index) } } },
    })),
    { ScenarioFinished: { phase: 'examples', recorder: { label: 'nothing' } } },
    { EngineFinished: {} },
  ];
  const files = { events: join(folder, 'events'), summary: join(folder, 'summary') };
  await writeFile(files.events, lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const whole = {
    complete: true,
    operations: { total: 1, tested: 1 },
    errors: [],
    warnings: { missing_auth: [], unsupported_regex: ['GET /'] },
    valid_rates: { 'GET /': { examples: { accepted: 0 }, coverage: { accepted: 1 } } },
    test_cases: { with_failures: failing ? 1 : 0 },
    ...summary,
  };
  await writeFile(files.summary, JSON.stringify(whole));
  return readResult(files, 1);
}

describe('a run', () => {
  it('passes, where each check saw cases in each phase and none failed', async () => {
    const { cases, problems, warnings } = await resultOf({});
    expect(problems).toEqual([]);
    expect([...cases]).toEqual([...CHECKS.map((name) => [name, 4]), ...PHASES.map((name) => [`phase ${name}`, 1])]);
    expect(warnings).toEqual(['unsupported_regex: GET /']);
  });

  it.each([...CHECKS, 'a_new_one'])('fails, where %s fails once', async (failing) => {
    const { problems } = await resultOf({ checks: [...new Set([...CHECKS, failing])], failing });
    expect(problems).toEqual([`${failing} failed in 1 cases`]);
  });

  it('fails, where a phase or a check saw no case', async () => {
    expect((await resultOf({ phases: PHASES.slice(0, 3) })).problems).toEqual(['phase stateful saw no case']);
    expect((await resultOf({ checks: CHECKS.slice(1) })).problems).toEqual([`${CHECKS[0]} saw no case`]);
  });

  it.each<[string, object, string]>([
    ['it broke off', { complete: false }, 'did not go through'],
    ['an operation was omitted', { operations: { total: 1, tested: 0 } }, 'tested 0 of 1'],
    ['each request was refused', { valid_rates: { 'GET /': { examples: { accepted: 0 } } } }, '0 of 1 operations'],
    ['each request got 401', { valid_rates: {} }, '0 of 1 operations'],
    ['it had an error', { errors: [{ title: 'Network Error' }] }, 'Network Error'],
    ['it reports failures that are not counted', { test_cases: { with_failures: 2 } }, 'reports 2 failed'],
  ])('fails, where %s', async (_, summary, problem) => {
    expect((await resultOf({ summary })).problems).toEqual([expect.stringContaining(problem)]);
  });

  it('that left no report is an error', async () => {
    await expect(readResult({ events: '/nowhere/events', summary: '/nowhere/summary' }, 1)).rejects.toThrow('ENOENT');
  });
});
