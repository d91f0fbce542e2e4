/** The cause of a failure: which failures a report shows as one finding, and in which words. */
import { expect, test } from 'vitest';
import type { RecordedExchange } from '../http/exchange.ts';
import { Nonconformity } from '../http/nonconformity.ts';
import { NoResponse } from '../http/response.ts';
import { serviceOf } from '../http/service.test.fixture.ts';
import { causeIdOf, causeOf, type FailingRequirement } from './cause.ts';

const { implementation } = serviceOf(
  `
  /pets:
    post:
      operationId: addPet
      responses: {'201': {description: one}, '503': {description: busy}, '553': {description: old}}
  /pets/{id}:
    get: {operationId: getPet, responses: {'200': {description: one}}}
`,
  () => ({ status: 200 }),
);

const RULE = '/components/schemas/Pet/properties/name/maxLength';
const OF_CALL: FailingRequirement = {
  id: 'addPet.body.name.maxLength',
  clause: RULE,
  isLaw: false,
};
const OF_LAW: FailingRequirement = { id: 'addPet.items.echo', clause: '', isLaw: true };

function exchange(method: string, path: string, status: number): RecordedExchange {
  const url = `http://service.test${path}`;
  const request = { method, url, headers: {}, body: null };
  return { request, response: { status, headers: {}, body: '' } };
}

const POST = (status: number) => exchange('POST', '/pets', status);
const GET = (status: number) => exchange('GET', '/pets/7', status);

function statusError(status: number, due: readonly number[]): Nonconformity {
  const message = `The body breaks a rule. Expected ${due.join(' or ')}, got ${status}.`;
  const details = { expected: due.join(' or '), got: String(status) };
  return new Nonconformity(message, { ...details, kind: 'status', due });
}

function causeFor(
  error: Nonconformity | NoResponse,
  exchanges: RecordedExchange[],
  requirement: FailingRequirement = OF_CALL,
) {
  const cause = causeOf({ error, exchanges }, requirement, implementation);
  return [causeIdOf(cause), cause.words];
}

test.each<[number, number[], string, string]>([
  [500, [400], 'server-error:addPet:500', 'responds 500'],
  [503, [400], 'server-error:addPet:503', 'responds 503'],
  [201, [400, 422], 'accepts-invalid:addPet:maxLength', 'accepts what breaks `maxLength`'],
  [553, [201], 'refuses-valid:addPet:553', 'refuses valid requests with 553'],
  [553, [400], 'response:addPet:553-for-400', 'refuses with 553 in place of 400'],
  [504, [201], 'server-error:addPet:504', 'responds 504'],
  [422, [201], 'refuses-valid:addPet:422', 'refuses valid requests with 422'],
  [422, [201, 400], 'refuses-valid:addPet:422', 'refuses valid requests with 422'],
  [422, [400], 'response:addPet:422-for-400', 'refuses with 422 in place of 400'],
  [200, [201], 'response:addPet:200-for-201', 'responds 200 in place of 201'],
  [
    200,
    [202, 203, 204, 206],
    'response:addPet:200-for-202-or-203-or-204-or-206',
    'responds 200 in place of 202 or 203 or 204 or 206',
  ],
  [
    200,
    [202, 203, 204, 205, 206],
    'response:addPet:200-for-202-or-203-or-204-or-205-or-206',
    'responds 200 in place of a documented status',
  ],
])('%d in place of %j is %s', (status, due, id, words) => {
  expect(causeFor(statusError(status, due), [POST(status)])).toEqual([id, words]);
});

test('a rule that the case states more exactly than the requirement is the cause', () => {
  const requirement = { ...OF_CALL, id: 'addPet.body.numbers', clause: '/paths' };
  const error = statusError(201, [400]);
  error.details.clause = '/components/schemas/Pet/properties/name/type';
  expect(causeFor(error, [POST(201)], requirement)[0]).toBe('accepts-invalid:addPet:type');
});

test('a rule without a keyword has the name of its requirement', () => {
  const requirement = { ...OF_CALL, id: 'addPet.body.nesting', clause: '/paths' };
  expect(causeFor(statusError(201, [400]), [POST(201)], requirement)).toEqual([
    'accepts-invalid:addPet:nesting',
    'accepts what must be refused (nesting): The body breaks a rule',
  ]);
});

test('the first server error of a case is its cause, whichever operation fails after it', () => {
  const error = statusError(404, [200]);
  expect(causeFor(error, [POST(500), GET(404)])[0]).toBe('server-error:addPet:500');
  // A documented one is due.
  expect(causeFor(error, [POST(503), GET(404)])[0]).toBe('refuses-valid:getPet:404');
});

test('the evidence of a server error is the name in its body, whatever came before', () => {
  const failed = exchange('POST', '/pets', 500);
  const body = '{"title":"DataIntegrityViolationException"}';
  const named = { ...failed, response: { status: 500, headers: {}, body } };
  const error = statusError(500, [201]);
  const evidence = (exchanges: RecordedExchange[]) =>
    causeOf({ error, exchanges }, OF_CALL, implementation).evidence;
  expect(evidence([POST(201), named])).toBe('DataIntegrityViolationException');
  expect(evidence([failed])).toBeUndefined();
});

