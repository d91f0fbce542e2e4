/** Two names may fall upon the same place; the second one is passed over then. */
const PLACES = 4096;

/**
 * Short names that cases of the run use. Where a contract allows few names, two cases would choose
 * the same one that is free, and one would remove what the other has made. What one thread of a run
 * claims, the others know, too: they have the same memory.
 */
export class ClaimedNames {
  /** 1 at the place of each name that is claimed. */
  readonly #claims: Int32Array<SharedArrayBuffer>;

  /** @param memory that of another thread; default: a new one */
  constructor(memory = new SharedArrayBuffer(PLACES * Int32Array.BYTES_PER_ELEMENT)) {
    this.#claims = new Int32Array(memory);
  }

  /** For the other threads. */
  get memory(): SharedArrayBuffer {
    return this.#claims.buffer;
  }

  /** Whether the name was free; it is claimed now. */
  claim(name: string): boolean {
    return Atomics.compareExchange(this.#claims, placeOf(name), 0, 1) === 0;
  }

  release(name: string): void {
    Atomics.store(this.#claims, placeOf(name), 0);
  }
}

function placeOf(name: string): number {
  let place = 0;
  for (const byte of Buffer.from(name)) {
    place = (place * 31 + byte) % PLACES;
  }
  return place;
}
