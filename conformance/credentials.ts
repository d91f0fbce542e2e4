/** The credentials that go out with the requests of a run: each in the place that its security scheme names. */
import type { Contract } from './engine/contract/load.ts';
import { type Credentials, credentialsOf } from './engine/contract/operations.ts';
import { withCookies } from './engine/http/call.ts';
import type { ClientOptions } from './engine/http/client.ts';
import { OptionError, type Options } from './options.ts';

export type Sent = Pick<ClientOptions, 'headers' | 'query'>;

/**
 * @param usual where `--token` goes
 * @returns also the tokens that were fetched for this run, which are secret
 * @throws OptionError for a scheme that takes none, and for a token URL that gives none
 */
export async function credentialsFor(contract: Contract, options: Options, usual: Credentials) {
  const sent: Required<Sent> = { headers: {}, query: {} };
  const fetched: string[] = [];
  const add = ({ in: place, name, scheme }: Credentials, token: string) => {
    const encoded = scheme === 'Basic' ? Buffer.from(token).toString('base64') : token;
    const value = scheme === undefined ? encoded : `${scheme} ${encoded}`;
    const to = place === 'query' ? sent.query : sent.headers;
    const key = place === 'cookie' ? 'cookie' : name;
    if (place !== 'cookie' && to[key] !== undefined)
      throw new OptionError(`two of the credentials go to ${key}: give one of them, and try the rest in another run`);
    to[key] = place === 'cookie' ? withCookies(to[key], [`${name}=${value}`]) : value;
  };
  if (options.token !== undefined) add(usual, options.token);
  for (const [name, value] of Object.entries(options.auth)) {
    const credentials = credentialsOf(contract, name);
    if (typeof credentials === 'string') throw new OptionError(`--auth ${name}: ${credentials}`);
    const token = await tokenFor(name, value, credentials, options);
    if (token !== value) fetched.push(token);
    add(credentials, token);
  }
  return { sent, fetched };
}

/** The value; for the id and secret of an OAuth 2 client, the token that they give (RFC 6749, 4.4). */
async function tokenFor(name: string, value: string, { tokenUrl, scope }: Credentials, { url, timeoutMs }: Options) {
  if (tokenUrl === undefined || !value.includes(':')) return value;
  const where = new URL(tokenUrl, `${url}/`);
  const failed = (reason: unknown) =>
    new OptionError(`--auth ${name}: ${where.href} gives no token (${String(reason)})`);
  const response = await fetch(where, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(value).toString('base64')}`, accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...(scope ? { scope } : {}) }),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: Error) => {
    throw failed(error.message);
  });
  const token: unknown = Object(await response.json().catch(() => ({})))['access_token'];
  if (!response.ok || typeof token !== 'string') throw failed(`HTTP ${response.status}`);
  return token;
}
