/**
 * Whether some order of the calls on one item explains all their responses, where a call that ended
 * before another began comes first (linearizability; the search is that of Wing and Gong, with the
 * orders tried only where a response demands one, as Lowe proposes).
 */

/** What a call does to the state of an item, which is a text. */
export interface Effect {
  /** The call and its response, for people. */
  text: string;
  /** Whether it can change the state. */
  changes: boolean;
  /** The state after it; undefined if it cannot have had its response in this state. */
  after(state: string): string | undefined;
}

/** All times are of one clock. */
export interface Call extends Effect {
  start: number;
  /** When its response was there, or when it can no longer take effect. */
  end: number;
  /** Whether there is no response: it took effect between its start and its end, or never. */
  isUnknown: boolean;
}

/** What may have happened so far. */
interface Possibility {
  state: string;
  /** The calls that took effect, of those that have not ended. */
  done: ReadonlySet<Call>;
}

/** @returns the first call, by its end, whose response no order explains */
export function firstUnexplained(calls: readonly Call[], initial: string): Call | undefined {
  return new Search(calls, initial).run();
}

class Search {
  readonly #numbers: Map<Call, number>;
  readonly #calls: readonly Call[];
  readonly #open = new Set<Call>();
  #possible: Possibility[];

  constructor(calls: readonly Call[], initial: string) {
    this.#calls = calls;
    this.#numbers = new Map(calls.map((call, number) => [call, number]));
    this.#possible = [{ state: initial, done: new Set() }];
  }

  run(): Call | undefined {
    for (const { call, begins } of momentsOf(this.#calls)) {
      if (begins) {
        this.#begin(call);
        continue;
      }
      this.#end(call);
      if (this.#possible.length === 0) {
        return call;
      }
    }
    return undefined;
  }

  #begin(call: Call): void {
    this.#open.add(call);
    if (!call.changes) {
      this.#possible = this.#possible.map((one) => this.#withReads(one));
    }
  }

  /** Keeps the possibilities in which the call took effect, or may have been lost. */
  #end(call: Call): void {
    const possible = this.#with(call);
    if (call.isUnknown) {
      possible.push(...this.#possible);
    }
    this.#open.delete(call);
    const left = new Map<string, Possibility>();
    for (const { state, done } of possible) {
      const others = new Set(done);
      others.delete(call);
      const one = { state, done: others };
      left.set(this.#keyOf(one), one);
    }
    this.#possible = [...left.values()];
  }

  /** All possibilities in which this call took effect, after any order of open changes. */
  #with(call: Call): Possibility[] {
    const found: Possibility[] = [];
    const tried = new Set<string>();
    const waiting = [...this.#possible];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const key = this.#keyOf(one);
      if (tried.has(key)) {
        continue;
      }
      tried.add(key);
      if (one.done.has(call)) {
        found.push(one);
      } else {
        waiting.push(...this.#nextOf(one));
      }
    }
    return found;
  }

  /** After one more change each. */
  #nextOf({ state, done }: Possibility): Possibility[] {
    const next: Possibility[] = [];
    for (const call of this.#open) {
      const after = call.changes && !done.has(call) ? call.after(state) : undefined;
      if (after !== undefined) {
        next.push(this.#withReads({ state: after, done: new Set(done).add(call) }));
      }
    }
    return next;
  }

  /** A read takes effect as soon as it can: it excludes nothing that may come later. */
  #withReads({ state, done }: Possibility): Possibility {
    const all = new Set(done);
    for (const call of this.#open) {
      if (!call.changes && call.after(state) !== undefined) {
        all.add(call);
      }
    }
    return { state, done: all };
  }

  #keyOf({ state, done }: Possibility): string {
    const numbers = [...done].map((call) => this.#numbers.get(call) ?? -1);
    numbers.sort((one, other) => one - other);
    return `${numbers.join(' ')}|${state}`;
  }
}

interface Moment {
  time: number;
  call: Call;
  begins: boolean;
}

/** By time; of equal times, beginnings first. */
function momentsOf(calls: readonly Call[]): Moment[] {
  const moments: Moment[] = [];
  for (const call of calls) {
    moments.push({ time: call.start, call, begins: true });
    moments.push({ time: call.end, call, begins: false });
  }
  return moments.toSorted(
    (one, other) => one.time - other.time || Number(other.begins) - Number(one.begins),
  );
}
