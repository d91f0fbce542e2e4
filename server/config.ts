/**
 * Settings from flags and environment. A flag wins over its variable; nothing is read anywhere
 * else.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { type HelpEntry, helpLines } from './help.ts';
import { isLoopback } from './http/request/host.ts';
import { TOKEN_CHARACTERS, TOKEN_FORM } from './http/security/tokens.ts';

/** A setting that cannot be used; the message is one line that names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** A text that was given. */
interface Value {
  text: string;
  /** In messages: the name of the flag or the variable. */
  name: string;
}

interface Setting {
  /** The environment variable; if omitted, the flag in upper case. */
  variable?: string;
  /** If omitted, the setting is a switch, and its variable is `on` or `off`. */
  argument?: string;
  /** May be given several times; the values are joined by commas, as in its variable. */
  many?: boolean;
  fallback?: string;
  /** @throws ConfigError */
  parse: (value: Value) => unknown;
  help: string;
}

/** All settings by their name in `Config`; the flag of `dataDir` is `--data-dir`. */
const SETTINGS = {
  port: {
    argument: 'N',
    fallback: '4010',
    parse: numberIn(0, 65_535),
    help: 'TCP port, 0 for any that is free',
  },
  host: {
    argument: 'ADDRESS',
    fallback: '127.0.0.1',
    parse: ({ text }) => text,
    help: 'address to listen on',
  },
  dataDir: {
    argument: 'DIR',
    fallback: './data',
    parse: notEmpty,
    help: 'folder for the data',
  },
  databaseUrl: {
    argument: 'URL',
    parse: databaseUrl,
    help:
      'a PostgreSQL database instead of the folder; several servers can share it: ' +
      'postgres://user:password@host/name',
  },
  databaseConnections: {
    argument: 'N',
    fallback: '10',
    parse: numberIn(1, 1000),
    help: 'largest number of connections to the database, 1 to 1000',
  },
  token: {
    variable: 'API_TOKEN',
    argument: 'TOKEN',
    parse: token,
    help:
      'the bearer token that clients must send; without one the API is open, on loopback ' +
      'addresses only. Process listings show the flag: use the variable or a file instead',
  },
  tokenFile: {
    variable: 'API_TOKEN_FILE',
    argument: 'FILE',
    parse: notEmpty,
    help:
      'file with several tokens, one on each line; the word read-only after a token permits no ' +
      'changes; the file is read again when it changes',
  },
  corsOrigin: {
    argument: 'ORIGIN',
    many: true,
    parse: origins,
    help:
      'allow pages of this origin, such as https://app.example.com, to call the API from a ' +
      'browser; * allows every page (default: none)',
  },
  rateLimit: {
    argument: 'N',
    parse: numberIn(1, 1_000_000),
    help:
      'largest number of requests a minute for one client (a valid token, or else an address), ' +
      '1 to 1000000 (default: no limit)',
  },
  trustProxy: {
    argument: 'N',
    fallback: '0',
    parse: numberIn(0, 10),
    help:
      'number of proxies in front of the server, 0 to 10, whose X-Forwarded-For is trusted by ' +
      '--rate-limit',
  },
  connectionsPerAddress: {
    argument: 'N',
    fallback: '256',
    parse: numberIn(1, 10_000),
    help:
      'largest number of connections of one address (IPv6: of one /56), 1 to 10000; no limit ' +
      'with --trust-proxy',
  },
  publicUrl: {
    argument: 'URL',
    parse: publicUrl,
    help:
      'beginning of the URIs in responses, for use behind a proxy (default: the host of each ' +
      'request)',
  },
  seedFile: {
    argument: 'FILE',
    parse: notEmpty,
    help:
      'JSON file with edges and event sources to start with; those that exist already are not ' +
      'changed',
  },
  testToken: {
    argument: 'TOKEN',
    parse: token,
    help:
      'for tests: a client with this token can read, replace and remove all data at /testing/ ' +
      '(default: off)',
  },
  faults: {
    fallback: 'off',
    parse: onOrOff,
    help:
      'for tests of clients: respond with an error, late or not at all if the Prefer header of ' +
      'a request asks for it',
  },
  metrics: {
    fallback: 'off',
    parse: onOrOff,
    help: 'show measurements for Prometheus at /metrics, to clients with a token if one is needed',
  },
  logLevel: {
    argument: 'LEVEL',
    fallback: 'info',
    parse: logLevel,
    help: 'trace, debug, info, warn, error, fatal or silent',
  },
  validateResponses: {
    fallback: 'off',
    parse: onOrOff,
    help:
      'for development and tests: validate each response against the contract before it is ' +
      'sent; one that breaks it becomes a 500',
  },
  docsCommand: {
    argument: 'COMMAND',
    parse: notEmpty,
    help:
      'a shell command that renders docs/index.html, run once the server listens; /docs waits ' +
      'for it',
  },
} as const satisfies Record<string, Setting>;

