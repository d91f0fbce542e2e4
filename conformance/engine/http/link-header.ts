/** Links to other pages in the header field `Link` (RFC 8288). */

/** The name of the field, as responses have it. */
export const LINK = 'link';

/** `; name`, `; name=token` or `; name="text"`: the name, the text in quotes, and the token. */
const PARAMETER = /\s*;\s*([^\s=;,"<>]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g;

/** `<URI>` and the parameters behind it, which may have commas in quotes. */
const LINK_VALUE = new RegExp(`<([^>]*)>((?:${PARAMETER.source})*)`, 'g');

const ESCAPED = /\\(.)/gs;

const SPACE = /\s+/;

/**
 * The first link of a relation type, as an absolute URI; undefined if there is none.
 * @param field the value of the field; several fields are joined by commas
 * @param base the URI of the request: links may be relative to it
 */
export function linkTo(relation: string, field: string, base: string): string | undefined {
  for (const [, uri = '', written = ''] of field.matchAll(LINK_VALUE)) {
    const parameters = parametersOf(written);
    const relations = (parameters.get('rel') ?? '').toLowerCase().split(SPACE);
    // A link with an anchor leads on from something else.
    const isOfPage = !parameters.has('anchor');
    if (isOfPage && relations.includes(relation) && URL.canParse(uri, base)) {
      return new URL(uri, base).href;
    }
  }
  return undefined;
}

/** By name in lower case; of several with one name, the first one counts (RFC 8288, 3.3). */
function parametersOf(written: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', text, token = ''] of written.matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    const value = text?.replaceAll(ESCAPED, '$1') ?? token;
    if (!found.has(key)) {
      found.set(key, value);
    }
  }
  return found;
}
