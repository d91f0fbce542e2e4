/** What must not be in any output: tokens, header values, and what a service may make of them. */
import type { Options } from './options.ts';

/** Shorter parts of a header value are words such as `Basic`, and turn up by chance. */
const SHORTEST_PART = 8;

export function secretsOf({
  token,
  readOnlyToken,
  headers,
}: Pick<Options, 'token' | 'readOnlyToken' | 'headers'>): string[] {
  // The suite also sends the token without its last character, which is almost the token.
  const password = /^[^:]+:(.+)$/.exec(token ?? '')?.[1] ?? '';
  const tokens = token === undefined ? [] : [token, token.slice(0, -1), password];
  return [...tokens, readOnlyToken ?? '', ...Object.values(headers).flatMap(partsOf)].filter((secret) => secret !== '');
}

/**
 * A header that a user adds may be a key; what is no secret loses nothing by being left out of a report. A service may
 * also repeat a part of it: what stands behind the scheme, a cookie, or the password of Basic.
 */
function partsOf(value: string): string[] {
  const words = value.split(/[\s,;=]+/);
  const basic = /^basic +([\w+/=-]+)$/i.exec(value)?.[1];
  const pair =
    basic === undefined
      ? []
      : [Buffer.from(basic, 'base64').toString('utf8')].flatMap((text) => [text, text.slice(text.indexOf(':') + 1)]);
  return [value, ...words.filter((word) => word.length >= SHORTEST_PART), ...pair];
}
