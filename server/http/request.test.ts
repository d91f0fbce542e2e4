/**
 * Requests before their validation: target, query, media types and bodies, as far as the
 * conformance suite does not try them.
 */
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ApiError } from '../domain/api-error.ts';
import type { FieldError } from '../domain/types.ts';
import { serveApp, serveForFile } from '../testing/serve.ts';
import { checkStructure } from './request/json-rules.ts';

const EDGES = '/edges/https';
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

test.for([
  ['/event_subscriptions/s/sources?cursor=%ff', 400, 'malformed_request'],
  ['http://localhost/event_subscriptions/s/sources?limit=0', 400, 'invalid_request'],
  ["/event_subscriptions/s/sources?cursor=*!'()", 200, undefined],
  ['/event_subscriptions/s/sources?cursor=%F0%9F%98%80', 200, undefined],
] as const)('the target %s: %i %s', async ([path, status, code]) => {
  const answer = await send({ path });
  expect([answer.status, answer.json.code]).toEqual([status, code]);
});

test.for([
  [2048, true],
  [2049, false],
] as const)('a problem names a path of %i characters: %s', async ([length, isNamed]) => {
  const path = '/'.padEnd(length, 'a');
  const { json } = await send({ path: `${path}?secret` });
  expect(json.instance).toBe(isNamed ? path : undefined);
});

test('a problem does not name a path that is a reference to another host', async () => {
  expect((await send({ path: '//evil.example/' })).json.instance).toBeUndefined();
});

test('a problem names the beginning of a long parameter, without half a character', async () => {
  const beginning = 'a'.repeat(4095);
  const { json } = await send({ path: `${EDGES}?${beginning}%F0%9F%98%80=1` });
  expect(json.errors?.map((error: FieldError) => error.parameter)).toEqual([beginning]);
});

test('a problem has the first 100 of many errors', async () => {
  const unknown = Array.from({ length: 150 }, (_, index) => [`unknown_${index}`, 1]);
  const body = JSON.stringify(Object.fromEntries(unknown));
  const { status, json } = await send({ method: 'POST', path: EDGES, headers: JSON_TYPE, body });
  expect([status, json.errors?.length]).toEqual([400, 100]);
});

test.for([
  ['application/json;charset=utf-8', 200],
  ['text/html, application/json; version=1; q=0.5', 200],
  ['application/json; charset=utf-16', 406],
  ['application/json; version=1; q=0', 406],
] as const)(
  'parameters of Accept matter only if they contradict: %s: %i',
  async ([accept, status]) => {
    expect((await send({ path: EDGES, headers: { accept } })).status).toBe(status);
  },
);

describe('a body', () => {
  const deep = (open: string, close: string) => open.repeat(250_000) + '1' + close.repeat(250_000);

  test.for<[string, string | Buffer, string | undefined, number, string?]>([
    ['nested arrays', deep('[', ']'), undefined, 400, 'invalid_request'],
    ['gzip', gzipSync('{}'), 'GZIP', 201],
    ['a bomb', gzipSync(' '.repeat(5 * MiB)), 'gzip', 413, 'content_too_large'],
    ['not gzip', '{}', 'gzip', 400, 'malformed_request'],
    ['half of gzip', gzipSync('{}').subarray(0, 15), 'gzip', 400, 'malformed_request'],
    ['an unknown coding', '{}', 'rot13', 415, 'unsupported_media_type'],
  ])('%s', async ([, body, coding, status, code]) => {
    const headers = { ...JSON_TYPE, ...(coding && { 'content-encoding': coding }) };
    const answer = await send({ method: 'POST', path: EDGES, headers, body });
    expect([answer.status, answer.json.code]).toEqual([status, code]);
  });

  test.for([
    [MiB, 201],
    [MiB + 1, 413],
  ] as const)('of %i bytes: %i', async ([length, status]) => {
    const body = '{}'.padEnd(length);
    expect((await send({ method: 'POST', path: EDGES, headers: JSON_TYPE, body })).status).toBe(
      status,
    );
  });

  test('cannot fill the memory together with others, and frees its room afterwards', async () => {
    const service = await serveApp({ mostBodyBytesHeld: 1_000_000, validateResponses: false });
    const body = `{"metadata":"${'a'.repeat(4000)}"}`.padEnd(400_000);
    const post = () => service.send({ method: 'POST', path: EDGES, headers: JSON_TYPE, body });
    const begin = (): Promise<Socket> => {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      const head = [
        `POST ${EDGES} HTTP/1.1`,
        'Host: localhost',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      ].join('\r\n');
      return new Promise((done) =>
        socket.write(`${head}\r\n\r\n${body.slice(0, -1)}`, () => done(socket)),
      );
    };
    expect((await post()).status).toBe(201);
    const sockets = [await begin(), await begin(), await begin()];
    await vi.waitFor(async () => {
      const { status, json, headers } = await post();
      expect([status, json.code, headers['retry-after']]).toEqual([
        503,
        'service_unavailable',
        '1',
      ]);
    });
    // A body in one chunk is not held.
    expect((await service.send({ method: 'POST', path: EDGES, body: {} })).status).toBe(201);
    for (const socket of sockets) {
      socket.destroy();
    }
    await vi.waitFor(async () => expect((await post()).status).toBe(201));
  });
});

