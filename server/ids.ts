/** Ids that sort by the time they were made (D01), also within a millisecond, and when the clock is set back. */
import { randomBytes, randomFillSync } from 'node:crypto';
import { decodeTime, monotonicFactory, TIME_MAX } from 'ulid';
import { pagesOf, type Store } from './store/store.ts';

/** A prefix, and a ULID in lower case. */
const ID = /^edghts_([0-7][0-9a-hjkmnp-tv-z]{25})$/;

/** @param after new ids sort behind its time; the rest is random, so that servers that start alike make other ids */
export function createIds(after?: string, clock = Date.now): (prefix: string) => string {
  const ulid = monotonicFactory(random);
  const least = Math.min(timeOf(after) + 1, TIME_MAX);
  return (prefix) => `${prefix}_${ulid(Math.max(clock(), least)).toLowerCase()}`;
}

/** Random numbers. An id takes sixteen, and a call of the system for each of them takes as long as a read. */
const numbers = new Uint32Array(1024);
let used = numbers.length;

function random(): number {
  if (used === numbers.length) {
    randomFillSync(numbers);
    used = 0;
  }
  return numbers[used++]! / 2 ** 32;
}

/** The newest id of an edge that this server made: others, as seed files may have, hold no time. */
export async function newestId(edges: Pick<Store['edges'], 'list'>): Promise<string | undefined> {
  // No ULID begins with an 8.
  for await (const records of pagesOf(edges, 100, 'edghts_8')) {
    const found = records.find(({ id }) => ID.test(id));
    if (found) {
      return found.id;
    }
  }
  return undefined;
}

function timeOf(id = ''): number {
  const ulid = ID.exec(id)?.[1];
  return ulid === undefined ? 0 : decodeTime(ulid.toUpperCase());
}

/** Differs from process to process. */
const PROCESS = randomBytes(9).toString('hex');

let requests = 0;

/** The id of a request, with a number from 0 on in base 36: it may be easy to guess, and random numbers cost more. */
export const newRequestId = (): string => `req_${PROCESS}_${(requests++).toString(36)}`;
