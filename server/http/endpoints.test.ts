/** The endpoints beside the API, and what a client and the log see of errors of the service. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer as bufferOf } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { createMemoryStore } from '../store/memory.ts';
import { DamagedRecord, type Store, StoreUnavailable } from '../store/store.ts';
import { failingStore, serveApp } from '../testing/serve.ts';
import { temporaryFolder } from '../../tools/temporary-folder.ts';
import { policyFor } from './docs.ts';

describe('the docs', () => {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const scriptsOf = (policy: unknown) => /script-src ([^;]*)/.exec(String(policy))![1];

  test.for([
    ['<script>one()</script><script src="x.js"></script>', hash('one()')],
    ['<SCRIPT type="module">\r\ntwo("<script>")\n</SCRIPT >', hash('\ntwo("<script>")\n')],
    // These letters get longer in lower case.
    ['<p>İİİ</p><SCRIPT>one()</SCRIPT>', hash('one()')],
    ['<p>No script.</p>', "'none'"],
  ] as const)('allow each script by its hash, and no other: %s', ([html, sources]) => {
    expect(scriptsOf(policyFor(html))).toBe(sources);
  });

  test.for([
    [undefined, /^http:[^?]+\d\/docs$/],
    ['https://api.example.com/v0', /^https:\/\/api\.example\.com\/v0\/docs$/],
  ] as const)(
    'are the target of the bare address, with the public URL %s',
    async ([publicUrl, location]) => {
      const { status, headers } = await (await serveApp({ publicUrl })).send({ path: '/' });
      expect([status, headers.location]).toEqual([302, expect.stringMatching(location)]);
    },
  );

  test('have a policy that follows the file, which may come and go', async () => {
    const docsFile = join(await temporaryFolder(), 'index.html');
    const { send } = await serveApp({ docsFile });
    expect((await send({ path: '/docs' })).status).toBe(404);
    for (const script of ['first()', 'the second, which is longer()']) {
      await writeFile(docsFile, `<script>${script}</script>`);
      const { status, headers } = await send({ path: '/docs' });
      expect([status, scriptsOf(headers['content-security-policy'])]).toEqual([200, hash(script)]);
    }
    await rm(docsFile);
    expect((await send({ path: '/docs' })).json.detail).toMatch(/npm run docs/);
  });
});

describe('content for everyone', () => {
  const BROWSER = { 'accept-encoding': 'gzip, deflate, br' };
  /** Larger than one packet. */
  const PAGE = `<p>${'The docs. '.repeat(10_000)}</p>`;

  async function servePages() {
    const docsFile = join(await temporaryFolder(), 'index.html');
    await writeFile(docsFile, PAGE);
    await writeFile(join(docsFile, '..', 'try.html'), PAGE);
    return await serveApp({ docsFile, token: 'sesame' });
  }

  const PATHS = ['/docs', '/try', '/openapi.yaml', '/openapi.json', '/favicon.ico'];
  const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync };

  test('is compressed as the client asks for it, and the same in each form', async () => {
    const { url } = await servePages();
    for (const path of PATHS) {
      const plain = await fetchBytes(url, path, {});
      expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'no-cache' });
      expect(plain.headers['content-encoding']).toBeUndefined();
      const tags = [plain.headers.etag];
      for (const [coding, decode] of Object.entries(DECODERS)) {
        const packed = await fetchBytes(url, path, { 'accept-encoding': coding });
        expect(packed.headers['content-encoding']).toBe(coding);
        expect(decode(packed.bytes).equals(plain.bytes), path).toBe(true);
        tags.push(packed.headers.etag);
      }
      expect(new Set(tags).size, path).toBe(3);
    }
    const page = await fetchBytes(url, '/docs', BROWSER);
    expect(page.headers['content-encoding']).toBe('br');
    expect(page.bytes.length).toBeLessThan(PAGE.length / 10);
    const refused = await fetchBytes(url, '/docs', { 'accept-encoding': 'br;q=0, *;q=0' });
    expect(refused.bytes.toString()).toBe(PAGE);
  });

  test('is not sent again to a client that has it', async () => {
    const { url } = await servePages();
    for (const path of PATHS) {
      const { headers } = await fetchBytes(url, path, BROWSER);
      const again = { ...BROWSER, 'if-none-match': String(headers.etag) };
      const { status, bytes } = await fetchBytes(url, path, again);
      expect([path, status, bytes.length]).toEqual([path, 304, 0]);
      const other = { ...BROWSER, 'if-none-match': '"other"' };
      expect((await fetchBytes(url, path, other)).status).toBe(200);
    }
  });

  test('has another entity tag when the docs are built again', async () => {
    const docsFile = join(await temporaryFolder(), 'index.html');
    const { send } = await serveApp({ docsFile });
    const tags: unknown[] = [];
    for (const text of ['first', 'the second']) {
      await writeFile(docsFile, text);
      tags.push((await send({ path: '/docs' })).headers['etag']);
    }
    expect(tags[0]).not.toBe(tags[1]);
  });

  async function fetchBytes(url: string, path: string, headers: Record<string, string>) {
    const outgoing = request(url + path, { headers, agent: new Agent({ keepAlive: false }) });
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const bytes = await bufferOf(response);
    return { status: response.statusCode, headers: response.headers, bytes };
  }
});

