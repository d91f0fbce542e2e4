/** Settings from flags and environment. A flag wins over its variable; nothing is read anywhere else. */
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { TOKEN_FORM } from './http/security/tokens.ts';
import type { StoreSettings } from './store/open.ts';

export interface Config extends StoreSettings {
  port: number;
  host: string;
  token: string | undefined;
  /** Tokens in place of the one, followed as it changes. */
  tokenFile: string | undefined;
  /** Edges and sources to begin with. */
  seedFile: string | undefined;
  /** Opens the endpoints for tests, which can replace all data. */
  testToken: string | undefined;
  /** Without a slash at its end. */
  publicUrl: string | undefined;
  /** As browsers send them, or `*` alone. */
  corsOrigins: string[];
  /** Requests a minute and client. */
  rateLimit: number | undefined;
  /** How many proxies in front are believed what they say of the client's address. */
  trustProxy: number;
  /** Answer with faults where a request asks for them. */
  faults: boolean;
  /** Flags with a secret in them, which process listings show to everyone on the machine. */
  visibleSecrets: string[];
  logLevel: string;
  /** Hold each response to the contract before it leaves. */
  validateResponses: boolean;
  /** Renders the docs once the server listens. */
  docsCommand: string | undefined;
}

/** A setting that cannot be used; the message is one line that names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

interface Setting {
  flag: string;
  variable: string;
  /** Left out: a switch, whose variable is `on` or `off`. */
  argument?: string;
  /** May be given several times; the values are joined by commas, as in its variable. */
  many?: true;
  fallback?: string;
  help: string;
}

const SETTINGS = [
  { flag: 'port', variable: 'PORT', argument: 'N', fallback: '4010', help: 'TCP port, 0 for any that is free' },
  { flag: 'host', variable: 'HOST', argument: 'ADDRESS', fallback: '127.0.0.1', help: 'address to listen on' },
  { flag: 'data-dir', variable: 'DATA_DIR', argument: 'DIR', fallback: './data', help: 'folder for the data' },
  {
    flag: 'database-url',
    variable: 'DATABASE_URL',
    argument: 'URL',
    help: 'a PostgreSQL database instead of the folder; several servers can share it: postgres://user:password@host/name',
  },
  {
    flag: 'database-connections',
    variable: 'DATABASE_CONNECTIONS',
    argument: 'N',
    fallback: '10',
    help: 'largest number of connections to the database, 1 to 1000',
  },
  {
    flag: 'token',
    variable: 'API_TOKEN',
    argument: 'TOKEN',
    help: 'the bearer token that clients must send; without one the API is open, on loopback addresses only. Process listings show the flag: use the variable or a file instead',
  },
  {
    flag: 'token-file',
    variable: 'API_TOKEN_FILE',
    argument: 'FILE',
    help: 'file with several tokens, one on each line; the word read-only after a token permits no changes; the file is read again when it changes',
  },
  {
    flag: 'cors-origin',
    variable: 'CORS_ORIGIN',
    argument: 'ORIGIN',
    many: true,
    help: 'allow pages of this origin, such as https://app.example.com, to call the API from a browser; * allows every page (default: none)',
  },
  {
    flag: 'rate-limit',
    variable: 'RATE_LIMIT',
    argument: 'N',
    help: 'largest number of requests a minute for one client (a valid token, or else an address), 1 to 1000000 (default: no limit)',
  },
  {
    flag: 'trust-proxy',
    variable: 'TRUST_PROXY',
    argument: 'N',
    fallback: '0',
    help: 'number of proxies in front of the server, 0 to 10, whose X-Forwarded-For is trusted; used by --rate-limit',
  },
  {
    flag: 'public-url',
    variable: 'PUBLIC_URL',
    argument: 'URL',
    help: 'beginning of the URIs in responses, for use behind a proxy (default: the host of each request)',
  },
  {
    flag: 'seed-file',
    variable: 'SEED_FILE',
    argument: 'FILE',
    help: 'JSON file with edges and event sources to start with; those that exist already are not changed',
  },
  {
    flag: 'test-token',
    variable: 'TEST_TOKEN',
    argument: 'TOKEN',
    help: 'for tests: a client with this token can read, replace and remove all data at /testing/ (default: off)',
  },
  {
    flag: 'faults',
    variable: 'FAULTS',
    help: 'for tests of clients: respond with an error, late or not at all if the Prefer header of a request asks for it',
  },
  {
    flag: 'log-level',
    variable: 'LOG_LEVEL',
    argument: 'LEVEL',
    fallback: 'info',
    help: 'trace, debug, info, warn, error, fatal or silent',
  },
  {
    flag: 'validate-responses',
    variable: 'VALIDATE_RESPONSES',
    help: 'for development and tests: validate each response against the contract before it is sent; one that breaks it becomes a 500',
  },
  {
    flag: 'docs-command',
    variable: 'DOCS_COMMAND',
    argument: 'COMMAND',
    help: 'a shell command that renders docs/index.html, run once the server listens; /docs waits for it',
  },
] as const satisfies Setting[];

