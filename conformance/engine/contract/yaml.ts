/**
 * Parses YAML and JSON, with the line of every place. Merge keys (`<<`) are those of YAML 1.1, as
 * in most tools.
 */
import { CORE_SCHEMA, load, Type, type YAMLException } from 'js-yaml';
import { BIG_INTEGERS } from './exact-bounds.ts';

/**
 * The line (from 1) of the place at these segments, or of its key; undefined if there is no such
 * place.
 */
export type LineOf = (segments: readonly string[]) => number | undefined;

export interface Parsed {
  /**
   * Plain JSON values, with BigInts for integers that no double holds. Each object and list occurs
   * at one place only.
   */
  document: unknown;
  lineOf: LineOf;
  /** What is odd in the text, as sentences. */
  warnings: string[];
}

/** The type of the key `<<` (https://yaml.org/type/merge.html): the parser merges by its tag. */
const MERGE = new Type('tag:yaml.org,2002:merge', {
  kind: 'scalar',
  resolve: (text: unknown) => text === '<<',
});

/** The types of JSON, merge keys, which `CORE_SCHEMA` does not have, and integers of any size. */
const SCHEMA = CORE_SCHEMA.extend({ implicit: [MERGE, BIG_INTEGERS] });

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

/** The byte order marks of encodings other than UTF-8. */
const ENCODINGS = [
  { name: 'utf-16le', mark: [0xff, 0xfe] },
  { name: 'utf-16be', mark: [0xfe, 0xff] },
];

/**
 * The text of a file. One in UTF-16, as some shells write it, has a byte order mark (YAML 1.2.2,
 * 5.2); all others are in UTF-8.
 */
export function textOf(bytes: Uint8Array): string {
  const isMarked = (mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte);
  const encoding = ENCODINGS.find(({ mark }) => isMarked(mark));
  return new TextDecoder(encoding?.name).decode(bytes);
}

/**
 * Of names that occur twice in a map, the last one counts, as in most readers of JSON (RFC 8259,
 * 4); it is a warning, since YAML forbids them (1.2.2, 3.2.1.1).
 * @throws YAMLException, which names the line, for text that is neither YAML nor JSON
 */
export function parseYaml(text: string): Parsed {
  try {
    return parse(text, false);
  } catch (error) {
    const reason = String(Object(error)['reason']);
    if (reason !== 'duplicated mapping key') {
      throw error;
    }
    const { line, position } = (error as YAMLException).mark;
    const [, name = ''] = NAME_OF_MEMBER.exec(text.slice(position, position + 200)) ?? [];
    const where = `twice in one map, in line ${line + 1}: the last one counts`;
    const warning = `The name ${name} occurs ${where}, and nothing of the others is tried.`;
    return { ...parse(text, true), warnings: [warning] };
  }
}

/** The name at the beginning of a text, as it is written. */
const NAME_OF_MEMBER = /^\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^:\n]*)/;

/** @param mayRepeat whether a map may have a name twice */
function parse(text: string, mayRepeat: boolean): Parsed {
  const places = new Places();
  const open: OpenNode[] = [];
  const document: unknown = load(text, {
    schema: SCHEMA,
    json: mayRepeat,
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
      if (kind === null) {
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
  const lineOf: LineOf = (segments) => places.lineOf(document, segments);
  return { document, lineOf, warnings: [] };
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

/** Of maps and lists: no contract that people write has as many. */
const MOST_COPIES = 500_000;

/** The lines of the members of each map and list. */
class Places {
  readonly #lines = new Map<unknown, Lines>();
  /** The line of the first member of the outermost map, which ends last. */
  #first: number | undefined;
  /** How many maps and lists are copies. */
  #copies = 0;

  has(holder: unknown): boolean {
    return this.#lines.has(holder);
  }

  add(holder: object, lines: Lines): void {
    this.#lines.set(holder, lines);
    [this.#first] = lines.values();
  }

  /**
   * A copy of the value in which each map and list has the lines of the original one.
   * @throws Error for an alias within itself, and for aliases that multiply without end
   */
  copyOf(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) {
      return value;
    }
    const lines = this.#lines.get(value);
    if (lines === undefined) {
      throw new Error('an alias stands within the map or list that it stands for');
    }
    this.#copies += 1;
    if (this.#copies > MOST_COPIES) {
      throw new Error(`its aliases stand for more than ${MOST_COPIES} maps and lists`);
    }
    const copy = Array.isArray(value) ? this.#copyOfItems(value) : this.#copyOfMembers(value);
    this.#lines.set(copy, lines);
    return copy;
  }

  #copyOfItems(list: readonly unknown[]): unknown[] {
    return list.map((item) => this.copyOf(item));
  }

  #copyOfMembers(map: object): object {
    const members = Object.entries(map).map(([name, member]) => [name, this.copyOf(member)]);
    return Object.fromEntries(members) as object;
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
