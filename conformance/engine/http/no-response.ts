/** No response came that can be checked. */

/**
 * `refused`: nobody listens. `closed`: the connection ended first. `late`: nothing whole within the time. `garbled`:
 * not HTTP. `endless`: longer than anything that the contract has. `unavailable`: 503 with `Retry-After`.
 */
export type Silence = 'refused' | 'closed' | 'late' | 'garbled' | 'endless' | 'unavailable';

export class NoResponse extends Error {
  override name = 'NoResponse';
  readonly kind: Silence;

  /** @param message says which, as the end of a sentence */
  constructor(kind: Silence, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/**
 * Nobody knows whether the service carried the request out, and it must not be sent a second time: the case ends here
 * and is tried again from its start, with test data of its own.
 */
export class ResponseLost extends NoResponse {
  override name = 'ResponseLost';
}

/** From an error of the platform. */
export function noResponseFor(error: Error & { code?: string }): NoResponse {
  const { code = '' } = error;
  const options = { cause: error };
  if (code === 'ECONNREFUSED') return new NoResponse('refused', 'the connection was refused', options);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return new NoResponse('refused', 'the host is unknown', options);
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return new NoResponse('closed', 'the connection was closed without a response', options);
  if (code === 'HPE_HEADER_OVERFLOW') return new NoResponse('endless', 'the headers do not end', options);
  if (code.startsWith('HPE_')) return new NoResponse('garbled', 'the response is not HTTP', options);
  return new NoResponse('refused', error.message.split('\n', 1)[0] ?? code, options);
}
