/** Settings from flags and environment. A flag wins over its variable; nothing is read anywhere else. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { isLoopback } from './http/request/target.ts';
import { TOKEN_FORM } from './http/security/tokens.ts';

/** A setting that cannot be used; the message is one line that names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** A text that was given, and its name in messages: that of the flag or the variable. */
type Value = { text: string; name: string };

interface Setting {
  /** The environment variable; if omitted, the flag in upper case. */
  variable?: string;
  /** If omitted, the setting is a switch, and its variable is `on` or `off`. */
  argument?: string;
  /** May be given several times; the values are joined by commas, as in its variable. */
  many?: boolean;
  fallback?: string;
  /** @throws ConfigError */
  parse(value: Value): unknown;
}

/** All settings by their name in `Config`; the flag of `dataDir` is `--data-dir`. */
const SETTINGS = {
  port: { argument: 'N', fallback: '4010', parse: numberIn(0, 65_535) },
  host: { argument: 'ADDRESS', fallback: '127.0.0.1', parse: ({ text }) => text },
  dataDir: { argument: 'DIR', fallback: './data', parse: notEmpty },
  databaseUrl: { argument: 'URL', parse: databaseUrl },
  databaseConnections: { argument: 'N', fallback: '10', parse: numberIn(1, 1000) },
  token: { variable: 'API_TOKEN', argument: 'TOKEN', parse: token },
  tokenFile: { variable: 'API_TOKEN_FILE', argument: 'FILE', parse: notEmpty },
  corsOrigin: { argument: 'ORIGIN', many: true, parse: origins },
  rateLimit: { argument: 'N', parse: numberIn(1, 1_000_000) },
  trustProxy: { argument: 'N', fallback: '0', parse: numberIn(0, 10) },
  connectionsPerAddress: { argument: 'N', fallback: '256', parse: numberIn(1, 10_000) },
  publicUrl: { argument: 'URL', parse: publicUrl },
  seedFile: { argument: 'FILE', parse: notEmpty },
  testToken: { argument: 'TOKEN', parse: token },
  faults: { fallback: 'off', parse: onOrOff },
  logLevel: { argument: 'LEVEL', fallback: 'info', parse: logLevel },
  validateResponses: { fallback: 'off', parse: onOrOff },
  docsCommand: { argument: 'COMMAND', parse: notEmpty },
} as const satisfies Record<string, Setting>;

type Name = keyof typeof SETTINGS;

const NAMES = Object.keys(SETTINGS) as Name[];

const flagOf = (name: Name): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

type Parsed<S extends Setting> =
  | ReturnType<S['parse']>
  | (S extends { fallback: string } ? never : undefined);

type Settings = { [N in Name]: Parsed<(typeof SETTINGS)[N]> };

const HELP_ON: Record<Name, string> = {
  port: 'TCP port, 0 for any that is free',
  host: 'address to listen on',
  dataDir: 'folder for the data',
  databaseUrl:
    'a PostgreSQL database instead of the folder; several servers can share it: postgres://user:password@host/name',
  databaseConnections: 'largest number of connections to the database, 1 to 1000',
  token:
    'the bearer token that clients must send; without one the API is open, on loopback addresses only. Process listings show the flag: use the variable or a file instead',
  tokenFile:
    'file with several tokens, one on each line; the word read-only after a token permits no changes; the file is read again when it changes',
  corsOrigin:
    'allow pages of this origin, such as https://app.example.com, to call the API from a browser; * allows every page (default: none)',
  rateLimit:
    'largest number of requests a minute for one client (a valid token, or else an address), 1 to 1000000 (default: no limit)',
  trustProxy:
    'number of proxies in front of the server, 0 to 10, whose X-Forwarded-For is trusted by --rate-limit',
  connectionsPerAddress:
    'largest number of connections of one address (IPv6: of one /56), 1 to 10000; no limit with --trust-proxy',
  publicUrl:
    'beginning of the URIs in responses, for use behind a proxy (default: the host of each request)',
  seedFile:
    'JSON file with edges and event sources to start with; those that exist already are not changed',
  testToken:
    'for tests: a client with this token can read, replace and remove all data at /testing/ (default: off)',
  faults:
    'for tests of clients: respond with an error, late or not at all if the Prefer header of a request asks for it',
  logLevel: 'trace, debug, info, warn, error, fatal or silent',
  validateResponses:
    'for development and tests: validate each response against the contract before it is sent; one that breaks it becomes a 500',
  docsCommand:
    'a shell command that renders docs/index.html, run once the server listens; /docs waits for it',
};

