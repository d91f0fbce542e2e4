/** Actions that clean up when this process ends, also by a signal. */
const actions = new Set<() => void>();

process.on('exit', () => {
  // The last one depends on those before it.
  for (const action of [...actions].toReversed()) {
    action();
  }
});

/** @param action is synchronous @returns a function that cancels it */
export function atExit(action: () => void): () => void {
  actions.add(action);
  return () => {
    actions.delete(action);
  };
}

/** Ends this process at a signal, so that it cleans up. */
export function exitAtSignals(): void {
  const codes = { SIGINT: 130, SIGTERM: 143 };
  for (const [signal, code] of Object.entries(codes)) {
    process.once(signal, () => process.exit(code));
  }
}
