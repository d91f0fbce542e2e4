/**
 * Services that must not have findings: a service is not failed for anything that the contract and
 * the user do not state.
 */
import { expect, it } from 'vitest';
import { parse } from '../engine/http/response.ts';
import type { Service } from '../self-test/service.ts';
import { contractWith } from './testing/contracts.ts';
import { respondWith, resultsBy } from './testing/services.ts';

it('an operation without a documented success may respond with any', async () => {
  const contract = contractWith({ type: 'string' });
  contract.paths['/b'] = {
    delete: { operationId: 'clear', responses: { 404: { description: 'nothing' } } },
  };
  const service: Service = async ({ target, body }) => {
    if (target === '/b') {
      return respondWith(204);
    }
    const { a } = Object(parse(String(body)));
    return respondWith(typeof a === 'string' ? 201 : 400);
  };
  const { report } = await resultsBy(service, contract, '--only clear.');
  expect(report.findings).toEqual([]);
});

it('a generated body beside the one of --data is not the one that works', async () => {
  const contract = contractWith({ type: 'string', maxLength: 10 });
  contract.paths['/a'].post.responses[422] = { description: 'it is wrong' };
  // It knows one item alone.
  const service: Service = async ({ body }) => {
    const { a } = Object(parse(String(body)));
    return respondWith(a === 'known' ? 201 : 422);
  };
  const data = '"--data={bodies: {add: {a: known}}}"';
  const { report, requirements } = await resultsBy(service, contract, `${data} --only add.body.a.`);
  expect(report.findings).toEqual([]);
  const reasons = requirements.flatMap(({ reason }) => reason ?? []);
  expect(reasons).toContain('add refuses a generated body (422); the one of --data works');
});

it('header fields are not to blame for a read that fails without them', async () => {
  const contract = contractWith({ type: 'string' });
  contract.paths['/b'] = {
    get: { operationId: 'read', responses: { 200: { description: 'it' } } },
  };
  let reads = 0;
  // It fails once it was reached.
  const service: Service = async ({ target }) => {
    return respondWith(target === '/b' && ++reads > 2 ? 500 : 200);
  };
  const { report, requirements } = await resultsBy(service, contract, '--only read.');
  expect(report.findings.map(({ id }) => id)).toEqual(['server-error:read:500']);
  const fields = requirements.find(({ id }) => id === 'read.header-fields');
  expect(fields).toMatchObject({
    status: 'skip',
    reason: 'read fails without the fields, too (500)',
  });
});
