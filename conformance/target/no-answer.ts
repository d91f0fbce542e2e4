/** What came was no answer that could be judged. */

/**
 * `refused`: nobody listens. `closed`: the connection ended first. `late`: nothing whole within the time. `garbled`:
 * not HTTP. `endless`: longer than anything that the contract has.
 */
export type Silence = 'refused' | 'closed' | 'late' | 'garbled' | 'endless';

export class NoAnswer extends Error {
  override name = 'NoAnswer';
  readonly kind: Silence;

  /** @param message says which, as the end of a sentence */
  constructor(kind: Silence, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** From an error of the platform. */
export function noAnswerFor(error: Error & { code?: string }): NoAnswer {
  const { code = '' } = error;
  const options = { cause: error };
  if (code === 'ECONNREFUSED') return new NoAnswer('refused', 'the connection was refused', options);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new NoAnswer('refused', 'the host is unknown', options);
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return new NoAnswer('closed', 'the connection was closed without an answer', options);
  if (code === 'HPE_HEADER_OVERFLOW') return new NoAnswer('endless', 'the headers do not end', options);
  if (code.startsWith('HPE_')) return new NoAnswer('garbled', 'the answer is not HTTP', options);
  return new NoAnswer('refused', error.message.split('\n', 1)[0] ?? code, options);
}
