/** Every response there is has the headers that protect it; what is for everyone may be kept. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveApp } from '../../testing/serve.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const EDGES = '/edges/https';
const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

test('every response says what a browser and a cache may do with it', async () => {
  const docsFile = join(await temporaryFolder(), 'index.html');
  await writeFile(docsFile, '<script>1</script>');
  const { send } = await serveApp({ token: 'sesame', testToken: 'for-tests', docsFile });
  const headers = { authorization: 'Bearer sesame' };
  const tests = { authorization: 'Bearer for-tests' };
  const answers = [
    [200, await send({ path: EDGES, headers })],
    [201, await send({ method: 'POST', path: EDGES, headers, body: {} })],
    [200, await send({ method: 'HEAD', path: EDGES, headers })],
    [204, await send({ method: 'OPTIONS', path: EDGES, headers })],
    [400, await send({ path: '/%', headers })],
    [400, await send({ method: 'POST', path: EDGES, headers, body: { colour: 1 } })],
    [401, await send({ path: EDGES })],
    [404, await send({ path: '/nowhere', headers })],
    [404, await send({ method: 'HEAD', path: '/nowhere', headers })],
    [405, await send({ method: 'PUT', path: EDGES, headers })],
    [200, await send({ path: '/livez' })],
    [200, await send({ path: '/readyz' })],
    [405, await send({ method: 'POST', path: '/livez' })],
    [200, await send({ path: '/testing/snapshot', headers: tests })],
    [204, await send({ method: 'POST', path: '/testing/reset', headers: tests })],
  ] as const;
  for (const [status, answer] of answers) {
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': NOTHING,
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
  }
  for (const path of ['/docs', '/openapi.yaml', '/openapi.json', '/openapi-3.0.yaml']) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await send({ method, path });
      expect([answer.status, answer.headers['cache-control'], answer.headers['x-content-type-options']]).toEqual([
        200,
        'no-cache',
        'nosniff',
      ]);
    }
  }
});
