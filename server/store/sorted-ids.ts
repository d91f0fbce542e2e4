/** Ids in ascending order of their UTF-16 code units, searched by halves. */
export class SortedIds {
  readonly #ids: string[];

  constructor(ids: Iterable<string> = []) {
    this.#ids = [...ids].sort();
  }

  /** The greatest id that is less than `position`, or the greatest of all. */
  below(position: string | undefined): string | undefined {
    return this.#ids[(position === undefined ? this.#ids.length : this.#placeOf(position)) - 1];
  }

  add(id: string): void {
    // Most new ids are greater than all before.
    const last = this.#ids.at(-1);
    if (last === undefined || id > last) {
      this.#ids.push(id);
      return;
    }
    const place = this.#placeOf(id);
    if (this.#ids[place] !== id) this.#ids.splice(place, 0, id);
  }

  remove(id: string): void {
    const place = this.#placeOf(id);
    if (this.#ids[place] === id) this.#ids.splice(place, 1);
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
