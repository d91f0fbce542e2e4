/**
 * Whether a text is a well-formed XML document (XML 1.0, fifth edition) without a document type, and what its root is
 * called. Nothing is built and no entity expanded: the five that XML itself defines and numeric ones are looked at.
 */

const START =
  String.raw`:A-Z_a-z\u{c0}-\u{d6}\u{d8}-\u{f6}\u{f8}-\u{2ff}\u{370}-\u{37d}\u{37f}-\u{1fff}\u{200c}\u{200d}` +
  String.raw`\u{2070}-\u{218f}\u{2c00}-\u{2fef}\u{3001}-\u{d7ff}\u{f900}-\u{fdcf}\u{fdf0}-\u{fffd}\u{10000}-\u{effff}`;
const NAME = String.raw`[${START}][${START}.0-9\-\u{b7}\u{300}-\u{36f}\u{203f}\u{2040}]*`;
const S = String.raw`[ \t\r\n]`;

const FOREIGN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;
const SPACE = new RegExp(`${S}*`, 'y');
const DECLARATION = new RegExp(
  String.raw`<\?xml${S}+version${S}*=${S}*(?:"1\.[0-9]+"|'1\.[0-9]+')` +
    `(?:${S}+encoding${S}*=${S}*(?:"[A-Za-z][A-Za-z0-9._-]*"|'[A-Za-z][A-Za-z0-9._-]*'))?` +
    String.raw`(?:${S}+standalone${S}*=${S}*(?:"(?:yes|no)"|'(?:yes|no)'))?${S}*\?>`,
  'y',
);
const OPEN = new RegExp(`<(${NAME})`, 'uy');
const ATTRIBUTE = new RegExp(`${S}+(${NAME})${S}*=${S}*(?:"([^<"]*)"|'([^<']*)')`, 'uy');
const OPEN_END = new RegExp(`${S}*(/?)>`, 'y');
const CLOSE = new RegExp(`</(${NAME})${S}*>`, 'uy');
const INSTRUCTION = new RegExp(String.raw`<\?(${NAME})(?=${S}|\?>)`, 'uy');
const REFERENCE = /&(?:amp|lt|gt|quot|apos|#(?:([0-9]+)|x([0-9A-Fa-f]+)));/y;

class Malformed extends Error {}

class Reader {
  #at = 0;
  readonly #text: string;
  /** Names of the elements that are open. */
  readonly #open: string[] = [];
  #root: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The name of the root. */
  document(): string {
    if (FOREIGN.test(this.#text)) throw new Malformed();
    this.#take('\u{feff}');
    this.#match(DECLARATION);
    while (this.#at < this.#text.length) this.#node();
    if (this.#root === undefined || this.#open.length > 0) throw new Malformed();
    return this.#root;
  }

  #node(): void {
    if (this.#open.length > 0) this.#characters();
    else this.#match(SPACE);
    if (this.#at === this.#text.length) return;
    if (this.#take('<!--')) this.#comment();
    else if (this.#text.startsWith('<?', this.#at)) this.#instruction();
    else if (this.#open.length > 0 && this.#take('<![CDATA[')) this.#skipBehind(']]>');
    else if (this.#text.startsWith('</', this.#at)) this.#close();
    else this.#element();
  }

  #characters(): void {
    const end = this.#text.indexOf('<', this.#at);
    const text = this.#text.slice(this.#at, end < 0 ? undefined : end);
    if (text.includes(']]>')) throw new Malformed();
    requireReferences(text);
    this.#at += text.length;
  }

  #comment(): void {
    this.#skipBehind('--');
    if (!this.#take('>')) throw new Malformed();
  }

  #instruction(): void {
    const [, target = 'xml'] = this.#match(INSTRUCTION) ?? [];
    // A declaration that does not come first, or is none, is here, too.
    if (target.toLowerCase() === 'xml') throw new Malformed();
    this.#skipBehind('?>');
  }

  #close(): void {
    const name = this.#match(CLOSE)?.[1];
    if (name === undefined || name !== this.#open.pop()) throw new Malformed();
  }

  #element(): void {
    const name = this.#match(OPEN)?.[1];
    if (name === undefined || (this.#root !== undefined && this.#open.length === 0)) throw new Malformed();
    this.#root ??= name;
    const attributes = new Set<string>();
    for (let found = this.#match(ATTRIBUTE); found !== null; found = this.#match(ATTRIBUTE)) {
      const [, attribute = '', quoted, single = ''] = found;
      if (attributes.has(attribute)) throw new Malformed();
      attributes.add(attribute);
      requireReferences(quoted ?? single);
    }
    const end = this.#match(OPEN_END);
    if (end === null) throw new Malformed();
    if (end[1] === '') this.#open.push(name);
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #skipBehind(text: string): void {
    const found = this.#text.indexOf(text, this.#at);
    if (found < 0) throw new Malformed();
    this.#at = found + text.length;
  }
}

/** Every ampersand begins a reference that needs no declaration, to a character that XML has. */
function requireReferences(text: string): void {
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    REFERENCE.lastIndex = at;
    const found = REFERENCE.exec(text);
    if (found === null) throw new Malformed();
    const [, decimal, hexadecimal] = found;
    if (decimal === undefined && hexadecimal === undefined) continue;
    const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    if (point > 0x10_ffff || FOREIGN.test(String.fromCodePoint(point))) throw new Malformed();
  }
}

/** Undefined for a text that is no such document. */
export function rootOf(text: string): string | undefined {
  try {
    return new Reader(text).document();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}