test.for<[string, string, string?]>([
  ['50 levels', '['.repeat(50) + ']'.repeat(50)],
  ['52 levels', '['.repeat(52) + ']'.repeat(52), `${'/0'.repeat(51)} type`],
  [
    '200,000 levels',
    '{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000),
    `${'/a'.repeat(51)} type`,
  ],
  ['1,000 items', JSON.stringify({ list: Array(1000).fill('a') })],
  ['1,001 items', JSON.stringify({ 'a/b': [Array(1001).fill(1)] }), '/a~1b/0 too_many'],
  [
    '1,001 names, and no end',
    `{${Array.from({ length: 1001 }, (_, n) => `"${n}":1`).join()},`,
    ' too_many',
  ],
  ['a name twice, deep inside', '{"a":1,"b":{"c":[0,{"d":1,"d":2}]}}', '/b/c/1/d repeated'],
  ['an escaped name', String.raw`{"a":1,"\u0061":2}`, '/a repeated'],
  ['a name that a pointer escapes', '{"a/b~":1,"a/b~":2}', '/a~1b~0 repeated'],
  ['a name that is not a text', String.raw`{"\ud800":1,"\ud800":2}`, '/\ufffd repeated'],
])('limits of size and depth, and names that occur twice: %s', ([, json, expected]) => {
  const found = errorIn(json);
  expect(found && `${found.pointer} ${found.code}`).toBe(expected);
});

test('a name that occurs twice in an object is found in each such body, and in no other', () => {
  const name = fc.constantFrom('a', 'b', 'c', ':', '"', '\\', '": ', '__proto__');
  const value = fc.oneof(
    fc.string({ unit: fc.constantFrom('"', ':', '\\', '{', '}', ',', 'a') }),
    fc.integer(),
  );
  // Pairs, so that names may repeat: an object in an array in an object.
  const pairs = <T>(inner: fc.Arbitrary<T>) => fc.array(fc.tuple(name, inner), { maxLength: 4 });
  const write = (list: [string, string][]) =>
    `{${list.map(([one, json]) => `${JSON.stringify(one)} :${json}`).join(' , ')}}`;
  const repeats = (list: [string, unknown][]) =>
    new Set(list.map(([one]) => one)).size < list.length;
  const property = fc.property(pairs(fc.array(pairs(value), { maxLength: 3 })), (outer) => {
    const json = outer.map(([one, lists]): [string, string] => {
      const objects = lists.map((list) =>
        write(list.map(([key, inner]) => [key, JSON.stringify(inner)])),
      );
      return [one, `[${objects.join(',')}]`];
    });
    const expected = repeats(outer) || outer.some(([, lists]) => lists.some(repeats));
    expect(errorIn(write(json)) !== undefined).toBe(expected);
  });
  fc.assert(property, { numRuns: 2000, seed: 1 });
});
