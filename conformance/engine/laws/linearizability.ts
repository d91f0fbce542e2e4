/**
 * Whether some order of calls explains what several clients saw at once (Wing and Gong,
 * linearizability).
 */

/** A call of one client, with the response that it had. */
export interface ConcurrentCall<State> {
  /** Calls of one round are made at once, and end before those of the next round begin. */
  round: number;
  /**
   * The states after the call, if it can have had this response in this state; an empty list if it
   * cannot.
   */
  after(state: State): State[];
}

/**
 * Takes exponential time, for a dozen calls. No combination of calls and state is tried twice.
 * @param keyOf returns the same text for states that are equal
 */
export function isExplained<State>(
  all: readonly ConcurrentCall<State>[],
  initial: State,
  keyOf: (state: State) => string,
): boolean {
  const tried = new Set<string>();

  /** Whether the open calls can follow each other in some order, beginning in this state. */
  function search(open: readonly ConcurrentCall<State>[], state: State): boolean {
    if (open.length === 0) {
      return true;
    }
    const indices = open.map((call) => all.indexOf(call));
    const key = `${indices.join(' ')}|${keyOf(state)}`;
    if (tried.has(key)) {
      return false;
    }
    tried.add(key);
    const round = Math.min(...open.map((call) => call.round));
    return open.some((call) => call.round === round && canBeNext(call, open, state));
  }

  function canBeNext(
    call: ConcurrentCall<State>,
    open: readonly ConcurrentCall<State>[],
    state: State,
  ): boolean {
    const others = open.filter((other) => other !== call);
    return call.after(state).some((after) => search(others, after));
  }

  return search(all, initial);
}
