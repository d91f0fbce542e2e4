/** One thread of a kill run. */
import { parentPort } from 'node:worker_threads';
import { loadContract } from '../engine/contract/load.ts';
import { mutantsFor } from './mutants.ts';
import { TestBed } from './test-bed.ts';
import { tryMutant } from './try-mutant.ts';
import type { Order, Reply } from './workers.ts';

const bed = new TestBed(loadContract());
const mutants = new Map(mutantsFor(bed.contract).map((mutant) => [mutant.id, mutant]));

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort!.on('message', (order: Order) => void obey(order).then((reply) => parentPort!.postMessage(reply)));

async function obey({ number, mutant, seed, likely }: Order): Promise<Reply> {
  try {
    return { number, result: await tryMutant(bed, mutants.get(mutant)!, seed, likely) };
  } catch (error) {
    return { number, error };
  }
}
