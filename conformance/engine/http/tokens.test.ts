/** Access tokens that are fetched again, from a token endpoint that counts them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { fetchToken, RenewedToken, type TokenRequest } from './tokens.ts';

/** @param fails whether the endpoint fails, by the number of the request */
async function endpoint(
  expiresIn: number | undefined,
  fails: (number: number) => boolean = () => false,
) {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    const body = { access_token: `token-${asked}`, expires_in: expiresIn };
    response.writeHead(fails(asked) ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/token`;
  const request: TokenRequest = { url, client: 'me:secret', scope: '', timeoutMs: 5000 };
  return {
    request,
    asked: () => asked,
    [Symbol.dispose]: () => {
      server.close();
    },
  };
}

/** From now on, the clock is so many seconds ahead. */
function advance(seconds: number): void {
  const later = performance.now() + seconds * 1000;
  vi.spyOn(performance, 'now').mockReturnValue(later);
}

afterEach(() => {
  vi.restoreAllMocks();
});

test('a token is fetched again before it ends, and not while it is young', async () => {
  using server = await endpoint(100);
  const replaced: string[] = [];
  const first = await fetchToken(server.request);
  const token = new RenewedToken(server.request, first, (before, now) => {
    replaced.push(before, now);
  });
  advance(50);
  await token.keepFresh();
  expect([token.value, server.asked()]).toEqual(['token-1', 1]);
  advance(80);
  await token.keepFresh();
  expect([token.value, replaced]).toEqual(['token-2', ['token-1', 'token-2']]);
});

test('a token without a stated end is not fetched again by its age', async () => {
  using server = await endpoint(undefined);
  const token = new RenewedToken(server.request, await fetchToken(server.request), () => {});
  advance(1e6);
  await token.keepFresh();
  expect(server.asked()).toBe(1);
});

test('all who ask meanwhile get one new token', async () => {
  using server = await endpoint(100);
  const token = new RenewedToken(server.request, await fetchToken(server.request), () => {});
  await Promise.all([token.renew(), token.renew(), token.renew()]);
  expect([token.value, server.asked()]).toEqual(['token-2', 2]);
});

test('the old token is sent on if the endpoint fails, and the next call asks again', async () => {
  using server = await endpoint(100, (number) => number === 2);
  const token = new RenewedToken(server.request, await fetchToken(server.request), () => {});
  await token.renew();
  expect(token.value).toBe('token-1');
  await token.renew();
  expect(token.value).toBe('token-3');
});
