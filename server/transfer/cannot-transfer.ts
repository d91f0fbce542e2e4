/** An export or import that cannot go on; the message is one line for the person who started it. */
export class CannotTransfer extends Error {
  override name = 'CannotTransfer';
}
