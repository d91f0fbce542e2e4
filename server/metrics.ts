/**
 * Measurements of the server itself, for Prometheus. Labels are names of the contract and statuses,
 * of which there are few: no id, path, address or token of a client.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type RequestHandler, Router } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { contextOf } from './http/request/context.ts';
import { onlyGet } from './http/routing.ts';
import { type Collection, type CollectionName, COLLECTIONS, type Store } from './store/store.ts';

export interface Metrics {
  /** Counts each request. To be used behind `logRequests`. */
  ofRequests: RequestHandler;
  /** `/metrics`. */
  endpoint: RequestHandler;
  /** The same store, which is measured from now on. To be called once. */
  ofStore(store: Store): Store;
  /** A flush of the data folder took so long. */
  flushed(milliseconds: number): void;
}

/** In seconds. A read takes a tenth of a millisecond, and a request at most some seconds. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Metrics of prom-client that break the rules for names: `promtool check metrics` would report
 * them.
 */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** @param dataDir undefined: the data are in a database */
export function createMetrics(dataDir: string | undefined): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  MISNAMED.forEach((name) => registry.removeSingleMetric(name));
  const registers = [registry];
  const flushes = new Histogram({
    name: 'edge_server_flush_duration_seconds',
    help: 'How long flushes of the data folder took, each of one or several changes.',
    buckets: DURATIONS,
    registers,
  });
  if (dataDir !== undefined) {
    registry.registerMetric(folderSize(dataDir));
  }
  return {
    ofRequests: requestCounter(registers),
    endpoint: showMetrics(registry),
    ofStore: (store) => {
      registry.registerMetric(recordCount(store));
      return measuredStore(store, registers);
    },
    flushed: (milliseconds) => flushes.observe(milliseconds / 1000),
  };
}

function showMetrics(registry: Registry): RequestHandler {
  const router = Router({ strict: true, caseSensitive: true });
  router.route('/metrics').all(onlyGet, async (_req, res) => {
    const text = await registry.metrics();
    res.set('Content-Type', registry.contentType).send(text);
  });
  return router;
}

/** In place of the name of an operation: probes, docs, and paths and methods that do not exist. */
const NO_OPERATION = 'none';

/** In place of the status of a response that its client did not wait for. */
const ABORTED = 'aborted';

function requestCounter(registers: Registry[]): RequestHandler {
  const requests = new Counter({
    name: 'edge_server_requests_total',
    help: 'Requests that are complete, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'edge_server_request_duration_seconds',
    help: 'How long requests took, from their head to the end of their response.',
    labelNames: ['operation'],
    buckets: DURATIONS,
    registers,
  });
  const inProgress = new Gauge({
    name: 'edge_server_requests_in_progress',
    help: 'Requests whose response is not out.',
    registers,
  });
  return (_req, res, next) => {
    inProgress.inc();
    res.on('close', () => {
      const { operation: found, start } = contextOf(res);
      const operation = found?.id ?? NO_OPERATION;
      const status = res.writableFinished ? res.statusCode : ABORTED;
      inProgress.dec();
      requests.inc({ operation, status });
      durations.observe({ operation }, (performance.now() - start) / 1000);
    });
    next();
  };
}

function measuredStore(store: Store, registers: Registry[]): Store {
  const changes = new ChangeMetrics(registers);
  return {
    ...store,
    edges: changes.of('edges', store.edges),
    subscriptions: changes.of('subscriptions', store.subscriptions),
  };
}

/** Changes from their request to the moment when they are durable, or refused. */
class ChangeMetrics {
  readonly #durations: Histogram<'collection'>;
  readonly #inProgress: Gauge;

  constructor(registers: Registry[]) {
    this.#durations = new Histogram({
      name: 'edge_server_change_duration_seconds',
      help: 'How long changes took to be in the store, durable, or to be refused.',
      labelNames: ['collection'],
      buckets: DURATIONS,
      registers,
    });
    this.#inProgress = new Gauge({
      name: 'edge_server_changes_in_progress',
      help: 'Changes that wait for the store.',
      registers,
    });
  }

  of<T>(name: CollectionName, collection: Collection<T>): Collection<T> {
    return {
      get: (id) => collection.get(id),
      list: (page) => collection.list(page),
      count: () => collection.count(),
      create: (record) => this.#measure(name, () => collection.create(record)),
      update: (id, change) => this.#measure(name, () => collection.update(id, change)),
      replace: (id, record) => this.#measure(name, () => collection.replace(id, record)),
    };
  }

  async #measure<R>(collection: CollectionName, change: () => Promise<R>): Promise<R> {
    const end = this.#durations.startTimer({ collection });
    this.#inProgress.inc();
    try {
      return await change();
    } finally {
      this.#inProgress.dec();
      end();
    }
  }
}

/** Counted when they are asked for. A store that does not respond has no number. */
function recordCount(store: Store): Gauge {
  return new Gauge({
    name: 'edge_server_records',
    help: 'Records in the store.',
    labelNames: ['collection'],
    registers: [],
    async collect() {
      this.reset();
      for (const collection of COLLECTIONS) {
        const count = await store[collection].count().catch(() => undefined);
        if (count !== undefined) {
          this.set({ collection }, count);
        }
      }
    },
  });
}

function folderSize(folder: string): Gauge {
  return new Gauge({
    name: 'edge_server_data_folder_bytes',
    help: 'The size of the files in the data folder.',
    registers: [],
    async collect() {
      this.set(await sizeOf(folder));
    },
  });
}

/** The size of the files that exist at this moment. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  let bytes = 0;
  for (const name of names) {
    const stats = await stat(join(folder, name)).catch(() => undefined);
    bytes += stats?.isFile() ? stats.size : 0;
  }
  return bytes;
}
