/** Stores of shapes that lose, keep or mix up what they are given. They know nothing of the suite. */

type Shape = Record<string, unknown>;

class Store extends Map<string, Shape> {
  /** All that were ever removed. */
  readonly gone = new Map<string, Shape>();

  override delete(name: string): boolean {
    const shape = this.get(name);
    if (shape) this.gone.set(name, shape);
    return super.delete(name);
  }
}

export const STORES: Record<string, () => Map<string, Shape>> = {
  'a change is forgotten': () =>
    new (class extends Store {
      override set(name: string, shape: Shape) {
        return this.has(name) ? this : super.set(name, shape);
      }
    })(),
  'a new one is forgotten now and then': () =>
    new (class extends Store {
      #count = 0;

      override set(name: string, shape: Shape) {
        return !this.has(name) && ++this.#count % 5 === 0 ? this : super.set(name, shape);
      }
    })(),
  'a read after a change is stale': () =>
    new (class extends Store {
      readonly #before = new Map<string, Shape>();

      override set(name: string, shape: Shape) {
        const before = this.get(name);
        if (before) this.#before.set(name, before);
        return super.set(name, shape);
      }

      override get(name: string) {
        const before = this.#before?.get(name);
        this.#before?.delete(name);
        return before ?? super.get(name);
      }
    })(),
  'one member is not kept': () =>
    new (class extends Store {
      override set(name: string, { weight: _, ...shape }: Shape) {
        return super.set(name, shape);
      }
    })(),
  'one member is cut': () =>
    new (class extends Store {
      override set(name: string, shape: Shape) {
        return super.set(name, { ...shape, colour: String(shape['colour']).slice(0, 8) });
      }
    })(),
  'a change reaches another one': () =>
    new (class extends Store {
      override set(name: string, shape: Shape) {
        const other = [...this.keys()].at(-1);
        if (this.has(name) && other !== undefined) super.set(other, { ...shape, name: other });
        return super.set(name, shape);
      }
    })(),
  'a replacement keeps what it leaves out': () =>
    new (class extends Store {
      override set(name: string, shape: Shape) {
        return super.set(name, { ...this.get(name), ...shape });
      }
    })(),
  'the third read shows something else': () =>
    new (class extends Store {
      #reads = 0;

      override get(name: string) {
        const shape = super.get(name);
        return shape && ++this.#reads % 3 === 0 ? { ...shape, weight: 99.5 } : shape;
      }
    })(),
  'what is removed stays': () =>
    new (class extends Store {
      override delete() {
        return true;
      }
    })(),
  'a removal takes another one, too': () =>
    new (class extends Store {
      override delete(name: string) {
        const other = [...this.keys()].at(-1);
        if (other !== undefined) super.delete(other);
        return super.delete(name);
      }
    })(),
  'what was removed comes back with the next new one': () =>
    new (class extends Store {
      override set(name: string, shape: Shape) {
        if (!this.has(name)) for (const [old, one] of this.gone ?? []) super.set(old, one);
        return super.set(name, shape);
      }
    })(),
  'the list lacks every third': () =>
    new (class extends Store {
      override values() {
        return [...super.values()].filter((_, index) => index % 3 > 0).values();
      }
    })(),
  'the list shows what was removed': () =>
    new (class extends Store {
      override values() {
        return [...super.values(), ...this.gone.values()].values();
      }
    })(),
  'the list shows old colours': () =>
    new (class extends Store {
      override values() {
        return [...super.values()].map((shape) => ({ ...shape, colour: 'black' })).values();
      }
    })(),
};
