/**
 * Ids that sort by the time they were made (D01), also within a millisecond, and if the clock is
 * set back.
 */
import { randomBytes, randomFillSync } from 'node:crypto';
import { decodeTime, monotonicFactory, TIME_MAX } from 'ulid';
import { pagesOf, type Store } from './store/store.ts';

/** A prefix, and a ULID in lower case. */
const ID_OF_EDGE = /^edghts_([0-7][0-9a-hjkmnp-tv-z]{25})$/;

/** Makes an id that begins with the prefix. */
export type NewId = (prefix: string) => string;

/**
 * @param after new ids sort behind the time of this id. The rest of them is random, so that servers
 * that start alike make different ids.
 */
export function createIds(after?: string, clock = Date.now): NewId {
  const ulid = monotonicFactory(randomFraction);
  const earliest = Math.min(timeOf(after) + 1, TIME_MAX);
  return (prefix) => {
    const time = Math.max(clock(), earliest);
    return `${prefix}_${ulid(time).toLowerCase()}`;
  };
}

/**
 * From 0 to 1. The system is asked for a thousand numbers at once: with one call for each of the
 * sixteen of an id, a create takes an eighth more CPU on Node 20, if one client creates alone.
 */
function randomFraction(): number {
  if (used === numbers.length) {
    randomFillSync(numbers);
    used = 0;
  }
  const number = numbers[used] ?? 0;
  used += 1;
  return number / 2 ** 32;
}

const numbers = new Uint32Array(1024);
let used = numbers.length;

/** Sorts behind all ids of this server: no ULID begins with an 8. */
const BEHIND_ALL_IDS = 'edghts_8';

/** The newest id of an edge that this server made: others, as seed files may have, hold no time. */
export async function newestId(edges: Pick<Store['edges'], 'list'>): Promise<string | undefined> {
  for await (const records of pagesOf(edges, 100, BEHIND_ALL_IDS)) {
    const found = records.find(({ id }) => ID_OF_EDGE.test(id));
    if (found) {
      return found.id;
    }
  }
  return undefined;
}

/** In milliseconds since 1970; 0 without such an id. */
function timeOf(id = ''): number {
  const ulid = ID_OF_EDGE.exec(id)?.[1];
  return ulid === undefined ? 0 : decodeTime(ulid.toUpperCase());
}

/** Differs from process to process. */
const PROCESS = randomBytes(9).toString('hex');

let requests = 0;

/** The id of a request. It counts in base 36: it need not be hard to guess. */
export function newRequestId(): string {
  const number = requests.toString(36);
  requests += 1;
  return `req_${PROCESS}_${number}`;
}
