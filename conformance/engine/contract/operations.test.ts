import { expect, test } from 'vitest';
import { fieldsFor } from './credentials.ts';
import { parseContract } from './load.ts';
import { documentedFor, documentedStatuses, operationsOf } from './operations.ts';

const contractOf = (paths: object) =>
  parseContract(JSON.stringify({ openapi: '3.1.0', info: {}, paths }));

const responsesOf = (...statuses: string[]) =>
  Object.fromEntries(statuses.map((status) => [status, { description: status }]));

/** The only operation of a contract. */
function operationWith(operation: object) {
  const [only] = operationsOf(contractOf({ '/a': { post: operation } }));
  if (!only) {
    throw new Error('no operation');
  }
  return only;
}

test.each([
  [['application/x-www-form-urlencoded', 'application/json'], 'application/json'],
  [
    ['multipart/form-data', 'application/x-www-form-urlencoded'],
    'application/x-www-form-urlencoded',
  ],
  [['text/plain', 'multipart/form-data'], 'multipart/form-data'],
  [['application/xml', 'text/plain'], 'text/plain'],
])('a body of the media types %j is sent as %s', (types, sent) => {
  const content = Object.fromEntries(types.map((type) => [type, { schema: {} }]));
  const { requestBody } = operationWith({ requestBody: { content }, responses: {} });
  expect(requestBody?.mediaType).toBe(sent);
});

test('an operation whose body has no known media type is not supported', () => {
  const content = { 'application/xml': { schema: {} } };
  const { unsupported } = operationWith({ requestBody: { content }, responses: {} });
  expect(unsupported).toMatch(/no body is made of the media types .*: application\/xml/);
});

test.each([
  [['200', '404'], [404]],
  [['200', '4XX'], 'all'],
  [['200', 'default'], 'all'],
  [['200', '404', 'default'], 'all'],
  [['200'], []],
])(
  'with the responses %j, the documented statuses of errors of clients are %j',
  (all, expected) => {
    const operation = operationWith({ responses: responsesOf(...all) });
    const found = documentedStatuses(operation, 4);
    expect(expected === 'all' ? found.length : found).toEqual(expected === 'all' ? 100 : expected);
  },
);

test('a success beside a default is the only documented success', () => {
  const operation = operationWith({ responses: responsesOf('201', 'default') });
  expect(documentedStatuses(operation, 2)).toEqual([201]);
});

test.each([
  [404, '404'],
  [409, '4XX'],
  [500, 'default'],
])('the response for %d is that for %s', (status, documented) => {
  const operation = operationWith({ responses: responsesOf('default', '4XX', '404') });
  expect(documentedFor(operation, status)?.status).toBe(documented);
});

const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

test('a request gets the credentials of the operation whose path is most specific', () => {
  const operation = (scheme: string) => ({ security: [{ [scheme]: [] }], responses: {} });
  const contract = contractOf({
    '/users/{id}': { get: operation('any'), parameters: [ID] },
    '/users/me': { get: operation('me') },
  });
  const fields = fieldsFor(contract, { any: { 'x-any': '1' }, me: { 'x-me': '2' } });
  expect(fields({ method: 'GET', target: '/users/me?a=b' })).toEqual({ 'x-me': '2' });
  expect(fields({ method: 'GET', target: '/users/5' })).toEqual({ 'x-any': '1' });
  expect(fields({ method: 'GET', target: '/others' })).toEqual({});
});
