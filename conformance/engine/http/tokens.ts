/** Access tokens of OAuth 2 clients (RFC 6749, 4.4), which are fetched again before they end. */

/** The data with which a token is fetched. Each thread fetches another one. */
export interface TokenRequest {
  /** The absolute URL of the token endpoint. */
  url: string;
  /** The id and the secret of the client, as `id:secret`. */
  client: string;
  /** The scopes to ask for, with spaces between them; empty for the default ones of the server. */
  scope: string;
  timeoutMs: number;
}

export interface AccessToken {
  value: string;
  /**
   * The time at which it is fetched again, by `performance.now()`; Infinity if the server names
   * no end.
   */
  renewAt: number;
}

/**
 * A token is fetched again after this part of its life: a request that is under way must arrive
 * before the end.
 */
const USED_PART = 0.7;

/** @throws Error whose message says why there is no token */
export async function fetchToken(request: TokenRequest): Promise<AccessToken> {
  const { url, client, scope, timeoutMs } = request;
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== '') {
    form.set('scope', scope);
  }
  const asked = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(client).toString('base64')}`,
      accept: 'application/json',
    },
    body: form,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const body = Object(await response.json().catch(() => ({}))) as Record<string, unknown>;
  const value = body['access_token'];
  if (!response.ok || typeof value !== 'string') {
    throw new Error(`HTTP ${response.status}`);
  }
  const seconds = Number(body['expires_in']);
  const renewAt = seconds > 0 ? asked + seconds * 1000 * USED_PART : Infinity;
  return { value, renewAt };
}

/** A token that is sent with requests, and replaced in time. */
export class RenewedToken {
  readonly #request: TokenRequest;
  readonly #replaced: (before: string, now: string) => void;
  #token: AccessToken;
  #renewal: Promise<void> | undefined;

  /** @param replaced gets the old and the new token */
  constructor(
    request: TokenRequest,
    token: AccessToken,
    replaced: (before: string, now: string) => void,
  ) {
    this.#request = request;
    this.#token = token;
    this.#replaced = replaced;
  }

  get value(): string {
    return this.#token.value;
  }

  /** Fetches the token again if its end is near. */
  async keepFresh(): Promise<void> {
    if (performance.now() >= this.#token.renewAt) {
      await this.renew();
    }
  }

  /**
   * Fetches the token again, once for all who ask meanwhile. If that fails, the old one is sent on.
   */
  renew(): Promise<void> {
    this.#renewal ??= this.#fetch().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #fetch(): Promise<void> {
    const before = this.#token.value;
    try {
      this.#token = await fetchToken(this.#request);
    } catch {
      return;
    }
    this.#replaced(before, this.#token.value);
  }
}