/** Each setting; undefined where it was not given and has no default. */
export interface Config extends Settings {
  /** Flags with a secret in them, which process listings show to everyone on the machine. */
  visibleSecrets: string[];
}

/** Settings that cannot be set together. A flag for one wins over the variables of both. */
const EITHER: [Name, Name][] = [
  ['token', 'tokenFile'],
  ['dataDir', 'databaseUrl'],
];

/** Settings whose empty variable is an error: taken for unset, it would open the API to everybody, or run without tests. */
const NEVER_EMPTY: Name[] = ['token', 'tokenFile', 'testToken'];

/** The width of the left column of the help. */
const WIDTH = 28;

export const HELP = `edge-server: the reference server of the HTTPS Edge and Event Source Configuration API

Usage: edge-server [options]
       edge-server export | import | salvage [options]    move or repair the data; see edge-server export --help

${NAMES.map(helpOf).join('\n')}
  --help${' '.repeat(WIDTH - 8)}print this
`;

function variableOf(name: Name): string {
  const setting: Setting = SETTINGS[name];
  return setting.variable ?? flagOf(name).replaceAll('-', '_').toUpperCase();
}

function helpOf(name: Name): string {
  const { argument, fallback, many }: Setting = SETTINGS[name];
  const left = `  --${flagOf(name)}${argument === undefined ? '' : ` ${argument}`}`.padEnd(WIDTH);
  const more = `${argument && fallback ? ` (default ${fallback})` : ''}${many ? ' (repeatable)' : ''}`;
  const form = argument === undefined ? '=on' : many ? ', with commas between several' : '';
  return `${left}${HELP_ON[name]}${more}\n${' '.repeat(WIDTH)}environment: ${variableOf(name)}${form}`;
}

/** @returns `help` when that is what was asked for @throws ConfigError */
export function readConfig(argv: string[], env: Environment): Config | 'help' {
  const options = NAMES.map((name) => {
    const { argument, many = false }: Setting = SETTINGS[name];
    return [
      flagOf(name),
      { type: argument === undefined ? 'boolean' : 'string', multiple: many },
    ] as const;
  });
  const flags: Flags = parseFlags(argv, {
    ...Object.fromEntries(options),
    help: { type: 'boolean' },
  });
  if (flags['help']) {
    return 'help';
  }
  const settings = readSettings(NAMES, flags, env);
  const { testToken, token: clients, tokenFile, host } = settings;
  if (testToken !== undefined && testToken === clients) {
    const test = given('testToken', flags, env)!;
    const client = given('token', flags, env)!;
    throw new ConfigError(
      `${test.name} must differ from ${client.name}: clients could remove all data`,
    );
  }
  if (
    clients === undefined &&
    tokenFile === undefined &&
    !isLoopback(host.replace(/^::1$/, '[::1]'))
  ) {
    throw new ConfigError(
      `--host ${host} is not a loopback address: set --token-file (or API_TOKEN_FILE, API_TOKEN)`,
    );
  }
  return { ...settings, visibleSecrets: visibleSecrets(flags, settings) };
}

type Flags = Partial<Record<string, string | boolean | (string | boolean)[]>>;

export type Environment = Partial<Record<string, string>>;

/** @throws ConfigError, whose message names the flag */
export function parseFlags<O extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: O,
): ReturnType<typeof parseArgs<{ args: string[]; options: O }>>['values'] {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    // The first sentence names the flag; the rest is advice on quoting.
    throw new ConfigError(`${(error as Error).message.split(/\.\s/)[0]} (see --help)`);
  }
}

/** Some of the settings, as in `Config`. @throws ConfigError */
export function readSettings<N extends Name>(
  wanted: readonly N[],
  flags: Flags,
  env: Environment,
): Pick<Settings, N> {
  for (const [a, b] of EITHER.filter((pair) =>
    pair.every((name) => wanted.some((one) => one === name)),
  )) {
    const one = given(a, flags, env);
    const other = given(b, flags, env);
    if (one && other) {
      throw new ConfigError(`${one.name} and ${other.name} cannot be set together`);
    }
  }
  const parsed = wanted.map((name) => {
    const { fallback, parse }: Setting = SETTINGS[name];
    const value =
      given(name, flags, env) ?? (fallback && { text: fallback, name: `--${flagOf(name)}` });
    return [name, value && parse(value)] as const;
  });
  return Object.fromEntries(parsed) as Pick<Settings, N>;
}

