/**
 * Compares the service with the schemas of the contract where the suite does not look: the exact codes of the errors, and
 * bodies that break several rules at once.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { violationsOfClause } from '../../engine/generate/violations.ts';
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import { loadContract } from '../../engine/contract/load.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';
import { client, faults, type Received, type Send } from './client.ts';
import { createIndependentService } from './index.ts';

const contract = loadContract();
const schemas = schemasOf(contract);
const component = (name: string) => `/components/schemas/${name}`;

function expectFit(name: string, { json, text }: Received) {
  expect(schemas.validate(component(name), json), text).toEqual([]);
}

/** The code that says that a keyword is broken (schema FieldErrorCode). */
const CODES: Record<string, string> = {
  type: 'type',
  enum: 'value',
  const: 'value',
  pattern: 'format',
  format: 'format',
  minLength: 'too_short',
  maxLength: 'too_long',
  'x-max-bytes': 'too_many_bytes',
  minimum: 'too_small',
  maximum: 'too_large',
  minItems: 'too_few',
  maxItems: 'too_many',
  minProperties: 'too_few',
  maxProperties: 'too_many',
  uniqueItems: 'duplicate',
  required: 'required',
  dependentRequired: 'required',
  additionalProperties: 'unknown',
};

const CALLS: { input: string; call: (send: Send, body: string) => Promise<Received> }[] = [
  { input: 'HTTPSEdgeCreate', call: (send, body) => send('POST', '/edges/https', { body }) },
  { input: 'EventSourceCreate', call: (send, body) => send('POST', '/event_subscriptions/s/sources', { body }) },
  {
    input: 'HTTPSEdgeRouteCreate',
    async call(send, body) {
      const { json: edge } = await send('POST', '/edges/https', { body: {} });
      return send('POST', `${edge.uri}/routes`, { body });
    },
  },
];

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 30));

/** A fortieth of a large schema each time; the suite itself tries every clause. */
function someClauses(input: string): Clause[] {
  const all = clausesOf(contract, component(input)).filter(({ keyword }) => Object.hasOwn(CODES, keyword));
  return all.length < 50 ? all : all.filter((_, index) => index % 40 === seed % 40);
}

describe.each(CALLS)(`a body that breaks one clause of $input (SEED=${seed})`, ({ input, call }) => {
  it('is refused with the code of the broken keyword, at its place', async () => {
    const clauses = someClauses(input);
    expect(clauses.length).toBeGreaterThan(0);
    for (const clause of clauses) {
      for (const { label, value } of violationsOfClause(contract, component(input), clause)) {
        const [body] = fc.sample(value, { numRuns: 1, seed: 1 });
        const response = await call(client(createIndependentService()), JSON.stringify(body));
        const sent = `${clause.id} (${label}), received ${response.text.slice(0, 500)}`;
        expect([response.status, response.json.code], sent).toEqual([400, 'invalid_request']);
        expectFit('Problem', response);
        // A value of another type breaks other rules of the same place as well: each of their codes is right.
        const broken = schemas.validate(component(input), body);
        const codes = new Set(broken.map(({ keyword }) => CODES[keyword]));
        if (broken.some(({ pointer }) => /\/(then|else)\//.test(pointer)))
          codes.add('not_allowed_here').add('required');
        const place = broken[0]!.path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
        expect(response.json.errors, sent).not.toEqual([]);
        for (const { pointer, code } of response.json.errors) {
          // No schema says that it is XML.
          if (pointer === '/saml/idp_metadata' && code === 'format') continue;
          expect(codes, sent).toContain(code);
          expect(`${pointer}/`.startsWith(`${place}/`), sent).toBe(true);
        }
      }
    }
  });
});

/** A small generator with a fixed seed (mulberry32), so that every run tries the same bodies. */
function randomizer(from: number) {
  let state = from;
  const next = (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  const pick = <T>(values: readonly T[]): T => values[next(values.length)] as T;
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

it('bodies of good and bad parts are accepted and refused as their schema says', async () => {
  const send = client(createIndependentService());
  const { next, pick, object } = randomizer(1);
  const some = (from: readonly string[]) => Array.from({ length: next(3) }, () => pick(from.slice(0, 3 + next(9))));
  const counts: Record<number, number> = {};
  for (let run = 0; run < 500; run += 1) {
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
    const response = await send('POST', '/edges/https', { body });
    const isValid = schemas.isValid(component('HTTPSEdgeCreate'), body);
    expect([response.status, body]).toEqual([isValid ? 201 : 400, body]);
    expectFit(isValid ? 'HTTPSEdge' : 'Problem', response);
    counts[response.status] = (counts[response.status] ?? 0) + 1;
  }
  // Both sides were tried often.
  expect(counts[201]).toBeGreaterThan(50);
  expect(counts[400]).toBeGreaterThan(50);
});

it('all errors of a body are named', async () => {
  const response = await client(createIndependentService())('POST', '/edges/https', {
    body: {
      description: 'é'.repeat(128),
      metadata: 7,
      hostports: ['nowhere', 'a:1', 'a:1'],
      tls_termination: { terminate_at: 'middle' },
      colour: 'red',
    },
  });
  expect(faults(response)).toEqual([
    '/colour unknown',
    '/description too_many_bytes',
    '/hostports/0 format',
    '/hostports/2 duplicate',
    '/metadata type',
    '/tls_termination/terminate_at value',
  ]);
});
