/** Defaults come from the contract alone: who changes them there changes the server. */
import { describe, expect, test } from 'vitest';
import { serveApp } from '../../testing/serve.ts';
import { type AnyDocument, changedContract } from '../../testing/changed-contract.ts';
import { compileDefaults } from './defaults.ts';

describe('what is omitted', () => {
  const document = {
    components: {
      schemas: {
        Flag: { type: 'boolean', default: true },
        Module: { type: 'object', properties: { on: { $ref: '#/components/schemas/Flag' }, list: { default: [1] } } },
        Tree: {
          type: 'object',
          properties: {
            name: { default: 'leaf' },
            below: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
          },
        },
      },
    },
  };
  const fill = (schema: object, value: unknown) => compileDefaults(document, schema as never)(value);
  const MODULE = { $ref: '#/components/schemas/Module' };

  test.for([
    ['at the top', MODULE, {}, { on: true, list: [1] }],
    ['and only that', MODULE, { on: false, other: 1 }, { on: false, other: 1, list: [1] }],
    [
      'behind oneOf',
      { properties: { m: { oneOf: [MODULE, { type: 'null' }] } } },
      { m: {} },
      { m: { on: true, list: [1] } },
    ],
    ['but not what is null', { properties: { m: { oneOf: [MODULE, { type: 'null' }] } } }, { m: null }, { m: null }],
    ['in lists', { type: 'array', items: MODULE }, [{}], [{ on: true, list: [1] }]],
    ['in maps', { additionalProperties: MODULE }, { a: {} }, { a: { on: true, list: [1] } }],
    ['in parts', { allOf: [MODULE, { properties: { b: { default: 0 } } }] }, {}, { on: true, list: [1], b: 0 }],
    [
      'beside a reference',
      { properties: { on: { ...MODULE, default: { on: false } } } },
      {},
      { on: { on: false, list: [1] } },
    ],
    ['null, where the default is not', { properties: { a: { default: '' } } }, { a: null }, { a: '' }],
    ['not null, where the default is', { properties: { a: { default: null } } }, { a: 0, b: 1 }, { a: 0, b: 1 }],
    [
      'of one that holds itself',
      { $ref: '#/components/schemas/Tree' },
      { below: [{ below: [{}] }] },
      { name: 'leaf', below: [{ name: 'leaf', below: [{ name: 'leaf' }] }] },
    ],
  ] as const)('is filled in %s', ([, schema, value, expected]) => {
    expect(fill(schema, structuredClone(value))).toEqual(expected);
  });

  test('cannot be changed for others by one who gets it', () => {
    const filled = fill(MODULE, {}) as { list: number[] };
    filled.list.push(2);
    expect(fill(MODULE, {})).toEqual({ on: true, list: [1] });
  });
});

const FIRST_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';

test('other defaults in the contract show in responses, on create and on update', async () => {
  const changed = changedContract((document: AnyDocument) => {
    const { schemas, parameters } = document.components;
    schemas.Enabled.default = false;
    schemas.HTTPSEdgeCreate.properties.description.default = 'none given';
    schemas.HTTPSEdgeRouteCreate.properties.description.default = 'none given';
    schemas.HTTPSEdgeCreate.properties.hostports.default = ['default.example.com:443'];
    schemas.EndpointTLSTerminationAtEdge.properties.min_version.default = '1.3';
    schemas.EndpointOAuthMutate.properties.cookie_prefix.default = 'other.';
    schemas.EndpointOAuthBasicMutate.properties.email_domains.default = ['example.com'];
    schemas.EndpointCircuitBreakerMutate.properties.num_buckets.default = 7;
    schemas.EndpointSAMLMutate.properties.nameid_format.default = FIRST_FORMAT;
    parameters.Limit.schema.default = 1;
  });
  const { send } = await serveApp({ contract: changed, validateResponses: false });
  const edge = await send({ method: 'POST', path: '/edges/https', body: { mutual_tls: {}, tls_termination: {} } });
  expect(edge.json).toMatchObject({
    description: 'none given',
    hostports: ['default.example.com:443'],
    mutual_tls: { enabled: false },
    tls_termination: { enabled: false, min_version: '1.3' },
  });
  const path = `/edges/https/${edge.json.id}`;
  await send({ method: 'PATCH', path, body: { description: 'own', hostports: ['own.example.com:443'] } });
  const reset = await send({ method: 'PATCH', path, body: { description: null, hostports: null } });
  expect([reset.json.description, reset.json.hostports]).toEqual(['none given', ['default.example.com:443']]);

  const body = {
    ...{ match_type: 'path_prefix', match: '/', circuit_breaker: {} },
    oauth: { provider: { google: {} } },
    saml: { enabled: false, idp_metadata: '<EntityDescriptor/>' },
  };
  const route = await send({ method: 'POST', path: `${path}/routes`, body });
  expect(route.json).toMatchObject({
    description: 'none given',
    circuit_breaker: { enabled: false, num_buckets: 7 },
    oauth: { cookie_prefix: 'other.', provider: { google: { email_domains: ['example.com'] } } },
    saml: { nameid_format: FIRST_FORMAT },
  });

  await send({ method: 'POST', path: '/edges/https', body: {} });
  expect((await send({ path: '/edges/https' })).json.https_edges).toHaveLength(1);
});
