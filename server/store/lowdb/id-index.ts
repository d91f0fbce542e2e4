/**
 * Walks the ids of a folder in descending order without holding all of them: nothing is read before the first question,
 * and then a few windows of bounded size are kept. Ids outside of them are found by reading the names of the folder
 * again, which costs time but no memory.
 */
import { IdWindow } from '../id-window.ts';

/** How many windows are kept: one for those who read the newest ids, and some for those who page through the rest. */
const WINDOWS = 4;

export interface IdIndexOptions {
  /** Every id that is there now, in any order. */
  readIds(): AsyncIterable<string>;
  /** How many ids a window holds at most; at least 2. */
  windowSize: number;
}

export class IdIndex {
  readonly #options: IdIndexOptions;
  /** The one read last comes last. */
  #windows: IdWindow[] = [];
  #reading: Promise<void> | undefined;
  /** What changed while the folder was being read: reading may have passed the place by then. */
  #missed: { id: string; there: boolean }[] = [];

  constructor(options: IdIndexOptions) {
    this.#options = options;
  }

  /** The greatest id less than `position` (of all, when undefined); undefined where there is none. */
  async below(position: string | undefined): Promise<string | undefined> {
    for (;;) {
      for (const window of this.#windows) {
        const id = window.findBelow(position);
        if (id !== undefined) return id ?? undefined;
      }
      if (this.#reading) await this.#reading;
      else await this.#read(position);
    }
  }

  /** To be called after the id came or went, before that is acknowledged. */
  set(id: string, there: boolean): void {
    if (this.#reading) this.#missed.push({ id, there });
    for (const window of this.#windows) this.#apply(window, id, there);
  }

  async #read(position: string | undefined): Promise<void> {
    this.#reading = this.#load(position);
    try {
      await this.#reading;
    } finally {
      this.#reading = undefined;
      this.#missed = [];
    }
  }

  async #load(position: string | undefined): Promise<void> {
    const { ids, from } = await greatestBelow(this.#options.readIds(), position, this.#options.windowSize);
    const window = new IdWindow(ids, from, position);
    for (const { id, there } of this.#missed) this.#apply(window, id, there);
    this.#windows = [...this.#windows.slice(1 - WINDOWS), window];
  }

  #apply(window: IdWindow, id: string, there: boolean): void {
    if (there) window.add(id, this.#options.windowSize);
    else window.remove(id);
  }
}

/** The `count` greatest ids less than `position`, ascending, with the id that they begin at (undefined: none is left out). */
async function greatestBelow(
  all: AsyncIterable<string>,
  position: string | undefined,
  count: number,
): Promise<{ ids: string[]; from: string | undefined }> {
  let ids: string[] = [];
  let from: string | undefined;
  const cut = () => {
    ids = ids.sort().slice(-count);
    from = ids[0];
  };
  for await (const id of all) {
    if ((position !== undefined && id >= position) || (from !== undefined && id < from)) continue;
    ids.push(id);
    if (ids.length >= 2 * count) cut();
  }
  if (ids.length > count) cut();
  return { ids: ids.sort(), from };
}
