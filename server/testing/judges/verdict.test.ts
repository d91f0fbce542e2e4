/** From the reports of Schemathesis, in the form in which it writes them, to a verdict. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import { readReport, type Report } from './report.ts';
import { table, tally, verdictOf } from './verdict.ts';

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
  'max_response_time',
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
async function report({ checks = CHECKS, phases = PHASES, failing, summary = {} }: Sample): Promise<Report> {
  const folder = await temporaryFolder();
  const lines = phases.map((phase, index) => ({
    ScenarioFinished: {
      phase,
      recorder: {
        label: 'GET /',
        cases: { id1: {}, unanswered: {} },
        checks: {
          id1: checks.map((name) => ({ name, status: name === failing && index === 0 ? 'failure' : 'success' })),
        },
      },
    },
  }));
  const all = [
    { Initialize: {} },
    ...lines,
    { ScenarioFinished: { phase: phases[0] ?? 'examples', recorder: { label: 'nothing' } } },
    { EngineFinished: {} },
  ];
  await writeFile(join(folder, 'events'), all.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const whole = {
    complete: true,
    operations: { total: 1, tested: 1 },
    errors: [],
    warnings: { missing_auth: [] },
    valid_rates: { 'GET /': { examples: { accepted: 0 }, coverage: { accepted: 1 } } },
    test_cases: { with_failures: failing ? 1 : 0 },
    ...summary,
  };
  await writeFile(join(folder, 'summary'), JSON.stringify(whole));
  return readReport(join(folder, 'events'), join(folder, 'summary'));
}

const results = async (sample: Sample) => tally([verdictOf(await report(sample), 1)]);

describe('a run', () => {
  it('passes, where each check saw cases in each phase and none failed', async () => {
    const verdict = verdictOf(await report({}), 1);
    expect(tally([verdict])).toEqual({ passed: 14 + 4 + 1, failed: 0 });
    expect(verdict.lines.map(({ name }) => name)).not.toContain('max_response_time');
    expect(table([7], [verdict])).toMatch(/^check +seed 7\nnot_a_server_error +4\n/);
    expect(table([7], [verdict])).toMatch(/^phase coverage +1$/m);
  });

  it.each(CHECKS.filter((name) => name !== 'max_response_time'))('fails, where %s fails once', async (failing) => {
    const verdict = verdictOf(await report({ failing }), 1);
    expect(tally([verdict])).toEqual({ passed: 17, failed: 2 });
    expect(table([1], [verdict])).toMatch(new RegExp(`^${failing} +4, 1 FAILED$`, 'm'));
    expect(table([1], [verdict])).toMatch(/^phase examples +1, 1 FAILED$/m);
  });

  it('fails in a check of a newer version', async () => {
    expect(await results({ checks: [...CHECKS, 'new_one'], failing: 'new_one' })).toEqual({ passed: 18, failed: 2 });
  });

  it.each(PHASES)('fails, where the phase %s had no cases', async (phase) => {
    const verdict = verdictOf(await report({ phases: PHASES.filter((one) => one !== phase) }), 1);
    expect(tally([verdict]).failed).toBe(1);
    expect(table([1], [verdict])).toMatch(new RegExp(`^phase ${phase} +0 NOT TRIED$`, 'm'));
  });

  it('fails, where a check was never made', async () => {
    expect((await results({ checks: CHECKS.slice(1) })).failed).toBe(1);
  });

  it('fails as a whole, where nothing was tested', async () => {
    expect((await results({ phases: [], summary: { operations: { total: 1, tested: 0 } } })).passed).toBe(0);
  });

  it.each<[string, object, string]>([
    ['it broke off', { complete: false }, 'did not go through'],
    ['an operation was left out', { operations: { total: 1, tested: 0 } }, 'tested 0 of 1'],
    ['each request was refused', { valid_rates: { 'GET /': { examples: { accepted: 0 } } } }, '0 of 1 operations did'],
    ['each request was answered 401', { valid_rates: {} }, '0 of 1 operations did'],
    ['it had an error', { errors: [{ title: 'Network Error' }] }, 'Network Error'],
    ['it tells of failures that are not counted', { test_cases: { with_failures: 2 } }, 'tells 2 failed'],
  ])('fails, where %s', async (_, summary, fault) => {
    const verdict = verdictOf(await report({ summary }), 1);
    expect(verdict.faults).toEqual([expect.stringContaining(fault)]);
    expect(tally([verdict])).toEqual({ passed: 18, failed: 1 });
  });

  it('says what could not be made use of', async () => {
    expect((await report({ summary: { warnings: { unsupported_regex: ['GET /'] } } })).warnings).toEqual([
      'unsupported_regex: GET /',
    ]);
  });

  it('that left no report is an error', async () => {
    await expect(readReport('/nowhere/events', '/nowhere/summary')).rejects.toThrow('ENOENT');
  });
});
