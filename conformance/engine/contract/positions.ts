/** Where each place of a YAML text stands. */
import { CORE_SCHEMA, load } from 'js-yaml';

/**
 * The line (from 1) on which the place at these segments begins: for a member of a map the line of its key, for an item
 * of a list the line of the item. Undefined where there is no such place.
 */
export type LineOf = (segments: readonly string[]) => number | undefined;

interface Node {
  line: number;
  /** Of a scalar: itself, which names a member where it is a key. */
  text: string;
  children: Node[];
}

/**
 * Parses the text. The parser tells where each node begins, so that no second parse is needed for that. The lines are
 * those of the document as it is given back. @throws Error for what is not YAML
 */
export function parseYaml(text: string): { document: unknown; lineOf: LineOf } {
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
      // What the parser tries as a key first, it tells of twice: of the inner node, which comes first, the children are
      // right.
      if (nodes.has(result)) node.text = '';
      else if (kind === 'sequence' || kind === 'mapping') nodes.set(result, node);
      else node.text = String(result);
      open.at(-1)?.children.push(node);
    },
  });
  const known = new Map<unknown, Map<string, number>>();
  const linesIn = (value: unknown): Map<string, number> | undefined => {
    const node = nodes.get(value);
    if (node === undefined) return undefined;
    const lines = known.get(value) ?? (Array.isArray(value) ? linesOfItems(node) : linesOfKeys(node, value as object));
    known.set(value, lines);
    return lines;
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

function linesOfItems({ children }: Node): Map<string, number> {
  return new Map(children.map(({ line }, index) => [String(index), line]));
}

/** Keys and values come in turn. */
function linesOfKeys({ children }: Node, map: object): Map<string, number> {
  const keys = children.filter((_, index) => index % 2 === 0).slice(0, Object.keys(map).length);
  const lines = new Map(keys.map(({ text, line }) => [text, line]));
  if (!Object.keys(map).every((key) => lines.has(key)))
    throw new Error(`line ${children[0]?.line}: a map with a key without a value has no positions`);
  return lines;
}
