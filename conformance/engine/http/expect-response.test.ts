/** Responses that are the success or the refusal that is due, and others. */
import { expect, test, vi } from 'vitest';
import { statusesFrom } from '../contract/operations.ts';
import {
  expectEither,
  expectRefusal,
  expectRefusedAnyhow,
  expectStatus,
  expectSuccess,
  refuse,
  succeed,
} from './expect-response.ts';
import { Nonconformity } from './nonconformity.ts';
import { NoResponse } from './response.ts';
import { type Reply, type Respond, responseOf, serviceOf } from './service.test.fixture.ts';

const PATHS = `
  /a:
    post:
      operationId: make
      responses:
        '201':
          description: It is made.
          content:
            application/json: {schema: {type: object, required: [id]}}
        '400':
          description: It is refused.
          headers: {X-Reason: {required: true, schema: {type: integer}}}
          content:
            application/problem+json:
              schema:
                type: object
                required: [title]
                properties: {title: {type: string, x-origin: source §7}}
        '409': {description: It is there.}
    get: {operationId: list, responses: {'200': {description: All.}}}
`;

const PROBLEM = { 'content-type': 'application/problem+json', 'x-reason': '1' };
const REFUSAL: Reply = { status: 400, headers: PROBLEM, json: { title: 'It is wrong.' } };

const service = (respond: Respond = () => REFUSAL, more: Parameters<typeof serviceOf>[2] = {}) => {
  const made = serviceOf(PATHS, respond, more);
  return { ...made, operation: made.session.operation('make') };
};

test.each<[string, Reply, string | undefined]>([
  ['as it is documented', REFUSAL, undefined],
  ['without content in its contract', { status: 409, json: [] }, undefined],
  ['with another status', { ...REFUSAL, status: 422 }, 'Expected 400 or 409, got 422'],
  [
    'with a body that its schema does not allow',
    { ...REFUSAL, json: { title: 1 } },
    'The response body breaks the contract at /title',
  ],
  ['with a body that lacks a property', { ...REFUSAL, json: {} }, 'The response body breaks'],
  [
    'of another media type',
    { ...REFUSAL, headers: { ...PROBLEM, 'content-type': 'application/json' } },
    'The media type is not the documented one.',
  ],
  [
    'without a header field',
    { ...REFUSAL, headers: { 'content-type': PROBLEM['content-type'] } },
    'A 400 lacks the header X-Reason.',
  ],
  [
    'with a header field that its schema does not allow',
    { ...REFUSAL, headers: { ...PROBLEM, 'x-reason': 'none' } },
    'The header X-Reason breaks the contract',
  ],
])('a refusal %s is reported or not: %j', (_, reply, message) => {
  const { implementation, operation } = service();
  const check = () =>
    expectRefusal(implementation, operation, responseOf(reply), {
      statuses: [400, 409],
      why: 'It is wrong.',
    });
  if (message === undefined) {
    expect(check).not.toThrow();
  } else {
    expect(check).toThrow(message);
    expect(check).toThrow(Nonconformity);
  }
});

test('the API checks the form of a refusal, with what is known of it', () => {
  const expectError = vi.fn();
  const { implementation, operation } = service(() => REFUSAL, { expectError });
  const response = responseOf(REFUSAL);
  const input = { json: {} };
  expectRefusal(implementation, operation, response, {
    statuses: [400],
    why: 'It is wrong.',
    input,
  });
  const documented = operation.responses['400'];
  const refused = { operation, documented, input };
  expect(expectError).toHaveBeenCalledExactlyOnceWith(implementation, response, refused);
});

test.each([
  [399, false],
  [400, true],
  [418, true],
  [499, true],
  [500, false],
])('by the source alone, status %i is a refusal: %s', (status, isRefusal) => {
  const expectError = vi.fn();
  const { implementation, operation } = service(() => REFUSAL, { origin: 'source', expectError });
  const response = responseOf({ status, json: 'anything' });
  const check = () =>
    expectRefusal(implementation, operation, response, { statuses: [400], why: 'It is wrong.' });
  if (isRefusal) {
    expect(check).not.toThrow();
  } else {
    expect(check).toThrow('It is wrong. It must be refused.');
  }
  expect(expectError).not.toHaveBeenCalled();
});

