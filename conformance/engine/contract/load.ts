/** Reads contracts, from a path or a URL, of one file or of several: as one document, with the line of every place. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CORE_SCHEMA, load } from 'js-yaml';
import { isObject, parsePointer, valueAt } from './pointers.ts';
import { toWordsOf31 } from './dialect.ts';

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
  return contractOf(document, path, text, lineOf);
}

/** @param document becomes part of the contract, in the words of OpenAPI 3.1 */
function contractOf(document: unknown, path: string, text: string, lines: LineOf): Contract {
  if (
    !isObject(document) ||
    typeof document['openapi'] !== 'string' ||
    !isObject(document['info'])
  ) {
    throw new Error(
      `the contract ${path} is not an OpenAPI document: it has no "openapi" or no "info"`,
    );
  }
  const version = document['openapi'];
  if (!/^3\.[012](\.|$)/.test(version)) {
    throw new Error(`the contract ${path} is OpenAPI ${version}: only 3.0, 3.1 and 3.2 are known`);
  }
  toWordsOf31(document, version);
  return {
    path,
    document,
    title: String(document['info']['title']),
    version: String(document['info']['version']),
    sha256: createHash('sha256').update(text).digest('hex'),
    statesOrigins: /x-(default-)?origin/.test(text),
    annotations: new Map(),
    lineOf: (pointer) => {
      for (let at = parsePointer(pointer); ; at = at.slice(0, -1)) {
        const line = lines(at) ?? (at.length === 0 ? 1 : undefined);
        if (line !== undefined) {
          return line;
        }
      }
    },
  };
}

/** A reference to something else than a place in the same document. */
const EXTERNAL = /["']?\$ref["']?\s*:\s*["']?(?![#"'\s])/;

/** Whatever these members name, up to a fragment. */
const wordsAfter = (member: '$id' | '$ref', text: string): string[] =>
  [...text.matchAll(new RegExp(`["']?\\${member}["']?\\s*:\\s*["']?([^#"'\\s,}]+)`, 'g'))].map(
    ([, word]) => word!,
  );

/** @param also where references lead, beside the contract's own folder or host @throws Error that names `location` */
export async function loadAnyContract(
  location: string,
  also: readonly string[] = [],
): Promise<Contract> {
  const isRemote = /^https?:/i.test(location);
  const text = isRemote ? await download(location) : readContract(location);
  const named = new Set(wordsAfter('$id', text));
  // What a schema of the document has for its own name is there already.
  if (!EXTERNAL.test(text) || wordsAfter('$ref', text).every((one) => named.has(one))) {
    return parseContract(text, location);
  }
  const home = isRemote ? new URL(location).origin + '/' : dirname(location) + sep;
  const isUrl = (place: string) => /^https?:/i.test(place);
  const homes = [
    home,
    ...also.map((place) => (isUrl(place) || place.endsWith(sep) ? place : place + sep)),
  ];
  const canRead = ({ url }: { url: string }) => {
    const place = url.startsWith('file:') ? fileURLToPath(url) : url;
    return homes.some((one) => place.startsWith(one));
  };
  const resolve = {
    file: homes.every(isUrl) ? false : { canRead },
    http: homes.some(isUrl) ? { canRead, safeUrlResolver: false } : false,
  };
  // It takes a while to load, and most contracts are one file.
  const { $RefParser } = await import('@apidevtools/json-schema-ref-parser');
  let document: unknown;
  try {
    document = await new $RefParser().bundle(location, { resolve } as never);
  } catch (error) {
    const where = `${isRemote ? 'at' : 'below'} ${homes.join(' and ')}`;
    throw new Error(
      `${(error as Error).message} (references are followed ${where} only; --references names others)`,
      {
        cause: error,
      },
    );
  }
  return contractOf(document, location, JSON.stringify(document), parseYaml(text).lineOf);
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

/** The line of the place at these segments; undefined where there is no such place. */
type LineOf = (segments: readonly string[]) => number | undefined;

/** Parses the text. The parser tells where each node begins, so that no second parse is needed for the lines. */
function parseYaml(text: string): { document: unknown; lineOf: LineOf } {
  /** By map or list: the lines of its members. */
  const known = new Map<unknown, Map<string, number>>();
  const open: { line: number; below: [text: string, line: number][] }[] = [];
  let first: number | undefined;
  const copyOf = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const made = Array.isArray(value)
      ? value.map(copyOf)
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyOf(one)]));
    known.set(made, known.get(value) ?? new Map());
    return made;
  };
  const document: unknown = load(text, {
    schema: CORE_SCHEMA,
    listener(event, state) {
      const { line, kind, result } = state;
      if (event === 'open') {
        return void open.push({ line: line + 1, below: [] });
      }
      const node = open.pop()!;
      // Where a YAML anchor is used, it has places of its own.
      if (kind === null && known.has(result)) {
        state.result = copyOf(result);
      }
      const isHolder = kind === 'sequence' || kind === 'mapping';
      open.at(-1)?.below.push([isHolder ? '' : String(result), node.line]);
      // The parser reports twice what it tries as a key first: the inner node, which comes first, has the children.
      if (!isHolder || known.has(result)) {
        return;
      }
      const members = Object.keys(result as object).map((position, index): [string, number] =>
      // The keys and values of a map come in turn; `{a, b}` has keys alone.
      {
        if (kind === 'mapping') {
          return node.below[index * 2] ?? [position, node.line];
        }
        return [position, node.below[index]![1]];
      });
      known.set(result, new Map(members));
      first = members[0]?.[1];
    },
  });
  const lineOf: LineOf = (segments) => {
    let value = document;
    let line = first;
    for (const segment of segments) {
      line = known.get(value)?.get(segment);
      if (line === undefined) {
        return undefined;
      }
      value = (value as Record<string, unknown>)[segment];
    }
    return line;
  };
  return { document, lineOf };
}
