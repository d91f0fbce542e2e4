/**
 * The outcome of a request: a response, or the reason why there is no response that can be checked.
 */
import { memberOf, setMember } from '../contract/by-name.ts';
import { isAscii } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from 'node:zlib';
import { parseJson } from '../contract/json-numbers.ts';

/**
 * More than a response of any contract needs; the limit keeps a few compressed bytes from filling
 * the memory.
 */
const MAX_DECODED = 32 * 2 ** 20;

export interface RawResponse {
  status: number;
  /**
   * Names in lower case; repeated ones joined by a comma. Another response may have the same
   * object.
   */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** The body did not end, or is longer than what is kept: `body` is its beginning. */
  isPartial?: boolean;
  /** The request had been sent before, and that time it may have been carried out. */
  resent?: true;
}

/** Header fields by name in lower case; the values of repeated ones are joined by a comma. */
export function joined(
  fields: readonly (readonly [name: string, value: string])[],
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of fields) {
    const key = name.toLowerCase();
    const before = memberOf(headers, key);
    setMember(headers, key, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

/** A response with its body as text and, if the text is JSON, as a value. */
export class HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Without its content coding. */
  readonly content: Buffer;
  readonly text: string;
  readonly bytes: number;
  /**
   * Whether the body is only the beginning of one that did not end, or that is too long to be kept.
   */
  readonly isPartial: boolean;
  #json: { value: unknown } | undefined;

  constructor({ status, headers, body, isPartial = false }: RawResponse) {
    this.status = status;
    this.isPartial = isPartial;
    this.headers = headers;
    this.content = decoded(body, headers['content-encoding']);
    // Most are ASCII, and read several times as fast like this.
    this.text = this.content.toString(isAscii(this.content) ? 'latin1' : 'utf8');
    this.bytes = body.length;
  }

  /**
   * The values of a sequence of JSON texts: one a line, or each behind a record separator (RFC
   * 7464, 2.1). Of a body that did not end, without the last text. Undefined if one is not JSON.
   */
  get sequence(): unknown[] | undefined {
    const separator = this.text.includes(RECORD_SEPARATOR) ? RECORD_SEPARATOR : '\n';
    const texts = this.text.split(separator);
    const whole = this.isPartial ? texts.slice(0, -1) : texts;
    const values = whole.filter((text) => text.trim() !== '').map(parse);
    if (values.includes(undefined)) {
      return undefined;
    }
    return values;
  }

  /** Undefined if the body is not JSON. */
  get json(): unknown {
    this.#json ??= { value: this.isPartial ? undefined : parse(this.text) };
    return this.#json.value;
  }

  /** The media type without its parameters, in lower case; `''` if there is none. */
  get mediaType(): string {
    const [type = ''] = (this.headers['content-type'] ?? '').split(';', 1);
    return type.trim().toLowerCase();
  }
}

const RECORD_SEPARATOR = '\u001e';

const DECODERS: Record<string, (bytes: Buffer, options: ZlibOptions) => Buffer> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** Without its content coding, as far as it is known. */
function decoded(body: Buffer, coding = ''): Buffer {
  const decode = body.length === 0 ? undefined : memberOf(DECODERS, coding.toLowerCase());
  try {
    return decode?.(body, { maxOutputLength: MAX_DECODED }) ?? body;
  } catch {
    return Buffer.from(`a body that is not ${coding}`);
  }
}

/**
 * A byte order mark. "Implementations MUST NOT add" one to JSON, and readers "MAY ignore" it (RFC
 * 8259, 8.1): it is read, and reported.
 */
export const BYTE_ORDER_MARK = '\ufeff';

/** Undefined if the text is not JSON. */
export function parse(text: string): unknown {
  try {
    return parseJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/**
 * `refused`: nobody listens. `closed`: the connection ended first. `late`: nothing whole within the
 * time. `garbled`: not HTTP. `endless`: the header fields, or a body of no type, do not end.
 * `unavailable`: 503.
 */
export type Silence = 'refused' | 'closed' | 'late' | 'garbled' | 'endless' | 'unavailable';

/** The beginning of the message of a `NoResponse` for 503. */
export const UNAVAILABLE = 'the service is unavailable (503)';

/** After these, the service may have stopped. */
export const SIGNS_OF_A_STOP: ReadonlySet<Silence> = new Set(['closed', 'refused', 'late']);

/** After these, the same request may get a response. */
export const MAY_PASS: ReadonlySet<Silence> = new Set(['closed', 'unavailable']);

export class NoResponse extends Error {
  override name = 'NoResponse';
  readonly kind: Silence;
  /** Whether the request may have reached the service. */
  wasSent: boolean;

  /** @param message the reason, as the end of a sentence */
  constructor(kind: Silence, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
    this.wasSent = kind !== 'refused';
  }
}

/**
 * The request may have been carried out, and must not be sent twice: the case begins again, with
 * new test data.
 */
export class ResponseLost extends NoResponse {
  override name = 'ResponseLost';
}