test.each([
  ['all', 'other', 'other', true],
  ['all', 'other', 'taken', false],
  ['all', 'other', undefined, false],
  ['all', undefined, 'taken', true],
  ['source', 'other', 'taken', true],
] as const)('by %s, a refusal with the code %s due and %s sent is right: %s', async (...row) => {
  const [origin, due, code, isRight] = row;
  const reply = { ...REFUSAL, json: { title: 'It is wrong.', code } };
  const { session } = service(() => reply, { origin });
  const refusal = refuse(
    session,
    'make',
    { json: {} },
    { statuses: [400], why: 'It is wrong.', code: due },
  );
  if (isRight) {
    expect((await refusal).status).toBe(400);
  } else {
    await expect(refusal).rejects.toThrow('It is wrong. The code is another one.');
  }
});

test('a success is one that is documented, with the documented body', () => {
  const { implementation, operation } = service();
  const check = (reply: Reply) => () => expectSuccess(implementation, operation, responseOf(reply));
  expect(check({ status: 201, json: { id: 1 } })).not.toThrow();
  expect(check({ status: 201, json: {} })).toThrow('The response body breaks the contract');
  expect(check({ status: 200, json: { id: 1 } })).toThrow(
    'The request is valid. Expected 201, got 200',
  );
});

test('what may be accepted or refused must be documented either way', () => {
  const { implementation, operation } = service();
  const check = (reply: Reply) => () =>
    expectEither(implementation, operation, responseOf(reply), {
      statuses: [400],
      why: 'It is open.',
    });
  expect(check({ status: 201, json: { id: 1 } })).not.toThrow();
  expect(check(REFUSAL)).not.toThrow();
  expect(check({ status: 201, json: {} })).toThrow('breaks the contract');
  expect(check({ ...REFUSAL, json: {} })).toThrow('breaks the contract');
  expect(check({ status: 409 })).toThrow('It is open. Expected 400, got 409');
});

test('a connection that is closed is a refusal in any form, a late response is not', async () => {
  const response = async (status: number) => responseOf({ status });
  const failing = (kind: 'closed' | 'late') => async () => {
    throw new NoResponse(kind, kind);
  };
  await expectRefusedAnyhow(failing('closed'), 'It is odd.');
  await expectRefusedAnyhow(() => response(431), 'It is odd.');
  await expectRefusedAnyhow(() => response(200), 'It is odd.', [200]);
  await expect(expectRefusedAnyhow(failing('late'), 'It is odd.')).rejects.toThrow('late');
  await expect(expectRefusedAnyhow(() => response(200), 'It is odd.')).rejects.toThrow(
    'It is odd. Expected any of 400 to 499 or 501 or 505, got 200',
  );
});

test('a call that a service is allowed to refuse is tried three more times at most', async () => {
  const instead = vi.fn(async () => ({ json: { other: true } }));
  const { session, requests } = service(() => REFUSAL, { instead });
  await expect(succeed(session, 'make', { json: {} })).rejects.toThrow('Expected 201, got 400');
  expect([instead.mock.calls.length, requests.length]).toEqual([3, 4]);
  const none = service(() => REFUSAL);
  await expect(succeed(none.session, 'make', { json: {} })).rejects.toThrow('got 400');
  expect(none.requests).toHaveLength(1);
});

test.each<[string, number[], unknown, string]>([
  ['the statuses that are due', [400, 404], {}, 'Expected 400 or 404, got 500.'],
  [
    'ranges in full',
    [201, ...statusesFrom(400)],
    {},
    'Expected any of 400 to 499 or 201, got 500.',
  ],
  ['the code of an error', [201], { code: 'taken' }, 'Expected 201, got 500 taken.'],
  [
    'the place of its first field',
    [201],
    { code: 'invalid', errors: [{ code: 'required', pointer: '/a' }, { pointer: '/b' }] },
    'got 500 invalid: required at /a, where the suite finds nothing wrong.',
  ],
  [
    'a parameter in place of a pointer',
    [400],
    { code: 'invalid', errors: [{ parameter: 'limit' }] },
    'got 500 invalid at limit.',
  ],
  ['the whole body', [400], { code: 'x', errors: [{ pointer: '' }] }, 'got 500 x at the body.'],
  ['nothing else of an unusual error', [400], { code: 'x', errors: [null] }, 'got 500 x.'],
])('a status that is not due is reported with %s', (_, statuses, json, message) => {
  const response = responseOf({ status: 500, json });
  expect(() => expectStatus(response, statuses, 'It is due.')).toThrow(message);
});
