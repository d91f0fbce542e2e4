/** Secrets: what no output may have, and the command that runs a case again without them. */
import { quote } from './engine/report/variables.ts';
import type { Options } from './options.ts';

/** Shorter parts of a header value are words such as `Basic`, and occur by chance. */
const SHORTEST_PART = 8;

export function secretsOf(options: Pick<Options, 'token' | 'readOnlyToken' | 'headers'>): string[] {
  const { token, readOnlyToken, headers } = options;
  // The suite also sends the token without its last character, which is almost the token.
  const password = /^[^:]+:(.+)$/.exec(token ?? '')?.[1] ?? '';
  const tokens = token === undefined ? [] : [token, token.slice(0, -1), password];
  return [...tokens, readOnlyToken ?? '', ...Object.values(headers).flatMap(partsOf)].filter((secret) => secret !== '');
}

/**
 * A header that a user adds may be a key; a report loses nothing where it is not. A service may also repeat a part of
 * it: the credentials behind a scheme, a cookie, or the password of Basic.
 */
function partsOf(value: string): string[] {
  const words = value.split(/[\s,;=]+/);
  const basic = /^basic +([\w+/=-]+)$/i.exec(value)?.[1];
  const pair = Buffer.from(basic ?? '', 'base64').toString('utf8');
  return [value, ...words.filter((word) => word.length >= SHORTEST_PART), pair, pair.slice(pair.indexOf(':') + 1)];
}

/** The command line that runs one case again: it says where secrets belong. */
export function replayCommand(options: Options, name: string): string {
  const values = {
    contract: options.contract,
    level: options.level,
    origin: options.origin === 'all' ? undefined : options.origin,
    header: Object.keys(options.headers).map((header) => `${header}: …`),
    'subscription-id': options.subscriptionIds,
    'event-type': options.eventTypes,
    'hostport-domain': options.hostportDomain,
    'certificate-authority-id': options.certificateAuthorityIds,
    replay: name,
  };
  const flags = Object.entries(values).flatMap(([flag, value = []]) =>
    [value].flat().flatMap((one) => [`--${flag}`, one]),
  );
  const tokens = [
    ...(options.token === undefined ? [] : ['CONFORMANCE_TOKEN=… ']),
    ...(options.readOnlyToken === undefined ? [] : ['CONFORMANCE_READ_ONLY_TOKEN=… ']),
  ];
  return `${tokens.join('')}npx edge-conformance ${[options.url, ...flags].map(quote).join(' ')}`;
}
