/** One thread of a kill run. */
import { parentPort } from 'node:worker_threads';
import { loadContract } from '../contract/load.ts';
import { TestBed } from './test-bed.ts';
import type { Order, Reply } from './crew.ts';
import { faultsFor } from './faults/index.ts';
import { tryFault, tryWholeSuite } from './trial.ts';

const bed = new TestBed(loadContract());
const faults = new Map(faultsFor(bed.contract).map((fault) => [fault.id, fault]));

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort!.on('message', (order: Order) => void obey(order).then((reply) => parentPort!.postMessage(reply)));

async function obey({ number, kind, fault, seed }: Order): Promise<Reply> {
  try {
    const planted = faults.get(fault)!;
    // That failures shrink, the tests see to: here there are thousands.
    return {
      number,
      result: kind === 'alone' ? await tryFault(bed, planted, seed, false) : await tryWholeSuite(bed, planted, seed),
    };
  } catch (error) {
    return { number, error };
  }
}
