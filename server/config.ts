/** Settings from flags and environment. A flag wins over its variable; nothing is read anywhere else. */
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import type { StoreSettings } from './store/open.ts';

export interface Config extends StoreSettings {
  port: number;
  host: string;
  token: string | undefined;
  /** Edges and sources to begin with. */
  seedFile: string | undefined;
  /** Opens the endpoints for tests, which can replace all data. */
  testToken: string | undefined;
  /** Without a slash at its end. */
  publicUrl: string | undefined;
  logLevel: string;
  validateResponses: boolean;
}

/** A setting that cannot be used; the message is one line that names it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

interface Setting {
  flag: string;
  variable: string;
  argument: string;
  fallback?: string;
  help: string;
}

const SETTINGS = [
  { flag: 'port', variable: 'PORT', argument: 'N', fallback: '4010', help: 'TCP port, 0 for any that is free' },
  { flag: 'host', variable: 'HOST', argument: 'ADDRESS', fallback: '127.0.0.1', help: 'address to listen on' },
  { flag: 'data-dir', variable: 'DATA_DIR', argument: 'DIR', fallback: './data', help: 'where the data are kept' },
  {
    flag: 'database-url',
    variable: 'DATABASE_URL',
    argument: 'URL',
    help: 'a PostgreSQL database in place of the folder, which several servers may share: postgres://user:password@host/name',
  },
  {
    flag: 'database-connections',
    variable: 'DATABASE_CONNECTIONS',
    argument: 'N',
    fallback: '10',
    help: 'the most connections to the database at once, 1 to 1000',
  },
  {
    flag: 'token',
    variable: 'API_TOKEN',
    argument: 'TOKEN',
    help: 'the bearer token that clients must send; without one the API is open, on loopback addresses only',
  },
  {
    flag: 'public-url',
    variable: 'PUBLIC_URL',
    argument: 'URL',
    help: 'what URIs in answers begin with, for use behind a proxy; else the host of each request',
  },
  {
    flag: 'seed-file',
    variable: 'SEED_FILE',
    argument: 'FILE',
    help: 'JSON with edges and event sources to begin with; what is there already stays as it is',
  },
  {
    flag: 'test-token',
    variable: 'TEST_TOKEN',
    argument: 'TOKEN',
    help: 'for tests: whoever sends this token can read, replace and remove all data at /testing/; off without it',
  },
  {
    flag: 'log-level',
    variable: 'LOG_LEVEL',
    argument: 'LEVEL',
    fallback: 'info',
    help: 'trace, debug, info, warn, error, fatal or silent',
  },
] as const satisfies Setting[];

type Flag = (typeof SETTINGS)[number]['flag'];

/** Of the left column of the help. */
const WIDTH = 28;

export const HELP = `edge-server: the reference server of the HTTPS Edge and Event Source Configuration API

Usage: edge-server [options]
       edge-server export | import [options]    move the data to another store; see edge-server export --help

${SETTINGS.map(line).join('\n')}
  --help${' '.repeat(WIDTH - 8)}print this

With NODE_ENV=production, answers are not validated against the contract.
`;

function line(setting: Setting): string {
  const left = `  --${setting.flag} ${setting.argument}`.padEnd(WIDTH);
  const fallback = setting.fallback === undefined ? '' : ` (default ${setting.fallback})`;
  return `${left}${setting.help}${fallback}\n${' '.repeat(WIDTH)}environment: ${setting.variable}`;
}

/**
 * @returns `help` when that is what was asked for
 * @throws ConfigError
 */
export function readConfig(argv: string[], env: Environment): Config | 'help' {
  const flags = parseFlags(argv);
  if (flags.help) return 'help';
  const value = (flag: Flag): string | undefined => given(flag, flags, env) ?? fallbackOf(flag);
  const config: Config = {
    port: parseNumber('port', value('port')!, 0, 65535),
    host: value('host')!,
    ...readStoreSettings(flags, env),
    seedFile: value('seed-file'),
    testToken: parseToken('test-token', value('test-token')),
    token: parseToken('token', value('token')),
    publicUrl: parsePublicUrl(value('public-url')),
    logLevel: parseLogLevel(value('log-level')!),
    validateResponses: env.NODE_ENV !== 'production',
  };
  if (config.token === undefined && !isLoopback(config.host)) {
    throw new ConfigError(`--host ${config.host} is not a loopback address: set --token (or API_TOKEN), too`);
  }
  return config;
}

type Flags = Partial<Record<Flag, string>>;

type Environment = Record<string, string | undefined>;

/**
 * Where the data are. A flag for one place wins over a variable for the other.
 * @throws ConfigError
 */
export function readStoreSettings(flags: Flags, env: Environment): StoreSettings {
  const byFlag = flags['data-dir'] !== undefined || flags['database-url'] !== undefined;
  const dataDir = given('data-dir', flags, byFlag ? {} : env);
  const url = given('database-url', flags, byFlag ? {} : env);
  if (dataDir === '') throw new ConfigError('--data-dir is empty');
  if (dataDir !== undefined && url !== undefined) {
    throw new ConfigError('--data-dir and --database-url exclude each other (or DATA_DIR and DATABASE_URL)');
  }
  const connections = given('database-connections', flags, env) ?? fallbackOf('database-connections')!;
  return {
    dataDir: dataDir ?? fallbackOf('data-dir')!,
    databaseUrl: parseDatabaseUrl(url),
    databaseConnections: parseNumber('database-connections', connections, 1, 1000),
  };
}

/** By flag or variable. An empty variable counts as unset, as a shell or a compose file writes it. */
export function given(flag: Flag, flags: Flags, env: Environment): string | undefined {
  return flags[flag] ?? (env[settingOf(flag).variable] || undefined);
}

function fallbackOf(flag: Flag): string | undefined {
  return settingOf(flag).fallback;
}

function settingOf(flag: Flag): Setting {
  return SETTINGS.find((one) => one.flag === flag)!;
}

function parseFlags(argv: string[]): Flags & { help?: boolean } {
  const strings = SETTINGS.map(({ flag }) => [flag, { type: 'string' }] as const);
  try {
    return parseArgs({ args: argv, options: { ...Object.fromEntries(strings), help: { type: 'boolean' } } }).values;
  } catch (error) {
    // The first sentence names the flag; the rest is advice on quoting.
    throw new ConfigError(`${(error as Error).message.split(/\.\s/)[0]} (see --help)`);
  }
}

function parseNumber(flag: Flag, text: string, least: number, most: number): number {
  if (!/^[0-9]{1,9}$/.test(text) || Number(text) < least || Number(text) > most) {
    throw new ConfigError(`--${flag} must be a number from ${least} to ${most}, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}

/** The message never repeats the URL, which may hold a password. */
function parseDatabaseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
    throw new ConfigError('--database-url must be a URL such as postgres://user:password@host:5432/name');
  }
  return text;
}

/** The message never repeats the token. */
function parseToken(flag: Flag, text: string | undefined): string | undefined {
  if (text !== undefined && !/^[A-Za-z0-9._~+/-]+=*$/.test(text)) {
    throw new ConfigError(`--${flag} must be made of A-Z a-z 0-9 . _ ~ + / - with = at its end only (RFC 6750)`);
  }
  return text;
}

function parsePublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || text.length > 1024) {
    throw new ConfigError('--public-url must be an http or https URL without query, fragment or user');
  }
  return url.href.replace(/\/+$/, '');
}

function parseLogLevel(text: string): string {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
  if (!levels.includes(text)) throw new ConfigError(`--log-level must be one of ${levels.join(', ')}`);
  return text;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
