/** Which errors a request has by the contract, and which reports of a service are right for it. */
import { expect, test } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { operationsOf } from '../../engine/contract/operations.ts';
import type { CallInput } from '../../engine/http/call.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { HttpResponse } from '../../engine/http/response.ts';
import {
  errorsBeyondSchema,
  expectReported,
  fieldErrorsOf,
  parseFieldErrorTable,
  type RequestError,
  requestErrors,
} from './problem.ts';

const contract = loadContract();
const { description } = contract.document['info'] as { description: string };

test('a contract need not have a table of field errors', () => {
  expect(parseFieldErrorTable('## Errors')).toBeUndefined();
});

test.each([
  ['another place', '| the value |', '| somewhere |'],
  ['a keyword without its quotes', '| `required` | `required` |', '| required | `required` |'],
  ['a code too many', '| `format` | the value |', '| `format`, `value`, `type` | the value |'],
  ['no row for `then`', '`then`, `else`: a property is missing or null', '`required`'],
  ['another head', '| keyword | code | place |', '| keyword | code |'],
])('a table with %s is an error', (_, from, to) => {
  expect(description).toContain(from);
  expect(() => parseFieldErrorTable(description.replace(from, to))).toThrow(/Field errors/);
});

const inShort = ({ codes, pointers }: RequestError) => `${codes?.join('|')} ${pointers!.join('|')}`;

test.each<[string, unknown, ...string[]]>([
  ['HTTPSEdgeCreate', { hostports: ['a:1', 'b.example', 'c:1'] }, 'format /hostports/1'],
  ['HTTPSEdgeCreate', { hostports: ['a:1', 'b:1', 'a:1'] }, 'duplicate /hostports|/hostports/2'],
  ['HTTPSEdgeCreate', { 'a/b~ é': 1 }, 'unknown /a~1b~0 é'],
  [
    'HTTPSEdgeCreate',
    { metadata: 'é'.repeat(2049) },
    'too_many_bytes /metadata',
    'too_many_bytes /metadata',
  ],
  [
    'EndpointWebhookValidationMutate',
    { provider: 'github', secret: null },
    'required|type /secret',
  ],
  ['EndpointWebhookValidationMutate', { provider: 'github' }, 'required /secret'],
  [
    'HTTPSEdgeRouteUpdate',
    { oauth: { provider: { github: {} } }, oidc: { issuer: 'https://a.example', client_id: 'a' } },
    'not_allowed_here /oidc|/oidc/enabled',
    'required /oidc/enabled',
  ],
  [
    'HTTPSEdgeRouteUpdate',
    { oauth: { provider: { github: {} } }, saml: 5, oidc: null },
    'type /saml',
    'type /saml',
    'not_allowed_here /saml',
  ],
  [
    'EndpointOAuthMutate',
    { provider: { github: { scopes: 'a' } } },
    'type /provider/github/scopes',
    'not_allowed_here /provider/github/scopes',
  ],
  ['EndpointRequestHeadersMutate', { add: { 'a b': '' } }, 'format /add|/add/a b'],
  [
    'EndpointOAuthMutate',
    { provider: { github: { scopes: ['a'] } } },
    'not_allowed_here /provider/github/scopes',
  ],
])('the errors of a %s %j', (schema, body, ...due) => {
  const errors = fieldErrorsOf(contract, `/components/schemas/${schema}`, body);
  expect(errors.filter(({ beside }) => !beside).map(inShort)).toEqual(due);
});

test('beside a wrong value, a rule that binds it to others may be reported as broken; other places stay right', () => {
  const beside = (schema: string, body: unknown) =>
    fieldErrorsOf(contract, `/components/schemas/${schema}`, body).flatMap((one) =>
      one.beside ? one.pointers! : [],
    );
  expect(beside('EndpointOAuthMutate', { provider: { github: 1, gitlab: {} } })).toContain(
    '/provider/gitlab',
  );
  expect(beside('HTTPSEdgeCreate', { tls_termination: { terminate_at: 5 } })).toContain(
    '/mutual_tls',
  );
  expect(beside('HTTPSEdgeCreate', { description: 5 })).toEqual([]);
});

