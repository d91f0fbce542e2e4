/** A request and its response as they are kept, to be shown and to be sent again. */
import type { components } from '../../../generated/report/types.ts';
import type { RawRequest } from './client.ts';
import { show } from './nonconformity.ts';

type Exchange = components['schemas']['Exchange'];

export interface RecordedExchange extends Exchange {
  /** Exchanges with the same number were under way at once. */
  group?: number;
  /** The body that was sent, if it was bytes. */
  raw?: Buffer;
  /** The header fields one by one, if several have one name or one is empty. */
  fields?: RawRequest['headers'];
}

/** Takes the place of the method if the bytes that were sent need not be a request. */
export const BYTES = 'bytes';

/** Of a body in a line, in characters. */
export const MOST_IN_WORDS = 500;

/** A request in a line. */
export function requestInWords({ method, url, body }: Exchange['request']): string {
  return `${method} ${url} ${show(body ?? '', MOST_IN_WORDS)}`.trim();
}

/** The target of a URL below the base; another URL as it is. */
export const withoutBase = (url: string, base: string): string =>
  url.startsWith(base) ? url.slice(base.length) : url;
