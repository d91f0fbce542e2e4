/**
 * Files that options name: the config file, which takes the names of options, and the map of
 * `--data`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { isObject } from '../engine/contract/pointers.ts';
import { type Accepted, wrongCauseId } from '../engine/findings/accepted.ts';
import { OptionError, readExcuse, usable } from '../engine/run/known-failures.ts';
import { type OptionName, OPTIONS, type RawOptions } from './option-table.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export interface ConfigFile {
  url?: string | undefined;
  /** Causes that the user accepts for a time: a command line has no place for them. */
  accept: Accepted[];
  values: RawOptions;
}

/** The config file that is read if none is named. */
const USUAL_FILE = 'conformance.yaml';

/**
 * @param named by `--config` @param cwd the folder at which a relative path starts @throws
 * OptionError
 */
export function readConfigFile(named: string | undefined, cwd: string, env: Env): ConfigFile {
  if (named !== undefined) {
    return configFrom(named, cwd, env);
  }
  if (existsSync(resolve(cwd, USUAL_FILE))) {
    return configFrom(USUAL_FILE, cwd, env);
  }
  return { accept: [], values: {} };
}

function configFrom(file: string, cwd: string, env: Env): ConfigFile {
  const { url, accept, ...members } = withVariables(file, readMap('config', file, cwd), env);
  const values = Object.entries(members).map(([name, value]) => {
    return [name, optionValue(file, name, value)];
  });
  if (url !== undefined && typeof url !== 'string') {
    throw new OptionError(`--config ${file}: url must be a text`);
  }
  const read = Object.fromEntries(values) as RawOptions;
  return { url, accept: readAccept(file, accept), values: read };
}

/** @throws OptionError */
function readAccept(file: string, accept: unknown = []): Accepted[] {
  if (!Array.isArray(accept)) {
    const entry = '{cause: …, reason: …, expires: 2026-12-31}';
    throw new OptionError(`--config ${file}: accept must be a list: [${entry}]`);
  }
  const entries = accept.map((entry: unknown, index): Accepted => {
    const where = `--config ${file}: accept, entry ${index + 1}`;
    const { subject: cause, ...excuse } = readExcuse(entry, 'cause', where);
    const wrong = wrongCauseId(cause);
    if (wrong !== undefined) {
      throw new OptionError(`${where}: ${JSON.stringify(cause)} ${wrong}`);
    }
    return { cause, ...excuse };
  });
  const causes = entries.map(({ cause }) => cause);
  const repeated = causes.find((cause, index) => causes.indexOf(cause) < index);
  if (repeated !== undefined) {
    throw new OptionError(`--config ${file}: accept repeats ${repeated}`);
  }
  return entries;
}

/** A reference to a variable of the environment. */
const VARIABLE = /\$\{(\w+)\}/g;

/** The map with `${NAME}` in its texts replaced by the variable of the environment. */
function withVariables(file: string, map: object, env: Env): Record<string, unknown> {
  const valueOf = (_: string, name: string): string => {
    const value = env[name];
    if (value === undefined) {
      throw new OptionError(`--config ${file}: the environment has no ${name}`);
    }
    return value;
  };
  const expanded = (_: string, value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replaceAll(VARIABLE, valueOf);
    }
    return value;
  };
  return JSON.parse(JSON.stringify(map), expanded) as Record<string, unknown>;
}

const COMMAND_LINE_ONLY: ReadonlySet<string> = new Set(['config', 'explain', 'help', 'version']);

function isAllowed(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name) && !COMMAND_LINE_ONLY.has(name);
}

/**
 * The value as the command line has it: YAML and JSON have numbers, a command line has texts only.
 */
function optionValue(file: string, name: string, value: unknown): string | boolean | string[] {
  const failed = (words: string) => new OptionError(`--config ${file}: ${words}`);
  if (!isAllowed(name)) {
    throw failed(`there is no option ${name}`);
  }
  const option = OPTIONS[name];
  if (option.type === 'boolean') {
    if (typeof value !== 'boolean') {
      throw failed(`${name} must be true or false`);
    }
    return value;
  }
  if (name === 'data' && isObject(value)) {
    return JSON.stringify(value);
  }
  const isRepeatable = 'multiple' in option;
  const items: unknown[] = [value].flat();
  if (!items.every((item) => typeof item === 'string' || typeof item === 'number')) {
    throw failed(`${name} must be a text${isRepeatable ? ' or a list of texts' : ''}`);
  }
  if (isRepeatable) {
    return items.map(String);
  }
  if (Array.isArray(value)) {
    throw failed(`${name} takes one value`);
  }
  return String(value);
}

/**
 * The map in a JSON or YAML file.
 * @param file its path, or the map itself, if it begins with a brace
 * @throws OptionError
 */
export function readMap(option: OptionName, file: string, cwd: string): Record<string, unknown> {
  const found: unknown = usable(`--${option} ${file} cannot be read`, () => {
    const text = file.startsWith('{') ? file : readFileSync(resolve(cwd, file), 'utf8');
    return load(text, { schema: CORE_SCHEMA });
  });
  if (!isObject(found)) {
    throw new OptionError(`--${option} ${file} is not a map`);
  }
  return found;
}
