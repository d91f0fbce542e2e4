/** Reads openapi.yaml: the parsed document, its identity, and the line of every place in it. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { isObject, parsePointer, valueAt } from './pointers.ts';

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

type Store<K, V> = { has(key: K): boolean; get(key: K): V | undefined; set(key: K, value: V): unknown };

/** The value of the store under the key, made first where there is none yet. An error of `make` is not remembered. */
export function entry<K, V>(store: Store<K, V>, key: K, make: () => V): V {
  if (!store.has(key)) store.set(key, make());
  return store.get(key) as V;
}

/** `make`, called once for each contract. */
export function perContract<T>(make: (contract: Contract) => T): (contract: Contract) => T {
  const made = new WeakMap<Contract, T>();
  return (contract) => entry(made, contract, () => make(contract));
}

/** `make`, called once for each contract and pointers into it. */
export function perPointers<T>(make: (contract: Contract, pointers: readonly string[]) => T) {
  const made = perContract(() => new Map<string, T>());
  return (contract: Contract, ...pointers: readonly string[]): T =>
    entry(made(contract), pointers.join('\n'), () => make(contract, pointers));
}

const FILE = 'openapi.yaml';

/** By path. Every loader of the same text gets the same object, so that what is derived from it is derived once. */
const loaded = new Map<string, { text: string; contract: Contract }>();

/**
 * Loads the contract at `path`, by default the `openapi.yaml` nearest above this module (which is the root of the
 * package, from the sources as from the compiled files). Throws an Error that names the file when it cannot be read or
 * parsed.
 */
