/** The metrics that `/metrics` shows, read by a parser of the text format of Prometheus. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createTokens } from './http/security/tokens.ts';
import { createMetrics } from './metrics.ts';
import { createMemoryStore } from './store/memory.ts';
import { StoreUnavailable } from './store/store.ts';
import { startMain } from './testing/in-process.ts';
import { type Family, parseMetrics, valueOf } from './testing/prometheus.ts';
import { send as sendTo } from './testing/send.ts';
import { failingStore, serveApp, type ServeOptions } from './testing/serve.ts';
import { it } from '../tools/temporary-folder.ts';

const EDGES = '/edges/https';

/** Buckets grow, and the last one has all. */
function checkHistogram(name: string, { samples }: Family): void {
  const ofSeries = new Map<string, number[]>();
  for (const [key, count] of samples) {
    if (key.startsWith(`${name}_bucket`)) {
      const series = key
        .replace(/le="[^"]*",?/, '')
        .replace('_bucket', '_count')
        .replace('{}', '');
      ofSeries.set(series, [...(ofSeries.get(series) ?? []), count]);
    }
  }
  for (const [series, counts] of ofSeries) {
    expect(counts, series).toEqual(counts.toSorted((one, other) => one - other));
    expect(counts.at(-1), series).toBe(samples.get(series));
  }
}

/** Histograms are whole, and nothing that is counted is less than it was before. */
function checkFamilies(families: Map<string, Family>, before: Map<string, Family>): void {
  for (const [name, family] of families) {
    checkHistogram(name, family);
    for (const [key, value] of before.get(name)?.samples ?? []) {
      if (family.type !== 'gauge') {
        expect(family.samples.get(key), key).toBeGreaterThanOrEqual(value);
      }
    }
  }
}

async function serveMetrics(options: ServeOptions = {}) {
  const metrics = createMetrics(undefined);
  const store = metrics.ofStore(options.store ?? createMemoryStore());
  const service = await serveApp({ ...options, store, metrics });
  const scrape = async (): Promise<Map<string, Family>> => {
    const { status, text } = await service.send({ path: '/metrics' });
    expect(status).toBe(200);
    return parseMetrics(text);
  };
  return { ...service, scrape };
}

test('there is nothing at /metrics unless it is asked for', async () => {
  expect((await (await serveApp()).send({ path: '/metrics' })).status).toBe(404);
});

