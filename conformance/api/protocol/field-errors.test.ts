/** Which reported errors are right for a request, and which are not. */
import { describe, expect, test } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { operationsOf } from '../../engine/contract/operations.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { HttpResponse } from '../../engine/http/response.ts';
import type { CallInput } from '../../engine/http/session.ts';
import { errorsBeyondSchema } from './body-errors.ts';
import { expectReported, requestErrors } from './field-errors.ts';

const contract = loadContract();
const implementation = { contract } as Implementation;

function report(operationId: string, input: CallInput, errors: object[], code = 'invalid_request'): void {
  const operation = operationsOf(contract).find((one) => one.operationId === operationId)!;
  const body = Buffer.from(JSON.stringify({ code, errors }));
  expectReported(new HttpResponse({ status: 400, headers: {}, body }), requestErrors(implementation, operation, input));
}

const TWO = { json: { description: 5, hostports: ['shop.example.com'] } };

describe('an error is right', () => {
  test.each<[string, string, CallInput, object[]]>([
    ['one of two', 'createEdge', TWO, [{ pointer: '/description', code: 'type' }]],
    ['the other one', 'createEdge', TWO, [{ pointer: '/hostports/0', code: 'format' }]],
    [
      'both',
      'createEdge',
      TWO,
      [
        { pointer: '/hostports/0', code: 'format' },
        { pointer: '/description', code: 'type' },
      ],
    ],
    ['a missing body', 'createEdge', {}, [{ pointer: '', code: 'required' }]],
    ['an unknown parameter', 'createEdge', { json: {}, query: { x: '1' } }, [{ parameter: 'x', code: 'unknown' }]],
    ['a number with a sign', 'listEdges', { query: { limit: '+5' } }, [{ parameter: 'limit', code: 'type' }]],
    ['a number out of range', 'listEdges', { query: { limit: '101' } }, [{ parameter: 'limit', code: 'too_large' }]],
    [
      'a parameter twice',
      'listEdges',
      {
        query: [
          ['limit', '1'],
          ['limit', '2'],
        ],
      },
      [{ parameter: 'limit', code: 'repeated' }],
    ],
    ['a path parameter', 'getEdge', { path: { id: 'a b' } }, [{ parameter: 'id', code: 'format' }]],
  ])('%s', (_, operationId, input, errors) => {
    expect(() => report(operationId, input, errors)).not.toThrow();
  });

  test('a path that names nothing may be malformed', () => {
    expect(() => report('getEdge', { path: { id: 'a b' } }, [], 'malformed_request')).not.toThrow();
  });
});

describe('an error is wrong', () => {
  test.each<[string, string, CallInput, object[], string?]>([
    ['of another code', 'createEdge', TWO, [{ pointer: '/description', code: 'format' }]],
    ['at another place', 'createEdge', TWO, [{ pointer: '/hostports', code: 'format' }]],
    ['at another index', 'createEdge', TWO, [{ pointer: '/hostports/1', code: 'format' }]],
    [
      'beside one that is right',
      'createEdge',
      TWO,
      [
        { pointer: '/description', code: 'type' },
        { pointer: '/metadata', code: 'required' },
      ],
    ],
    ['of another parameter', 'listEdges', { query: { limit: '+5' } }, [{ parameter: 'cursor', code: 'type' }]],
    [
      'of the body in place of a parameter',
      'listEdges',
      { query: { limit: '+5' } },
      [{ pointer: '/limit', code: 'type' }],
    ],
    ['that is none', 'createEdge', TWO, []],
    ['of a body that can be read', 'createEdge', TWO, [], 'malformed_request'],
  ])('%s', (_, operationId, input, errors, code) => {
    expect(() => report(operationId, input, errors, code)).toThrow();
  });
});

test('errors that no schema can state', () => {
  const found = errorsBeyondSchema({
    metadata: 'a\ud800',
    'b\udc00': 1,
    request_headers: { add: { 'X-A': '', 'x-a': '' }, remove: ['a', 'b', 'A'] },
    saml: { idp_metadata: '<a/>' },
  });
  expect(found.map(({ codes, pointers }) => `${codes?.join()} ${pointers.join(' | ')}`)).toEqual([
    'unicode /metadata',
    'unicode  | /b\ufffd',
    'duplicate /request_headers/add | /request_headers/add/x-a',
    'duplicate /request_headers/remove | /request_headers/remove/2',
    'format /saml/idp_metadata',
  ]);
});