export function loadContract(path: string = nearestContract(import.meta.dirname)): Contract {
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

/** The nearest `openapi.yaml` in `folder` or above it. Throws an Error when there is none. */
export function nearestContract(folder: string): string {
  for (let current = folder; ; current = dirname(current)) {
    const candidate = join(current, FILE);
    if (existsSync(candidate)) return candidate;
    if (current === dirname(current)) throw new Error(`there is no ${FILE} in ${folder} or in any folder above it`);
  }
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
  // The lines are known by the identity of what was parsed, so that only a copy can be changed.
  const document = structuredClone(parsed);
  if (!isObject(document) || typeof document['openapi'] !== 'string' || !isObject(document['info']))
    throw new Error(`the contract ${path} is not an OpenAPI document: it has no "openapi" or no "info"`);
  const version = document['openapi'];
  if (!/^3\.[01](\.|$)/.test(version))
    throw new Error(`the contract ${path} is OpenAPI ${version}: only 3.0 and 3.1 are known`);
  inWordsOf31(document, version.startsWith('3.0'));
  return {
    path,
    document,
    title: String(document['info']['title']),
    version: String(document['info']['version']),
    sha256: createHash('sha256').update(text).digest('hex'),
    lineOf: (pointer) => {
      // The rule that stands for a schema `false` is on the line of that schema.
      const line = lines(parsePointer(pointer)) ?? lines(parsePointer(pointer.replace(/\/not$/, '')));
      if (line === undefined) throw new Error(`the contract ${path} has nothing at ${JSON.stringify(pointer)}`);
      return line;
    },
  };
}

/**
 * The line (from 1) of the file on which `words` begin, in the block text at `pointer`, such as that of
 * `/info/description`; line breaks count as spaces. Throws an Error when the text does not have them.
 */
export function lineOfWords(contract: Pick<Contract, 'document' | 'lineOf'>, pointer: string, words: string): number {
  const text = valueAt(contract.document, pointer);
  const pattern = words.split(/\s+/).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const at = typeof text === 'string' ? text.search(new RegExp(pattern.join(String.raw`\s+`))) : -1;
  if (at < 0) throw new Error(`the text at ${pointer} of the contract has no ${JSON.stringify(words)}`);
  // A block text begins on the line after its key.
  return contract.lineOf(pointer) + (text as string).slice(0, at).split('\n').length;
}

/** The line of the place at these segments; undefined where there is no such place. */
type LineOf = (segments: readonly string[]) => number | undefined;

interface Node {
  line: number;
  /** The text of a scalar, which names a member where it is a key. */
  text: string;
  children: Node[];
}

/** Parses the text. The parser tells where each node begins, so that no second parse is needed for the lines. */
function parseYaml(text: string): { document: unknown; lineOf: LineOf } {
  const nodes = new Map<unknown, Node>();
  const open: Node[] = [];
  const document: unknown = load(text, {
    schema: CORE_SCHEMA,
    listener(event, { line, kind, result }) {
      if (event === 'open') {
        open.push({ line: line + 1, text: '', children: [] });
        return;
      }
      const node = open.pop()!;
      // The parser reports twice what it tries as a key first: the inner node, which comes first, has the children.
      if (nodes.has(result)) node.text = '';
      else if (kind === 'sequence' || kind === 'mapping') nodes.set(result, node);
      else node.text = String(result);
      open.at(-1)?.children.push(node);
    },
  });
  const known = new Map<unknown, Map<string, number>>();
  const linesIn = (value: unknown): Map<string, number> | undefined => {
    const node = nodes.get(value);
    return node && entry(known, value, () => linesBelow(node, value as object));
  };
  const lineOf: LineOf = (segments) => {
    let value = document;
    let line = linesIn(document)?.values().next().value;
    for (const segment of segments) {
      line = linesIn(value)?.get(segment);
      if (line === undefined) return undefined;
      value = (value as Record<string, unknown>)[segment];
    }
    return line;
  };
  return { document, lineOf };
}

/** The lines of items by position, and of members by key. */
function linesBelow({ children }: Node, value: object): Map<string, number> {
  if (Array.isArray(value)) return new Map(children.map(({ line }, index) => [String(index), line]));
  const names = Object.keys(value);
  // Keys and values come in turn.
  const keys = children.filter((_, index) => index % 2 === 0).slice(0, names.length);
  const lines = new Map(keys.map(({ text, line }) => [text, line]));
  if (!names.every((name) => lines.has(name)))
    throw new Error(`line ${children[0]?.line}: a map with a key without a value has no positions`);
  return lines;
}

/** Members that hold examples and values, not schemas. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const']);

const SCHEMAS = ['schema', 'items', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['schemas', '$defs', 'properties', 'patternProperties', 'dependentSchemas'];

/**
 * Writes all schemas in place in the words of OpenAPI 3.1 (every pointer stays), and `false` as a schema as `{not: {}}`,
 * which says the same and is a rule with a place of its own. A closed object or list (`additionalProperties: false`) stays.
 */
function inWordsOf31(value: unknown, isOld: boolean, key = ''): void {
  if (typeof value !== 'object' || value === null) return;
  const isMap = MAPS.includes(key);
  const isList = LISTS.includes(key);
  if (isOld && !isMap && isObject(value)) upgradeSchema(value);
  for (const [name, child] of Object.entries(value)) {
    if (child === false && (isMap || isList || SCHEMAS.includes(name)))
      Object.defineProperty(value, name, { value: { not: {} }, enumerable: true, configurable: true, writable: true });
    else if (isMap || isList) inWordsOf31(child, isOld);
    else if (!VALUES.has(name) && !name.startsWith('x-')) inWordsOf31(child, isOld, name);
  }
}

/** OpenAPI 3.0 has `nullable` and exclusive bounds as booleans, and ignores everything beside a `$ref`. */
function upgradeSchema(schema: Record<string, unknown>): void {
  if (typeof schema['$ref'] === 'string') {
    for (const name of Object.keys(schema)) if (name !== '$ref') delete schema[name];
    return;
  }
  // An `enum` without null refuses null, whatever `nullable` says.
  if (schema['nullable'] === true && typeof schema['type'] === 'string') schema['type'] = [schema['type'], 'null'];
  if (typeof schema['nullable'] === 'boolean') delete schema['nullable'];
  for (const bound of ['minimum', 'maximum']) {
    const exclusive = `exclusiveM${bound.slice(1)}`;
    if (typeof schema[exclusive] !== 'boolean') continue;
    const isExclusive = schema[exclusive] && typeof schema[bound] === 'number';
    if (isExclusive) schema[exclusive] = schema[bound];
    delete schema[isExclusive ? bound : exclusive];
  }
}
