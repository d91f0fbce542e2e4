/** The grammar that Content-Type and Accept share (RFC 9110, 5.6.6 and 8.3.1). */

export interface MediaType {
  /** `type/subtype` in lower case; either may be `*`. */
  name: string;
  /** Names in lower case, values unquoted. */
  parameters: [name: string, value: string][];
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(?:(${TOKEN})=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?`, 'gy');
const NAME = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})`);

/** Undefined for what the grammar does not allow. */
export function parseMediaType(text: string): MediaType | undefined {
  const name = NAME.exec(text);
  if (name?.[1] === undefined) return undefined;
  const parameters: [string, string][] = [];
  let end = name[0].length;
  PARAMETER.lastIndex = end;
  for (let found = PARAMETER.exec(text); found !== null; found = PARAMETER.exec(text)) {
    end = PARAMETER.lastIndex;
    const [, key, token, quoted = ''] = found;
    if (key !== undefined) parameters.push([key.toLowerCase(), token ?? quoted.replaceAll(/\\(.)/g, '$1')]);
  }
  return text.slice(end).trim() === '' ? { name: name[1].toLowerCase(), parameters } : undefined;
}

/** The elements of a list; a comma between quotes does not part them. */
export function splitList(text: string): string[] {
  return text.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];
}
