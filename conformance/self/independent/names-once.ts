/** Whether an object in a JSON text has a name twice, which a parsed value no longer shows. */

/** Texts, and what opens, closes or parts the others; all else of a JSON text does not matter here. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** @param json well-formed */
export function hasNameTwice(json: string): boolean {
  /** The names of each object around; a list has none. */
  const around: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') around.push(new Set());
    else if (token === '[') around.push(undefined);
    else if (token === '}' || token === ']') around.pop();
    else if (token === ':') {
      // What stands before a colon is a name.
      const name = JSON.parse(last) as string;
      const names = around.at(-1)!;
      if (names.has(name)) return true;
      names.add(name);
    }
    last = token;
  }
  return false;
}