type Name = keyof typeof SETTINGS;

const NAMES = Object.keys(SETTINGS) as Name[];

/** A setting that was not given and has no default is undefined. */
type Settings = { [N in Name]: Parsed<(typeof SETTINGS)[N]> };

type Parsed<S extends Setting> =
  | ReturnType<S['parse']>
  | (S extends { fallback: string } ? never : undefined);

export interface Config extends Settings {
  /** Flags with a secret in them, which process listings show to everyone on the machine. */
  visibleSecrets: string[];
}

/** Settings of which one at most may be set. A flag wins over the variables of all in its group. */
const EXCLUSIVE: readonly Name[][] = [
  ['token', 'tokenFile'],
  ['dataDir', 'databaseUrl'],
];

/** An empty variable is an error, and not unset: that would open the API, or run without tests. */
const NEVER_EMPTY: readonly Name[] = ['token', 'tokenFile', 'testToken'];

/** The name of the flag without its dashes, such as `data-dir`. */
function flagOf(name: Name): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function variableOf(name: Name): string {
  const { variable }: Setting = SETTINGS[name];
  return variable ?? flagOf(name).replaceAll('-', '_').toUpperCase();
}

export const HELP = [
  'edge-server: the reference server of the HTTPS Edge and Event Source Configuration API',
  '',
  'Usage: edge-server [options]',
  '       edge-server export | import | salvage [options]',
  '                            move or repair the data; see edge-server export --help',
  '',
  ...NAMES.flatMap((name) => helpLines(helpOf(name))),
  ...helpLines({ flag: '--version', text: 'print the versions of the server and of its contract' }),
  ...helpLines({ flag: '--help', text: 'print this' }),
  '',
  'Example: a server with a token, on another port. A first request:',
  '',
  '  API_TOKEN=write-6f0c9f3c8d1b edge-server --port 4011 --data-dir ./data',
  "  curl http://127.0.0.1:4011/edges/https -H 'Authorization: Bearer write-6f0c9f3c8d1b'",
  '',
].join('\n');

function helpOf(name: Name): HelpEntry {
  const setting: Setting = SETTINGS[name];
  const { argument, fallback, many = false, help } = setting;
  let flag = `--${flagOf(name)}`;
  let text = help;
  if (argument !== undefined) {
    flag += ` ${argument}`;
    text += fallback === undefined ? '' : ` (default: ${fallback})`;
  }
  if (many) {
    text += ' (repeatable)';
  }
  return { flag, text, note: `environment: ${variableOf(name)}${formOfVariable(setting)}` };
}

function formOfVariable({ argument, many = false }: Setting): string {
  if (argument === undefined) {
    return '=on';
  }
  if (!many) {
    return '';
  }
  return ', with commas between several';
}

/** The values of flags by their names. */
type Flags = Partial<Record<string, string | boolean | (string | boolean)[]>>;

