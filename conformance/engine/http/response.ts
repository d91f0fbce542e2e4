import type { RawResponse } from './client.ts';

/** A response with its body as text and, where it is that, as JSON. */
export class HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly bytes: number;
  #json: { value: unknown } | undefined;

  constructor({ status, headers, body }: RawResponse) {
    this.status = status;
    this.headers = headers;
    this.text = body.toString('utf8');
    this.bytes = body.length;
  }

  /** Undefined where the body is not JSON. */
  get json(): unknown {
    this.#json ??= { value: parse(this.text) };
    return this.#json.value;
  }

  /** The media type without its parameters, in lower case; `''` where there is none. */
  get mediaType(): string {
    return (this.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  }
}

/** Undefined where the text is not JSON. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
