/** The command line, and the config file, which takes the same names; their secrets, and the command for one case. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CORE_SCHEMA, load } from 'js-yaml';
import { quote } from '../engine/report/shell.ts';
import { isObject } from '../engine/contract/pointers.ts';
import { OptionError, usable } from '../engine/run/known-failures.ts';

/** The settings of the command line and the config file together. */
export type Options = ReturnType<typeof optionsOf> & { dataMap: Record<string, unknown> };

export const FORMATS = ['text', 'json', 'junit', 'markdown', 'html', 'sarif', 'har'] as const;
export type Format = (typeof FORMATS)[number];

export { OptionError };

export type Env = Readonly<Record<string, string | undefined>>;

const text = (value: string, help: string) =>
  ({ type: 'string', multiple: false, value, help }) as const;
const texts = (value: string, help: string) =>
  ({ type: 'string', multiple: true, value, help }) as const;
const flag = (help: string) =>
  ({ type: 'boolean', multiple: false, value: undefined, help }) as const;

/** By name, with the name of its value and its line in the help. */
const OPTIONS = {
  contract: text(
    'FILE',
    'test against this contract, a path or URL, OpenAPI 3.0 to 3.2 (default: the one built in)',
  ),
  references: texts('PLACE', 'follow references of --contract also below this folder or URL'),
  level: text('core|extended', 'check by this level (default: what the service offers)'),
  origin: text(
    'source|all',
    'check by the source document alone, or also by the decisions (default all)',
  ),
  token: text(
    'TOKEN',
    'bearer token, API key or USER:PASSWORD, as the contract asks; better as CONFORMANCE_TOKEN',
  ),
  auth: texts(
    'NAME=VALUE',
    'credentials for a security scheme of the contract; VALUE as for --token, or env:VARIABLE',
  ),
  'read-only-token': text(
    'TOKEN',
    'a second token, which permits no change; better as CONFORMANCE_READ_ONLY_TOKEN',
  ),
  header: texts('NAME:VALUE', 'send this header with every request'),
  'subscription-id': texts('ID', 'use this existing subscription, where not any id will do'),
  'event-type': texts('TYPE', 'use these event types, where the service knows only some'),
  'hostport-domain': text('DOMAIN', 'use hostports in this domain'),
  'certificate-authority-id': texts(
    'ID',
    'use these certificate authorities, where not any id will do',
  ),
  cert: text('FILE', 'show this certificate to the service, in PEM; --key has its key'),
  key: text('FILE', 'the private key of --cert, in PEM'),
  ca: text('FILE', 'trust these authorities for https, in PEM, and no others'),
  proxy: text('URL', 'connect by this proxy; credentials in the URL better as CONFORMANCE_PROXY'),
  'server-variable': texts(
    'NAME=VALUE',
    'the value of a variable in the URL of the server of --contract',
  ),
  data: text(
    'FILE',
    'what the service has: {parameters: {NAME: value}, bodies: {OPERATION: value}}, or a file of it',
  ),
  hooks: text('FILE', 'a module with checks and laws of your own (README, "Your own checks")'),
  'min-tried': text(
    'SHARE',
    'the share of requirements that a verdict needs, 0 to 1 (default 0.5)',
  ),
  seed: text('N', 'generate the same cases again (default: random, and printed)'),
  runs: text('N', 'cases per requirement (default 20); a clause has a quarter of them or less'),
  only: texts('ID-PREFIX', 'try only requirements whose id begins so'),
  path: texts(
    'GLOB',
    'try only operations whose path is so, such as /users/**; * stands for what has no slash',
  ),
  method: texts('NAME', 'try only operations with this method'),
  tag: texts('GLOB', 'try only operations with such a tag'),
  skip: texts('ID-PREFIX=REASON', 'do not try these, for this reason; the report says so'),
  list: flag('list every requirement and send nothing'),
  verbose: flag('name every requirement, also those that pass'),
  bail: flag('stop at the first failure'),
  jobs: text('N', 'threads that try requirements side by side, where cores are idle (default 1)'),
  concurrency: text('N', 'requirements that each thread tries at the same time (default 8)'),
  wait: text('SECONDS', 'wait so long at most until the service answers (default 0)'),
  'timeout-ms': text('N', 'how long a response may take (default 10000)'),
  rate: text('N', 'at most so many requests a second (default: no limit)'),
  report: text(
    'DIR',
    'write report.json, junit.xml, report.html, report.md, report.sarif and failures.har there',
  ),
  format: text(FORMATS.join('|'), 'what goes to stdout (default text)'),
  replay: text('CASE', 'run one failed case again, by the name that the failure gives'),
  'known-failures': text(
    'FILE',
    'excuse these failures until they expire: [{"id","reason","expires"}]',
  ),
  config: text(
    'FILE',
    'read options from this JSON or YAML file (default: conformance.yaml, if there is one)',
  ),
  help: flag('print this'),
  version: flag('print the versions of the suite and of the contract'),
};

