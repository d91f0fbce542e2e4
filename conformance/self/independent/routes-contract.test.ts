/**
 * Holds the rules of routes and of changes against the schemas of the contract: valid bodies, and bodies that break one
 * clause, must be taken and refused alike, and every answer must fit its schema.
 */
import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { boundariesOf } from '../../arbitraries/boundaries.ts';
import { type Hints, validValues } from '../../arbitraries/valid.ts';
import { violationsOf } from '../../arbitraries/violations.ts';
import { loadContract } from '../../contract/load.ts';
import { schemasOf } from '../../contract/schemas.ts';
import { client, type Received } from './client.ts';
import { createIndependentService } from './index.ts';

const contract = loadContract();
const schemas = schemasOf(contract);
const component = (name: string) => `/components/schemas/${name}`;

const METADATA = [
  '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.example.com"/>',
  '<?xml version="1.0"?><!-- é --><md:EntityDescriptor xmlns:md="urn:x">&amp;<a/></md:EntityDescriptor>',
];

const HINTS: Hints = { [component('IdpMetadata')]: fc.constantFrom(...METADATA) };

const isDistinct = (names: string[]) => new Set(names.map((name) => name.toLowerCase())).size === names.length;

/** There are well over a thousand ways to break a route. */
const SLOW = { timeout: 300_000 };

/** What the schemas cannot say: names of headers are told apart without regard to case, and metadata is XML. */
function isSound(body: any): boolean {
  const headers = [body.request_headers, body.response_headers].filter((module) => module);
  const distinct = headers.every(({ add = {}, remove = [] }) => isDistinct(Object.keys(add)) && isDistinct(remove));
  return distinct && (!body.saml || isDescriptor(body.saml.idp_metadata));
}

/** As another parser reads it. */
function isDescriptor(xml: string): boolean {
  try {
    let root: string | undefined;
    const parser = new SaxesParser();
    parser.on('opentag', ({ name }) => (root ??= name.replace(/^[^:]*:/, '')));
    parser.write(xml).close();
    return root === 'EntityDescriptor';
  } catch {
    return false;
  }
}

function expectFit(name: string, { json, text }: Received) {
  expect(schemas.validate(component(name), json), text).toEqual([]);
}

interface Made {
  send: ReturnType<typeof client>;
  edge: string;
  route: string;
}

async function fresh(): Promise<Made> {
  const send = client(createIndependentService());
  const { json: edge } = await send('POST', '/edges/https', { body: {} });
  const body = { match_type: 'exact_path', match: '/there/is/no/other/like/this' };
  const { json: route } = await send('POST', `${edge.uri}/routes`, { body });
  return { send, edge: edge.uri, route: route.uri };
}

const CALLS = [
  {
    input: 'HTTPSEdgeRouteCreate',
    output: 'HTTPSEdgeRoute',
    success: 201,
    call: ({ send, edge }: Made, body: string) => send('POST', `${edge}/routes`, { body }),
  },
  {
    input: 'HTTPSEdgeRouteUpdate',
    output: 'HTTPSEdgeRoute',
    success: 200,
    call: ({ send, route }: Made, body: string) => send('PATCH', route, { body }),
  },
  {
    input: 'HTTPSEdgeUpdate',
    output: 'HTTPSEdge',
    success: 200,
    call: ({ send, edge }: Made, body: string) => send('PATCH', edge, { body }),
  },
];

const DEFAULTS: Record<string, unknown> = { description: '', metadata: '', hostports: [] };

const refs = (ids: string[]) => ids.map((id) => ({ id }));

/** What was sent, where an answer repeats it. */
function expectEcho(sent: Record<string, any>, got: Record<string, any>) {
  const repeated = Object.entries(sent).map(([name, value]) => {
    if (value === null) return [name, DEFAULTS[name] ?? null];
    const { backend_id, ip_policy_ids, certificate_authority_ids, ...same } = value;
    if (backend_id !== undefined) return [name, { ...same, backend: { id: backend_id } }];
    if (ip_policy_ids !== undefined) return [name, { ...same, ip_policies: refs(ip_policy_ids) }];
    if (certificate_authority_ids === undefined) {
      const unsaid = name === 'tls_termination' && value.min_version === null;
      return [name, unsaid ? { ...value, min_version: expect.toBeOneOf([null, '1.2']) } : value];
    }
    return [name, { ...same, certificate_authorities: refs(certificate_authority_ids) }];
  });
  expect(got).toMatchObject(Object.fromEntries(repeated));
}

describe.each(CALLS)('$input', SLOW, ({ input, output, success, call }) => {
  async function judge(body: unknown): Promise<Received> {
    const right = schemas.isValid(component(input), body) && isSound(body);
    const made = await fresh();
    const text = JSON.stringify(body);
    const told = text.slice(0, 2000);
    const answer = await call(made, text);
    expect([answer.status, answer.json.code, told]).toEqual([
      ...(right ? [success, undefined] : [400, 'invalid_request']),
      told,
    ]);
    expectFit(right ? output : 'Problem', answer);
    if (right) {
      expectEcho(body as Record<string, unknown>, answer.json);
      expect((await made.send('GET', answer.json.uri)).json).toEqual(answer.json);
    }
    return answer;
  }

  it('takes what is valid', async () => {
    const counts: Record<number, number> = {};
    for (const body of fc.sample(validValues(contract, component(input), HINTS), { numRuns: 500, seed: 1 })) {
      const { status } = await judge(body);
      counts[status] = (counts[status] ?? 0) + 1;
    }
    expect(counts[success]).toBeGreaterThan(400);
  });

  it('takes what lies on a limit', async () => {
    for (const { value } of boundariesOf(contract, component(input), HINTS)) {
      for (const body of fc.sample(value, { numRuns: 1, seed: 1 })) await judge(body);
    }
  });

  it('refuses what breaks a clause, and says where', async () => {
    for (const { clause, label, value } of violationsOf(contract, component(input), HINTS)) {
      for (const body of fc.sample(value, { numRuns: 1, seed: 1 })) {
        const { json } = await judge(body);
        const place = `${clause.id} (${label}): ${JSON.stringify(json.errors)}`;
        const path = clause.path.map((name) => (name === '*' ? '[^/]*' : name));
        const pattern = new RegExp(`^${path.map((name) => `/${name}`).join('')}(/|$)`);
        expect(
          json.errors.some(({ pointer }: any) => pattern.test(pointer)),
          place,
        ).toBe(true);
      }
    }
  });
});
