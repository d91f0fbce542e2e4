/**
 * Whether what several clients saw at once can be explained by some order of their calls, one after the other (Wing and
 * Gong). Calls of one client keep their order, and a call that was over before another began comes before it.
 */
export interface Call<State> {
  client: number;
  /** Places on one line of time, in any unit. */
  began: number;
  ended: number;
  /** The states after the call, where a call in this state can have had this response; none where it cannot. */
  after(state: State): State[];
}

/**
 * An order in which the calls explain themselves, or undefined. Meant for a dozen calls: what was tried is not tried again,
 * but the search is exponential all the same.
 * @param keyOf equal for states that are equal
 */
export function explain<State>(
  calls: readonly Call<State>[],
  initial: State,
  keyOf: (state: State) => string,
): Call<State>[] | undefined {
  const tried = new Set<string>();
  const search = (open: readonly number[], state: State): Call<State>[] | undefined => {
    if (open.length === 0) return [];
    const key = `${open.join(' ')}|${keyOf(state)}`;
    if (tried.has(key)) return undefined;
    tried.add(key);
    // A call that began after another one had ended cannot come before it.
    const firstEnd = Math.min(...open.map((index) => calls[index]!.ended));
    for (const index of open) {
      const call = calls[index]!;
      if (call.began > firstEnd) continue;
      const others = open.filter((other) => other !== index);
      for (const after of call.after(state)) {
        const rest = search(others, after);
        if (rest) return [call, ...rest];
      }
    }
    return undefined;
  };
  return search([...calls.keys()], initial);
}
