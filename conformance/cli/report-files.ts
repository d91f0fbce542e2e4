/** The files that `--report` writes, and what `--format` prints. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderHar } from '../engine/report/har.ts';
import { renderHtml } from '../engine/report/html.ts';
import { renderJunit } from '../engine/report/junit.ts';
import { renderMarkdown } from '../engine/report/markdown.ts';
import { renderSarif } from '../engine/report/sarif.ts';
import type { Report } from '../engine/run/result.ts';
import type { Format } from './option-table.ts';

export type FileFormat = Exclude<Format, 'text'>;

interface ReportFile {
  name: string;
  render(report: Report): string;
}

const FILES: Record<FileFormat, ReportFile> = {
  json: { name: 'report.json', render: renderJson },
  junit: { name: 'junit.xml', render: renderJunit },
  html: { name: 'report.html', render: renderHtml },
  markdown: { name: 'report.md', render: renderMarkdown },
  sarif: { name: 'report.sarif', render: renderSarif },
  har: { name: 'failures.har', render: renderHar },
};

export function renderReport(report: Report, format: FileFormat): string {
  return FILES[format].render(report);
}

/** @returns the path of the page */
export function writeReports(report: Report, folder: string): string {
  for (const file of Object.values(FILES)) {
    writeFileSync(join(folder, file.name), file.render(report));
  }
  return join(folder, FILES.html.name);
}

function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
