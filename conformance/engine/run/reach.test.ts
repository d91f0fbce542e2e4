/** The reason why a service cannot be checked says what to do about it. */
import { expect, test } from 'vitest';
import { NoResponse } from '../http/response.ts';
import { serviceOf } from '../http/service.test.fixture.ts';
import { reach } from './reach.ts';

const PATHS = "  /items: {get: {responses: {'200': {description: All.}}}}";

const KEYED = `  /items:
    get: {security: [{key: []}], responses: {'200': {description: All.}}}
    post: {security: [{key: []}, {login: []}], responses: {'201': {description: One.}}}
components:
  securitySchemes:
    key: {type: apiKey, in: query, name: k}
    login: {type: http, scheme: basic}
`;

test.each([
  [
    KEYED,
    'asks for credentials (key in the query parameter k or login as USER:PASSWORD), 401: ' +
      'give them with --auth key=VALUE or --auth login=VALUE',
  ],
  [PATHS, 'asks for credentials (401), which the contract does not say: give them with --token'],
])('a service that refuses all without credentials: %#', async (paths, expected) => {
  const { implementation } = serviceOf(paths, () => ({ status: 401 }));
  const absence = await reach(implementation, {});
  expect(absence?.reason).toContain(expected);
});

test.each([
  ['self-signed certificate', /\(self-signed certificate\): --ca names the authorities to trust/],
  ['the connection was refused', /refused\): is the service running there\?$/],
])('after "%s"', async (message, expected) => {
  const { implementation } = serviceOf(PATHS, () => {
    throw new NoResponse('refused', message);
  });
  const absence = await reach(implementation, {});
  expect(absence?.reason).toMatch(expected);
});
