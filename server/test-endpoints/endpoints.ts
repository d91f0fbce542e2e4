/**
 * Endpoints for tests, off without a token for them. None is atomic: the result may have a change
 * made meanwhile.
 */
import { pipeline } from 'node:stream/promises';
import { Router } from 'express';
import type { Contract } from '../contract.ts';
import { ApiError } from '../domain/api-error.ts';
import { refuseMethod } from '../http/routing.ts';
import { createTokens, requireBearer } from '../http/security/tokens.ts';
import { createMemoryStore } from '../store/memory.ts';
import { COLLECTIONS, pagesOf, type Store } from '../store/store.ts';
import { type RecordCheck, recordCheck } from '../transfer/check-record.ts';
import { CannotTransfer, exportLines, importLines, linesOf } from '../transfer/records.ts';

/**
 * The limit of a snapshot that is restored: it is checked as a whole before anything is removed.
 */
const MOST_BYTES = 64 * 1024 * 1024;

export interface TestingOptions {
  contract: Contract;
  store: Store;
  /** Must be sent with each request. */
  token: string;
  /** Puts the data of the seed file into the store; if undefined: there are none. */
  loadSeed: (() => Promise<void>) | undefined;
}

export function testingEndpoints({ contract, store, token, loadSeed }: TestingOptions): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const guard = requireBearer(createTokens([{ text: token, readOnly: false }]));
  const check = recordCheck(contract);
  router
    .route('/testing/snapshot')
    .all(guard)
    .get(async (_req, res) => {
      // All data, as `edge-server export` writes them.
      res.type('application/x-ndjson');
      await pipeline(exportLines(store), res);
    })
    .put(async (req, res) => {
      const snapshot = await readSnapshot(req, check);
      await clear(store);
      await importLines(store, exportLines(snapshot), { resume: true, check });
      res.status(204).end();
    })
    .all(refuseMethod('GET, PUT'));
  router
    .route('/testing/reset')
    .all(guard)
    .post(async (_req, res) => {
      await clear(store);
      await loadSeed?.();
      res.status(204).end();
    })
    .all(refuseMethod('POST'));
  return router;
}

/** @throws ApiError if the snapshot is not complete; then nothing was changed */
async function readSnapshot(input: AsyncIterable<Buffer>, check: RecordCheck): Promise<Store> {
  const bytes = await readBytes(input);
  const memory = createMemoryStore();
  try {
    await importLines(memory, linesOf([bytes]), { resume: false, check });
  } catch (error) {
    if (error instanceof CannotTransfer) {
      throw new ApiError('malformed_request', `This is not a complete snapshot: ${error.message}.`);
    }
    throw error;
  }
  return memory;
}

/** @throws ApiError `content_too_large` */
async function readBytes(input: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) {
      throw new ApiError('content_too_large', `A snapshot can have at most ${MOST_BYTES} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Damaged records are in no list, and stay. */
async function clear(store: Store): Promise<void> {
  for (const name of COLLECTIONS) {
    for await (const records of pagesOf<{ id: string }>(store[name], 100)) {
      await Promise.all(records.map(({ id }) => store[name].replace(id, null)));
    }
  }
}