describe('the docs as text', () => {
  test('are served to everyone, and nothing else of their folder is', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'pages', 'inner.md'), { recursive: true });
    await writeFile(join(folder, 'llms.txt'), 'list');
    await writeFile(join(folder, 'pages', 'errors.md'), '# Errors');
    await writeFile(join(folder, 'pages', 'notes.txt'), 'other');
    await writeFile(join(folder, 'secret.md'), 'other');
    const { send } = await serveApp({ docsFile: join(folder, 'index.html'), token: 'secret' });
    const list = await send({ path: '/llms.txt' });
    expect([list.status, list.headers['content-type'], list.text]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'list',
    ]);
    const page = await send({ path: '/pages/errors.md' });
    expect([page.status, page.headers['content-type'], page.text]).toEqual([
      200,
      'text/markdown; charset=utf-8',
      '# Errors',
    ]);
    const headers = { authorization: 'Bearer secret' };
    for (const name of ['inner.md', 'notes.txt', 'none.md', '..%2fsecret.md', '..', '%00.md']) {
      const { status } = await send({ path: `/pages/${name}`, headers });
      expect([400, 404], name).toContain(status);
    }
  });
});

describe('the endpoints for tests', () => {
  const headers = { authorization: 'Bearer for-tests' };
  const client = { authorization: 'Bearer for-clients' };
  const SNAPSHOT = '/testing/snapshot';
  const RESET = '/testing/reset';

  test('do not exist without a token for them', async () => {
    const { send } = await serveApp({ token: 'for-tests' });
    for (const path of [SNAPSHOT, RESET]) {
      expect((await send({ method: 'POST', path, headers })).status).toBe(404);
    }
  });

  test('restore a snapshot as it was; a reset leaves the seed', async () => {
    const store = createMemoryStore();
    const loadSeed = async () =>
      void (await store.subscriptions.update(
        'seeded',
        (old) => old ?? { id: 'seeded', types: ['a.v0'] },
      ));
    const { send } = await serveApp({
      store,
      loadSeed,
      token: 'for-clients',
      testToken: 'for-tests',
    });
    const create = (body: object) =>
      send({ method: 'POST', path: '/edges/https', headers: client, body });
    const made = await create({ description: 'kept \u2028' });
    const snapshot = await send({ path: SNAPSHOT, headers });
    expect([snapshot.status, snapshot.headers['content-type']]).toEqual([
      200,
      'application/x-ndjson',
    ]);

    await create({});
    expect((await send({ method: 'POST', path: RESET, headers })).status).toBe(204);
    expect([await store.edges.count(), await store.subscriptions.count()]).toEqual([0, 1]);

    expect(
      (await send({ method: 'PUT', path: SNAPSHOT, headers, body: snapshot.text })).status,
    ).toBe(204);
    expect((await send({ path: SNAPSHOT, headers })).text).toBe(snapshot.text);
    expect((await send({ path: `/edges/https/${made.json.id}`, headers: client })).json).toEqual(
      made.json,
    );
  });

  test('change nothing without their token, the right method and a complete snapshot', async () => {
    const store = createMemoryStore();
    await store.subscriptions.update('s', () => ({ id: 's', types: ['a.v0'] }));
    const { send } = await serveApp({ store, token: 'for-clients', testToken: 'for-tests' });
    for (const sent of [{}, client, { authorization: 'Bearer ' }]) {
      const answer = await send({ method: 'POST', path: RESET, headers: sent });
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([
        401,
        expect.stringMatching(/^Bearer/),
      ]);
    }
    const answer = await send({ method: 'DELETE', path: SNAPSHOT, headers });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, PUT']);
    const { text } = await send({ path: SNAPSHOT, headers });
    for (const body of ['', 'x', text.slice(0, -3), text.split('\n').slice(0, 2).join('\n')]) {
      const { status, json } = await send({ method: 'PUT', path: SNAPSHOT, headers, body });
      expect([status, json.code]).toEqual([400, 'malformed_request']);
    }
    expect(await store.subscriptions.count()).toBe(1);
  });
});

describe('an error of the service', () => {
  test.for([
    [new StoreUnavailable('cannot write /secret/path: ENOSPC'), 503, 'service_unavailable', '1'],
    [new DamagedRecord('/secret/path is not a JSON document'), 500, 'internal_error', undefined],
    [new TypeError('x is undefined in /secret/path'), 500, 'internal_error', undefined],
  ] as const)(
    'is in the log, and not in the response: %s',
    async ([error, status, code, retryAfter]) => {
      const { send, logged } = await serveApp({ store: failingStore(error) });
      const answer = await send({ method: 'POST', path: '/edges/https', body: {} });
      expect([answer.status, answer.json.code, answer.headers['retry-after']]).toEqual([
        status,
        code,
        retryAfter,
      ]);
      expect(answer.headers.location).toBeUndefined();
      expect(answer.text).not.toContain('secret');
      expect(JSON.stringify(logged)).toContain('/secret/path');
      expect(logged).toContainEqual(
        expect.objectContaining({ level: 50, request_id: answer.json.request_id }),
      );
    },
  );

  test('shows in the readiness, with its reason, and not in the liveness', async () => {
    const error = new StoreUnavailable('/secret/path is gone', { reason: 'it is gone' });
    const { send } = await serveApp({ store: failingStore(error) });
    const { status, json } = await send({ path: '/readyz' });
    expect([status, json.detail]).toEqual([
      503,
      'The storage does not respond: it is gone. Try again later.',
    ]);
    expect((await send({ path: '/livez' })).status).toBe(200);
  });

  test('a silent store ends the readiness: probes get a response, and do not pile up', async () => {
    const check = vi.fn<Store['check']>(() => new Promise(() => undefined));
    const { send } = await serveApp({ store: { ...createMemoryStore(), check } });
    const probes = await Promise.all([1, 2, 3].map(() => send({ path: '/readyz' })));
    for (const { status, json } of probes) {
      expect([status, json.detail]).toEqual([503, expect.stringContaining('has not answered')]);
    }
    expect(check).toHaveBeenCalledTimes(1);
  });
});
