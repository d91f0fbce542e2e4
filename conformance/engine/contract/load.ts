/** Reads contracts, from a path or a URL, of one file or of several: as one document, with the line of every place. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toWordsOf31 } from './dialect.ts';
import { isObject, parsePointer, valueAt } from './pointers.ts';
import { bundle, hasExternalReferences } from './references.ts';
import { convertedFromSwagger2, isSwagger2, placeInSwagger2 } from './swagger.ts';
import { type LineOf, parseYaml } from './yaml.ts';

export interface Contract {
  path: string;
  /** The parsed file, plain JSON values. Never change it: everything derived from it is cached by its identity. */
  document: Record<string, unknown>;
  title: string;
  /** `info.version`, semver. */
  version: string;
  /** SHA-256 of the bytes of the file, in lower-case hex. */
  sha256: string;
  /** The contract that this one is a variant of, with every place in it. */
  whole?: Contract;
  /** Few contracts state origins (origins.ts), and to look for one takes long. */
  statesOrigins: boolean;
  /** Keywords of schemas that nobody knows, with the place of the first one; they are met when shapes are made. */
  annotations: Map<string, string>;
  /** Sentences about what is odd in the file, for the report. */
  warnings: readonly string[];
  /** The line (from 1) of the place, or of its key; for one in another file or in other words, of what leads there. */
  lineOf(pointer: string): number;
}

type Store<K, V> = {
  has(key: K): boolean;
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
};

/** The value of the store under the key, made first where there is none yet. An error of `make` is not remembered. */
export function entry<K, V>(store: Store<K, V>, key: K, make: () => V): V {
  if (!store.has(key)) {
    store.set(key, make());
  }
  return store.get(key) as V;
}

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

/** `make`, called once for each contract and pointers into it; of `most` results, the oldest are forgotten. */
export function perPointers<T>(
  make: (contract: Contract, pointers: readonly string[]) => T,
  most = Infinity,
) {
  const made = perContract(() => new Map<string, T>());
  return (contract: Contract, ...pointers: readonly string[]): T => {
    const known = made(contract);
    if (known.size > most) {
      for (const key of [...known.keys()].slice(0, most / 2)) {
        known.delete(key);
      }
    }
    return entry(known, pointers.join('\n'), () => make(contract, pointers));
  };
}

const FILE = 'openapi.yaml';

/** By path. Every loader of the same text gets the same object, so that what is derived from it is derived once. */
const loaded = new Map<string, { text: string; contract: Contract }>();

/** By default the nearest `openapi.yaml` above this module. @throws Error that names what cannot be read or parsed */
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

/** The result of `make`. @throws Error that names the contract, and what cannot be done with it */
function madeOf<T>(path: string, verb: 'read' | 'parse', make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new Error(`cannot ${verb} the contract ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

const readContract = (path: string): string =>
  madeOf(path, 'read', () => readFileSync(path, 'utf8'));

/** The nearest file of this name in `folder` or above it. Throws an Error when there is none. */
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
  const { document, lineOf } = madeOf(path, 'parse', () => parseYaml(text));
  return contractOf(document, { path, text, lineOf, warnings: [] });
}

/** The file that a document comes from. */
interface Source {
  path: string;
  text: string;
  lineOf: LineOf;
  warnings: string[];
}

/** @param document becomes part of the contract, in the words of OpenAPI 3.1 */
function contractOf(document: unknown, { path, text, lineOf, warnings }: Source): Contract {
  const { openapi, info } = Object(document) as Record<string, unknown>;
  if (!isObject(document) || openapi === undefined || !isObject(info)) {
    const missing = 'it has no "openapi" or no "info"';
    throw new Error(`the contract ${path} is not an OpenAPI document: ${missing}`);
  }
  const version = versionOf(openapi, warnings);
  if (!/^3\.[012](\.|$)/.test(version)) {
    const known = 'only 2.0 and 3.0 to 3.2 are known';
    throw new Error(`the contract ${path} is OpenAPI ${version}: ${known}`);
  }
  toWordsOf31(document, version);
  return {
    path,
    document,
    title: String(info['title']),
    version: String(info['version']),
    sha256: createHash('sha256').update(text).digest('hex'),
    statesOrigins: /x-(default-)?origin/.test(text),
    annotations: new Map(),
    warnings,
    lineOf: (pointer) => nearestLine(lineOf, pointer),
  };
}

/** `openapi: 3.1` is a number in YAML, where a text is due (OpenAPI 3.1, OpenAPI Object). */
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

/** @param also where references lead, beside the contract's own folder or host @throws Error that names `location` */
export async function loadAnyContract(
  location: string,
  also: readonly string[] = [],
): Promise<Contract> {
  const isRemote = /^https?:/i.test(location);
  const text = isRemote ? await download(location) : readContract(location);
  const { document, lineOf } = madeOf(location, 'parse', () => parseYaml(text));
  const source: Source = { path: location, text, lineOf, warnings: [] };
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
  'The contract is Swagger 2.0. It was converted to OpenAPI 3.1: pointers are those of the converted one.';

/** The document with what it refers to in other documents. */
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
  return bundled;
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch(
    (error: Error) => {
      throw new Error(`cannot read the contract ${url}: ${error.message}`, { cause: error });
    },
  );
  if (!response.ok) {
    throw new Error(`cannot read the contract ${url}: HTTP ${response.status}`);
  }
  return response.text();
}

/** The line (from 1) where `words` begin in the block text at `pointer`; line breaks count as spaces. @throws Error */
export function lineOfWords(
  contract: Pick<Contract, 'document' | 'lineOf'>,
  pointer: string,
  words: string,
): number {
  const text = valueAt(contract.document, pointer);
  const pattern = words
    .split(/\s+/)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const at = typeof text === 'string' ? text.search(new RegExp(pattern.join(String.raw`\s+`))) : -1;
  if (at < 0) {
    throw new Error(`the text at ${pointer} of the contract has no ${JSON.stringify(words)}`);
  }
  // A block text begins on the line after its key.
  return contract.lineOf(pointer) + (text as string).slice(0, at).split('\n').length;
}
