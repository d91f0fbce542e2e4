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

/** The parser tells where each node begins. The text must be one that it can parse. */
export function positionsIn(text: string): LineOf {
  const lines = new Map<unknown, Map<string, number>>();
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
      if (lines.has(result)) node.text = '';
      else if (kind === 'sequence') lines.set(result, linesOfItems(node));
      else if (kind === 'mapping') lines.set(result, linesOfKeys(node, result as object));
      else node.text = String(result);
      open.at(-1)?.children.push(node);
    },
  });
  return (segments) => {
    let value = document;
    let line = lines.get(document)?.values().next().value;
    for (const segment of segments) {
      line = lines.get(value)?.get(segment);
      if (line === undefined) return undefined;
      value = (value as Record<string, unknown>)[segment];
    }
    return line;
  };
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
