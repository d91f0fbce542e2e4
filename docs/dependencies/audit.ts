/** What `npm audit --json` says. */

export interface Vulnerability {
  name: string;
  severity: string;
  /** The versions that have it. */
  range: string;
}

/** Undefined: the service gave no report, and nothing is known. */
export function readAudit(output: string): Vulnerability[] | undefined {
  let report: unknown;
  try {
    report = JSON.parse(output);
  } catch {
    return undefined;
  }
  const { auditReportVersion, vulnerabilities } = report as {
    auditReportVersion?: number;
    vulnerabilities?: Record<string, Vulnerability>;
  };
  if (auditReportVersion === undefined || vulnerabilities === undefined) return undefined;
  return Object.values(vulnerabilities).map(({ name, severity, range }) => ({ name, severity, range }));
}
