/** The headers of requests as words of curl, with secrets as variables of the environment. */
import { memberOf } from '../contract/by-name.ts';
import type { Implementation } from '../http/implementation.ts';
import type { RecordedExchange } from '../http/exchange.ts';
import { quote } from './shell.ts';

/** A secret that the user of a script puts into the environment. */
interface Secret {
  /** The text before it in a header, such as `Bearer `. */
  prefix: string;
  variable: string;
  /** For a person: which secret it is. */
  description: string;
}

/** The headers of one request. */
interface OwnHeaders {
  /** An empty value leaves a header out. */
  own: Readonly<Record<string, string>>;
  url: string;
  /** All header fields one by one, if `own` cannot have them: a name twice, or an empty value. */
  fields?: RecordedExchange['fields'] | undefined;
}

export class CurlHeaders {
  /**
   * Words for every request: the headers that the suite sends with each, unless a request of the
   * case has another value.
   */
  readonly common: string[] = [];
  readonly #client: Implementation['client'];
  /** By the value of the header. */
  readonly #secrets = new Map<string, Secret>();
  readonly #needed = new Set<Secret>();
  /** The query parameter with the credentials of the other user. */
  #inQuery: { name: string; pair: string; secret: Secret } | undefined;
  /** The other headers that the suite sends with each request: name and value. */
  readonly #varying: [name: string, value: string][] = [];

  constructor(implementation: Implementation, exchanges: readonly RecordedExchange[]) {
    this.#client = implementation.client;
    this.#addSecrets(implementation);
    for (const name of Object.keys(this.#client.query)) {
      const description = `the value of the query parameter ${name}`;
      this.#needed.add({ prefix: '', variable: 'TOKEN', description });
    }
    for (const [name, value] of Object.entries(this.#client.headers)) {
      if (exchanges.some(({ request }) => memberOf(request.headers, name) !== undefined)) {
        this.#varying.push([name, value]);
      } else {
        this.common.push(`-H ${this.#headerWord(name, value)}`);
      }
    }
  }

  /**
   * Lines that end the script if a secret is missing. They are complete once all words are made.
   */
  get checks(): string[] {
    const needed = [...this.#needed];
    return needed.map(({ variable, description }) => {
      return `: "\${${variable}:?put ${description} into it first}"`;
    });
  }

  /** The options of curl for one request. */
  words({ own, url, fields }: OwnHeaders): string[] {
    const words: string[] = [];
    for (const [name, value] of this.#varying) {
      if (memberOf(own, name) === undefined) {
        words.push(this.#option(name, value, ':'));
      }
    }
    if (fields !== undefined) {
      words.push(...fields.map(([name, value]) => this.#option(name, value, ';')));
    } else {
      words.push(...this.#ownOptions(own));
    }
    const other = this.#inQuery;
    if (other !== undefined && url.includes(other.pair)) {
      this.#needed.add(other.secret);
      words.push(`--url-query "${other.name}=$${other.secret.variable}"`);
    }
    for (const name of Object.keys(this.#client.query)) {
      if (!hasParameter(url, name)) {
        words.push(`--url-query "${name}=$TOKEN"`);
      }
    }
    return words;
  }

  /** The URL without what `words` puts into its query. */
  urlBeside(url: string): string {
    const { pair } = this.#inQuery ?? {};
    if (pair === undefined) {
      return url;
    }
    return url.replace(`?${pair}`, '').replace(`&${pair}`, '');
  }

  #ownOptions(own: Readonly<Record<string, string>>): string[] {
    const options: string[] = [];
    for (const [name, value] of Object.entries(own)) {
      // Curl sends an `Accept` by itself, unless it is told to leave it out.
      if (value !== '' || name === 'accept') {
        options.push(this.#option(name, value, ':'));
      }
    }
    return options;
  }

  /**
   * @param empty stands after the name of an empty header: for curl, `:` leaves it out, and `;`
   * sends it
   */
  #option(name: string, value: string, empty: ':' | ';'): string {
    if (value === '') {
      return `-H ${quote(name + empty)}`;
    }
    return `-H ${this.#headerWord(name, value)}`;
  }

  #headerWord(name: string, value: string): string {
    const secret = this.#secrets.get(value);
    if (secret !== undefined) {
      this.#needed.add(secret);
      return `"${name}: ${secret.prefix}$${secret.variable}"`;
    }
    const credentials = this.#credentialsInCookies();
    if (name === 'cookie' && credentials !== undefined && !value.includes(credentials.name)) {
      // A cookie of the case goes out beside the one that has the credentials.
      this.#needed.add(credentials.secret);
      return `${quote(`cookie: ${value}; `)}"$${credentials.secret.variable}"`;
    }
    return quote(`${name}: ${value}`);
  }

  #credentialsInCookies(): { name: string; secret: Secret } | undefined {
    const { cookie } = this.#client.headers;
    if (cookie === undefined) {
      return undefined;
    }
    const secret = this.#secrets.get(cookie);
    const [name] = cookie.split('=', 1);
    return secret && name !== undefined ? { name, secret } : undefined;
  }

  /** One that is added later takes the place of an earlier one with the same value. */
  #addSecrets({ client, token, readOnlyToken, otherUser }: Implementation): void {
    for (const [name, value] of Object.entries(client.headers)) {
      if (name !== 'accept') {
        const variable = `HEADER_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
        const description = `the value of the header ${name}`;
        this.#secrets.set(value, { prefix: '', variable, description });
      }
    }
    for (const [scheme, fields] of Object.entries(client.given ?? {})) {
      const variable = `AUTH_${scheme.replaceAll(/\W+/g, '_')}`;
      const description = `the header field for ${scheme}`;
      for (const value of Object.values(fields)) {
        this.#secrets.set(value, { prefix: '', variable, description });
      }
    }
    this.#addToken(token, 'TOKEN', 'the bearer token');
    this.#addToken(readOnlyToken, 'READ_ONLY_TOKEN', 'the token that may only read');
    this.#addOtherUser(otherUser);
  }

  #addOtherUser(otherUser: Implementation['otherUser']): void {
    if (otherUser === undefined) {
      return;
    }
    const { credentials, value } = otherUser;
    const { in: place, name } = credentials;
    const prefix = place === 'cookie' ? `${name}=` : '';
    const description = 'the credentials of the other user, as they are sent';
    const secret: Secret = { prefix, variable: 'OTHER_USER', description };
    this.#secrets.set(prefix + value, secret);
    if (place === 'query') {
      this.#inQuery = {
        name,
        pair: `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
        secret,
      };
    }
  }

  #addToken(token: string | undefined, variable: string, description: string): void {
    if (token !== undefined) {
      this.#secrets.set(`Bearer ${token}`, { prefix: 'Bearer ', variable, description });
    }
  }
}

function hasParameter(url: string, name: string): boolean {
  const start = `${encodeURIComponent(name)}=`;
  return url.includes(`?${start}`) || url.includes(`&${start}`);
}