/** A value that was given in code. @throws ConfigError */
export function checked<N extends Name>(setting: N, name: string, value: unknown): Settings[N] {
  return (
    value === undefined ? undefined : SETTINGS[setting].parse({ name, text: String(value) })
  ) as Settings[N];
}

/** The value of the flag, else of the variable: an empty one is unset. @throws ConfigError where that opens the API */
export function given(name: Name, flags: Flags, env: Environment): Value | undefined {
  const flag = flags[flagOf(name)];
  if (flag !== undefined) {
    return { text: flag === true ? 'on' : String(flag), name: `--${flagOf(name)}` };
  }
  if (
    EITHER.find((one) => one.includes(name))?.some((other) => flags[flagOf(other)] !== undefined)
  ) {
    return undefined;
  }
  const variable = variableOf(name);
  const text = env[variable];
  if (text === '' && NEVER_EMPTY.includes(name)) {
    throw new ConfigError(`${variable} is empty: give it a value, or unset it`);
  }
  return text ? { text, name: variable } : undefined;
}

function visibleSecrets(
  flags: Flags,
  { databaseUrl: url }: Pick<Settings, 'databaseUrl'>,
): string[] {
  const secrets = [
    'token',
    'test-token',
    ...(url && new URL(url).password ? ['database-url'] : []),
  ];
  return secrets.filter((flag) => flags[flag] !== undefined).map((flag) => `--${flag}`);
}

function notEmpty({ name, text }: Value): string {
  if (text === '') {
    throw new ConfigError(`${name} is empty`);
  }
  return text;
}

function numberIn(least: number, most: number): (value: Value) => number {
  return ({ name, text }) => {
    if (/^[0-9]{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most) {
      return Number(text);
    }
    throw new ConfigError(
      `${name} must be a number from ${least} to ${most}, not ${JSON.stringify(text)}`,
    );
  };
}

/** The message never repeats the URL, which may hold a password. */
function databaseUrl({ name, text }: Value): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1) {
    return text;
  }
  throw new ConfigError(`${name} must be a URL such as postgres://user:password@host:5432/name`);
}

/** The message never repeats the token. */
function token({ name, text }: Value): string {
  if (TOKEN_FORM.test(text)) {
    return text;
  }
  throw new ConfigError(
    `${name} must have only the characters A-Z a-z 0-9 . _ ~ + / -, and = at its end (RFC 6750)`,
  );
}

/** @returns without a slash at its end */
function publicUrl({ name, text }: Value): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.search ||
    url.hash ||
    url.username ||
    text.length > 1024
  ) {
    throw new ConfigError(`${name} must be an http or https URL without query, fragment or user`);
  }
  return url.href.replace(/\/+$/, '');
}

/** @returns origins as browsers send them, or `*` alone */
function origins({ name, text }: Value): string[] {
  const all = text.split(',').map((one) => one.trim());
  for (const origin of all) {
    // A browser sends an origin without a path, and without a port that is the usual one.
    const isOrigin =
      URL.canParse(origin) && /^https?:\/\//.test(origin) && new URL(origin).origin === origin;
    if (!isOrigin && origin !== '*') {
      throw new ConfigError(
        `${name} must be origins such as https://app.example, or *, not ${JSON.stringify(origin)}`,
      );
    }
  }
  if (all.includes('*') && all.length > 1) {
    throw new ConfigError(`${name} must be * or a list of origins, not both`);
  }
  return all;
}

function onOrOff({ name, text }: Value): boolean {
  if (text !== 'on' && text !== 'off') {
    throw new ConfigError(`${name} must be on or off, not ${JSON.stringify(text)}`);
  }
  return text === 'on';
}

function logLevel({ name, text }: Value): string {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
  if (!levels.includes(text)) {
    throw new ConfigError(`${name} must be one of ${levels.join(', ')}`);
  }
  return text;
}
