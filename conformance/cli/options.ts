/** The settings of a run: the command line and the config file together, with defaults. */
import { isObject } from '../engine/contract/pointers.ts';
import type { Level } from '../engine/contract/operations.ts';
import type { Accepted } from '../engine/findings/accepted.ts';
import { type Kind, KINDS } from '../engine/findings/kinds.ts';
import { OptionError } from '../engine/run/known-failures.ts';
import { parseCommandLine } from './command-line.ts';
import { type Env, readConfigFile, readMap } from './config-file.ts';
import { readCredentials, type CredentialOptions } from './credential-options.ts';
import { type Format, FORMATS, type RawOptions } from './option-table.ts';
import {
  baseUrlOf,
  commandOf,
  numberOf,
  oneOf,
  pairsOf,
  type Skip,
  skipOf,
} from './option-values.ts';

export interface Options
  extends
    ServiceOptions,
    CredentialOptions,
    KnowledgeOptions,
    SelectionOptions,
    CaseOptions,
    LoadOptions,
    OutputOptions {}

/** The service that is tested, and the contract. */
export interface ServiceOptions {
  /** The base URL, without a slash at its end. */
  url: string;
  /** A path or URL; undefined for the contract of this package. */
  contract: string | undefined;
  /** Folders and URLs below which references of the contract are followed. */
  references: string[];
  /** Values of variables in the URL of the server of the contract, by name. */
  serverVariables: Record<string, string>;
  /** Undefined: the level that the service offers. */
  level: Level | undefined;
  origin: 'source' | 'all';
}

/** Values and resources that the service knows. */
export interface KnowledgeOptions {
  subscriptionIds: string[];
  eventTypes: string[];
  hostportDomain: string | undefined;
  certificateAuthorityIds: string[];
  /** The map of `--data`, or its file, as it is written. */
  data: string | undefined;
  /** The content of `data`. */
  dataMap: Record<string, unknown>;
}

/** The requirements that are tried. */
export interface SelectionOptions {
  /** The beginnings of their ids, or globs of ids; empty for all. */
  only: string[];
  /** Globs: an operation that is tried has one of each kind that is not empty. */
  operations: { path: string[]; method: string[]; tag: string[] };
  skip: Skip[];
  /** Globs of operations that may do harm, and are tried all the same. */
  allow: string[];
  /** Only asks how operations are reached, and checks nothing. */
  survey: boolean;
  /** The name of one case. */
  replay: string | undefined;
  /** Only lists them, and sends nothing. */
  list: boolean;
}

/** The cases that are made, and the consequences of their results. */
export interface CaseOptions {
  /** From -2³¹ to 2³¹ - 1; by default random. */
  seed: number;
  /** Cases per requirement, from 1 to 100,000; by default 20. */
  runs: number;
  /** A module with checks of a user. */
  hooks: string | undefined;
  /** The share of chosen operations that must succeed for a verdict, from 0 to 1; by default 1. */
  minTried: number;
  knownFailures: string | undefined;
  /** Causes that the user accepts for a time. */
  accept: Accepted[];
  /** The kinds of findings that count; empty for all. */
  kinds: Kind[];
  /** Whether the run stops at the first failure. */
  bail: boolean;
}

/** The amount that is sent at once, and the times for which the run waits. */
export interface LoadOptions {
  /** Threads, from 1 to 64; by default 1. */
  jobs: number;
  /** Requirements under way at once in each thread, from 1 to 256; by default 8. */
  concurrency: number;
  /** Requests a second in all threads, from 1 to 1,000,000; undefined: no limit. */
  rate: number | undefined;
  /**
   * Seconds for the service to respond, before the run and when it has stopped, from 0 to 86,400;
   * by default 0.
   */
  waitSeconds: number;
  /** A command of the shell that starts the service again when it has stopped. */
  restart: string | undefined;
  /** For the whole run, from 0.1 to 1,000,000; undefined: no limit. */
  maxSeconds: number | undefined;
  /** For one response, from 1 to 3,600,000; by default 10,000. */
  timeoutMs: number;
}

export interface OutputOptions {
  /** The output on stdout. */
  format: Format;
  /** The folder for reports. */
  report: string | undefined;
  /** Whether each requirement is named. */
  verbose: boolean;
  /** The id of a finding in the report of `report`: it is printed, and nothing is sent. */
  explain: string | undefined;
}

