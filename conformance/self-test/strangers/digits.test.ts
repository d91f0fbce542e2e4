/** Integers of 19 digits wherever a contract states a value or a bound, on the wire. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exactBound } from '../../engine/contract/exact-bounds.ts';
import { loadAnyContract } from '../../engine/contract/load.ts';
import { valueAt } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Ledgers, version: '1'}
paths:
  /ledgers/{number}:
    get:
      operationId: ledger
      parameters:
        - name: number
          in: path
          required: true
          schema: {type: integer, format: int64}
          example: 1234567890123456787
      responses: {'200': {description: found}, '404': {description: unknown}}
  /entries:
    post:
      operationId: enter
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [from, to]
              properties:
                from: {enum: [9223372036854775807, 1234567890123456789]}
                to: {const: 1234567890123456781}
      responses:
        '200':
          description: entered
          content:
            application/json:
              schema:
                type: object
                required: [from]
                properties: {from: {enum: [9223372036854775807, 1234567890123456789]}}
        '400': {description: refused}
`;

const memberOf = (text: string, name: string): string | undefined =>
  new RegExp(`"${name}"\\s*:\\s*(-?\\d+)\\s*[,}]`).exec(text)?.[1];

interface Planted {
  /** What it shows as the origin of an entry. */
  shown?: string;
  /** Whether it reads numbers as doubles. */
  isLossy?: boolean;
}

const ledgers =
  ({ shown, isLossy = false }: Planted = {}): Handler =>
  ({ path, text, json }) => {
    if (path.startsWith('/ledgers/')) {
      return [path === '/ledgers/1234567890123456787' ? 200 : 404];
    }
    const from = memberOf(text, 'from') ?? '';
    const to = memberOf(text, 'to') ?? '';
    const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
    const isFrom = ['9223372036854775807', '1234567890123456789'].includes(from);
    const isTo = isLossy
      ? Number(to) === Number('1234567890123456781')
      : to === '1234567890123456781';
    if (!isObject || !isFrom || !isTo) {
      return [400];
    }
    return [200, `{"from":${shown ?? from}}`, { 'content-type': 'application/json' }];
  };

test('choices, constants and examples of 19 digits are sent and read digit by digit', async () => {
  const { code, broken, passed } = await runOn(ledgers(), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(expect.arrayContaining(['ledger.200', 'enter.200']));
});

test('a choice with another last digit is found in responses and in requests', async () => {
  const rounding = await runOn(ledgers({ shown: '1234567890123456790' }), CONTRACT);
  expect(rounding.broken).toContain('enter.200');
  const lossy = await runOn(ledgers({ isLossy: true }), CONTRACT);
  expect(lossy.broken).toEqual(['enter.body.to.const']);
});

/** The contract in a file, with others beside it. */
async function contractIn(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'digits-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, name), text);
    }
    return (await loadAnyContract(join(folder, 'main.yaml'))).document;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const HEAD = 'info: {title: Digits, version: "1"}\npaths: {}\n';

test.each([
  [
    'an alias',
    `openapi: 3.1.0\n${HEAD}x-id: &id {type: integer, maximum: 9223372036854775806}\n` +
      'components: {schemas: {Id: *id}}\n',
  ],
  [
    'Swagger 2.0',
    `swagger: '2.0'\n${HEAD}definitions: {Id: {type: integer, maximum: 9223372036854775806}}\n`,
  ],
  ['another file', `openapi: 3.1.0\n${HEAD}components: {schemas: {Id: {$ref: other.yaml}}}\n`],
])('a bound behind %s keeps its digits', async (_, main) => {
  const other = 'type: integer\nmaximum: 9223372036854775806\n';
  const document = await contractIn({ 'main.yaml': main, 'other.yaml': other });
  const schema = valueAt(document, '/components/schemas/Id') as Record<string, unknown>;
  expect(exactBound(schema, 'maximum')).toBe(9_223_372_036_854_775_806n);
});

test('merge keys of other files are read', async () => {
  const main = `openapi: 3.1.0\n${HEAD}components: {schemas: {Id: {$ref: 'other.yaml#/id'}}}\n`;
  const other = 'base: &base {type: integer}\nid: {<<: *base, minimum: 1}\n';
  const document = await contractIn({ 'main.yaml': main, 'other.yaml': other });
  expect(valueAt(document, '/components/schemas/Id')).toEqual({ type: 'integer', minimum: 1 });
});