test('errors that no schema can state', () => {
  const found = errorsBeyondSchema({
    metadata: 'a\ud800',
    'b\udc00': 1,
    saml: { idp_metadata: '<a/>' },
    request_headers: { add: { 'X-A': '', 'X-B': '', 'x-a': '' }, remove: ['a', 'b', 'A'] },
  });
  expect(found.map(inShort)).toEqual([
    'unicode /metadata',
    'unicode /b\udc00',
    'duplicate /request_headers/add|/request_headers/add/X-A|/request_headers/add/x-a',
    'duplicate /request_headers/remove|/request_headers/remove/2',
    'format /saml/idp_metadata',
  ]);
});

const TWO = { json: { description: 5, hostports: ['shop.example.com'] } };
const LIMIT = { query: { limit: '+5' } };
const right = { pointer: '/description', code: 'type' };
const LONG = { json: { mutual_tls: { ['a'.repeat(5000)]: 1 } } };
const LONE = { json: { mutual_tls: { 'a\ud800': '' } } };
const CURSORS: CallInput = { query: [1, 2].map((): [string, string] => ['cursor', '1']) };

test.each<
  [right: boolean, what: string, operationId: string, CallInput, errors: object[], code?: string]
>([
  [
    true,
    'a path that names nothing',
    'getEdge',
    { path: { edge_id: 'a b' } },
    [],
    'malformed_request',
  ],
  [
    true,
    'the object around a long name',
    'createEdge',
    LONG,
    [{ pointer: '/mutual_tls', code: 'unknown' }],
  ],
  [false, 'a place further out', 'createEdge', LONG, [{ pointer: '', code: 'unknown' }]],
  [
    false,
    'a part of a name',
    'createEdge',
    LONG,
    [{ pointer: '/mutual_tls/aaa', code: 'unknown' }],
  ],
  [
    true,
    'the object around a lone surrogate',
    'createEdge',
    LONE,
    [{ pointer: '/mutual_tls', code: 'unicode' }],
  ],
  [
    true,
    'a lone surrogate',
    'createEdge',
    LONE,
    [{ pointer: '/mutual_tls/a\ud800', code: 'unicode' }],
  ],
  [
    true,
    'a cursor that is there twice',
    'listEdges',
    CURSORS,
    [{ parameter: 'cursor', code: 'format' }],
  ],
  [
    false,
    'another code',
    'createEdge',
    { body: '{"description":5}' },
    [{ pointer: '/description', code: 'format' }],
  ],
  [false, 'another place', 'createEdge', TWO, [{ pointer: '/hostports', code: 'format' }]],
  [
    false,
    'an error beside a right one',
    'createEdge',
    TWO,
    [right, { pointer: '/metadata', code: 'required' }],
  ],
  [false, 'another parameter', 'listEdges', LIMIT, [{ parameter: 'cursor', code: 'type' }]],
  [
    false,
    'the body in place of a parameter',
    'listEdges',
    LIMIT,
    [{ pointer: '/limit', code: 'type' }],
  ],
  [false, 'no error', 'createEdge', TWO, []],
  [false, 'a body that can be read', 'createEdge', TWO, [], 'malformed_request'],
])('%s: a report of %s', (isRight, _, operationId, input, errors, code = 'invalid_request') => {
  const operation = operationsOf(contract).find((one) => one.operationId === operationId)!;
  const response = new HttpResponse({
    status: 400,
    headers: {},
    body: Buffer.from(JSON.stringify({ code, errors })),
  });
  const due = requestErrors({ contract } as Implementation, operation, {
    path: { edge_id: 'a' },
    ...input,
  });
  if (isRight) {
    expect(() => expectReported(response, due)).not.toThrow();
  } else {
    expect(() => expectReported(response, due)).toThrow();
  }
});
