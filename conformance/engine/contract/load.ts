/**
 * Reads contracts, from a path or a URL, of one file or of several: as one document, with the line
 * of every place.
 */
import { escapeRegExp } from './escape-reg-exp.ts';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { toWordsOf31 } from './dialect.ts';
import { isObject, parsePointer, valueAt } from './pointers.ts';
import {
  bundle,
  describePathParameters,
  hasExternalReferences,
  resolveSelf,
} from './references.ts';
import { resolveIds } from './schema-ids.ts';
import { convertedFromSwagger2, isSwagger2, placeInSwagger2 } from './swagger.ts';
import { type LineOf, parseYaml, textOf } from './yaml.ts';

export interface Contract {
  path: string;
  /**
   * The parsed file, plain JSON values. Never change it: everything derived from it is cached by
   * its identity.
   */
  document: Record<string, unknown>;
  title: string;
  /** `info.version`, semver. */
  version: string;
  /** SHA-256 of the bytes of the file, in lower-case hex. */
  sha256: string;
  /** The contract that this one is a variant of, with every place in it. */
  whole?: Contract;
  /** Whether it states origins (origins.ts): few do, and to look for one takes long. */
  statesOrigins: boolean;
  /** Whether operations have levels. */
  statesLevels: boolean;
  /**
   * Keywords of schemas that are not known, with the place of the first one. Shapes add them when
   * they are made.
   */
  annotations: Map<string, string>;
  /** Sentences about errors in the file, for the report. */
  warnings: readonly string[];
  /**
   * The line (from 1) of the place, or of its key. For a place that the file does not have, that of
   * the reference that leads there.
   */
  lineOf(pointer: string): number;
}

interface Store<K, V> {
  has(key: K): boolean;
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

/**
 * The value of the store under the key; made first if there is none. An error of `make` is not
 * remembered.
 */
export function entry<K, V>(store: Store<K, V>, key: K, make: () => V): V {
  if (!store.has(key)) {
    store.set(key, make());
  }
  return store.get(key) as V;
}

/** The items by their keys, in the order in which they occur. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    entry(groups, keyOf(item), (): T[] => []).push(item);
  }
  return groups;
}

/** `make`, called once for each contract. */
export function perContract<T>(make: (contract: Contract) => T): (contract: Contract) => T {
  const made = new WeakMap<Contract, T>();
  return (contract) => entry(made, contract, () => make(contract));
}

/**
 * `make`, called once for each contract and pointers into it.
 * @param most if there are more results, the older half of them is forgotten
 */
export function perPointers<T>(
  make: (contract: Contract, pointers: readonly string[]) => T,
  most = Infinity,
): (contract: Contract, ...pointers: readonly string[]) => T {
  const made = perContract(() => new Map<string, T>());
  return (contract, ...pointers) => {
    const known = made(contract);
    if (known.size > most) {
      const oldest = [...known.keys()].slice(0, most / 2);
      for (const key of oldest) {
        known.delete(key);
      }
    }
    return entry(known, pointers.join('\n'), () => make(contract, pointers));
  };
}

const FILE = 'openapi.yaml';

/**
 * By path. Every loader of the same text gets the same object, so that what is derived from it is
 * derived once.
 */
const loaded = new Map<string, { text: string; contract: Contract }>();

/**
 * By default the nearest `openapi.yaml` above this module.
 * @throws Error that names what cannot be read or parsed
 */
export function loadContract(path: string = nearest(FILE, import.meta.dirname)): Contract {
  const text = readContract(path);
  const known = loaded.get(path);
  if (known?.text === text) {
    return known.contract;
  }
  const contract = parseContract(text, path);
  loaded.set(path, { text, contract });
  return contract;
}

/** The result of `make`. @throws Error that names the contract, and the step that failed */
function madeOf<T>(path: string, verb: 'read' | 'parse', make: () => T): T {
  try {
    return make();
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`cannot ${verb} the contract ${path}: ${reason}`, { cause: error });
  }
}

const readContract = (path: string): string =>
  madeOf(path, 'read', () => textOf(readFileSync(path)));

/** The nearest file of this name in `folder` or above it. @throws Error if there is none */
export function nearest(name: string, folder: string): string {
  for (let current = folder; ; current = dirname(current)) {
    const candidate = join(current, name);
    if (existsSync(candidate)) {
      return candidate;
    }
    if (current === dirname(current)) {
      throw new Error(`there is no ${name} in ${folder} or in any folder above it`);
    }
  }
}

/** `path` is only named in errors. @throws Error for anything that is not an OpenAPI document */
export function parseContract(text: string, path = FILE): Contract {
  const { document, ...parsed } = madeOf(path, 'parse', () => parseYaml(text));
  return contractOf(document, { path, text, ...parsed });
}

/** The file that a document comes from. */
interface Source {
  path: string;
  text: string;
  lineOf: LineOf;
  warnings: string[];
}

/** What a contract says of itself: both are required, and some contracts have neither. */
interface Info {
  title?: unknown;
  version?: unknown;
}

