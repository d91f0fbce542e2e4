/**
 * Options for credentials and for the connection. No message repeats a value: it may be a secret.
 */
import { OptionError } from '../engine/run/known-failures.ts';
import type { Env } from './config-file.ts';
import type { RawOptions } from './option-table.ts';
import { headersOf, proxyOf } from './option-values.ts';

export interface CredentialOptions {
  token: string | undefined;
  /** Permits no change; only beside `token`. */
  readOnlyToken: string | undefined;
  /** Of a user who must not reach what the run makes; only beside `token`. */
  otherToken: string | undefined;
  /** By the name of the security scheme. */
  auth: Record<string, string>;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Files in PEM. */
  tls: { cert: string | undefined; key: string | undefined; ca: string | undefined };
  /** Perhaps with credentials. */
  proxy: URL | undefined;
}

/** @throws OptionError */
export function readCredentials(raw: RawOptions, env: Env): CredentialOptions {
  const tokens = readTokens(raw, env);
  const auth = readAuth(raw.auth ?? [], env);
  const { cert, key, ca } = raw;
  if ((cert === undefined) !== (key === undefined)) {
    throw new OptionError('--cert and --key belong together');
  }
  const proxy = readProxy(raw, env);
  const headers = headersOf(raw.header ?? []);
  return { ...tokens, auth, tls: { cert, key, ca }, proxy, headers };
}

function readProxy({ proxy }: RawOptions, env: Env): URL | undefined {
  const url = proxy ?? nonEmpty(env['CONFORMANCE_PROXY']);
  if (url === undefined) {
    return undefined;
  }
  return proxyOf(url);
}

/** A variable of the environment that is empty counts as not set. */
function nonEmpty(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** An option for a token that is given beside `--token`. */
type SecondToken = 'read-only-token' | 'other-token';

type Tokens = Pick<CredentialOptions, 'token' | 'readOnlyToken' | 'otherToken'>;

/** @throws OptionError */
function readTokens(raw: RawOptions, env: Env): Tokens {
  const token = raw.token ?? nonEmpty(env['CONFORMANCE_TOKEN']);
  expectVisible('--token', token);
  const second = (option: SecondToken, variable: string, what: string): string | undefined => {
    const value = raw[option] ?? nonEmpty(env[variable]);
    expectVisible(`--${option}`, value);
    if (value !== undefined && token === undefined) {
      throw new OptionError(`--${option} needs --token beside it (or CONFORMANCE_TOKEN): ${what}`);
    }
    if (value !== undefined && value === token) {
      throw new OptionError(`--${option} must differ from --token: ${what}`);
    }
    return value;
  };
  return {
    token,
    readOnlyToken: second('read-only-token', 'CONFORMANCE_READ_ONLY_TOKEN', 'it permits no change'),
    otherToken: second('other-token', 'CONFORMANCE_OTHER_TOKEN', 'it is that of another user'),
  };
}

/** An API key may have a word before it, such as `Token 0123`. */
const VISIBLE_ASCII = /^[\x21-\x7e]+( [\x21-\x7e]+)*$/;

function expectVisible(option: string, value: string | undefined): void {
  if (value !== undefined && !VISIBLE_ASCII.test(value)) {
    throw new OptionError(`${option} must be made of visible ASCII characters`);
  }
}

/** `NAME=VALUE`, or `NAME=env:VARIABLE`. */
const CREDENTIALS = /^([^=]+)=(?:env:(.*)|(.*))$/s;

function readAuth(texts: readonly string[], env: Env): Record<string, string> {
  const entries = texts.map((text) => {
    const [, name, variable, written] = CREDENTIALS.exec(text) ?? [];
    if (name === undefined) {
      throw new OptionError('--auth must be NAME=VALUE');
    }
    if (variable !== undefined && !env[variable]) {
      throw new OptionError(`--auth ${name}: the environment has no ${variable}`);
    }
    const value = variable === undefined ? written : env[variable];
    if (!value) {
      throw new OptionError(`--auth ${name}: there is no value`);
    }
    expectVisible(`--auth ${name}`, value);
    return [name, value];
  });
  return Object.fromEntries(entries);
}
