import { describe, expect, test } from 'vitest';
import { serveForFile } from '../../testing/serve.ts';
import { hostName } from '../request/target.ts';

test.for([
  ['localhost', 'localhost'],
  ['LOCALHOST:80', 'localhost'],
  ['localhost.', 'localhost'],
  ['a_b.example:65535', 'a_b.example'],
  ['127.0.0.1:', '127.0.0.1'],
  ['[::1]:4010', '[::1]'],
  ['[::FFFF:127.0.0.1]', '[::ffff:127.0.0.1]'],
  ['', undefined],
  ['a:99999', undefined],
  ['a:b', undefined],
  ['a:-1', undefined],
  ['..', undefined],
  ['.', undefined],
  ['a..b', undefined],
  ['.a', undefined],
  ['[::::]', undefined],
  ['[1.2.3.4]', undefined],
  ['::1', undefined],
  ['user@a', undefined],
  ['a/b', undefined],
  ['a b', undefined],
  ['é', undefined],
  ['a'.repeat(254), undefined],
] as const)('%s is the host %s', ([authority, name]) => {
  expect(hostName(authority)).toBe(name);
});

describe('an open server', () => {
  const { send } = serveForFile({ publicUrl: 'https://edge.example.com/api', validateResponses: false });

  test.for(['localhost:1', '127.0.0.1', '127.9.9.9:80', '[::1]', 'edge.example.com', 'EDGE.example.com:8443'])(
    'serves %s',
    async (host) => {
      expect((await send({ path: '/livez', headers: { host } })).status).toBe(200);
    },
  );

  test.for([
    'evil.example',
    '127.0.0.1.evil.example',
    'edge.example.com.evil.example',
    '10.0.0.1',
    '[::2]',
    'evil-localhost',
  ])('refuses %s, and says how to allow it', async (host) => {
    for (const [method, path] of [
      ['GET', '/edges/https'],
      ['POST', '/edges/https'],
      ['GET', '/livez'],
      ['GET', '/docs'],
      ['GET', '/nowhere'],
    ] as const) {
      const { status, json } = await send({ method, path, headers: { host } });
      expect([status, json.code, json.detail]).toEqual([
        400,
        'malformed_request',
        expect.stringMatching(/--public-url/),
      ]);
    }
  });

  test('goes by the authority of an absolute target, and not by Host', async () => {
    for (const [path, host, status] of [
      ['http://localhost/livez', 'evil.example', 200],
      ['https://127.0.0.1:1/livez', 'localhost', 200],
      ['http://evil.example/livez', 'localhost', 400],
      ['http://user@localhost/livez', 'localhost', 400],
      ['http:///livez', 'localhost', 400],
      ['ftp://localhost/livez', 'localhost', 400],
    ] as const) {
      expect([path, (await send({ path, headers: { host } })).status]).toEqual([path, status]);
    }
  });

  test('does not remember one host for another', async () => {
    for (let n = 0; n < 300; n++)
      expect((await send({ path: '/livez', headers: { host: `h${n}.example` } })).status).toBe(400);
    expect((await send({ path: '/livez', headers: { host: 'localhost' } })).status).toBe(200);
  });
});

describe('a server that asks for a token', () => {
  const { send } = serveForFile({ token: 'sesame', validateResponses: false });

  test('serves any host, but none that is none, and says so before anything else', async () => {
    expect((await send({ path: '/livez', headers: { host: 'any.example' } })).status).toBe(200);
    for (const host of ['[::::]', 'a:99999', '..', 'evil"/x?']) {
      const { status, json } = await send({ path: '/edges/https', headers: { host } });
      expect([host, status, json.code]).toEqual([host, 400, 'malformed_request']);
    }
  });
});
