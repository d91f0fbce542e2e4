/**
 * Parses YAML and JSON, with the line of every place. Merge keys (`<<`) are those of YAML 1.1, as
 * in most tools.
 */
import { CORE_SCHEMA, load, Type } from 'js-yaml';

/**
 * The line (from 1) of the place at these segments, or of its key; undefined if there is no such
 * place.
 */
export type LineOf = (segments: readonly string[]) => number | undefined;

export interface Parsed {
  /** Plain JSON values. Each object and list occurs at one place only. */
  document: unknown;
  lineOf: LineOf;
}

/** The type of the key `<<` (https://yaml.org/type/merge.html): the parser merges by its tag. */
const MERGE = new Type('tag:yaml.org,2002:merge', {
  kind: 'scalar',
  resolve: (text: unknown) => text === '<<',
});

/** The types of JSON, and merge keys, which `CORE_SCHEMA` does not have. */
const SCHEMA = CORE_SCHEMA.extend({ implicit: [MERGE] });

/** Lines by the name of a member or the position of an item. */
type Lines = Map<string, number>;

/** A node of the document whose end the parser has not reached. */
interface OpenNode {
  line: number;
  /** The keys and values of a map in turn, or the items of a list, as the parser has ended them. */
  ended: EndedNode[];
}

interface EndedNode {
  /** The text of a scalar; empty for a map or a list. */
  text: string;
  line: number;
}

/** @throws YAMLException, which names the line, for text that is neither YAML nor JSON */
export function parseYaml(text: string): Parsed {
  const places = new Places();
  const open: OpenNode[] = [];
  const document: unknown = load(text, {
    schema: SCHEMA,
    // It is called for each node when the node begins (`open`) and when it ends.
    listener(event, state) {
      if (event === 'open') {
        open.push({ line: state.line + 1, ended: [] });
        return;
      }
      const node = open.pop();
      if (node === undefined) {
        return;
      }
      const { kind } = state;
      // An alias has no kind. It becomes a copy, because each place has another role in a contract.
      if (kind === null && places.has(state.result)) {
        state.result = places.copyOf(state.result);
      }
      const isHolder = kind === 'sequence' || kind === 'mapping';
      open.at(-1)?.ended.push({ text: isHolder ? '' : String(state.result), line: node.line });
      // The parser reports a node twice if it tries it as a key first. The inner node comes first,
      // and has the members.
      if (isHolder && !places.has(state.result)) {
        const holder = state.result as object;
        const lines = kind === 'mapping' ? linesOfMap(holder, node) : linesOfList(node);
        places.add(holder, lines);
      }
    },
  });
  return { document, lineOf: (segments) => places.lineOf(document, segments) };
}

function linesOfList({ ended }: OpenNode): Lines {
  return new Map(ended.map(({ line }, index) => [String(index), line]));
}

/**
 * The members that a merge key adds have its line, and a member that the parser does not report has
 * that of the map.
 */
function linesOfMap(holder: object, { line, ended }: OpenNode): Lines {
  const keys = ended.filter((_, index) => index % 2 === 0);
  const lines: Lines = new Map(keys.map((key) => [key.text, key.line]));
  const merged = lines.get('<<') ?? line;
  for (const name of Object.keys(holder)) {
    if (!lines.has(name)) {
      lines.set(name, merged);
    }
  }
  return lines;
}

/** The lines of the members of each map and list. */
class Places {
  readonly #lines = new Map<unknown, Lines>();
  /** The line of the first member of the outermost map, which ends last. */
  #first: number | undefined;

  has(holder: unknown): boolean {
    return this.#lines.has(holder);
  }

  add(holder: object, lines: Lines): void {
    this.#lines.set(holder, lines);
    [this.#first] = lines.values();
  }

  /** A copy of the value in which each map and list has the lines of the original one. */
  copyOf(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const copy = Array.isArray(value) ? [] : {};
    for (const [name, member] of Object.entries(value)) {
      // A name may be `__proto__`.
      Object.defineProperty(copy, name, { value: this.copyOf(member), ...PLAIN_MEMBER });
    }
    this.#lines.set(copy, this.#lines.get(value) ?? new Map());
    return copy;
  }

  lineOf(document: unknown, segments: readonly string[]): number | undefined {
    let value = document;
    let line = this.#first;
    for (const segment of segments) {
      line = this.#lines.get(value)?.get(segment);
      if (line === undefined) {
        return undefined;
      }
      value = (value as Record<string, unknown>)[segment];
    }
    return line;
  }
}

const PLAIN_MEMBER = { configurable: true, enumerable: true, writable: true };
