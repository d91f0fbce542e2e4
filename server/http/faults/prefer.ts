/** The Prefer header (RFC 7240): what a client would like, where the server can. */

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const WORD = `(?:${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`;
const VALUE = `(?:[ \\t]*=(?:[ \\t]*(${WORD}))?)?`;
// Wherever spaces may stand, one part alone can take them: else many of them would be tried in every way there is.
const PARAMETERS = `(?:[ \\t]*;(?:[ \\t]*${TOKEN}${VALUE})?)*`;
const PREFERENCE = new RegExp(`[ \\t,]*(${TOKEN})${VALUE}${PARAMETERS}[ \\t]*(?=,|$)`, 'y');

/**
 * The preferences with their values, the empty text where there is none. Names are in lower case; of one that is given
 * twice the first counts; parameters of a preference are omitted. What cannot be read ends the list, as the header may
 * always be ignored.
 */
export function readPreferences(header: string | string[] | undefined): Map<string, string> {
  const preferences = new Map<string, string>();
  const text = [header ?? ''].flat().join(',');
  PREFERENCE.lastIndex = 0;
  for (let found = PREFERENCE.exec(text); found !== null; found = PREFERENCE.exec(text)) {
    const [, name, value = ''] = found;
    const key = name!.toLowerCase();
    if (!preferences.has(key))
      preferences.set(key, value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value);
  }
  return preferences;
}
