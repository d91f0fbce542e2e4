/** The secrets of a run, which no output may show. */
import { decode } from '../engine/contract/percent-encoding.ts';
import type { Options } from './options.ts';

/** Shorter parts of a header value are words such as `Basic`, and occur by chance. */
const SHORTEST_PART = 8;

/** @param fetched tokens that the run got by itself */
export function secretsOf(options: Options, fetched: readonly string[]): string[] {
  const { token, readOnlyToken, otherToken, headers, proxy } = options;
  const secrets: string[] = [];
  for (const value of [token ?? '', otherToken ?? '', ...fetched]) {
    secrets.push(...partsOfToken(value));
  }
  secrets.push(readOnlyToken ?? '', decode(proxy?.password ?? ''));
  for (const value of Object.values(headers)) {
    secrets.push(...partsOfHeader(value));
  }
  return secrets.filter((secret) => secret !== '');
}

const USER_AND_PASSWORD = /^[^:]+:(.+)$/;

/** The token, its password if it is `USER:PASSWORD`, and the wrong token that the suite sends. */
function partsOfToken(token: string): string[] {
  const [, password = ''] = USER_AND_PASSWORD.exec(token) ?? [];
  const almostTheToken = token.slice(0, -1);
  return [token, almostTheToken, password];
}

const BASIC = /^basic +([\w+/=-]+)$/i;

/**
 * A header may be a key, and a service may repeat a part: the word after a scheme, a cookie, a
 * password of Basic.
 */
function partsOfHeader(value: string): string[] {
  const words = value.split(/[\s,;=]+/).filter((word) => word.length >= SHORTEST_PART);
  const [, basic = ''] = BASIC.exec(value) ?? [];
  const pair = Buffer.from(basic, 'base64').toString('utf8');
  const password = pair.slice(pair.indexOf(':') + 1);
  return [value, ...words, pair, password];
}

/** The URL of a proxy without its credentials. */
export function shownProxy({ protocol, host, username }: URL): string {
  const credentials = username === '' ? '' : '…@';
  return `${protocol}//${credentials}${host}`;
}
