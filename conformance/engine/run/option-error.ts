/** An option that cannot be used; the message is one line that names it. */
export class OptionError extends Error {
  override name = 'OptionError';
}