type Flag = (typeof SETTINGS)[number]['flag'];

/** Of the left column of the help. */
const WIDTH = 28;

export const HELP = `edge-server: the reference server of the HTTPS Edge and Event Source Configuration API

Usage: edge-server [options]
       edge-server export | import | salvage [options]    move or repair the data; see edge-server export --help

${SETTINGS.map(line).join('\n')}
  --help${' '.repeat(WIDTH - 8)}print this
`;

function line(setting: Setting): string {
  const left = `  --${setting.flag}${setting.argument === undefined ? '' : ` ${setting.argument}`}`.padEnd(WIDTH);
  const fallback = setting.fallback === undefined ? '' : ` (default ${setting.fallback})`;
  const many = setting.many ? ' (repeatable)' : '';
  const form = setting.argument === undefined ? '=on' : setting.many ? ', with commas between several' : '';
  return `${left}${setting.help}${fallback}${many}\n${' '.repeat(WIDTH)}environment: ${setting.variable}${form}`;
}

/**
 * @returns `help` when that is what was asked for
 * @throws ConfigError
 */
export function readConfig(argv: string[], env: Environment): Config | 'help' {
  const flags = parseFlags(argv);
  if (flags.help) return 'help';
  const value = (flag: Flag): Value | undefined => given(flag, flags, env) ?? fallbackOf(flag);
  const [token, tokenFile] = eitherOf('token', 'token-file', flags, env);
  const config: Config = {
    port: parseNumber(value('port'), 0, 65535)!,
    host: value('host')!.text,
    ...readStoreSettings(flags, env),
    seedFile: notEmpty(value('seed-file')),
    token: parseToken(token),
    tokenFile: notEmpty(tokenFile),
    testToken: parseToken(value('test-token')),
    publicUrl: parsePublicUrl(value('public-url')),
    corsOrigins: parseOrigins(value('cors-origin')),
    rateLimit: parseNumber(value('rate-limit'), 1, 1_000_000),
    trustProxy: parseNumber(value('trust-proxy'), 0, 10)!,
    faults: parseSwitch(value('faults')),
    visibleSecrets: visibleSecrets(flags),
    logLevel: parseLogLevel(value('log-level')!),
    validateResponses: parseSwitch(value('validate-responses')),
    docsCommand: notEmpty(value('docs-command')),
  };
  if (config.testToken !== undefined && config.testToken === config.token) {
    throw new ConfigError(
      `${value('test-token')!.name} must differ from ${token!.name}: clients could remove all data`,
    );
  }
  if (config.token === undefined && config.tokenFile === undefined && !isLoopback(config.host)) {
    throw new ConfigError(
      `--host ${config.host} is not a loopback address: set --token-file (or API_TOKEN_FILE, API_TOKEN), too`,
    );
  }
  return config;
}

type Flags = Partial<Record<Flag, string>>;

type Environment = Record<string, string | undefined>;

/** What was given for a setting, and what a message calls it: the flag or the variable. */
interface Value {
  text: string;
  name: string;
}

/**
 * Where the data are.
 * @throws ConfigError
 */
export function readStoreSettings(flags: Flags, env: Environment): StoreSettings {
  const [dataDir, url] = eitherOf('data-dir', 'database-url', flags, env);
  return {
    dataDir: notEmpty(dataDir ?? fallbackOf('data-dir'))!,
    databaseUrl: parseDatabaseUrl(url),
    databaseConnections: parseNumber(
      given('database-connections', flags, env) ?? fallbackOf('database-connections'),
      1,
      1000,
    )!,
  };
}

/** Taken for unset, an empty one would open the API to everybody, or run without what its user asked for. */
const NEVER_EMPTY: ReadonlySet<Flag> = new Set(['token', 'token-file', 'test-token']);

/**
 * By flag or variable. An empty variable counts as unset, as a shell or a compose file writes it.
 * @throws ConfigError for an empty variable that decides who may call
 */
export function given(flag: Flag, flags: Flags, env: Environment): Value | undefined {
  const text = flags[flag];
  if (text !== undefined) return { text, name: `--${flag}` };
  const { variable: name } = settingOf(flag);
  const value = env[name];
  if (value === '' && NEVER_EMPTY.has(flag)) throw new ConfigError(`${name} is empty: give it a value, or unset it`);
  return value ? { text: value, name } : undefined;
}

