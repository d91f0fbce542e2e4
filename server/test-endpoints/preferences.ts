/** The preferences of a `Prefer` header (RFC 7240). */

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const WORD = `(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;
const VALUE = `(?:[ \\t]*=(?:[ \\t]*(${WORD}))?)?`;
// Spaces can match in one part alone: otherwise many of them would be tried in every combination.
const PARAMETERS = `(?:[ \\t]*;(?:[ \\t]*${TOKEN}${VALUE})?)*`;
const PREFERENCE = new RegExp(`[ \\t,]*(${TOKEN})${VALUE}${PARAMETERS}[ \\t]*(?=,|$)`, 'y');

/**
 * The first value of each name in lower case; empty if there is none. Malformed text ends the list.
 */
export function readPreferences(header: string | string[] | undefined): Map<string, string> {
  const preferences = new Map<string, string>();
  const text = [header ?? ''].flat().join(',');
  PREFERENCE.lastIndex = 0;
  for (let found = PREFERENCE.exec(text); found !== null; found = PREFERENCE.exec(text)) {
    const [, token = '', word = ''] = found;
    const name = token.toLowerCase();
    if (!preferences.has(name)) {
      preferences.set(name, valueOf(word));
    }
  }
  return preferences;
}

/** A token, or the text between quotes. */
function valueOf(word: string): string {
  if (word.startsWith('"')) {
    return word.slice(1, -1).replaceAll(/\\(.)/g, '$1');
  }
  return word;
}
