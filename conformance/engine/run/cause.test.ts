/** The words that failures of one cause have in common. */
import { expect, test } from 'vitest';
import { Nonconformity } from '../http/nonconformity.ts';
import { NoResponse } from '../http/response.ts';
import { causeOf } from './cause.ts';

const RULE = '/components/schemas/Edge/properties/description/maxLength';
const SENTENCE = '/info/description';
const PROBLEM = 'application/problem+json';
const JSON_IN_UTF8 = 'application/json; charset=utf-8';

interface Got {
  status: number;
  /** The statuses that were due, in words. */
  due: string;
  type?: string;
  /** The error that the body of the response names, with a space before it. */
  named?: string;
  clause?: string;
}

/** The cause of a status that was not due. */
function causeOfStatus({
  status,
  due,
  type = JSON_IN_UTF8,
  named = '',
  clause = RULE,
}: Got): string {
  const message = `The body breaks a rule. Expected ${due}, got ${status}${named}.`;
  const error = new Nonconformity(message, { expected: due, got: String(status), kind: 'status' });
  return causeOf(error, clause, { status, headers: { 'content-type': type }, body: '' });
}

const REFUSED = 'Refused with 422, application/json in place of the documented status';
const FAILED = `The service failed: 500, ${PROBLEM}`;

test.each<[Got, string]>([
  [{ status: 422, due: '400' }, REFUSED],
  [{ status: 422, due: '400 or 404' }, REFUSED],
  [{ status: 422, due: '409' }, REFUSED],
  [{ status: 422, due: '201 or 400' }, REFUSED],
  [{ status: 500, due: '400', type: PROBLEM }, FAILED],
  [{ status: 500, due: '201', type: PROBLEM }, FAILED],
  [{ status: 500, due: '200 or 404', type: PROBLEM }, FAILED],
  [{ status: 201, due: '400' }, 'Expected 400, got 201 (maxLength)'],
  [{ status: 200, due: '204' }, 'Expected 204, got 200'],
  [{ status: 201, due: '400', clause: SENTENCE }, 'The body breaks a rule. Expected 400, got 201'],
  [
    { status: 400, due: '201', type: PROBLEM, named: ' invalid at /saml' },
    `A valid request is refused with 400 invalid (${PROBLEM})`,
  ],
  [{ status: 409, due: '201', type: '' }, 'A valid request is refused with 409'],
])('the cause of %j is: %s', (got, expected) => {
  expect(causeOfStatus(got)).toBe(expected);
});

const atPlace = (place: number) =>
  new Nonconformity(`A list is wrong (at /items/${place}/id)`, { expected: '', got: '' });

test('failures at several places of a list have one cause', () => {
  expect(causeOf(atPlace(41), RULE)).toBe(causeOf(atPlace(3), RULE));
});

test('failures without a response have one cause, whatever the timeout', () => {
  const error = new NoResponse('late', 'no response within 10000 ms');
  expect(causeOf(error, RULE)).toBe('No response: no response within * ms');
});

test('a media type that is not documented is a cause, without its parameters', () => {
  const details = { expected: 'Content-Type: text/csv', got: `Content-Type: ${JSON_IN_UTF8}` };
  const error = new Nonconformity('The media type is not the documented one.', details);
  const cause = 'Another media type than the documented one: application/json';
  expect(causeOf(error, RULE)).toBe(cause);
});

test('an error response with another fault than its status has its status in the cause', () => {
  const error = new Nonconformity('The body is wrong.', { expected: 'a', got: 'b' });
  const response = { status: 404, headers: { 'content-type': PROBLEM }, body: '' };
  expect(causeOf(error, RULE, response)).toBe(`The body is wrong (404, ${PROBLEM})`);
  expect(causeOf(error, RULE, { ...response, status: 200 })).toBe('The body is wrong');
});
