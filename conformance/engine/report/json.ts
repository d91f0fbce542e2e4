import type { Report } from '../run/result.ts';

/** The report as `report.schema.json` states it. Lone surrogates are escaped, so that it is always valid UTF-8. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
