/**
 * Holds the hand-written rules against the schemas of the contract: bodies made from good and bad parts must be taken
 * and refused alike, and every answer must fit its schema.
 */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { CORE_SCHEMA, load } from 'js-yaml';
import { client, type Received } from './client.ts';
import { createIndependentService } from './index.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);
for (const most of [255, 4096]) {
  ajv.addFormat(`max-${most}-utf8-bytes`, (text: string) => Buffer.byteLength(text) <= most);
}
const text = readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8');
ajv.addSchema(load(text, { schema: CORE_SCHEMA }) as object, 'contract');

function schema(name: string): ValidateFunction {
  const validate = ajv.getSchema(`contract#/components/schemas/${name}`);
  if (validate === undefined) throw new Error(`no schema ${name}`);
  return validate;
}

function expectFit(name: string, { json }: Received) {
  const validate = schema(name);
  expect(validate(json) ? [] : validate.errors).toEqual([]);
}

/** A small generator with a fixed seed (mulberry32), so that every run tries the same bodies. */
function randomizer(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  const pick = <T>(from: readonly T[]): T => from[next(from.length)] as T;
  /** Each member is there or not; mostly its value is good. */
  const object = (members: Record<string, () => unknown>) =>
    Object.fromEntries(
      Object.entries(members)
        .filter(() => next(2) === 0)
        .map(([name, make]) => [name, next(8) === 0 ? pick(ODD) : make()]),
    );
  return { next, pick, object };
}

const ODD = [null, true, 0, 1.5, '', 'edge', [], {}, [null], ['a:1', 'a:1'], { enabled: true }, 'x'.repeat(5000)];
const HOSTPORTS = ['a:1', 'b.c:65535', '*.d:80', '*.*.d:80', 'a', 'a:0', 'a:65536', '-a:1', 'a_b:1', 'a:1\n', 'a:1:1'];
const IDS = ['ca', '-_', 'a'.repeat(64), 'a'.repeat(65), '', 'a b', 'é'];
const TYPES = ['a.v0', 'a_1.v10', 'a.v01', 'A.v0', '_.v1', 'a.b.v1', 'a.v', `${'a'.repeat(125)}.v0`, 'é.v0', 'a.v0\n'];

describe('the contract', () => {
  it('takes and refuses the same edges', async () => {
    const send = client(createIndependentService());
    const { next, pick, object } = randomizer(1);
    const some = (from: readonly string[]) => Array.from({ length: next(3) }, () => pick(from.slice(0, 3 + next(9))));
    const counts: Record<number, number> = {};
    for (let run = 0; run < 5000; run += 1) {
      const body = object({
        description: () => pick(['', 'é'.repeat(127), 'é'.repeat(128), 'a'.repeat(255)]),
        metadata: () => pick(['', '€'.repeat(1365), '€'.repeat(1366)]),
        hostports: () => some(HOSTPORTS),
        mutual_tls: () => pick([null, object({ enabled: () => false, certificate_authority_ids: () => some(IDS) })]),
        tls_termination: () =>
          object({
            enabled: () => false,
            terminate_at: () => pick(['edge', 'upstream', 'upstream', 'Edge']),
            min_version: () => pick(['1.2', '1.3', null, '1.1']),
          }),
        ...(next(20) === 0 && { colour: () => 'red' }),
      });
      const answer = await send('POST', '/edges/https', { body });
      expect([answer.status, body]).toEqual([schema('HTTPSEdgeCreate')(body) ? 201 : 400, body]);
      expectFit(answer.status === 201 ? 'HTTPSEdge' : 'Problem', answer);
      counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    }
    // Both sides have been tried in earnest.
    expect(counts[201]).toBeGreaterThan(500);
    expect(counts[400]).toBeGreaterThan(500);
  });

  it('takes and refuses the same event types', async () => {
    for (const body of [{}, { type: 'a.v0', x: 1 }, ...ODD, ...[...TYPES, ...ODD].map((type) => ({ type }))]) {
      const send = client(createIndependentService());
      const list = '/event_subscriptions/sub/sources';
      const added = await send('POST', list, { body: JSON.stringify(body) });
      expect([added.status, body]).toEqual([schema('EventSourceCreate')(body) ? 201 : 400, body]);
      expectFit(added.status === 201 ? 'EventSource' : 'Problem', added);

      await send('POST', list, { body: { type: 'current.v0' } });
      const updated = await send('PATCH', `${list}/current.v0`, { body: JSON.stringify(body) });
      const expected = !schema('EventSourceUpdate')(body) ? 400 : added.status === 201 ? 409 : 200;
      expect([updated.status, body]).toEqual([expected, body]);
      expectFit(updated.status === 200 ? 'EventSource' : 'Problem', updated);
      expectFit('EventSourceList', await send('GET', `${list}?limit=1`));
    }
  });

  it.each([
    ['GET', '/nowhere', 404],
    ['PUT', '/edges/https', 405],
    ['GET', '/edges/https/%zz', 400],
    ['POST', '/edges/https', 400],
    ['POST', '/edges/https?LONG=1', 400],
  ])('describes the problem of %s %s', async (method, target, status) => {
    const answer = await client(createIndependentService())(method, target.replace('LONG', 'p'.repeat(9000)));
    expect(answer.status).toBe(status);
    expectFit('Problem', answer);
  });
});
