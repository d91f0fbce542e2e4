import { expect, test } from 'vitest';
import { serviceOf } from '../http/service.test.fixture.ts';
import { operationOn } from '../contract/operations.ts';
import { CaseSession } from '../http/session.ts';
import { newName } from './new-names.ts';

const TWO_NAMES = `
  /flags/{key}:
    parameters: [{name: key, in: path, required: true, schema: {type: string, pattern: '^x[ab]$'}}]
    get: {operationId: readFlag, responses: {'404': {description: absent}}}
    put: {operationId: setFlag, responses: {'204': {description: set}}}
`;

test('two cases at once do not choose the same short name', async () => {
  const { implementation } = serviceOf(TWO_NAMES, () => ({ status: 404 }));
  const put = operationOn(implementation.contract, 'PUT', '/flags/{key}');
  const [key] = put?.parameters ?? [];
  if (put === undefined || key === undefined) {
    throw new Error('the contract has this operation and its parameter');
  }
  const one = new CaseSession(implementation);
  const other = new CaseSession(implementation);
  const names = await Promise.all([newName(one, put, key, {}), newName(other, put, key, {})]);
  expect(names.toSorted()).toEqual(['xa', 'xb']);
  const late = new CaseSession(implementation);
  await expect(newName(late, put, key, {})).rejects.toThrow('no new name is known');
  await one.cleanUp(false);
  expect(await newName(late, put, key, {})).toBe(names[0]);
});
