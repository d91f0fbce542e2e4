/** Names that mean something to JavaScript are names like others: what is accepted is read back, the rest is refused. */
import { describe, expect, test } from 'vitest';
import { openLowdbStore } from '../../store/lowdb/open.ts';
import { quiet } from '../../store/store.suite.ts';
import { createMemoryStore } from '../../store/memory.ts';
import { type Service, serveApp } from '../../testing/serve.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];
const JSON_TYPE = { 'content-type': 'application/json' };

async function edgeOf({ send }: Service): Promise<string> {
  return `/edges/https/${(await send({ method: 'POST', path: '/edges/https', body: {} })).json.id as string}`;
}

describe.each([
  ['memory', async () => createMemoryStore()],
  ['lowdb', async () => openLowdbStore(await temporaryFolder(), quiet)],
] as const)('with the %s store', (_, open) => {
  test('header names are kept, in order and to the byte', async () => {
    const service = await serveApp({ store: await open() });
    const edge = await edgeOf(service);
    // As text: an object of JavaScript would not have the first one.
    const map = `{${NAMES.map((name, index) => `"${name}":"value ${index}"`).join(',')}}`;
    const body = `{"match_type":"exact_path","match":"/","request_headers":{"add":${map},"remove":${JSON.stringify(NAMES)}},"response_headers":{"add":${map}}}`;
    const created = await service.send({ method: 'POST', path: `${edge}/routes`, headers: JSON_TYPE, body });
    expect(created.status).toBe(201);
    const read = await service.send({ path: `${edge}/routes/${created.json.id as string}` });
    const change = await service.send({
      method: 'PATCH',
      path: `${edge}/routes/${created.json.id as string}`,
      body: { description: 'changed' },
    });
    for (const { text, json } of [created, read, change]) {
      expect(text.split(`"add":${map}`)).toHaveLength(3);
      expect(json.request_headers.remove).toEqual(NAMES);
    }
    expect(({} as Record<string, unknown>)['value 0']).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

test.for(NAMES)('%s is no property that is known, at any depth', async (name) => {
  const service = await serveApp();
  const edge = await edgeOf(service);
  const post = (path: string, body: string) => service.send({ method: 'POST', path, headers: JSON_TYPE, body });
  const answers = [
    await post('/edges/https', `{"${name}":{"description":"a"}}`),
    await post('/edges/https', `{"mutual_tls":{"${name}":null}}`),
    await post('/event_subscriptions/s/sources', `{"type":"a.v0","${name}":1}`),
    await post(`${edge}/routes`, `{"match_type":"exact_path","match":"/","compression":{"${name}":true}}`),
    await post(
      `${edge}/routes`,
      `{"match_type":"exact_path","match":"/","oauth":{"provider":{"github":{"${name}":[]}}}}`,
    ),
  ];
  expect(
    answers.map(({ json }) =>
      (json.errors as { pointer: string; code: string }[]).map(({ pointer, code }) => [pointer, code]),
    ),
  ).toEqual([
    [[`/${name}`, 'unknown']],
    [[`/mutual_tls/${name}`, 'unknown']],
    [[`/${name}`, 'unknown']],
    [[`/compression/${name}`, 'unknown']],
    [[`/oauth/provider/github/${name}`, 'unknown']],
  ]);
  expect(((await service.send({ path: edge })).json as { routes: unknown[] }).routes).toEqual([]);
});
