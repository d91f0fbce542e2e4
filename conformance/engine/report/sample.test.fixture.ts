/**
 * Reports for tests of the formats: one with every status, variants of it, and one with hostile
 * text.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { findingsOf } from '../findings/findings.ts';
import type { Failure, Report, RequirementResult } from '../run/result.ts';
import { STATUSES } from './words.ts';

const SAMPLE = load(readFileSync(join(import.meta.dirname, 'sample.yaml'), 'utf8')) as {
  report: Report;
};

export const REQUIREMENTS = SAMPLE.report.requirements;

export function reportOf(requirements: RequirementResult[], more: Partial<Report> = {}): Report {
  const counts = STATUSES.map((status) => {
    return [status, requirements.filter((one) => one.status === status).length];
  });
  const summary = Object.fromEntries(counts) as Report['summary'];
  const seen = { results: requirements, others: [], notes: [], accept: [], kinds: [] };
  const findings = findingsOf(seen);
  return { ...SAMPLE.report, summary, findings, requirements, ...more };
}

/** Every status. */
export const REPORT = reportOf(REQUIREMENTS);

/** A run that ended before any requirement was tried. */
export const NOTHING = reportOf([], { verdict: 'inconclusive', reason: 'No response came.' });

/** One requirement, which passed. */
export const GREEN = reportOf(REQUIREMENTS.slice(-1), { verdict: 'conformant' });

/** The requirement of the sample with this id. */
export function requirement(id: string): RequirementResult {
  const found = REQUIREMENTS.find((one) => one.id === id);
  if (found === undefined) {
    throw new Error(`the sample has no requirement ${id}`);
  }
  return found;
}

/** One failure of the sample, with changes. */
export function failing(changes: Partial<Failure> = {}, id = 'createEdge.short') {
  const result = requirement(id);
  if (result.failure === undefined) {
    throw new Error(`${id} has not failed`);
  }
  return { ...result, failure: { ...result.failure, ...changes } };
}

/** Members that neither a service nor a user has an influence on. */
const TRUSTED: ReadonlySet<string> = new Set([
  'verdict',
  'kind',
  'cause_id',
  'id',
  'level',
  'status',
  'method',
  'origin',
  'file',
  'pointer',
  'title',
  'name',
  'version',
  'sha256',
  'started_at',
  'expires',
]);

/** The sample with `text` in place of each text that a service or a user has an influence on. */
export function hostileReport(text: string): Report {
  const replaced = (key: string, value: unknown) => {
    return typeof value === 'string' && !TRUSTED.has(key) ? text : value;
  };
  const json = JSON.stringify(REPORT, replaced);
  return JSON.parse(json.replaceAll('"content-type"', JSON.stringify(text))) as Report;
}
