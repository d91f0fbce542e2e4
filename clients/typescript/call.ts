/** One call: its options, and its result with the response within reach. */

export interface CallOptions {
  /** Ends the call early, with its retries; it then throws the reason of the signal. */
  signal?: AbortSignal;
  /** In place of the `timeout` of the client. */
  timeout?: number;
  /** In place of the `retries` of the client. */
  retries?: number;
  /** Header fields of the request, beside those of the client. */
  headers?: Readonly<Record<string, string>>;
}

export interface WithResponse<Result> {
  data: Result;
  /** The response with its status and header fields; its body has been read. */
  response: Response;
}

/** The result of a call, and on request its response. */
export interface Call<Result> extends Promise<Result> {
  /** `const { data, response } = await api.getEdge({ edge_id }).withResponse();` */
  withResponse(): Promise<WithResponse<Result>>;
}

export function callOf<Result>(settled: Promise<WithResponse<Result>>): Call<Result> {
  const result = settled.then(({ data }) => data);
  const withResponse = () => {
    // The error is that of `settled`: nobody waits for this promise.
    result.catch(() => {});
    return settled;
  };
  return Object.assign(result, { withResponse });
}
