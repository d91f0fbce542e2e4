/**
 * The values of single options: what is allowed, and how it is read. All functions throw an
 * OptionError.
 */
import { OptionError } from '../engine/run/known-failures.ts';
import type { OptionName, RawOptions } from './option-table.ts';

/** @returns the value; undefined if the option is not given */
export function oneOf<T extends string>(
  name: OptionName,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined) {
    return undefined;
  }
  const found = allowed.find((one) => one === value);
  if (found === undefined) {
    const isShort = allowed.length <= 2;
    const choices = isShort ? allowed.join(' or ') : `one of ${allowed.join(', ')}`;
    throw new OptionError(`--${name} must be ${choices}, not ${JSON.stringify(value)}`);
  }
  return found;
}

interface Range {
  kind: 'a number' | 'a whole number';
  least: number;
  most: number;
}

const PATTERNS: Record<Range['kind'], RegExp> = {
  'a number': /^\d*\.?\d+$/,
  'a whole number': /^-?\d{1,15}$/,
};

const RANGES = {
  seed: { kind: 'a whole number', least: -(2 ** 31), most: 2 ** 31 - 1 },
  'min-tried': { kind: 'a number', least: 0, most: 1 },
  runs: { kind: 'a whole number', least: 1, most: 100_000 },
  jobs: { kind: 'a whole number', least: 1, most: 64 },
  concurrency: { kind: 'a whole number', least: 1, most: 256 },
  wait: { kind: 'a whole number', least: 0, most: 86_400 },
  'max-time': { kind: 'a number', least: 0.1, most: 1_000_000 },
  'timeout-ms': { kind: 'a whole number', least: 1, most: 3_600_000 },
  rate: { kind: 'a whole number', least: 1, most: 1_000_000 },
} as const satisfies Partial<Record<OptionName, Range>>;

/** @returns the number; undefined if the option is not given */
export function numberOf(name: keyof typeof RANGES, raw: RawOptions): number | undefined {
  const value = raw[name];
  if (value === undefined) {
    return undefined;
  }
  const { kind, least, most } = RANGES[name];
  const number = Number(value);
  if (PATTERNS[kind].test(value) && number >= least && number <= most) {
    return number;
  }
  const allowed = `${kind} from ${least} to ${most}`;
  throw new OptionError(`--${name} must be ${allowed}, not ${JSON.stringify(value)}`);
}

/** A command of the shell; undefined if the option is not given. */
export function commandOf(name: OptionName, value: string | undefined): string | undefined {
  if (value?.trim() === '' || value?.includes('\0')) {
    throw new OptionError(
      `--${name} must be a command of the shell, such as "systemctl restart x"`,
    );
  }
  return value;
}

/** The base URL of a service, without a slash at its end. */
export function baseUrlOf(value: string): string {
  const url = urlOf(value);
  if (url?.username || url?.password) {
    throw new OptionError('credentials do not belong into the URL: use --token or --header');
  }
  if (url?.search || url?.hash) {
    throw new OptionError(
      'a base URL has no query and no fragment: leave out what begins with ? or #',
    );
  }
  if (url === undefined || !isHttp(url)) {
    const example = 'such as http://127.0.0.1:8080';
    throw new OptionError(`${JSON.stringify(value)} is not the base URL of a service, ${example}`);
  }
  return url.href.replace(/\/+$/, '');
}

/** The URL of a proxy. The message repeats no credentials. */
export function proxyOf(value: string): URL {
  const url = urlOf(value);
  if (url === undefined || !isHttp(url)) {
    throw new OptionError('--proxy must be the URL of a proxy, such as http://127.0.0.1:3128');
  }
  return url;
}

function urlOf(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

const NAME_AND_VALUE = /^([^=]+)=(.*)$/s;

/** Each `NAME=VALUE` by its name; the last one counts. */
export function pairsOf(name: OptionName, values: readonly string[]): Record<string, string> {
  const pairs = values.map((text) => {
    const [, key, value] = NAME_AND_VALUE.exec(text) ?? [];
    if (key === undefined || value === undefined) {
      throw new OptionError(`--${name} must be NAME=VALUE`);
    }
    return [key, value];
  });
  return Object.fromEntries(pairs);
}

/** Headers that the suite sets: cases are about the connection and the body. */
const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'transfer-encoding',
  'upgrade',
]);

/** A token (RFC 9110, 5.6.2), and after the white space visible ASCII, spaces and tabs. */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/;

/** Each `NAME:VALUE` by its name in lower case. */
export function headersOf(values: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const text of values) {
    const [, written, value] = HEADER.exec(text) ?? [];
    if (!written || !value) {
      throw new OptionError('--header must be NAME:VALUE');
    }
    const name = written.toLowerCase();
    if (FRAMING.has(name)) {
      throw new OptionError(
        `--header ${written} is for the suite to set: it differs from request to request`,
      );
    }
    if (headers.has(name)) {
      throw new OptionError(`--header ${name} is given twice`);
    }
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

/** Requirements that a user does not want to be tried. */
export interface Skip {
  /** The beginning of their ids; or a glob of ids, with `*`. */
  pattern: string;
  reason: string;
}

/** One `ID=REASON`. */
export function skipOf(value: string): Skip {
  const at = value.indexOf('=');
  const reason = value.slice(at + 1).trim();
  if (at < 1 || reason === '') {
    throw new OptionError(`--skip ${JSON.stringify(value)} must be ID=REASON`);
  }
  return { pattern: value.slice(0, at), reason };
}
