/** Secrets: what no output may have, and the command that runs a case again without them. */
import { quote } from './engine/report/variables.ts';
import type { Options } from './options.ts';

/** Shorter parts of a header value are words such as `Basic`, and occur by chance. */
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
 * A header that a user adds may be a key; a report loses nothing where it is not. A service may also repeat a part of
 * it: the credentials behind a scheme, a cookie, or the password of Basic.
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

/** The command line that runs one case again: it says where secrets belong. */
export function replayCommand(options: Options, name: string): string {
  const flags = [
    ...(options.contract === undefined ? [] : ['--contract', options.contract]),
    ...(options.level === undefined ? [] : ['--level', options.level]),
    ...(options.origin === 'all' ? [] : ['--origin', options.origin]),
    ...Object.keys(options.headers).flatMap((header) => ['--header', `${header}: …`]),
    ...options.subscriptionIds.flatMap((id) => ['--subscription-id', id]),
    ...options.eventTypes.flatMap((type) => ['--event-type', type]),
    ...(options.hostportDomain === undefined ? [] : ['--hostport-domain', options.hostportDomain]),
    ...options.certificateAuthorityIds.flatMap((id) => ['--certificate-authority-id', id]),
  ];
  const tokens = [
    ...(options.token === undefined ? [] : ['CONFORMANCE_TOKEN=… ']),
    ...(options.readOnlyToken === undefined ? [] : ['CONFORMANCE_READ_ONLY_TOKEN=… ']),
  ];
  return `${tokens.join('')}npx edge-conformance ${[options.url, ...flags, '--replay', name].map(quote).join(' ')}`;
}
