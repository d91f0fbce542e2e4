/** Whether some order of calls explains what several clients saw at once (Wing and Gong, linearizability). */
export interface ConcurrentCall<State> {
  /** Calls of one round are made at once, and are over before those of the next one begin. */
  round: number;
  /** The states after the call, where a call in this state can have had this response; none where it cannot. */
  after(state: State): State[];
}

/** Exponential: for a dozen calls, of which nothing is tried twice. @param keyOf equal for states that are equal */
export function isExplained<State>(
  all: readonly ConcurrentCall<State>[],
  initial: State,
  keyOf: (state: State) => string,
) {
  const tried = new Set<string>();
  const search = (open: readonly ConcurrentCall<State>[], state: State): boolean => {
    if (open.length === 0) {
      return true;
    }
    const key = `${open.map((call) => all.indexOf(call)).join(' ')}|${keyOf(state)}`;
    if (tried.has(key)) {
      return false;
    }
    tried.add(key);
    const round = Math.min(...open.map((call) => call.round));
    const isNext = (call: ConcurrentCall<State>) => {
      const others = open.filter((other) => other !== call);
      return call.round === round && call.after(state).some((after) => search(others, after));
    };
    return open.some(isNext);
  };
  return search(all, initial);
}
