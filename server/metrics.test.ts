/** The metrics that `/metrics` shows, read by a parser of the text format of Prometheus. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createTokens } from './http/security/tokens.ts';
import { createMetrics } from './metrics.ts';
import { createMemoryStore } from './store/memory.ts';
import { StoreUnavailable } from './store/store.ts';
import { startMain } from './testing/in-process.ts';
import { send as sendTo } from './testing/send.ts';
import { failingStore, serveApp, type ServeOptions } from './testing/serve.ts';
import { it } from '../tools/temporary-folder.ts';

const EDGES = '/edges/https';

interface Family {
  type: string;
  help: string;
  /** By name and labels as they are written. */
  samples: Map<string, number>;
}

const NAME = '[a-z_][a-z0-9_]*';
const LABEL = String.raw`${NAME}="[^"\\\n]*"`;
const COMMENT = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`);
const LABELS = String.raw`\{${LABEL}(?:,${LABEL})*\}`;
const SAMPLE = new RegExp(String.raw`^((${NAME})(?:${LABELS})?) (\S+)$`);
const PARTS_OF_HISTOGRAM = /_(?:bucket|sum|count)$/;

/** @throws Error for a line that is not of the format, or a sample without HELP and TYPE */
function parse(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  const familyOf = (name: string): Family => {
    const found = families.get(name) ?? families.get(name.replace(PARTS_OF_HISTOGRAM, ''));
    if (found === undefined) {
      throw new Error(`${name} has no type`);
    }
    return found;
  };
  expect(text.endsWith('\n')).toBe(true);
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, kind, of, value] = COMMENT.exec(line) ?? [];
    if (kind === 'HELP' && of !== undefined && value !== undefined) {
      expect(families.has(of), of).toBe(false);
      families.set(of, { type: '', help: value, samples: new Map() });
    } else if (kind === 'TYPE' && of !== undefined && value !== undefined) {
      familyOf(of).type = value;
    } else {
      const [, key, name, number] = SAMPLE.exec(line) ?? [];
      if (key === undefined || name === undefined) {
        throw new Error(`not a line of the format: ${line}`);
      }
      const { samples, type } = familyOf(name);
      expect(['counter', 'gauge', 'histogram'], line).toContain(type);
      expect(samples.has(key), key).toBe(false);
      samples.set(key, Number(number));
    }
  }
  return families;
}

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

async function serveMetrics(options: ServeOptions = {}) {
  const metrics = createMetrics(undefined);
  const store = metrics.ofStore(options.store ?? createMemoryStore());
  const service = await serveApp({ ...options, store, metrics });
  const scrape = async (): Promise<Map<string, Family>> => {
    const { status, text } = await service.send({ path: '/metrics' });
    expect(status).toBe(200);
    return parse(text);
  };
  return { ...service, scrape };
}

function valueOf(families: Map<string, Family>, name: string, labels = ''): number | undefined {
  return families.get(name)?.samples.get(name + labels);
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
  const families = parse((await sendTo(url, { path: '/metrics' })).text);
  const flushes = families.get('edge_server_flush_duration_seconds')?.samples;
  expect(flushes?.get('edge_server_flush_duration_seconds_count')).toBe(1);
  expect(valueOf(families, 'edge_server_data_folder_bytes')).toBeGreaterThan(100);
  expect(families.has('nodejs_eventloop_lag_p99_seconds')).toBe(true);

  const guide = readFileSync(join(import.meta.dirname, '..', 'docs', 'run-the-server.md'), 'utf8');
  const listed = [...guide.matchAll(/^\| `(edge_server_[a-z_]+)/gm)].map(([, name]) => name);
  const own = [...families.keys()].filter((name) => name.startsWith('edge_server_'));
  expect(listed.toSorted()).toEqual(own.toSorted());
});
