/** Where text goes: a terminal, a file or a test. */
export interface Output {
  write(text: string): unknown;
  /** Whether a person looks at it, so that it may be overwritten and coloured. */
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}
