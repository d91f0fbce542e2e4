/** Requests before their validation: target, query, media types and bodies, as far as the conformance suite does not try them. */
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ApiError } from '../domain/api-error.ts';
import type { FieldError } from '../domain/types.ts';
import { serveApp, serveForFile } from '../testing/serve.ts';
import { checkStructure } from './request/repeated-names.ts';

const EDGES = '/edges/https';
const SOURCES = '/event_subscriptions/s/sources';
const JSON_TYPE = { 'content-type': 'application/json' };
const MiB = 1024 * 1024;
const { send } = serveForFile();

function errorIn(json: string): FieldError | undefined {
  try {
    checkStructure(json);
    return undefined;
  } catch (error) {
    return (error as ApiError).errors[0];
  }
}

describe('the target', () => {
  test.for([
    ['GET', '/edges/https/%E0%A4%A', 400, 'malformed_request'],
    ['GET', `${SOURCES}?cursor=%ff`, 400, 'malformed_request'],
    ['GET', '/EDGES/https/x', 404, 'not_found'],
    ['GET', '/edges/https/a%2Fb', 400, 'invalid_request'],
    ['GET', `http://localhost${SOURCES}?limit=0`, 400, 'invalid_request'],
    ['POST', '/livez', 405, 'method_not_allowed'],
  ] as const)('%s %s: %i %s', async ([method, path, status, code]) => {
    const answer = await send({ method, path });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test('is decoded', async () => {
    await send({ method: 'POST', path: SOURCES, body: { type: 'a_b.v0' } });
    expect((await send({ path: `/event_subscriptions/%73/sources/a%5Fb%2Ev0` })).json.type).toBe('a_b.v0');
  });
});

test.for([
  ['limit=1e1', 'limit', 'type'],
  ['limit=0x10', 'limit', 'type'],
  ['limit=', 'limit', 'type'],
  ['limit=1&limit=1', 'limit', 'repeated'],
  ['limit[]=1', 'limit[]', 'unknown'],
  ['__proto__=1', '__proto__', 'unknown'],
  ["cursor=*!'()", undefined, undefined],
  ['cursor=%F0%9F%98%80', undefined, undefined],
] as const)('the query %s: %s %s', async ([query, parameter, code]) => {
  const { status, json } = await send({ path: `${SOURCES}?${query}` });
  expect(status).toBe(parameter === undefined ? 200 : 400);
  if (parameter !== undefined) expect(json.errors).toMatchObject([{ parameter, code }]);
});

test.for([
  ['application/json;charset=utf-8', 200],
  ['text/html, application/json; version=1; q=0.5', 200],
  ['application/json; charset=utf-16', 406],
  ['application/json; version=1; q=0', 406],
] as const)('parameters of Accept matter only where they contradict: %s: %i', async ([accept, status]) => {
  expect((await send({ path: EDGES, headers: { accept } })).status).toBe(status);
});

describe('a body', () => {
  const deep = (open: string, close: string) => open.repeat(250_000) + '1' + close.repeat(250_000);

  test.for([
    ['missing', undefined, JSON_TYPE, 400, 'invalid_request'],
    ['two documents', '{}{}', JSON_TYPE, 400, 'malformed_request'],
    ['not UTF-8', Buffer.from('{"\xff":1}', 'latin1'), JSON_TYPE, 400, 'malformed_request'],
    ['nested arrays', deep('[', ']'), JSON_TYPE, 400, 'invalid_request'],
    ['1 MiB', '{}'.padEnd(MiB), JSON_TYPE, 201, undefined],
    ['1 MiB and a byte', '{}'.padEnd(MiB + 1), JSON_TYPE, 413, 'content_too_large'],
    ['a type with another case', '{}', { 'content-type': 'Application/JSON;charset="UTF-8"; p=1' }, 201, undefined],
    ['another charset', '{}', { 'content-type': 'application/json; charset=utf-16' }, 415, 'unsupported_media_type'],
    ['an empty type', '{}', { 'content-type': '' }, 415, 'unsupported_media_type'],
    ['gzip', gzipSync('{}'), { ...JSON_TYPE, 'content-encoding': 'GZIP' }, 201, undefined],
    ['a bomb', gzipSync(' '.repeat(5 * MiB)), { ...JSON_TYPE, 'content-encoding': 'gzip' }, 413, 'content_too_large'],
    ['not gzip', '{}', { ...JSON_TYPE, 'content-encoding': 'gzip' }, 400, 'malformed_request'],
    [
      'half of gzip',
      gzipSync('{}').subarray(0, 15),
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
      400,
      'malformed_request',
    ],
    ['an unknown coding', '{}', { ...JSON_TYPE, 'content-encoding': 'rot13' }, 415, 'unsupported_media_type'],
  ] as const)('%s', async ([, body, headers, status, code]) => {
    const answer = await send({ method: 'POST', path: EDGES, headers, body });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test.for([
    ['no body', {}],
    ['no body, but a Content-Type', { headers: { 'content-type': 'text/plain' } }],
    ['an empty chunked body', { headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' } }],
    ['an empty object', { body: {} }],
  ] as const)('may be omitted where it is optional (D12): %s', async ([, sending]) => {
    await send({ method: 'POST', path: SOURCES, body: { type: 'a.v0' } });
    const answer = await send({ method: 'PATCH', path: `${SOURCES}/a.v0`, ...sending });
    expect([answer.status, answer.json.type]).toEqual([200, 'a.v0']);
  });

  test('cannot fill the memory together with others, whose room is free again afterwards', async () => {
    const service = await serveApp({ mostBodyBytesHeld: 1_000_000, validateResponses: false });
    const body = `{"metadata":"${'a'.repeat(4000)}"}`.padEnd(400_000);
    const post = () => service.send({ method: 'POST', path: EDGES, headers: JSON_TYPE, body });
    const begin = (): Promise<Socket> => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      const head = `POST ${EDGES} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
      return new Promise((done) => socket.write(`${head}\r\n\r\n${body.slice(0, -1)}`, () => done(socket)));
    };
    expect((await post()).status).toBe(201);
    const sockets = [await begin(), await begin(), await begin()];
    await vi.waitFor(async () => {
      const { status, json, headers } = await post();
      expect([status, json.code, headers['retry-after']]).toEqual([503, 'service_unavailable', '1']);
    });
    // A body in one chunk is not held.
    expect((await service.send({ method: 'POST', path: EDGES, body: {} })).status).toBe(201);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect((await post()).status).toBe(201));
  });
});

test.for([
  ['40 levels', '[{"a":'.repeat(20) + '1' + '}]'.repeat(20), undefined],
  ['50 levels', '['.repeat(50) + ']'.repeat(50), undefined],
  ['1,000 items', JSON.stringify({ list: Array(1000).fill('a') }), undefined],
  ['a long text', `"${'a'.repeat(5000)}"`, undefined],
  ['1,001 items', `[${'1,'.repeat(1000)}1]`, { pointer: '', code: 'too_many' }],
  ['1,001 items inside', JSON.stringify({ 'a/b': [Array(1001).fill(1)] }), { pointer: '/a~1b/0', code: 'too_many' }],
  ['1,001 names', JSON.stringify({ ...Array(1001).fill(1) }), { pointer: '', code: 'too_many' }],
  [
    '1,001 names, and no end',
    `{${Array.from({ length: 1001 }, (_, n) => `"${n}":1`).join()},`,
    { pointer: '', code: 'too_many' },
  ],
  ['52 levels', '['.repeat(52) + ']'.repeat(52), { pointer: '/0'.repeat(51), code: 'type' }],
  ['200,000 levels', '{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000), { pointer: '/a'.repeat(51), code: 'type' }],
] as const)('the size and depth of a body are limited: %s', ([, json, expected]) => {
  const found = errorIn(json);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
});

describe('a name that occurs twice in an object', () => {
  const find = (json: string) => errorIn(json)?.pointer;

  test.for([
    ['{"a":1,"b":{"c":[0,{"d":1,"d":2}]}}', '/b/c/1/d'],
    [String.raw`{"a":1,"\u0061":2}`, '/a'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"a/b~":1,"a/b~":2}', '/a~1b~0'],
    [String.raw`{"\ud800":1,"\ud800":2}`, '/\ufffd'],
    [String.raw`{"x":"\\", "a":"\"b\":", "a":1}`, '/a'],
    ['[{"a":1},{"a":1}]', undefined],
    [String.raw`{"a":"{\"a\":1,\"a\":2}"}`, undefined],
    [String.raw`{"a":"\\","b":"\":"}`, undefined],
  ] as const)('%s: %s', ([json, pointer]) => {
    expect(find(json)).toBe(pointer);
  });

  test('is found in every body that has one, and in no other', () => {
    const name = fc.constantFrom('a', 'b', 'c', ':', '"', '\\', '": ', '__proto__');
    const value = fc.oneof(fc.string({ unit: fc.constantFrom('"', ':', '\\', '{', '}', ',', 'a') }), fc.integer());
    // Pairs, so that names may repeat: an object in an array in an object.
    const pairs = <T>(inner: fc.Arbitrary<T>) => fc.array(fc.tuple(name, inner), { maxLength: 4 });
    const write = (list: [string, string][]) =>
      `{${list.map(([one, json]) => `${JSON.stringify(one)} :${json}`).join(' , ')}}`;
    const repeats = (list: [string, unknown][]) => new Set(list.map(([one]) => one)).size < list.length;
    const property = fc.property(pairs(fc.array(pairs(value), { maxLength: 3 })), (outer) => {
      const json = outer.map(([one, lists]): [string, string] => {
        const objects = lists.map((list) => write(list.map(([key, inner]) => [key, JSON.stringify(inner)])));
        return [one, `[${objects.join(',')}]`];
      });
      const expected = repeats(outer) || outer.some(([, lists]) => lists.some(repeats));
      expect(find(write(json)) !== undefined).toBe(expected);
    });
    fc.assert(property, { numRuns: 2000, seed: 1 });
  });

  test('makes the request malformed, and nothing is created', async () => {
    const service = await serveApp();
    const body = '{"tls_termination":{"enabled":true,"enabled":false}}';
    const { status, json } = await service.send({ method: 'POST', path: EDGES, headers: JSON_TYPE, body });
    expect([status, json.code]).toEqual([400, 'malformed_request']);
    expect(json.errors).toMatchObject([{ pointer: '/tls_termination/enabled', code: 'repeated' }]);
    expect((await service.send({ path: EDGES })).json.https_edges).toEqual([]);
  });
});
