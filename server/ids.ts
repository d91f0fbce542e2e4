/** Ids that sort by the time they were made (D01), also within a millisecond. */
import { randomBytes, randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** Random numbers are fetched so many at once: one by one, they cost more than all else of a read. */
const BATCH = 1024;

export function createIds(): (prefix: string) => string {
  const ulid = monotonicFactory(randomNumbers());
  return (prefix) => `${prefix}_${ulid().toLowerCase()}`;
}

/** Tells this process from others, and from those before it. */
const PROCESS = randomBytes(9).toString('hex');

let requests = 0;

/** Of a request, from 0 on in base 36: it need not be hard to guess, and random numbers cost more. */
export function newRequestId(): string {
  return `req_${PROCESS}_${(requests++).toString(36)}`;
}

/** From the system's generator, evenly spread over [0, 1). */
function randomNumbers(): () => number {
  const numbers = new Uint32Array(BATCH);
  let next = BATCH;
  return () => {
    if (next === BATCH) {
      randomFillSync(numbers);
      next = 0;
    }
    return numbers[next++]! / 2 ** 32;
  };
}
