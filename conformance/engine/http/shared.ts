/**
 * What the cases of a requirement may use together, since none of them may change it: made once, and anew after a case that
 * failed. To whoever reads a failure, each case made it.
 */
import type { Implementation } from './implementation.ts';
import { Session } from './session.ts';

export class Shared {
  readonly #target: Implementation;
  #made: { maker: Session; value: Promise<unknown> } | undefined;

  constructor(implementation: Implementation) {
    this.#target = implementation;
  }

  /** For one kind of thing in a requirement. @throws what `make` throws */
  async take<T>(user: Session, make: (maker: Session) => Promise<T>): Promise<T> {
    if (this.#made === undefined) {
      const maker = new Session(this.#target);
      this.#made = { maker, value: make(maker) };
    }
    const { maker, value } = this.#made;
    try {
      return (await value) as T;
    } finally {
      user.exchanges.push(...maker.exchanges);
    }
  }

  /** Removes it; the next case makes another one. */
  async renew(): Promise<void> {
    const made = this.#made;
    this.#made = undefined;
    await made?.maker.cleanUp(false);
  }
}
