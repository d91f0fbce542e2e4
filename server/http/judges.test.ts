/** The two judges of requests say the same of every request, to the word: production is held to what development checks. */
import type { Express, Request, Response } from 'express';
import express from 'express';
import { beforeAll, describe, expect, test } from 'vitest';
import { type JsonObject, type Operation, resolve } from '../contract.ts';
import { contract } from '../testing/serve.ts';
import { createCompiledJudge } from './compiled-judge.ts';
import { toFieldErrors } from './field-errors.ts';
import { createLibraryJudge } from './library-judge.ts';
import type { Judge } from './validator.ts';

const app: Express = express();
let judges: Judge[];
beforeAll(async () => {
  judges = [await createLibraryJudge(app, contract, { responses: false }), createCompiledJudge(contract)];
});

interface Sent {
  params: Record<string, string>;
  query: Record<string, string>;
  body?: unknown;
}

/** What each says, and what it makes of the request. */
async function judged(judge: Judge, operation: Operation, sent: Sent) {
  const { params, query, body } = structuredClone(sent);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!));
  const headers = operation.requestBody ? { 'content-type': 'application/json' } : {};
  const req = {
    app,
    method: operation.method.toUpperCase(),
    path,
    originalUrl: path,
    baseUrl: '',
    headers,
    params,
    query,
    body,
  } as unknown as Request;
  const faults = toFieldErrors(
    contract.document,
    operation,
    body,
    await judge(operation, req, {} as Response, () => undefined),
  );
  return {
    faults: faults.map((one) => JSON.stringify(one)).toSorted(),
    body: req.body as unknown,
    query: { ...req.query },
  };
}

/** Texts, numbers and shapes that break one rule or another, or none. */
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  129,
  1e10,
  '',
  'a',
  'A b',
  'é'.repeat(200),
  'x'.repeat(5000),
  [],
  ['a'],
  ['a', 'a'],
  [1],
  {},
  { a: 1 },
  { '': 1 },
  { 'a/b~c': 'd' },
];

function examplesOf(operation: Operation): unknown[] {
  const item = (contract.document['paths'] as Record<string, Record<string, JsonObject>>)[operation.path]!;
  const body = resolve(contract.document, item[operation.method]!['requestBody']);
  const media = (body['content'] as Record<string, { examples?: Record<string, unknown> }>)['application/json']!;
  return Object.values(media.examples ?? {}).map((one) => resolve(contract.document, one)['value']);
}

/** The body itself, and bodies that differ from it in one place. */
function* variants(body: unknown): Generator<unknown> {
  yield body;
  yield* VALUES;
  if (typeof body !== 'object' || body === null) return;
  for (const [name, inner] of Object.entries(body)) {
    const replaced = (value: unknown): unknown =>
      Array.isArray(body) ? Object.assign([...body], { [name]: value }) : { ...body, [name]: value };
    for (const value of variants(inner)) yield replaced(value);
    if (!Array.isArray(body)) yield Object.fromEntries(Object.entries(body).filter(([other]) => other !== name));
  }
  if (!Array.isArray(body)) yield { ...body, unknown: 1, 'a/b': 2 };
}

/** Values that every path of the contract takes. */
const PARAMS = { id: 'edghts_1', edge_id: 'edghts_1', subscription_id: 'sub_1', type: 'a.v0' };

async function same(operation: Operation, sent: Sent): Promise<number> {
  const [library, compiled] = await Promise.all(judges.map((judge) => judged(judge, operation, sent)));
  expect(compiled, JSON.stringify(sent).slice(0, 500)).toEqual(library);
  return library!.faults.length;
}

describe('judge alike', () => {
  test.for(
    contract.operations.filter(({ requestBody }) => requestBody).map((operation) => [operation.id, operation] as const),
  )('the bodies of %s', { timeout: 600_000 }, async ([, operation]) => {
    const examples = examplesOf(operation);
    expect(examples).not.toEqual([]);
    let [refused, accepted] = [0, 0];
    for (const example of examples) {
      for (const body of variants(example)) {
        if ((await same(operation, { params: PARAMS, query: {}, body })) > 0) refused += 1;
        else accepted += 1;
      }
    }
    expect(refused).toBeGreaterThan(10);
    expect(accepted).toBeGreaterThan(0);
  });

  test('paths and queries', async () => {
    const texts = ['a', 'A-b_9', 'x'.repeat(65), 'é', 'a b', 'a.v0', 'a/b', '0', '1', '100', '101', '7', 'zz'];
    for (const operation of contract.operations) {
      const body = operation.requestBody && examplesOf(operation)[0];
      for (const { name, in: place } of operation.parameters) {
        for (const text of texts) {
          const sent = {
            params: place === 'path' ? { ...PARAMS, [name]: text } : PARAMS,
            query: place === 'query' ? { [name]: text } : {},
            body,
          };
          await same(operation, sent);
        }
      }
    }
  });
});
