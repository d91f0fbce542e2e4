/** The reason why a service cannot be checked says what to do about it. */
import { expect, test } from 'vitest';
import { NoResponse } from '../http/response.ts';
import { serviceOf } from '../http/service.test.fixture.ts';
import { reach } from './reach.ts';

const PATHS = "  /items: {get: {responses: {'200': {description: All.}}}}";

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
