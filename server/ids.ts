/** Ids that sort by the time they were made (D01), also within a millisecond. */
import { randomFillSync, randomUUID } from 'node:crypto';
import { monotonicFactory } from 'ulid';

/** Random numbers are fetched so many at once: one by one, they cost more than all else of a read. */
const BATCH = 1024;

export function createIds(): (prefix: string) => string {
  const ulid = monotonicFactory(randomNumbers());
  return (prefix) => `${prefix}_${ulid().toLowerCase()}`;
}

/** Of a request. Nobody lists them in order, so that the quickest way will do. */
export function newRequestId(): string {
  return `req_${randomUUID()}`;
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