export type Environment = Partial<Record<string, string>>;

const PRINTING_FLAGS = { help: { type: 'boolean' }, version: { type: 'boolean' } } as const;

/** @returns what is to be printed in place of a start, if that is asked for @throws ConfigError */
export function readConfig(argv: string[], env: Environment): Config | 'help' | 'version' {
  const flags: Flags = parseFlags(argv, { ...FLAGS, ...PRINTING_FLAGS });
  if (flags['help']) {
    return 'help';
  }
  if (flags['version']) {
    return 'version';
  }
  const settings = readSettings(NAMES, flags, env);
  requireOwnTestToken(settings, flags);
  requireTokenOnNetwork(settings);
  return { ...settings, visibleSecrets: visibleSecrets(settings, flags) };
}

/** The flags as options of `parseArgs`. */
const FLAGS = Object.fromEntries(NAMES.map((name) => [flagOf(name), kindOfFlag(name)]));

function kindOfFlag(name: Name) {
  const { argument, many = false }: Setting = SETTINGS[name];
  const type: 'boolean' | 'string' = argument === undefined ? 'boolean' : 'string';
  return { type, multiple: many };
}

function requireOwnTestToken(settings: Settings, flags: Flags): void {
  if (settings.testToken !== undefined && settings.testToken === settings.token) {
    const test = nameOf('testToken', flags);
    const client = nameOf('token', flags);
    throw new ConfigError(`${test} must differ from ${client}: clients could remove all data`);
  }
}

function requireTokenOnNetwork({ token: single, tokenFile, host }: Settings): void {
  const isOpen = single === undefined && tokenFile === undefined;
  const name = host === '::1' ? '[::1]' : host;
  if (isOpen && !isLoopback(name)) {
    const advice = 'set --token-file (or API_TOKEN_FILE, API_TOKEN)';
    throw new ConfigError(`--host ${host} is not a loopback address: ${advice}`);
  }
}

/** @throws ConfigError, whose message names the flag */
export function parseFlags<O extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: O,
): ReturnType<typeof parseArgs<{ args: string[]; options: O }>>['values'] {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    const [reason] = (error as Error).message.split(/\.\s/);
    throw new ConfigError(`${reason} (see --help)`);
  }
}

/** Some of the settings, as in `Config`. @throws ConfigError */
export function readSettings<N extends Name>(
  wanted: readonly N[],
  flags: Flags,
  env: Environment,
): Pick<Settings, N> {
  const isWanted = (name: Name) => (wanted as readonly Name[]).includes(name);
  for (const group of EXCLUSIVE) {
    const [one, other] = group.filter((name) => isWanted(name) && given(name, flags, env));
    if (one !== undefined && other !== undefined) {
      const names = `${nameOf(one, flags)} and ${nameOf(other, flags)}`;
      throw new ConfigError(`${names} cannot be set together`);
    }
  }
  const settings: Partial<Record<Name, unknown>> = {};
  for (const name of wanted) {
    const value = given(name, flags, env) ?? fallbackOf(name);
    settings[name] = value && SETTINGS[name].parse(value);
  }
  return settings as Pick<Settings, N>;
}

function fallbackOf(name: Name): Value | undefined {
  const { fallback }: Setting = SETTINGS[name];
  if (fallback === undefined) {
    return undefined;
  }
  return { text: fallback, name: `--${flagOf(name)}` };
}

/** A value that was given in code, under this name. @throws ConfigError */
export function checked<N extends Name>(setting: N, name: string, value: unknown): Settings[N] {
  const parsed: unknown =
    value === undefined ? undefined : SETTINGS[setting].parse({ name, text: String(value) });
  return parsed as Settings[N];
}

/**
 * The value of the flag, else of the variable. An empty variable counts as unset.
 *
 * @throws ConfigError if that would open the API
 */
