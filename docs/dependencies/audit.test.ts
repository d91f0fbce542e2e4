import { expect, it } from 'vitest';
import { readAudit } from './audit.ts';

it('knows of none, where the report has none', () => {
  expect(readAudit('{"auditReportVersion":2,"vulnerabilities":{},"metadata":{}}')).toEqual([]);
});

it('tells each that the report has', () => {
  const vulnerability = { name: 'a', severity: 'high', range: '<2.0.0' };
  expect(
    readAudit(JSON.stringify({ auditReportVersion: 2, vulnerabilities: { a: { ...vulnerability, via: [] } } })),
  ).toEqual([vulnerability]);
});

it.each(['', 'no JSON', '{"message":"405 Method Not Allowed","error":{}}', '{"error":{"code":"ENOAUDIT"}}'])(
  'knows nothing from %o',
  (output) => {
    expect(readAudit(output)).toBeUndefined();
  },
);
