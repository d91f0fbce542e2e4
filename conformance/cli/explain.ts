/** `--explain`: one finding of an earlier run, as Markdown. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { explain } from '../engine/report/explain.ts';
import { overviewOf } from '../engine/report/overview.ts';
import type { Report } from '../engine/run/result.ts';
import { OptionError, usable } from '../engine/run/known-failures.ts';

/** In the message about an id that is not one of the report. */
const MOST_NAMED = 5;

/**
 * The finding of this id in the report of the folder, or the one of a requirement of this id.
 * @throws OptionError if there is none
 */
export function explainFinding(id: string, folder: string, cwd: string): string {
  const file = join(folder, 'report.json');
  const report = usable(`--explain: ${file} cannot be read`, () => readReport(resolve(cwd, file)));
  const { groups } = overviewOf(report);
  const found =
    groups.find(({ finding }) => finding?.id === id) ??
    groups.find(({ finding }) => finding?.requirements.includes(id));
  if (found === undefined) {
    const ids = groups.flatMap(({ finding }) => finding?.id ?? []);
    const named = ids.slice(0, MOST_NAMED).join(', ');
    const those = ids.length === 0 ? 'it has none' : `such as ${named}`;
    throw new OptionError(`--explain ${id} is not a finding of ${file}: ${those}`);
  }
  return explain(found);
}

/** @throws Error for a file that is not a report with findings */
function readReport(path: string): Report {
  const report = JSON.parse(readFileSync(path, 'utf8')) as Partial<Report>;
  if (!Array.isArray(report.findings) || !Array.isArray(report.requirements)) {
    throw new Error('it is not a report with findings');
  }
  return report as Report;
}
