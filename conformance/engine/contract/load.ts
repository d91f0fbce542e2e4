/** Reads openapi.yaml: the parsed document, its identity, and the line of every place in it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, parsePointer } from './pointers.ts';
import { spellOut, upgrade } from './upgrade.ts';
import { type LineOf, parseYaml } from './positions.ts';

export interface Contract {
  /** Where the file is. */
  path: string;
  /** The parsed file, plain JSON values. Never change it: everything derived from it is cached by its identity. */
  document: Record<string, unknown>;
  title: string;
  /** `info.version`, semver. */
  version: string;
  /** SHA-256 of the bytes of the file, in lower-case hex. */
  sha256: string;
  /**
   * The line (from 1) on which the place at `pointer` begins; for a member of a map, the line of its key. Throws an
   * Error when the contract has no such place.
   */
  lineOf(pointer: string): number;
}

const FILE = 'openapi.yaml';

/** By path. Every loader of the same text gets the same object, so that what is derived from it is derived once. */
const loaded = new Map<string, { text: string; contract: Contract }>();

/**
 * Loads the contract at `path`, by default the `openapi.yaml` nearest above this module (which is the root of the
 * package, from the sources as from the compiled files). Throws an Error that names the file when it cannot be read or
 * parsed.
 */
export function loadContract(path: string = nearestContract(dirname(fileURLToPath(import.meta.url)))): Contract {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`cannot read the contract ${path}: ${(error as Error).message}`, { cause: error });
  }
  const known = loaded.get(path);
  if (known?.text === text) return known.contract;
  const contract = parseContract(text, path);
  loaded.set(path, { text, contract });
  return contract;
}

/**
 * The contract in `text`. `path` is only named in errors. Throws an Error for anything that is not an OpenAPI document.
 */
export function parseContract(text: string, path = FILE): Contract {
  let parsed: unknown;
  let lines: LineOf;
  try {
    ({ document: parsed, lineOf: lines } = parseYaml(text));
  } catch (error) {
    throw new Error(`cannot parse the contract ${path}: ${(error as Error).message}`, { cause: error });
  }
  // The lines are known of what was parsed: what is written in another way is so in a copy.
  const document = structuredClone(parsed);
  if (!isObject(document) || typeof document['openapi'] !== 'string' || !isObject(document['info'])) {
    throw new Error(`the contract ${path} is not an OpenAPI document: it has no "openapi" or no "info"`);
  }
  const version = document['openapi'];
  if (!/^3\.[01](\.|$)/.test(version))
    throw new Error(`the contract ${path} is OpenAPI ${version}: only 3.0 and 3.1 are known`);
  if (version.startsWith('3.0')) upgrade(document);
  spellOut(document);
  return {
    path,
    document,
    title: String(document['info']['title']),
    version: String(document['info']['version']),
    sha256: createHash('sha256').update(text).digest('hex'),
    lineOf: (pointer) => {
      // The rule that stands for a schema `false` is where that stands.
      const line = lines(parsePointer(pointer)) ?? lines(parsePointer(pointer.replace(/\/not$/, '')));
      if (line === undefined) throw new Error(`the contract ${path} has nothing at ${JSON.stringify(pointer)}`);
      return line;
    },
  };
}

/** The nearest `openapi.yaml` in `folder` or above it. Throws an Error when there is none. */
export function nearestContract(folder: string): string {
  for (let current = folder; ; current = dirname(current)) {
    const candidate = join(current, FILE);
    if (existsSync(candidate)) return candidate;
    if (current === dirname(current)) throw new Error(`there is no ${FILE} in ${folder} or in any folder above it`);
  }
}
