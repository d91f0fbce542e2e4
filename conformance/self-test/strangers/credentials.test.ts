/** Credentials of several schemes in one header field, as strangers combine them. */
import { expect, test } from 'vitest';
import { type Handler, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.0.3
info: {title: Ways in, version: '1'}
paths:
  /optional:
    get:
      operationId: optional
      security: [{}, {jwt: []}]
      responses: {'200': &ok {description: ok}, '401': &no {description: no}}
  /either:
    get:
      operationId: either
      security: [{basic: []}, {jwt: []}]
      responses: {'200': *ok, '401': *no}
  /django:
    get:
      operationId: django
      security: [{django: []}]
      responses: {'200': *ok, '401': *no}
  /digest:
    get:
      operationId: digest
      security: [{digest: []}]
      responses: {'200': *ok, '401': *no}
components:
  securitySchemes:
    basic: {type: http, scheme: Basic}
    jwt: {type: http, scheme: bearer}
    django: {type: http, scheme: Token}
    digest: {type: http, scheme: digest}
`;

const BASIC = `Basic ${Buffer.from('u:p').toString('base64')}`;
const JWT = 'Bearer j';

/** Each path knows its own schemes, and refuses all others. */
function guarded(isBasic: (field: string) => boolean): Handler {
  const ways: Record<string, (field: string) => boolean> = {
    '/optional': (field) => field === '' || field === JWT,
    '/either': (field) => field === JWT || isBasic(field),
    '/django': (field) => field === 'Token t',
  };
  return ({ path, headers }) => {
    const isLetIn = ways[path];
    return [isLetIn?.(headers.authorization ?? '') ? 200 : 401];
  };
}

const AUTH = ['--auth', 'basic=u:p', '--auth', 'jwt=j', '--min-tried', '0'];

test('a field has the credentials of a scheme that the operation names, or none', async () => {
  const exact = guarded((field) => field === BASIC);
  const { broken, passed, report } = await runOn(exact, CONTRACT, AUTH);
  expect(broken).toEqual([]);
  expect(passed).toEqual(expect.arrayContaining(['optional.200', 'either.200', 'either.401']));
  const reasons = report.never_succeeded.map(({ operation, reason }) => [operation, reason]);
  expect(Object.fromEntries(reasons)['digest']).toMatch(/digest.* does not take a token: --header/);
});

test('a wrong password of the one scheme is tried, and a wrong token of the other', async () => {
  const lenient = guarded((field) => field.startsWith('Basic '));
  const { broken } = await runOn(lenient, CONTRACT, [...AUTH, '--only', 'either.401']);
  expect(broken).toEqual(['either.401']);
});

test('a header field of the user reaches an operation with another scheme of HTTP', async () => {
  const options = ['--header', 'Authorization: Token t', '--only', 'django.200'];
  const { passed } = await runOn(
    guarded(() => false),
    CONTRACT,
    options,
  );
  expect(passed).toEqual(['django.200']);
});
