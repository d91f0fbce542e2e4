/** What a documented refusal of a valid call says. */
import { expect, test } from 'vitest';
import { NotPossible } from '../http/nonconformity.ts';
import { responseOf, serviceOf } from '../http/service.test.fixture.ts';
import { instead } from './calls.ts';

const PATHS = `
  /a:
    post:
      operationId: add
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses:
        201: {description: Made.}
        400: {description: No.}
        409: {description: Not now.}`;

const { session } = serviceOf(PATHS, () => ({ status: 201 }));
const body = '{"size":-0}';

test('a documented conflict of a body that is written out says nothing of its form', async () => {
  const tried = instead(session, session.operation('add'), { body }, responseOf({ status: 409 }));
  await expect(tried).rejects.toThrow(NotPossible);
});

test('another refusal of such a body counts', async () => {
  const tried = instead(session, session.operation('add'), { body }, responseOf({ status: 400 }));
  expect(await tried).toBeUndefined();
});