type Name = keyof typeof OPTIONS;
/** As they are written: lists of what may be repeated, texts, and switches. */
type Raw = ReturnType<typeof parseCommandLine>['values'];

export const HELP = `edge-conformance: tests an HTTP API against its OpenAPI contract (--contract), by default that of the
HTTPS Edge and Event Source Configuration API

Usage: edge-conformance URL [options]

${Object.entries(OPTIONS).map(helpLine).join('\n')}

Exit codes: 0 conformant, 1 not conformant, 2 no verdict.
`;

function helpLine([name, { value, multiple, help }]: [string, (typeof OPTIONS)[Name]]): string {
  const left = `  --${name}${value === undefined ? '' : ` ${value}`}`;
  const right = multiple ? `${help} (repeatable)` : help;
  if (left.length < 32) {
    return `${left.padEnd(32)}${right}`;
  }
  return `${left}\n${' '.repeat(32)}${right}`;
}

/** The config file that is read where no other one is named. */
const USUAL = 'conformance.yaml';

/** @param cwd where a relative path of the config file starts @throws OptionError */
export function readOptions(
  argv: string[],
  env: Env,
  cwd = process.cwd(),
): Options | 'help' | 'version' {
  const { values, positionals } = parseCommandLine(argv);
  if (values.help) {
    return 'help';
  }
  if (values.version) {
    return 'version';
  }
  const config = values.config ?? (existsSync(resolve(cwd, USUAL)) ? USUAL : undefined);
  const file = config === undefined ? { values: {} } : readConfigFile(config, cwd, env);
  if (positionals.length > 1) {
    throw new OptionError(
      `give one URL, not ${positionals.length}; a word behind an option is its value only where --help shows one`,
    );
  }
  const all = { ...file.values, ...values };
  // Read once: it may be a pipe. Its credentials are as `--auth` has them, which overrides them.
  const dataMap = readMap('data', all.data ?? '{}', cwd);
  const { credentials = {} } = dataMap;
  if (!isObject(credentials)) {
    throw new OptionError('--data: credentials must be a map of security schemes');
  }
  const auth = [...Object.entries(credentials).map((pair) => pair.join('=')), ...(all.auth ?? [])];
  return { ...optionsOf({ ...all, auth }, positionals[0] ?? file.url, env), dataMap };
}

