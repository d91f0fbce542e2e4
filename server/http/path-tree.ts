/**
 * Finds a path of the contract by its segments. What that takes depends on the length of the path alone, not on how many
 * paths there are: Express tries one pattern after another.
 */
interface Node<T> {
  fixed: Map<string, Node<T>>;
  /** What stands for any text that is not empty. */
  any: Node<T> | undefined;
  names: readonly string[];
  value: T | undefined;
}

export interface Found<T> {
  value: T;
  /** By name, decoded. */
  params: Record<string, string>;
}

export class PathTree<T> {
  readonly #root: Node<T> = node();

  /** @param template such as `/edges/https/{id}` */
  add(template: string, value: T): void {
    const names: string[] = [];
    let at = this.#root;
    for (const segment of template.slice(1).split('/')) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name === undefined) {
        const next = at.fixed.get(segment) ?? node<T>();
        at.fixed.set(segment, next);
        at = next;
      } else {
        names.push(name);
        at = at.any ??= node<T>();
      }
    }
    at.names = names;
    at.value = value;
  }

  /**
   * A fixed segment goes before one that stands for any text.
   * @param path begins with a slash; as it was sent: encoded
   * @throws URIError where a segment cannot be decoded
   */
  find(path: string): Found<T> | undefined {
    const texts: string[] = [];
    const found = find(this.#root, path.split('/'), 1, texts);
    if (found?.value === undefined) return undefined;
    const params: Record<string, string> = {};
    for (const [index, name] of found.names.entries()) params[name] = decodeURIComponent(texts[index]!);
    return { value: found.value, params };
  }
}

function node<T>(): Node<T> {
  return { fixed: new Map(), any: undefined, names: [], value: undefined };
}

/** @param texts gets what stands in the open segments */
function find<T>(at: Node<T>, segments: readonly string[], index: number, texts: string[]): Node<T> | undefined {
  if (index === segments.length) return at.value === undefined ? undefined : at;
  const segment = segments[index]!;
  const next = at.fixed.get(segment);
  const found = next && find(next, segments, index + 1, texts);
  if (found) return found;
  if (at.any === undefined || segment === '') return undefined;
  texts.push(segment);
  const open = find(at.any, segments, index + 1, texts);
  if (open === undefined) texts.pop();
  return open;
}
