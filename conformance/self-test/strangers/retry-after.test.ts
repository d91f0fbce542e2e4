/** Services that ask to wait, in words that clients can read and in others. */
import { expect, test } from 'vitest';
import { type Handler, runOn } from './run.ts';

/** @param header what the contract says of `Retry-After` */
const contract = (header = ''): string => `
openapi: 3.1.0
info: {title: Waits, version: '1'}
paths:
  /news:
    get:
      operationId: news
      parameters: [{name: size, in: query, schema: {type: integer, minimum: 1, maximum: 9}}]
      responses:
        '200': {description: All.}
        '400': {description: Wrong.}
        '429': {description: Later.${header}}
        '503': {description: Later.}
`;

const waiting = (status: number, retryAfter: string): Handler =>
  waitingWith(status, { 'retry-after': retryAfter });

/** The twelfth request is to be sent again. */
function waitingWith(status: number, fields: Record<string, string>): Handler {
  let count = 0;
  return ({ method, query }) => {
    count++;
    if (count === 12) {
      return [status, '', fields];
    }
    if (method !== 'GET') {
      return [405];
    }
    const size = query.get('size');
    return size === null || /^[1-9]$/.test(size) ? [200, {}] : [400];
  };
}

const LONG_AGO = 'Sun, 06 Nov 1994 08:49:37 GMT';

test.each([
  [429, '0'],
  [503, '0'],
  [429, LONG_AGO],
  [503, 'Sunday, 06-Nov-94 08:49:37 GMT'],
  [503, 'Sun Nov  6 08:49:37 1994'],
])('a %i with `Retry-After: %s` is right', async (status, value) => {
  const { code, report } = await runOn(waiting(status, value), contract());
  expect(report.findings).toEqual([]);
  expect(code).toBe(0);
});

test.each([
  [429, ''],
  [429, '-1'],
  [503, '0.5'],
  [503, '1994-11-06T08:49:37Z'],
  [503, 'Sun, 06 Nov 1994 08:49:37 +0000'],
  [503, 'Sun, 99 Nov 1994 08:49:37 GMT'],
])('a %i with `Retry-After: %s` is a finding', async (status, value) => {
  const { code, report } = await runOn(waiting(status, value), contract());
  const [finding, ...others] = report.findings;
  expect(finding).toMatchObject({
    id: `response:*:retry-after-${status}`,
    failure: { got: `Retry-After: ${value}` },
  });
  expect(others).toEqual([]);
  expect(code).toBe(1);
});

const REQUIRED = ', headers: {Retry-After: {required: true, schema: {type: string}}}';
const OTHER = ', headers: {X-Limit: {required: true, schema: {type: integer}}}';

test.each([
  [429, REQUIRED, {}, 'retry-after'],
  [429, OTHER, { 'retry-after': '0' }, 'x-limit'],
])('a %i without a field that the contract requires is a finding', async (...given) => {
  const [status, fields, sent, name] = given;
  const { code, report } = await runOn(waitingWith(status, sent), contract(fields));
  const ids = report.findings.map(({ id }) => id);
  expect(ids).toEqual([`response:*:${name}-${status}-missing`]);
  expect(code).toBe(1);
});

test.each([
  [429, ''],
  [429, ', headers: {Retry-After: {schema: {type: string}}}'],
  [503, REQUIRED],
])('a %i without a field that the contract does not require is right', async (status, fields) => {
  const { code, report } = await runOn(waitingWith(status, {}), contract(fields));
  expect(report.findings).toEqual([]);
  expect(code).toBe(0);
});

const header = (schema: string): string => `, headers: {Retry-After: {schema: ${schema}}}`;

test.each([
  ['0.5', '{type: number}'],
  ['0s', "{type: string, pattern: '^[0-9]+s$'}"],
  ['1994-11-06T08:49:37Z', '{type: string, format: date-time}'],
])('a contract that says so may have %s as %s', async (value, schema) => {
  const { report } = await runOn(waiting(429, value), contract(header(schema)));
  expect(report.findings).toEqual([]);
});

test.each([
  '{type: string}',
  '{type: string, maxLength: 64}',
  "{type: string, pattern: '^[0-9]+$'}",
])(
  'a contract that has any of the usual forms, as %s does, allows no other one',
  async (schema) => {
    const { report } = await runOn(waiting(429, '0.5s'), contract(header(schema)));
    expect(report.findings.map(({ id }) => id)).toContain('response:*:retry-after-429');
  },
);