function optionsOf(raw: Raw, url: string | undefined, env: Env) {
  const {
    list = false,
    bail = false,
    verbose = false,
    contract,
    data,
    hooks,
    report,
    replay,
  } = raw;
  if (url === undefined && !list) {
    throw new OptionError(
      'give the base URL of the service, such as http://127.0.0.1:8080 (see --help)',
    );
  }
  const format = oneOf('format', raw.format, FORMATS) ?? 'text';
  if (list && format !== 'text' && format !== 'json') {
    throw new OptionError(`--list is shown as text or json, not as ${format}`);
  }
  return {
    url: url === undefined ? 'http://127.0.0.1' : parseUrl(url),
    references: raw.references ?? [],
    contract,
    data,
    hooks,
    report,
    replay,
    list,
    bail,
    verbose,
    format,
    level: oneOf('level', raw.level, ['core', 'extended'] as const),
    origin: oneOf('origin', raw.origin, ['source', 'all'] as const) ?? 'all',
    ...readTokens(raw, env),
    /** By the name of the security scheme. */
    auth: readAuth(raw, env),
    ...readWay(raw, env),
    serverVariables: pairsOf('server-variable', raw['server-variable'] ?? []),
    /** Names in lower case. */
    headers: parseHeaders(raw.header ?? []),
    subscriptionIds: raw['subscription-id'] ?? [],
    eventTypes: raw['event-type'] ?? [],
    hostportDomain: raw['hostport-domain'],
    certificateAuthorityIds: raw['certificate-authority-id'] ?? [],
    seed: number('seed', raw.seed, -(2 ** 31), 2 ** 31 - 1) ?? Math.floor(Math.random() * 2 ** 31),
    minTried: number('min-tried', raw['min-tried'], 0, 1, 'a number') ?? 1,
    runs: number('runs', raw.runs, 1, 100_000) ?? 20,
    only: raw.only ?? [],
    /** Globs: an operation that is tried has one of each. */
    operations: { path: raw.path ?? [], method: raw.method ?? [], tag: raw.tag ?? [] },
    skip: (raw.skip ?? []).map(parseSkip),
    jobs: number('jobs', raw.jobs, 1, 64) ?? 1,
    concurrency: number('concurrency', raw.concurrency, 1, 256) ?? 8,
    waitSeconds: number('wait', raw.wait, 0, 86_400) ?? 0,
    timeoutMs: number('timeout-ms', raw['timeout-ms'], 1, 3_600_000) ?? 10_000,
    rate: number('rate', raw.rate, 1, 1_000_000),
    knownFailures: raw['known-failures'],
  };
}

function parseCommandLine(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new OptionError(`${(error as Error).message.split(/\.\s/)[0]} (see --help)`);
  }
}

/** The map in a JSON or YAML file that an option names, or which it is itself. @throws OptionError */
function readMap(option: string, file: string, cwd: string): Record<string, unknown> {
  const read = () => {
    if (file.startsWith('{')) {
      return file;
    }
    return readFileSync(resolve(cwd, file), 'utf8');
  };
  const found: unknown = usable(`--${option} ${file} cannot be read`, () =>
    load(read(), { schema: CORE_SCHEMA }),
  );
  if (!isObject(found)) {
    throw new OptionError(`--${option} ${file} is not a map`);
  }
  return found;
}

function readConfigFile(
  file: string,
  cwd: string,
  env: Env,
): { url?: string | undefined; values: Raw } {
  const valueOf = (_: string, name: string): string => {
    if (env[name] === undefined) {
      throw new OptionError(`--config ${file}: the environment has no ${name}`);
    }
    return env[name];
  };
  const expanded = (_: string, value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replaceAll(/\$\{(\w+)\}/g, valueOf);
    }
    return value;
  };
  const json = JSON.stringify(readMap('config', file, cwd));
  const { url, ...values } = JSON.parse(json, expanded) as Record<string, unknown>;
  const known = Object.entries(values).map(([name, value]) => [
    name,
    fromConfig(file, name, value),
  ]);
  if (url !== undefined && typeof url !== 'string') {
    throw new OptionError(`--config ${file}: url must be a text`);
  }
  return { url, values: Object.fromEntries(known) as Raw };
}

/** YAML and JSON have numbers, a command line has texts only. */
function fromConfig(file: string, name: string, value: unknown): string | boolean | string[] {
  if (!Object.hasOwn(OPTIONS, name) || /^(config|help|version)$/.test(name)) {
    throw new OptionError(`--config ${file}: there is no option ${name}`);
  }
  const { type, multiple } = OPTIONS[name as Name];
  if (typeof value === 'boolean' && type === 'boolean') {
    return value;
  }
  if (type === 'boolean') {
    throw new OptionError(`--config ${file}: ${name} must be true or false`);
  }
  if (name === 'data' && isObject(value)) {
    return JSON.stringify(value);
  }
  const items: unknown[] = [value].flat();
  if (!items.every((item) => typeof item === 'string' || typeof item === 'number')) {
    throw new OptionError(
      `--config ${file}: ${name} must be a text${multiple ? ' or a list of texts' : ''}`,
    );
  }
  if (multiple) {
    return items.map(String);
  }
  if (Array.isArray(value)) {
    throw new OptionError(`--config ${file}: ${name} takes one value`);
  }
  return String(value);
}