export function given(name: Name, flags: Flags, env: Environment): Value | undefined {
  const flag = flags[flagOf(name)];
  if (flag !== undefined) {
    return { text: flag === true ? 'on' : String(flag), name: nameOf(name, flags) };
  }
  const group = EXCLUSIVE.find((one) => one.includes(name)) ?? [];
  if (group.some((other) => flags[flagOf(other)] !== undefined)) {
    return undefined;
  }
  const variable = variableOf(name);
  const text = env[variable] ?? '';
  if (text !== '') {
    return { text, name: variable };
  }
  if (env[variable] === '' && NEVER_EMPTY.includes(name)) {
    throw new ConfigError(`${variable} is empty: give it a value, or unset it`);
  }
  return undefined;
}

/** The name of a setting in messages: that of its flag if it was given, else of its variable. */
function nameOf(name: Name, flags: Flags): string {
  const flag = flagOf(name);
  return flags[flag] === undefined ? variableOf(name) : `--${flag}`;
}

function visibleSecrets({ databaseUrl: url }: Settings, flags: Flags): string[] {
  const secrets = ['token', 'test-token'];
  if (url !== undefined && new URL(url).password !== '') {
    secrets.push('database-url');
  }
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
    const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) {
      return number;
    }
    const wanted = `a number from ${least} to ${most}`;
    throw new ConfigError(`${name} must be ${wanted}, not ${JSON.stringify(text)}`);
  };
}

/** The message never repeats the URL, which may hold a password. */
function databaseUrl({ name, text }: Value): string {
  const url = urlOf(text);
  const isPostgres = url !== undefined && /^postgres(ql)?:$/.test(url.protocol);
  if (isPostgres && url.pathname.length > 1) {
    return text;
  }
  throw new ConfigError(`${name} must be a URL such as postgres://user:password@host:5432/name`);
}

/** The message never repeats the token. */
function token({ name, text }: Value): string {
  if (TOKEN_FORM.test(text)) {
    return text;
  }
  throw new ConfigError(`${name} must have only ${TOKEN_CHARACTERS}`);
}

/** @returns without a slash at its end */
function publicUrl({ name, text }: Value): string {
  const url = urlOf(text);
  if (url === undefined || !isPublic(url) || text.length > MOST_OF_URL) {
    const wanted = 'an http or https URL without query, fragment or user';
    throw new ConfigError(`${name} must be ${wanted}, such as https://api.example.com`);
  }
  return url.href.replace(/\/+$/, '');
}

/** URIs in responses begin with it, and the contract bounds their length. */
const MOST_OF_URL = 1024;

function isPublic(url: URL): boolean {
  const isHttp = /^https?:$/.test(url.protocol);
  return isHttp && url.search === '' && url.hash === '' && url.username === '';
}

function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** @returns origins as browsers send them, or `*` alone */
function origins({ name, text }: Value): string[] {
  const all = text.split(',').map((one) => one.trim());
  for (const origin of all) {
    if (origin !== '*' && !isHttpOrigin(origin)) {
      const wanted = 'origins such as https://app.example, or *';
      throw new ConfigError(`${name} must be ${wanted}, not ${JSON.stringify(origin)}`);
    }
  }
  if (all.includes('*') && all.length > 1) {
    throw new ConfigError(`${name} must be * or a list of origins, not both`);
  }
  return all;
}

/** A browser sends an origin without a path, and without a port that is the usual one. */
function isHttpOrigin(text: string): boolean {
  return /^https?:\/\//.test(text) && urlOf(text)?.origin === text;
}

function onOrOff({ name, text }: Value): boolean {
  if (text !== 'on' && text !== 'off') {
    throw new ConfigError(`${name} must be on or off, not ${JSON.stringify(text)}`);
  }
  return text === 'on';
}

function logLevel({ name, text }: Value): string {
  if (!LOG_LEVELS.includes(text)) {
    throw new ConfigError(`${name} must be one of ${LOG_LEVELS.join(', ')}`);
  }
  return text;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
