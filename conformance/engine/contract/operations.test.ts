import { expect, test } from 'vitest';
import { fieldsFor } from './credentials.ts';
import { parseContract } from './load.ts';
import { documentedFor, documentedStatuses, operationsOf, warningsOf } from './operations.ts';

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

test('methods that OpenAPI has no field for are operations, in their own case', () => {
  const responses = responsesOf('204');
  const operations = operationsOf(
    contractOf({ '/a': { query: { responses }, additionalOperations: { Link: { responses } } } }),
  );
  const ids = operations.map(({ method, operationId }) => [method, operationId]);
  expect(ids).toEqual([
    ['QUERY', 'QUERY/a'],
    ['Link', 'Link/a'],
  ]);
});

test.each([
  ['application/x-www-form-urlencoded', ['query', 'form', ['q', 'n']], undefined],
  ['application/json', undefined, /all at .* is in querystring/],
])('the whole query as %s is %j', (mediaType, written, unsupported) => {
  const schema = { type: 'object', properties: { q: {}, n: {} } };
  const parameter = { name: 'all', in: 'querystring', content: { [mediaType]: { schema } } };
  const operation = operationWith({ parameters: [parameter], responses: {} });
  const [found] = operation.parameters;
  expect(found && [found.in, found.style, found.members]).toEqual(written);
  expect(operation.unsupported ?? '').toMatch(unsupported ?? /^$/);
});

test('a path without a slash at its beginning is read, with a warning', () => {
  const item = { get: { responses: responsesOf('200') } };
  const contract = contractOf({ a: item, 'x-b': item, '/c?d=1': item });
  expect(operationsOf(contract).map(({ path }) => path)).toEqual(['/a', '/c?d=1']);
  expect(warningsOf(contract)).toEqual([
    expect.stringMatching('The path a has no slash'),
    expect.stringMatching('has a query or a fragment'),
  ]);
});

test('media types of a body with a schema of their own are named: none of it is tried', () => {
  const text = { type: 'string' };
  const content = {
    'application/json': { schema: text },
    'application/merge-patch+json': { schema: { type: 'object' } },
    'text/plain': { schema: { type: 'string' } },
    'application/xml': {},
  };
  const operation = { operationId: 'a', requestBody: { content }, responses: {} };
  expect(warningsOf(contractOf({ '/a': { post: operation } }))).toEqual([
    'Rules of bodies in a media type that has its own schema are not tried: ' +
      'a (application/merge-patch+json).',
  ]);
});
