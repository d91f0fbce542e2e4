/** Reports of a service that are right, or wrong, for the errors of a request. */
import { expect, test } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { operationsOf } from '../../engine/contract/operations.ts';
import type { CallInput } from '../../engine/http/call.ts';
import { HttpResponse } from '../../engine/http/response.ts';
import { expectReported } from './reported-errors.ts';
import { requestErrors } from './request-errors.ts';

const contract = loadContract();

interface Report {
  what: string;
  operationId: string;
  input: CallInput;
  errors: object[];
  /** Default: `invalid_request`. */
  code?: string;
}

/** Checks the report of a service that responds with 400. @throws Nonconformity */
function check({ operationId, input, errors, code = 'invalid_request' }: Report): void {
  const operation = operationsOf(contract).find((one) => one.operationId === operationId);
  if (!operation) {
    throw new Error(`the contract has no operation ${operationId}`);
  }
  const body = Buffer.from(JSON.stringify({ code, errors }));
  const response = new HttpResponse({ status: 400, headers: {}, body });
  const path = { edge_id: 'a' };
  expectReported(response, requestErrors(contract, operation, { path, ...input }));
}

const TWO = { json: { description: 5, hostports: ['shop.example.com'] } };
const LIMIT = { query: { limit: '+5' } };
const DESCRIPTION = { pointer: '/description', code: 'type' };
const LONG = { json: { mutual_tls: { ['a'.repeat(5000)]: 1 } } };
const LONE = { json: { mutual_tls: { 'a\ud800': '' } } };
const CURSORS: CallInput = {
  query: [
    ['cursor', '1'],
    ['cursor', '1'],
  ],
};

test.each<Report>([
  {
    what: 'a path that names nothing',
    operationId: 'getEdge',
    input: { path: { edge_id: 'a b' } },
    errors: [],
    code: 'malformed_request',
  },
  {
    what: 'the object around a long name',
    operationId: 'createEdge',
    input: LONG,
    errors: [{ pointer: '/mutual_tls', code: 'unknown' }],
  },
  {
    what: 'the object around a lone surrogate',
    operationId: 'createEdge',
    input: LONE,
    errors: [{ pointer: '/mutual_tls', code: 'unicode' }],
  },
  {
    what: 'a lone surrogate',
    operationId: 'createEdge',
    input: LONE,
    errors: [{ pointer: '/mutual_tls/a\ud800', code: 'unicode' }],
  },
  {
    what: 'a cursor that the service has under another name',
    operationId: 'listEdges',
    input: { query: { cursor: '' } },
    errors: [{ parameter: 'cursor', code: 'unknown' }],
  },
  {
    what: 'the id of no edge',
    operationId: 'listEdges',
    input: { query: { before_id: 'none' } },
    errors: [{ parameter: 'before_id', code: 'format' }],
  },
  {
    what: 'the beginning of a long name',
    operationId: 'listEdges',
    input: { query: { ['x'.repeat(5000)]: '1' } },
    errors: [{ parameter: 'xxx', code: 'unknown' }],
  },
  {
    what: 'one of two rules that a value breaks',
    operationId: 'createEdge',
    input: { json: { hostports: ['a'] } },
    errors: [{ pointer: '/hostports/0', code: 'format' }],
  },
  {
    what: 'both rules that a value breaks',
    operationId: 'createEdge',
    input: { json: { description: 'x'.repeat(300) } },
    errors: [
      { pointer: '/description', code: 'too_many_bytes' },
      { pointer: '/description', code: 'too_long' },
    ],
  },
  {
    what: 'a cursor that is there twice',
    operationId: 'listEdges',
    input: CURSORS,
    errors: [{ parameter: 'cursor', code: 'format' }],
  },
])('a report of $what is right', (report) => {
  expect(() => check(report)).not.toThrow();
});

test.each<Report>([
  {
    what: 'a place further out',
    operationId: 'createEdge',
    input: LONG,
    errors: [{ pointer: '', code: 'unknown' }],
  },
  {
    what: 'a part of a name',
    operationId: 'createEdge',
    input: LONG,
    errors: [{ pointer: '/mutual_tls/aaa', code: 'unknown' }],
  },
  {
    what: 'another code',
    operationId: 'createEdge',
    input: { body: '{"description":5}' },
    errors: [{ pointer: '/description', code: 'format' }],
  },
  {
    what: 'another place',
    operationId: 'createEdge',
    input: TWO,
    errors: [{ pointer: '/hostports', code: 'format' }],
  },
  {
    what: 'an error beside a right one',
    operationId: 'createEdge',
    input: TWO,
    errors: [DESCRIPTION, { pointer: '/metadata', code: 'required' }],
  },
  {
    what: 'another parameter',
    operationId: 'listEdges',
    input: LIMIT,
    errors: [{ parameter: 'cursor', code: 'type' }],
  },
  {
    what: 'the body in place of a parameter',
    operationId: 'listEdges',
    input: LIMIT,
    errors: [{ pointer: '/limit', code: 'type' }],
  },
  {
    what: 'the id of no edge as a wrong value',
    operationId: 'listEdges',
    input: { query: { before_id: 'none' } },
    errors: [{ parameter: 'before_id', code: 'value' }],
  },
  {
    what: 'the beginning of a short name',
    operationId: 'listEdges',
    input: { query: { xxxx: '1' } },
    errors: [{ parameter: 'xxx', code: 'unknown' }],
  },
  { what: 'no error', operationId: 'createEdge', input: TWO, errors: [] },
  {
    what: 'a body that can be read as malformed',
    operationId: 'createEdge',
    input: TWO,
    errors: [],
    code: 'malformed_request',
  },
])('a report of $what is wrong', (report) => {
  expect(() => check(report)).toThrow();
});
