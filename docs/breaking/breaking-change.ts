/** What a client or a server that follows the old contract may stumble over. */
export interface BreakingChange {
  /** A stable name of the kind of change, such as `request-property-max-length-decreased`. */
  kind: string;
  /** Where, as a person would look for it: an operation or a JSON pointer. */
  place: string;
  text: string;
}