function oneOf<T extends string>(
  name: Name,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined) {
    return undefined;
  }
  const found = allowed.find((one) => one === value);
  if (found === undefined) {
    throw new OptionError(
      `--${name} must be ${allowed.join(' or ')}, not ${JSON.stringify(value)}`,
    );
  }
  return found;
}

type Kind = keyof typeof KINDS;
const KINDS = { 'a whole number': /^-?\d{1,15}$/, 'a number': /^\d*\.?\d+$/ };

function number(
  name: Name,
  value: string | undefined,
  min: number,
  max: number,
  kind: Kind = 'a whole number',
) {
  if (value === undefined) {
    return undefined;
  }
  const found = KINDS[kind].test(value) ? Number(value) : Number.NaN;
  if (found >= min && found <= max) {
    return found;
  }
  throw new OptionError(
    `--${name} must be ${kind} from ${min} to ${max}, not ${JSON.stringify(value)}`,
  );
}

function parseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.username || url?.password) {
    throw new OptionError('credentials do not belong into the URL: use --token or --header');
  }
  if (url?.search || url?.hash) {
    throw new OptionError(
      'a base URL has no query and no fragment: leave out what begins with ? or #',
    );
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new OptionError(
      `${JSON.stringify(value)} is not the base URL of a service, such as http://127.0.0.1:8080`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** `readOnlyToken` permits no change, and is only there beside `token`. */
function readTokens(raw: Raw, env: Env) {
  const token = readToken('token', raw, env['CONFORMANCE_TOKEN']);
  const readOnlyToken = readToken('read-only-token', raw, env['CONFORMANCE_READ_ONLY_TOKEN']);
  if (readOnlyToken !== undefined && token === undefined) {
    throw new OptionError(
      '--read-only-token needs --token beside it (or CONFORMANCE_TOKEN): it permits no change',
    );
  }
  if (readOnlyToken !== undefined && readOnlyToken === token) {
    throw new OptionError(
      '--read-only-token must be another one than --token: it permits no change',
    );
  }
  return { token, readOnlyToken };
}

const VISIBLE = /^[\x21-\x7e]+$/;

/** The message never repeats the token. */
function readToken(
  name: 'token' | 'read-only-token',
  raw: Raw,
  fromEnvironment: string | undefined,
) {
  const value = raw[name] ?? (fromEnvironment || undefined);
  if (value !== undefined && !VISIBLE.test(value)) {
    throw new OptionError(`--${name} must be made of visible ASCII characters`);
  }
  return value;
}

/** @throws OptionError, which repeats no value */
function readAuth({ auth = [] }: Raw, env: Env): Record<string, string> {
  const entries = auth.map((one) => {
    const [, name, variable, given] = /^([^=]+)=(?:env:(.*)|(.*))$/s.exec(one) ?? [];
    if (name === undefined) {
      throw new OptionError('--auth must be NAME=VALUE');
    }
    const value = variable === undefined ? given : env[variable];
    const missing =
      variable === undefined ? 'there is no value' : `the environment has no ${variable}`;
    if (!value) {
      throw new OptionError(`--auth ${name}: ${missing}`);
    }
    if (!VISIBLE.test(value)) {
      throw new OptionError(`--auth ${name} must be made of visible ASCII characters`);
    }
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}

/** The files of TLS, and a proxy. */
function readWay({ cert, key, ca, proxy: given }: Raw, env: Env) {
  if ((cert === undefined) !== (key === undefined)) {
    throw new OptionError('--cert and --key belong together');
  }
  const url = given ?? (env['CONFORMANCE_PROXY'] || undefined);
  const proxy = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  // The message repeats no credentials.
  if (url !== undefined && !/^https?:$/.test(proxy?.protocol ?? '')) {
    throw new OptionError('--proxy must be the URL of a proxy, such as http://127.0.0.1:3128');
  }
  return { tls: { cert, key, ca }, proxy };
}

function pairsOf(option: Name, values: readonly string[]): Record<string, string> {
  const pairs = values.map((one) => /^([^=]+)=(.*)$/s.exec(one)?.slice(1));
  if (pairs.includes(undefined)) {
    throw new OptionError(`--${option} must be NAME=VALUE`);
  }
  return Object.fromEntries(pairs as [string, string][]);
}

/** Cases are about the connection and the body. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'transfer-encoding',
  'upgrade',
]);

function parseHeaders(values: string[]): Record<string, string> {
  const headers = values.map((value): [string, string] => {
    const [, name, content] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/.exec(value) ?? [];
    if (!name || !content) {
      throw new OptionError('--header must be NAME:VALUE');
    }
    if (FRAMING.has(name.toLowerCase())) {
      throw new OptionError(
        `--header ${name} is for the suite to set: it differs from request to request`,
      );
    }
    return [name.toLowerCase(), content];
  });
  const names = headers.map(([name]) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) {
    throw new OptionError(`--header ${repeated} is given twice`);
  }
  return Object.fromEntries(headers);
}

function parseSkip(value: string): { prefix: string; reason: string } {
  const at = value.indexOf('=');
  const reason = value.slice(at + 1).trim();
  if (at < 1 || reason === '') {
    throw new OptionError(`--skip ${JSON.stringify(value)} must be ID-PREFIX=REASON`);
  }
  return { prefix: value.slice(0, at), reason };
}

/** Shorter parts of a header value are words such as `Basic`, and occur by chance. */
const SHORTEST_PART = 8;

/** @param fetched tokens that the run got by itself */
export function secretsOf(
  { token, readOnlyToken, headers, proxy }: Options,
  fetched: readonly string[],
): string[] {
  // The suite also sends the token without its last character, which is almost the token.
  const partsOfToken = (one: string) => [
    one,
    one.slice(0, -1),
    /^[^:]+:(.+)$/.exec(one)?.[1] ?? '',
  ];
  const tokens = [token ?? '', ...fetched].flatMap(partsOfToken);
  const ofProxy = decodeURIComponent(proxy?.password ?? '');
  return [
    ...tokens,
    readOnlyToken ?? '',
    ofProxy,
    ...Object.values(headers).flatMap(partsOf),
  ].filter((secret) => secret !== '');
}

/** A header may be a key, and a service may repeat a part: what follows a scheme, a cookie, the password of Basic. */
function partsOf(value: string): string[] {
  const words = value.split(/[\s,;=]+/);
  const basic = /^basic +([\w+/=-]+)$/i.exec(value)?.[1];
  const pair = Buffer.from(basic ?? '', 'base64').toString('utf8');
  return [
    value,
    ...words.filter((word) => word.length >= SHORTEST_PART),
    pair,
    pair.slice(pair.indexOf(':') + 1),
  ];
}

/** Without its credentials. */
export function shownProxy({ protocol, host, username }: URL): string {
  return `${protocol}//${username === '' ? '' : '…@'}${host}`;
}

/** The command line that runs one case again: it says where secrets belong. */
export function replayCommand(options: Options, name: string): string {
  const values = {
    contract: options.contract,
    // A map may hold a password.
    data: options.data?.startsWith('{') ? '…' : options.data,
    hooks: options.hooks,
    level: options.level,
    origin: options.origin === 'all' ? undefined : options.origin,
    auth: Object.keys(options.auth).map((scheme) => `${scheme}=…`),
    ...options.tls,
    proxy: options.proxy && shownProxy(options.proxy),
    'server-variable': Object.entries(options.serverVariables).map((pair) => pair.join('=')),
    header: Object.keys(options.headers).map((header) => `${header}: …`),
    'subscription-id': options.subscriptionIds,
    'event-type': options.eventTypes,
    'hostport-domain': options.hostportDomain,
    'certificate-authority-id': options.certificateAuthorityIds,
    replay: name,
  };
  const flags = Object.entries(values).flatMap(([option, value = []]) => {
    return [value].flat().flatMap((one) => [`--${option}`, one]);
  });
  const token = options.token === undefined ? '' : 'CONFORMANCE_TOKEN=… ';
  const readOnly = options.readOnlyToken === undefined ? '' : 'CONFORMANCE_READ_ONLY_TOKEN=… ';
  // In a checkout, npx would ask the public registry for a package of that name.
  const isCheckout = process.env['npm_lifecycle_event'] === 'conformance';
  const command = isCheckout ? 'npm run conformance --' : 'npx @edge-contract/conformance';
  return `${token}${readOnly}${command} ${[options.url, ...flags].map(quote).join(' ')}`;
}
