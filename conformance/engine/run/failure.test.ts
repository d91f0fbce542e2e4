/** The parts of a failure beside the message of its error. */
import { expect, test } from 'vitest';
import { Nonconformity } from '../http/nonconformity.ts';
import { serviceOf } from '../http/service.test.fixture.ts';
import { failureOf } from './failure.ts';

const PAGE = 'text/html;charset=utf-8';

const OTHER_STATUS = new Nonconformity('Expected 404, got 400.', {
  expected: '404',
  got: '400',
  kind: 'status',
});

interface Refusal {
  status?: number;
  /** Undefined if the response has none. */
  type?: string | undefined;
  error?: Nonconformity;
}

function failureAt(path: string, { status = 400, type, error }: Refusal) {
  const request = { method: 'GET', url: `http://127.0.0.1:8080${path}`, headers: {}, body: null };
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  const response = { status, headers, body: '' };
  const otherType = new Nonconformity('The media type is not the documented one.', {
    expected: 'Content-Type: application/problem+json',
    got: `Content-Type: ${type ?? 'none'}`,
  });
  const evidence = { error: error ?? otherType, exchanges: [{ request, response }], removals: [] };
  const { implementation } = serviceOf('  /things: {}', () => ({ status: 200 }));
  const requirement = { id: 'things.404', clause: '', isLaw: false };
  return failureOf(evidence, { requirement, implementation, curl: '', replay: '' });
}

test('a page at an odd path is a refusal by the server below, and the failure says so', () => {
  const { message, cause } = failureAt('/things/%25?a=b', { type: PAGE });
  expect(message).toContain('seems to have refused /things/%25 by itself');
  expect(message).toContain('Here, the documented form is due');
  expect(cause).toMatch(/ \(refused below handlers\)$/);
});

test.each(['/things/a;b', '/things/..', '/things//1', '/things/%80', '/a:b'])(
  'servers may refuse the path %s by themselves',
  (path) => {
    expect(failureAt(path, {}).message).toContain(path);
  },
);

test.each<[string, string, Refusal]>([
  ['at a plain path', '/things/edge_1-a.v0', { type: PAGE }],
  ['if only the query is unusual', '/things?a=%25', { type: PAGE }],
  ['in JSON', '/things/%25', { type: 'application/json' }],
  ['that is a failure', '/things/%25', { type: PAGE, status: 500 }],
  ['that is not a refusal', '/things/%25', { type: PAGE, status: 200 }],
  ['of another status', '/things/%25', { type: PAGE, error: OTHER_STATUS }],
])('a refusal %s is not one by the server below', (_, path, refusal) => {
  const { message, cause } = failureAt(path, refusal);
  expect(message).not.toContain('by itself');
  expect(cause).not.toContain('below');
});
