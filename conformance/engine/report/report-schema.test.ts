/**
 * The schema is closed, and the sample has every member of the types: one without the other fails.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, it } from 'vitest';
import schema from '../../../generated/report/schema.json' with { type: 'json' };
import type { Report } from '../run/result.ts';
import { redacted, redactor } from './redact.ts';
import { GREEN, NOTHING, REPORT } from './sample.test.fixture.ts';

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
});
addFormats.default(ajv);
const validate = ajv.compile(schema);

function isValid(report: unknown): boolean {
  return validate(JSON.parse(JSON.stringify(report)));
}

it.each([
  ['every status', REPORT],
  ['no requirements', NOTHING],
  ['a conformant service', GREEN],
  ['secrets that are statuses', redacted(REPORT, redactor(['pass', 'POST', 'core', '42', '201']))],
])('a report of %s is valid', (_, report) => {
  expect(isValid(report), JSON.stringify(validate.errors)).toBe(true);
});

const CHANGES: [string, (report: any) => void][] = [
  [
    'an unknown property',
    ({ requirements }) => {
      requirements[0].extra = 1;
    },
  ],
  [
    'a verdict without a reason',
    (report) => {
      delete report.reason;
    },
  ],
  [
    'a failure without evidence',
    ({ requirements }) => {
      delete requirements[0].failure;
    },
  ],
  [
    'a pass with evidence',
    ({ requirements }) => {
      requirements[0].status = 'pass';
    },
  ],
  [
    'an invalid pointer',
    ({ requirements }) => {
      requirements[0].clause.pointer = '#/paths';
    },
  ],
  [
    'neither response nor error',
    ({ requirements }) => {
      requirements[1].failure.exchanges[0].response = null;
    },
  ],
];

it.each(CHANGES)('a report with %s is invalid', (_, change) => {
  const report: Report = structuredClone(REPORT);
  change(report);
  expect(isValid(report)).toBe(false);
});
