/** A run of ids without gaps: every id of the folder from `from` up to, and without, `below`. */
export class IdWindow {
  /** Ascending. */
  readonly #ids: string[];
  #from: string | undefined;
  readonly #below: string | undefined;

  /**
   * @param from undefined: from the least id on
   * @param below undefined: up to the greatest id
   */
  constructor(ids: string[], from: string | undefined, below: string | undefined) {
    this.#ids = ids;
    this.#from = from;
    this.#below = below;
  }

  /** The greatest id less than `position`; null where there is none; undefined where this window does not know. */
  findBelow(position: string | undefined): string | null | undefined {
    if (this.#below !== undefined && (position === undefined || position > this.#below)) return undefined;
    const place = position === undefined ? this.#ids.length : this.#placeOf(position);
    return this.#ids[place - 1] ?? (this.#from === undefined ? null : undefined);
  }

  /** @param most when more are held, the least of them are forgotten */
  add(id: string, most: number): void {
    if (!this.#covers(id)) return;
    const place = this.#placeOf(id);
    if (this.#ids[place] !== id) this.#ids.splice(place, 0, id);
    if (this.#ids.length > most) {
      this.#ids.splice(0, Math.ceil(most / 2));
      this.#from = this.#ids[0];
    }
  }

  remove(id: string): void {
    const place = this.#placeOf(id);
    if (this.#ids[place] === id) this.#ids.splice(place, 1);
  }

  #covers(id: string): boolean {
    return (this.#from === undefined || id >= this.#from) && (this.#below === undefined || id < this.#below);
  }

  /** The index of the first id that is not less than `position`. */
  #placeOf(position: string): number {
    let low = 0;
    let high = this.#ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ids[middle]! < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
