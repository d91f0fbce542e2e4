/** Whether some order of calls explains what several clients saw (Wing and Gong, linearizability). */
export interface Call<State> {
  client: number;
  /** Places on one line of time, in any unit. */
  began: number;
  ended: number;
  /** The states after the call, where a call in this state can have had this response; none where it cannot. */
  after(state: State): State[];
}

/** An order that explains the calls; exponential, for a dozen. @param keyOf equal for states that are equal */
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