/** @param cwd the folder at which a relative path starts @throws OptionError */
export function readOptions(
  argv: string[],
  env: Env,
  cwd: string = process.cwd(),
): Options | 'help' | 'version' {
  const { values, positionals } = parseCommandLine(argv);
  if (values.help) {
    return 'help';
  }
  if (values.version) {
    return 'version';
  }
  const file = readConfigFile(values.config, cwd, env);
  if (positionals.length > 1) {
    const hint = 'a word after an option is its value only if --help shows one';
    throw new OptionError(`give one URL, not ${positionals.length}; ${hint}`);
  }
  const raw: RawOptions = { ...file.values, ...values };
  expectValues(raw);
  const [url = file.url] = positionals;
  // Read once: it may be a pipe.
  const dataMap = readMap('data', raw.data ?? '{}', cwd);
  // The credentials of a scheme in --auth come last: they override those of the map.
  raw.auth = [...credentialsIn(dataMap), ...(raw.auth ?? [])];
  return {
    ...readService(raw, url),
    ...readOutput(raw),
    ...readCredentials(raw, env),
    ...readKnowledge(raw, dataMap),
    ...readCases(raw, file.accept),
    ...readSelection(raw),
    ...readLoad(raw),
  };
}

/** A variable of the shell that is not set leaves an empty text, which no option means. */
function expectValues(raw: RawOptions): void {
  for (const [name, value] of Object.entries(raw)) {
    if ([value].flat().includes('')) {
      throw new OptionError(`--${name} needs a value, which is empty here`);
    }
  }
}

/** The credentials in the map of `--data`, as `--auth` has them. */
function credentialsIn({ credentials = {} }: Record<string, unknown>): string[] {
  if (!isObject(credentials)) {
    throw new OptionError('--data: credentials must be a map of security schemes');
  }
  return Object.entries(credentials).map((pair) => pair.join('='));
}

function readOutput(raw: RawOptions): OutputOptions {
  const format = oneOf('format', raw.format, FORMATS) ?? 'text';
  if (raw.list && format !== 'text' && format !== 'json') {
    throw new OptionError(`--list is shown as text or json, not as ${format}`);
  }
  if (raw.explain !== undefined && raw.report === undefined) {
    throw new OptionError('--explain needs --report DIR, the folder of an earlier run');
  }
  const { report, explain } = raw;
  return { format, report, explain, verbose: raw.verbose ?? false };
}

function readService(raw: RawOptions, url: string | undefined): ServiceOptions {
  const sendsNothing = raw.list === true || raw.explain !== undefined;
  if (url === undefined && !sendsNothing) {
    throw new OptionError(
      'give the base URL of the service, such as http://127.0.0.1:8080 (see --help)',
    );
  }
  return {
    url: baseUrlOf(url ?? 'http://127.0.0.1'),
    contract: raw.contract,
    references: raw.references ?? [],
    level: oneOf('level', raw.level, ['core', 'extended']),
    origin: oneOf('origin', raw.origin, ['source', 'all']) ?? 'all',
    serverVariables: pairsOf('server-variable', raw['server-variable'] ?? []),
  };
}

function readKnowledge(raw: RawOptions, dataMap: Record<string, unknown>): KnowledgeOptions {
  return {
    subscriptionIds: raw['subscription-id'] ?? [],
    eventTypes: raw['event-type'] ?? [],
    hostportDomain: raw['hostport-domain'],
    certificateAuthorityIds: raw['certificate-authority-id'] ?? [],
    data: raw.data,
    dataMap,
  };
}

function readSelection(raw: RawOptions): SelectionOptions {
  const { path = [], method = [], tag = [], skip = [], allow = [] } = raw;
  return {
    only: raw.only ?? [],
    operations: { path, method, tag },
    skip: skip.map(skipOf),
    allow,
    survey: raw.survey ?? false,
    replay: raw.replay,
    list: raw.list ?? false,
  };
}

function readCases(raw: RawOptions, accept: Accepted[]): CaseOptions {
  return {
    seed: numberOf('seed', raw) ?? Math.floor(Math.random() * 2 ** 31),
    runs: numberOf('runs', raw) ?? 20,
    hooks: raw.hooks,
    minTried: numberOf('min-tried', raw) ?? 1,
    knownFailures: raw['known-failures'],
    accept,
    kinds: (raw.kind ?? []).flatMap((kind) => oneOf('kind', kind, KINDS) ?? []),
    bail: raw.bail ?? false,
  };
}

function readLoad(raw: RawOptions): LoadOptions {
  return {
    jobs: numberOf('jobs', raw) ?? 1,
    concurrency: numberOf('concurrency', raw) ?? 8,
    rate: numberOf('rate', raw),
    waitSeconds: numberOf('wait', raw) ?? 0,
    restart: commandOf('restart', raw.restart),
    maxSeconds: numberOf('max-time', raw),
    timeoutMs: numberOf('timeout-ms', raw) ?? 10_000,
  };
}