/** @param document becomes part of the contract, in the words of OpenAPI 3.1 */
function contractOf(document: unknown, { path, text, lineOf, warnings }: Source): Contract {
  const { openapi, info, paths } = Object(document) as Record<string, unknown>;
  const hasContent = isObject(info) || isObject(paths);
  if (!isObject(document) || openapi === undefined || !hasContent) {
    const missing = 'it has no "openapi", or neither "info" nor "paths"';
    throw new Error(`the contract ${path} is not an OpenAPI document: ${missing}`);
  }
  const version = versionOf(openapi, warnings);
  if (!/^3\.[012](\.|$)/.test(version)) {
    const known = 'only 2.0 and 3.0 to 3.2 are known';
    throw new Error(`the contract ${path} is OpenAPI ${version}: ${known}`);
  }
  warnings.push(...toWordsOf31(document, version));
  if (!isObject(info)) {
    warnings.push('The contract has no `info`: it is called by the name of its file.');
  }
  const { title = basename(path), version: release = 'without a version' } = Object(info) as Info;
  return {
    path,
    document,
    title: String(title),
    version: String(release),
    sha256: createHash('sha256').update(text).digest('hex'),
    statesOrigins: /x-(default-)?origin/.test(text),
    statesLevels: /x-level/.test(text),
    annotations: new Map(),
    warnings,
    lineOf: (pointer) => nearestLine(lineOf, pointer),
  };
}

/** The version as a text, which `openapi: 3.1` is not in YAML (OpenAPI 3.1, OpenAPI Object). */
function versionOf(openapi: unknown, warnings: string[]): string {
  if (typeof openapi !== 'number') {
    return String(openapi);
  }
  const version = Number.isInteger(openapi) ? `${openapi}.0` : String(openapi);
  warnings.push(`The version of OpenAPI is the number ${openapi}: write '${version}', a text.`);
  return version;
}

/** The line of the place, or of the nearest place that holds it. */
function nearestLine(lineOf: LineOf, pointer: string): number {
  for (let at = parsePointer(pointer); at.length > 0; at = at.slice(0, -1)) {
    const line = lineOf(at);
    if (line !== undefined) {
      return line;
    }
  }
  return lineOf([]) ?? 1;
}

/**
 * Reads a contract with all that it refers to.
 * @param location a path or URL
 * @param also folders and URLs to which references may lead, beside the contract's own folder or
 * host
 * @throws Error that names `location`
 */
export async function loadAnyContract(
  location: string,
  also: readonly string[] = [],
): Promise<Contract> {
  const isRemote = /^https?:/i.test(location);
  const text = isRemote ? await download(location) : readContract(location);
  const { document, ...parsed } = madeOf(location, 'parse', () => parseYaml(text));
  const { lineOf } = parsed;
  if (isObject(document) && text.includes('$self')) {
    resolveSelf(document);
  }
  if (isObject(document) && text.includes('$id')) {
    resolveIds(document);
  }
  const source: Source = { path: location, text, ...parsed };
  const bundled = await withReferences(source, document, also);
  if (!isSwagger2(bundled)) {
    return contractOf(bundled, source);
  }
  source.warnings.push(CONVERTED);
  const converted = await convertedFromSwagger2(bundled);
  const lineInFile: LineOf = (segments) => lineOf(placeInSwagger2(segments));
  return contractOf(converted, { ...source, lineOf: lineInFile });
}

const CONVERTED =
  'The contract is Swagger 2.0. It was converted to OpenAPI 3.1: ' +
  'pointers are those of the converted one.';

/** The document with the parts of other documents that it refers to. */
async function withReferences(
  source: Source,
  document: unknown,
  also: readonly string[],
): Promise<unknown> {
  if (!isObject(document) || !hasExternalReferences(document)) {
    return document;
  }
  const { document: bundled, warnings } = await bundle(source.path, document, also);
  source.warnings.push(...warnings);
  if (warnings.length > 0 && isObject(bundled)) {
    describePathParameters(bundled);
  }
  return bundled;
}

async function download(url: string): Promise<string> {
  const request = fetch(url, { signal: AbortSignal.timeout(30_000) });
  const response = await request.catch((error: Error) => {
    throw new Error(`cannot read the contract ${url}: ${error.message}`, { cause: error });
  });
  if (!response.ok) {
    throw new Error(`cannot read the contract ${url}: HTTP ${response.status}`);
  }
  return textOf(new Uint8Array(await response.arrayBuffer()));
}

/**
 * The line (from 1) on which `words` begin in the block text at `pointer`; line breaks count as
 * spaces.
 * @throws Error
 */
export function lineOfWords(
  contract: Pick<Contract, 'document' | 'lineOf'>,
  pointer: string,
  words: string,
): number {
  const value = valueAt(contract.document, pointer);
  const text = typeof value === 'string' ? value : '';
  const at = text.search(expressionFor(words));
  if (at < 0) {
    throw new Error(`the text at ${pointer} of the contract has no ${JSON.stringify(words)}`);
  }
  // A block text begins on the line after its key.
  const linesBefore = text.slice(0, at).split('\n').length;
  return contract.lineOf(pointer) + linesBefore;
}

/** The words, with any white space between them. */
function expressionFor(words: string): RegExp {
  const escaped = words.split(/\s+/).map(escapeRegExp);
  return new RegExp(escaped.join(String.raw`\s+`));
}
