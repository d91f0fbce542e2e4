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
    const found = find(this.#root, path, 1, texts);
    if (found?.value === undefined) return undefined;
    const params: Record<string, string> = {};
    for (let index = 0; index < texts.length; index++) params[found.names[index]!] = decoded(texts[index]!);
    return { value: found.value, params };
  }
}

function decoded(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text;
}

function node<T>(): Node<T> {
  return { fixed: new Map(), any: undefined, names: [], value: undefined };
}

/**
 * @param start where the next segment of the path begins
 * @param texts gets what stands in the open segments
 */
function find<T>(at: Node<T>, path: string, start: number, texts: string[]): Node<T> | undefined {
  if (start > path.length) return at.value === undefined ? undefined : at;
  const slash = path.indexOf('/', start);
  const end = slash < 0 ? path.length : slash;
  const segment = path.slice(start, end);
  const next = at.fixed.get(segment);
  const found = next && find(next, path, end + 1, texts);
  if (found) return found;
  if (at.any === undefined || segment === '') return undefined;
  texts.push(segment);
  const open = find(at.any, path, end + 1, texts);
  if (open === undefined) texts.pop();
  return open;
}
