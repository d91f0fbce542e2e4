/** Reads openapi.yaml: the parsed document, its identity, and the line of every place in it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMap, isNode, isPair, isSeq, LineCounter, parseDocument, type Document, type Node, type Pair } from 'yaml';
import { isObject, parsePointer } from './pointers.ts';

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

/**
 * Loads the contract at `path`, by default the `openapi.yaml` nearest above this module (which is the root of the
 * package, from the sources as from the compiled files). Throws an Error that names the file when it cannot be read or
 * parsed.
 */
export function loadContract(path: string = nearestContract(dirname(fileURLToPath(import.meta.url)))): Contract {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`cannot read the contract ${path}: ${(error as Error).message}`, { cause: error });
  }
  return parseContract(bytes.toString('utf8'), path);
}

/**
 * The contract in `text`. `path` is only named in errors. Throws an Error for anything that is not an OpenAPI document.
 */
export function parseContract(text: string, path = FILE): Contract {
  const lines = new LineCounter();
  const yaml = parseDocument(text, { lineCounter: lines });
  const fault = yaml.errors[0];
  if (fault) throw new Error(`cannot parse the contract ${path}: ${fault.message}`, { cause: fault });
  const document: unknown = yaml.toJS();
  if (!isObject(document) || typeof document['openapi'] !== 'string' || !isObject(document['info'])) {
    throw new Error(`the contract ${path} is not an OpenAPI document: it has no "openapi" or no "info"`);
  }
  return {
    path,
    document,
    title: String(document['info']['title']),
    version: String(document['info']['version']),
    sha256: createHash('sha256').update(text).digest('hex'),
    lineOf: (pointer) => {
      const offset = offsetOf(yaml, parsePointer(pointer));
      if (offset === undefined) throw new Error(`the contract ${path} has nothing at ${JSON.stringify(pointer)}`);
      return lines.linePos(offset).line;
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

function offsetOf(yaml: Document.Parsed, segments: string[]): number | undefined {
  let node: unknown = yaml.contents;
  let begin: unknown = node;
  for (const segment of segments) {
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find((item) => isPair(item) && keyOf(item) === segment);
      [begin, node] = [pair?.key, pair?.value];
    } else if (isSeq(node)) {
      begin = node = node.items[Number(segment)];
    } else {
      return undefined;
    }
  }
  return isNode(begin) ? (begin as Node).range?.[0] : undefined;
}

function keyOf(pair: Pair): string {
  const key: unknown = pair.key;
  return String(isNode(key) && 'value' in key ? key.value : key);
}
