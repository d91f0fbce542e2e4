/** One thread of a kill run. */
import { parentPort } from 'node:worker_threads';
import { loadContract } from '../contract/load.ts';
import { Bench } from './bench.ts';
import type { Order, Reply } from './crew.ts';
import { faultsFor } from './faults/index.ts';
import { tryFault, tryWholeSuite } from './trial.ts';

const bench = new Bench(loadContract());
const faults = new Map(faultsFor(bench.contract).map((fault) => [fault.id, fault]));

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
parentPort!.on('message', (order: Order) => void obey(order).then((reply) => parentPort!.postMessage(reply)));

async function obey({ number, kind, fault, seed }: Order): Promise<Reply> {
  try {
    const attempt = kind === 'alone' ? tryFault : tryWholeSuite;
    return { number, result: await attempt(bench, faults.get(fault)!, seed) };
  } catch (error) {
    return { number, error };
  }
}