test('the evidence of a refused value is the rule that it just keeps', () => {
  const error = statusError(400, [201]);
  const cause = causeOf({ error, exchanges: [POST(400)] }, OF_CALL, implementation);
  expect([causeIdOf(cause), cause.evidence]).toEqual([
    'refuses-valid:addPet:400',
    'values that just keep maxLength',
  ]);
});

test('of the statuses that are due, those of the contract are named, if there are any', () => {
  const causeAt = (due: number[]) => causeFor(statusError(200, due), [POST(200)])[0];
  expect(causeAt([201, 202])).toBe('response:addPet:200-for-201');
  expect(causeAt([202, 204])).toBe('response:addPet:200-for-202-or-204');
});

test('a status that is due twice is named once', () => {
  expect(causeFor(statusError(404, [400, 400, 422]), [POST(404)])).toEqual([
    'response:addPet:404-for-400-or-422',
    'refuses with 404 in place of 400 or 422',
  ]);
});

test('the operation is the one that responds, not the one of the requirement', () => {
  expect(causeFor(statusError(404, [200]), [POST(201), GET(404)])[0]).toBe(
    'refuses-valid:getPet:404',
  );
});

test('a wrong status is the cause, whatever is read after it', () => {
  expect(causeFor(statusError(404, [200]), [GET(404), exchange('GET', '/pets', 200)])).toEqual([
    'refuses-valid:getPet:404',
    'refuses valid requests with 404',
  ]);
});

test('a read after a wrong status that gets another status is not the cause', () => {
  const removal = exchange('POST', '/pets', 204);
  expect(causeFor(statusError(204, [201]), [removal, GET(404)])).toEqual([
    'response:addPet:204-for-201',
    'responds 204 in place of 201',
  ]);
});

test.each([
  ['closed', 'stopped:getPet:closed'],
  ['late', 'stopped:getPet:late'],
  ['unavailable', 'server-error:getPet:unavailable'],
  ['garbled', 'response:getPet:garbled'],
] as const)('no response, %s, is %s', (kind, id) => {
  const silent = { ...GET(200), response: null };
  expect(causeFor(new NoResponse(kind, 'no response within 10000 ms'), [silent])[0]).toBe(id);
});

test('what is wrong with a response is its first violation, whatever its status is', () => {
  const violation = { message: 'The body is wrong.', expected: 'a', got: 'b' };
  const error = new Nonconformity('The body is wrong.', {
    ...violation,
    violations: [{ ...violation, what: 'schemas/Pet/required/name', words: 'sends a wrong body' }],
  });
  const expected = ['response:getPet:schemas/Pet/required/name', 'sends a wrong body'];
  expect(causeFor(error, [GET(200)], OF_LAW)).toEqual(expected);
});

test.each([OF_CALL, OF_LAW])(
  'what was removed and responds is one cause, as $id notices it',
  (by) => {
    const error = statusError(200, [404]);
    const removed = exchange('DELETE', '/pets/7', 204);
    const cause = ['law:getPet:removed-is-still-there', 'What was removed is still there'];
    expect(causeFor(error, [POST(201), removed, GET(200), GET(200)], by)).toEqual(cause);
    const others = [
      [exchange('DELETE', '/pets/7', 404), GET(200)],
      [exchange('DELETE', '/pets/8', 204), GET(200)],
      [removed, exchange('PUT', '/pets/7', 201), GET(200)],
    ];
    for (const exchanges of others) {
      expect(causeFor(error, exchanges, by)).not.toEqual(cause);
    }
  },
);

const lawError = (place: string) =>
  new Nonconformity(`Reading shows something else than 12 of ISO-8859-1 (at ${place})`, {
    expected: '',
    got: '',
  });

test('a law is named by its area, its words and the place, without values', () => {
  const [id, words] = causeFor(lawError('/items/41/name'), [GET(200)], OF_LAW);
  expect(id).toBe('law:addPet:reading-shows-something-else-than-*-of-iso-8859-1/items/*/name');
  expect(words).toBe('Reading shows something else than * of ISO-8859-1 (at /items/*/name)');
  expect(causeFor(lawError('/items/3/name'), [GET(200)], OF_LAW)[0]).toBe(id);
  expect(causeFor(lawError('/items/3/size'), [GET(200)], OF_LAW)[0]).not.toBe(id);
});

test('another error of a call has its last sentence as the cause, and its status', () => {
  const error = new Nonconformity('The body breaks a rule. The code is wrong.', {
    expected: 'a',
    got: 'b',
  });
  const id = 'response:addPet:the-code-is-wrong';
  expect(causeFor(error, [POST(422)])).toEqual([id, 'The code is wrong (in a 422)']);
  expect(causeFor(error, [POST(201)])).toEqual([id, 'The code is wrong']);
});
