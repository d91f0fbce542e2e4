/** The places to which the credentials of a run go, and tokens that are fetched for it. */
import type { Contract } from '../engine/contract/load.ts';
import { type Credentials, credentialsOf } from '../engine/contract/credentials.ts';
import { withCookies } from '../engine/http/call.ts';
import { type AccessToken, fetchToken, type TokenRequest } from '../engine/http/tokens.ts';
import { OptionError } from '../engine/run/known-failures.ts';
import type { Sent } from './clients.ts';
import type { Options } from './options.ts';

/** A token that was fetched for this run, and the request that gives the next one. */
interface FetchedToken {
  request: TokenRequest;
  token: AccessToken;
}

/** The credentials that go out with every request. */
interface RunCredentials extends Sent {
  tokens: FetchedToken[];
}

/**
 * @param usual the places to which the token of `--token` goes
 * @throws OptionError for a scheme that takes no token, and for a token URL that gives none
 */
export async function credentialsFor(
  contract: Contract,
  options: Options,
  usual: Credentials,
): Promise<RunCredentials> {
  const places = new Places();
  const tokens: FetchedToken[] = [];
  if (options.token !== undefined) {
    places.add(usual, options.token);
  }
  for (const [name, value] of Object.entries(options.auth)) {
    const credentials = credentialsOf(contract, name);
    if (typeof credentials === 'string') {
      throw new OptionError(`--auth ${name}: ${credentials}`);
    }
    const request = tokenRequestOf(value, credentials, options);
    if (request === undefined) {
      places.add(credentials, value);
    } else {
      const token = await tokenFor(name, request);
      tokens.push({ request, token });
      places.add(credentials, token.value);
    }
  }
  return { ...places.sent, tokens };
}

/** Collects what goes into headers, cookies and the query. */
class Places {
  readonly #headers: Record<string, string> = {};
  readonly #query: Record<string, string> = {};
  /** Header fields by security scheme. */
  readonly #given: Record<string, Record<string, string>> = {};
  /** Whether several schemes go to one header: then each operation gets that of its scheme. */
  #isShared = false;

  get sent(): Sent {
    const sent: Sent = { headers: this.#headers, query: this.#query };
    if (this.#isShared) {
      sent.given = this.#given;
    }
    return sent;
  }

  add(credentials: Credentials, token: string): void {
    const { in: place, name, of: scheme = '' } = credentials;
    const value = valueAsSent(credentials, token);
    this.#given[scheme] = place === 'header' ? { [name]: value } : {};
    switch (place) {
      case 'header':
        this.#addHeader(name, value);
        break;
      case 'cookie':
        this.#headers['cookie'] = withCookies(this.#headers['cookie'], [`${name}=${value}`]);
        break;
      default:
        this.#addParameter(name, value);
    }
  }

  #addHeader(name: string, value: string): void {
    if (this.#headers[name] === undefined) {
      this.#headers[name] = value;
    } else {
      this.#isShared = true;
    }
  }

  #addParameter(name: string, value: string): void {
    if (this.#query[name] !== undefined) {
      throw new OptionError(
        `two of the credentials go to ${name}: give one of them, and try the rest in another run`,
      );
    }
    this.#query[name] = value;
  }
}

/** The token as it is sent. */
export function valueAsSent({ scheme }: Credentials, token: string): string {
  if (scheme === undefined) {
    return token;
  }
  const encoded = scheme === 'Basic' ? Buffer.from(token).toString('base64') : token;
  return `${scheme} ${encoded}`;
}

/** For `CLIENT:SECRET` of an OAuth 2 client; undefined for a value that is sent as it is. */
function tokenRequestOf(
  value: string,
  { tokenUrl, scope = '' }: Credentials,
  { url, timeoutMs }: Options,
): TokenRequest | undefined {
  if (tokenUrl === undefined || !value.includes(':')) {
    return undefined;
  }
  return { url: new URL(tokenUrl, `${url}/`).href, client: value, scope, timeoutMs };
}

/** @param name of the security scheme */
async function tokenFor(name: string, request: TokenRequest): Promise<AccessToken> {
  try {
    return await fetchToken(request);
  } catch (error) {
    const reason = (error as Error).message;
    throw new OptionError(`--auth ${name}: ${request.url} gives no token (${reason})`);
  }
}
