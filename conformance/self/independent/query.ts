/** The parameters of a query, of which each is known and given once, or a fault. */
import type { Faults } from './faults.ts';
import type { Implementation } from './target.ts';

export class Query {
  readonly #once = new Map<string, string>();
  readonly #faults: Faults;

  constructor(pairs: Implementation['query'], known: readonly string[], faults: Faults) {
    this.#faults = faults;
    const counts = new Map<string, number>();
    for (const [name, value] of pairs) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      this.#once.set(name, value);
    }
    for (const [name, count] of counts) {
      if (!known.includes(name)) faults.parameter(name, 'unknown', 'This operation takes no parameter of this name.');
      else if (count > 1) faults.parameter(name, 'repeated', 'Give this parameter once.');
      // Which of several values was meant, nobody can tell: none is checked.
      if (count > 1) this.#once.delete(name);
    }
  }

  text(name: string, longest: number): string | undefined {
    const sent = this.#once.get(name);
    if (sent === undefined) return undefined;
    const tooLong = Array.from(sent).length > longest;
    if (sent === '') this.#faults.parameter(name, 'too_short', 'Give a value, or leave the parameter out.');
    else if (tooLong) this.#faults.parameter(name, 'too_long', `It ends at ${longest} characters.`);
    else return sent;
    return undefined;
  }

  /** Decimal digits alone: `1e1`, `0x0A` and `5.0` are numbers elsewhere. */
  integer(name: string, least: number, most: number): number | undefined {
    const sent = this.#once.get(name);
    if (sent === undefined) return undefined;
    const value = Number(sent);
    if (!/^(?:0|[1-9][0-9]*)$/.test(sent)) this.#faults.parameter(name, 'type', 'Write it in decimal digits.');
    else if (value < least) this.#faults.parameter(name, 'too_small', `It begins at ${least}.`);
    else if (value > most) this.#faults.parameter(name, 'too_large', `It ends at ${most}.`);
    else return value;
    return undefined;
  }
}