test('/metrics needs a token if the API does, and a read-only one is enough', async () => {
  const tokens = createTokens([{ text: 'reader', readOnly: true }]);
  const { send } = await serveMetrics({ tokens });
  const headers = { authorization: 'Bearer reader' };
  expect((await send({ path: '/metrics' })).status).toBe(401);
  expect((await send({ path: '/metrics', headers })).status).toBe(200);
  const { headers: shown } = await send({ path: '/metrics', headers });
  expect(shown['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
});

test('/metrics is only read', async () => {
  const { send } = await serveMetrics();
  const { status, headers } = await send({ method: 'DELETE', path: '/metrics' });
  expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('requests and changes are counted by operation, status and collection', async () => {
  const { send, scrape } = await serveMetrics();
  const { json } = await send({ method: 'POST', path: EDGES, body: {} });
  await send({ path: `${EDGES}/${json.id}` });
  await send({ path: `${EDGES}/${json.id}` });
  await send({ method: 'POST', path: EDGES, body: { colour: 'red' } });
  await send({ path: '/nowhere' });
  const families = await scrape();
  const requests = families.get('edge_server_requests_total')?.samples;
  expect(Object.fromEntries(requests ?? [])).toEqual({
    'edge_server_requests_total{operation="createEdge",status="201"}': 1,
    'edge_server_requests_total{operation="getEdge",status="200"}': 2,
    'edge_server_requests_total{operation="createEdge",status="400"}': 1,
    'edge_server_requests_total{operation="none",status="404"}': 1,
  });
  const durations = families.get('edge_server_request_duration_seconds')?.samples;
  const reads = 'edge_server_request_duration_seconds_count{operation="getEdge"}';
  expect(durations?.get(reads)).toBe(2);
  const changes = families.get('edge_server_change_duration_seconds')?.samples;
  const created = 'edge_server_change_duration_seconds_count{collection="edges"}';
  expect(changes?.get(created)).toBe(1);
  expect(valueOf(families, 'edge_server_changes_in_progress')).toBe(0);
  // The request for the metrics itself.
  expect(valueOf(families, 'edge_server_requests_in_progress')).toBe(1);
  expect(valueOf(families, 'edge_server_records', '{collection="edges"}')).toBe(1);
  for (const [name, family] of families) {
    checkHistogram(name, family);
  }
});

test('a change that waits for the store is in progress', async () => {
  const store = createMemoryStore();
  let finish = (): void => undefined;
  const waits = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const create = store.edges.create.bind(store.edges);
  vi.spyOn(store.edges, 'create').mockImplementation(async (record) => {
    await waits;
    return await create(record);
  });
  const { send, scrape } = await serveMetrics({ store });
  const creating = send({ method: 'POST', path: EDGES, body: {} });
  await expect.poll(async () => valueOf(await scrape(), 'edge_server_changes_in_progress')).toBe(1);
  finish();
  expect((await creating).status).toBe(201);
  expect(valueOf(await scrape(), 'edge_server_changes_in_progress')).toBe(0);
});

test('counters never go back under load, and have every request at its end', async () => {
  const { send, scrape } = await serveMetrics();
  const each = async () => {
    for (let round = 0; round < 10; round++) {
      const { json } = await send({ method: 'POST', path: EDGES, body: {} });
      await send({ path: `${EDGES}/${json.id}` });
      await send({ method: 'DELETE', path: `${EDGES}/${json.id}` });
    }
  };
  const load = Promise.all(Array.from({ length: 8 }, each));
  let before = await scrape();
  for (let count = 0; count < 10; count++) {
    const families = await scrape();
    checkFamilies(families, before);
    before = families;
  }
  await load;
  const families = await scrape();
  for (const labels of [
    '{operation="createEdge",status="201"}',
    '{operation="getEdge",status="200"}',
    '{operation="deleteEdge",status="204"}',
  ]) {
    expect(valueOf(families, 'edge_server_requests_total', labels), labels).toBe(80);
  }
  expect(valueOf(families, 'edge_server_records', '{collection="edges"}')).toBe(0);
});

test('labels have no ids, no tokens, and nothing that a client chose', async () => {
  const { send } = await serveMetrics({ token: 'sesame' });
  const headers = { authorization: 'Bearer sesame', 'user-agent': 'sesame' };
  const { json } = await send({ method: 'POST', path: EDGES, body: {}, headers });
  for (const path of [`${EDGES}/${json.id}`, `${EDGES}/chosen`, '/chosen?chosen=1']) {
    await send({ path, headers });
    await send({ method: 'PUT', path, headers });
  }
  const { text } = await send({ path: '/metrics', headers });
  expect(text).not.toMatch(/sesame|chosen/);
  expect(text).not.toContain(json.id);
});

test('a store that does not respond has no number of records, and is measured', async () => {
  const { send, scrape } = await serveMetrics({
    store: failingStore(new StoreUnavailable('away')),
  });
  expect((await send({ method: 'POST', path: EDGES, body: {} })).status).toBe(503);
  const families = await scrape();
  expect(families.get('edge_server_records')?.samples.size).toBe(0);
  const requests = families.get('edge_server_requests_total');
  const refused = 'edge_server_requests_total{operation="createEdge",status="503"}';
  expect(requests?.samples.get(refused)).toBe(1);
});

it('--metrics measures flushes and the data folder, and the guide lists all metrics', async ({
  folder,
}) => {
  const { url } = await startMain(['--data-dir', folder, '--metrics']);
  await sendTo(url, { method: 'POST', path: EDGES, body: {} });
  const families = parseMetrics((await sendTo(url, { path: '/metrics' })).text);
  const flushes = families.get('edge_server_flush_duration_seconds')?.samples;
  expect(flushes?.get('edge_server_flush_duration_seconds_count')).toBe(1);
  expect(valueOf(families, 'edge_server_data_folder_bytes')).toBeGreaterThan(100);
  expect(families.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);

  const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'run-the-server.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| `(edge_server_[a-z_]+)/gm)].map(([, name]) => name);
  const own = [...families.keys()].filter((name) => name.startsWith('edge_server_'));
  expect(listed.toSorted()).toEqual(own.toSorted());
});