function fallbackOf(flag: Flag): Value | undefined {
  const { fallback } = settingOf(flag);
  return fallback === undefined ? undefined : { text: fallback, name: `--${flag}` };
}

function settingOf(flag: Flag): Setting {
  return SETTINGS.find((one) => one.flag === flag)!;
}

/**
 * Two settings that cannot be set together. A flag for one wins over the variables of both.
 * @throws ConfigError when both are given
 */
function eitherOf(a: Flag, b: Flag, flags: Flags, env: Environment): [Value | undefined, Value | undefined] {
  const variables = flags[a] !== undefined || flags[b] !== undefined ? {} : env;
  const values: [Value | undefined, Value | undefined] = [given(a, flags, variables), given(b, flags, variables)];
  if (values[0] && values[1]) throw new ConfigError(`${values[0].name} and ${values[1].name} cannot be set together`);
  return values;
}

function parseFlags(argv: string[]): Flags & { help?: boolean } {
  const options = SETTINGS.map(
    ({ flag, argument, many }: Setting) =>
      [
        flag,
        { type: argument === undefined ? ('boolean' as const) : ('string' as const), multiple: many ?? false },
      ] as const,
  );
  try {
    const { help, ...values } = parseArgs({
      args: argv,
      options: { ...Object.fromEntries(options), help: { type: 'boolean' } },
    }).values;
    const texts = Object.entries(values).map(([flag, value]) => [flag, value === true ? 'on' : String(value)]);
    return { ...(Object.fromEntries(texts) as Flags), ...(help === true ? { help } : {}) };
  } catch (error) {
    // The first sentence names the flag; the rest is advice on quoting.
    throw new ConfigError(`${(error as Error).message.split(/\.\s/)[0]} (see --help)`);
  }
}

function notEmpty(value: Value | undefined): string | undefined {
  if (value?.text === '') throw new ConfigError(`${value.name} is empty`);
  return value?.text;
}

function parseNumber(value: Value | undefined, least: number, most: number): number | undefined {
  if (value === undefined) return undefined;
  const { name, text } = value;
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) < least || Number(text) > most) {
    throw new ConfigError(`${name} must be a number from ${least} to ${most}, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}

/** The message never repeats the URL, which may hold a password. */
function parseDatabaseUrl(value: Value | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value.text) ? new URL(value.text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
    throw new ConfigError(`${value.name} must be a URL such as postgres://user:password@host:5432/name`);
  }
  return value.text;
}

/** The message never repeats the token. */
function parseToken(value: Value | undefined): string | undefined {
  if (value !== undefined && !TOKEN_FORM.test(value.text)) {
    throw new ConfigError(
      `${value.name} must have only the characters A-Z a-z 0-9 . _ ~ + / -, and = at its end (RFC 6750)`,
    );
  }
  return value?.text;
}

function parsePublicUrl(value: Value | undefined): string | undefined {
  if (value === undefined) return undefined;
  const { name, text } = value;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || text.length > 1024) {
    throw new ConfigError(`${name} must be an http or https URL without query, fragment or user`);
  }
  return url.href.replace(/\/+$/, '');
}

/** The message repeats what is wrong: origins are no secret. */
function parseOrigins(value: Value | undefined): string[] {
  if (value === undefined) return [];
  const { name, text } = value;
  const origins = text.split(',').map((one) => one.trim());
  for (const origin of origins) {
    // A browser sends an origin without a path, and without a port that is the usual one.
    const isOrigin = URL.canParse(origin) && /^https?:\/\//.test(origin) && new URL(origin).origin === origin;
    if (!isOrigin && origin !== '*')
      throw new ConfigError(
        `${name} must be origins such as https://app.example.com, or *, not ${JSON.stringify(origin)}`,
      );
  }
  if (origins.includes('*') && origins.length > 1)
    throw new ConfigError(`${name} must be * or a list of origins, not both`);
  return origins;
}

function visibleSecrets(flags: Flags): string[] {
  const password =
    flags['database-url'] !== undefined && new URL(flags['database-url']).password !== ''
      ? (['database-url'] as const)
      : [];
  const tokens = (['token', 'test-token'] as const).filter((flag) => flags[flag] !== undefined);
  return [...tokens, ...password].map((flag) => `--${flag}`);
}

function parseSwitch(value: Value | undefined): boolean {
  const { name, text } = value ?? { name: '', text: 'off' };
  if (text !== 'on' && text !== 'off') throw new ConfigError(`${name} must be on or off, not ${JSON.stringify(text)}`);
  return text === 'on';
}

function parseLogLevel({ name, text }: Value): string {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
  if (!levels.includes(text)) throw new ConfigError(`${name} must be one of ${levels.join(', ')}`);
  return text;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
