/** The variables of a script: names that the run made up, ids and next pages, which another run does not have. */
import type { Implementation } from '../http/implementation.ts';
import { parse } from '../http/response.ts';
import type { RecordedExchange } from '../http/session.ts';

const HELPERS = {
  '$(pick ': String.raw`# The text or whole number of that name in a JSON response; where several have it, the one of that number.
pick() {
  printf '%s' "$RESPONSE" | tr -d '\r' | sed '1,/^$/d' | tr -d '\n' | grep -oE "\"$1\"[[:space:]]*:[[:space:]]*(\"[^\"]*\"|[0-9]+)" |
    sed -n "$2p" | sed 's/^"[^"]*"[^":0-9]*:[[:space:]]*//; s/^"\(.*\)"$/\1/; s/\\\//\//g; s/\\u0026/\&/g'
}`,
  '$(encode ': String.raw`# Every character percent-encoded.
encode() { printf %s "$1" | od -An -tx1 | tr -d '\n' | tr -s ' ' % | sed 's/%$//'; }`,
};

/** Shorter texts are parts of others by chance. */
const LONG = 5;

/** A text as a word of a POSIX shell. */
export function quote(text: string): string {
  if (/^[\w./:=@%+,-]+$/.test(text)) {
    return text;
  }
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export class Variables {
  readonly declarations: string[] = [];
  readonly #base: string;
  /** Path segments and their variables. */
  readonly #segments = new Map<string, string>();
  /** Whole URLs and their variables. */
  readonly #urls = new Map<string, string>();
  /** Lines that take from the response to each exchange what later requests need. */
  readonly captures: readonly (readonly string[])[];

  /** @param last the URLs of what follows the exchanges */
  constructor(
    base: string,
    exchanges: readonly RecordedExchange[],
    implementation: Implementation,
    last: string[],
  ) {
    this.#base = base;
    const segments = new Set(exchanges.flatMap(({ request }) => this.#segmentsOf(request.url)));
    for (const segment of segments) {
      this.#declareMadeUp(decode(segment), implementation);
    }
    this.captures = exchanges.map((exchange, index) => {
      const later = exchanges.slice(index + 1).map(({ request }) => request.url);
      return this.#captureFrom(exchange, index, [...later, ...last]);
    });
  }

  /** The functions that these lines call. */
  helpersFor(lines: readonly string[]): string[] {
    const isCalled = (call: string) => lines.some((line) => line.includes(call));
    return Object.entries(HELPERS).flatMap(([call, helper]) => (isCalled(call) ? [helper] : []));
  }

  /** A URL as a shell word. */
  url(url: string): string {
    const whole = this.#urls.get(url);
    if (whole !== undefined) {
      return `"$${whole}"`;
    }
    if (!url.startsWith(this.#base)) {
      return quote(url);
    }
    const query = url.indexOf('?');
    const path = this.#segmentsOf(url).map((segment) => this.#segment(segment));
    return `"$BASE"${path.join('/')}${query < 0 ? '' : quote(url.slice(query))}`;
  }

  /** A body as a shell word: JSON texts that are values of variables become these. */
  body(text: string): string {
    return [...this.#segments].reduce(
      (word, [value, name]) => word.replaceAll(JSON.stringify(value), () => `"'"$${name}"'"`),
      quote(text),
    );
  }

  #segmentsOf(url: string): string[] {
    return url.slice(this.#base.length).split('?', 1)[0]!.split('/');
  }

  #segment(segment: string): string {
    for (const [value, name] of this.#segments) {
      const word = wordOf(segment, value, name);
      if (word !== undefined) {
        return word;
      }
    }
    return segment === '' ? '' : quote(segment);
  }

  #mentions(url: string, value: string): boolean {
    return this.#segmentsOf(url).some((segment) => wordOf(segment, value, '') !== undefined);
  }

  #declareMadeUp(segment: string, implementation: Implementation): void {
    if (this.#segments.has(segment)) {
      return;
    }
    const twin = [...this.#segments].find(
      ([other]) => other.toLowerCase() === segment.toLowerCase(),
    )?.[1];
    const kind =
      twin?.replace(/\d+$/, '') ?? implementation.api.variableFor?.(segment, implementation);
    if (kind === undefined) {
      return;
    }
    const number = this.declarations.length + 1;
    const value =
      twin === undefined
        ? `conformance-$(date +%s)-$$-${number}`
        : `$(printf %s "$${twin}" | tr a-z A-Z)`;
    this.declarations.push(`${kind}${number}=${value}`);
    this.#segments.set(segment, `${kind}${number}`);
  }

  /** An id and `uri` of a response, where a later request repeats them; nothing of responses that come at once. */
  #captureFrom(
    { response, group }: RecordedExchange,
    index: number,
    urls: readonly string[],
  ): string[] {
    if (!response || group !== undefined) {
      return [];
    }
    const shown = Object(parse(response.body) ?? {}) as Record<string, unknown>;
    const { uri } = shown;
    const captures: string[] = [];
    const isNamed = (id: string) =>
      !this.#segments.has(id) && urls.some((url) => this.#mentions(url, id));
    const found = Object.entries(shown).find(
      ([name, value]) => mayBeId(name, value) && isNamed(String(value)),
    );
    if (found) {
      const [name, id] = found;
      this.#segments.set(String(id), `ID${index + 1}`);
      captures.push(`ID${index + 1}=$(pick ${name} ${placeOf(name, id, response.body)})`);
    }
    // A path that is made of known variables says more than one that a response has named.
    const isKnown = (url: string) =>
      [...this.#segments.keys()].some((value) => this.#mentions(url, value));
    if (typeof uri !== 'string') {
      return captures;
    }
    const isPage = (rest: string) => rest.includes('?') && uri.endsWith(rest);
    const followed = urls.find((url) => {
      if (url === uri) {
        return url.includes('?') || !isKnown(url);
      }
      return url.startsWith(this.#base) && isPage(url.slice(this.#base.length));
    });
    if (followed !== undefined && !this.#urls.has(followed)) {
      const name = `URI${index + 1}`;
      this.#urls.set(followed, name);
      captures.push(`${name}=$(pick uri ${placeOf('uri', uri, response.body)})`);
      // Behind a proxy, a service names its public address.
      const base = uri.slice(0, uri.length - followed.length + this.#base.length);
      if (followed !== uri) {
        captures.push(`${name}=$BASE\${${name}#${quote(base)}}`);
      }
    }
    return captures;
  }
}

/** Whether a member of a response may be what a path has: a number by its name alone, and a text if it is long. */
function mayBeId(name: string, value: unknown): boolean {
  if (!/^\w+$/.test(name) || value === '') {
    return false;
  }
  if (typeof value !== 'string') {
    return Number.isSafeInteger(value) && /id$|^(number|key|code)$/i.test(name);
  }
  return name === 'id' || value.length >= LONG;
}

/** The segment as a shell word with the variable of that value; undefined where it has nothing of the value. */
function wordOf(segment: string, value: string, variable: string): string | undefined {
  if (segment === value) {
    return `"$${variable}"`;
  }
  if (segment === encodeAll(value)) {
    return `$(encode "$${variable}")`;
  }
  if (value.length < LONG) {
    return undefined;
  }
  // Almost an id: some cases are about that.
  if (segment.startsWith(value)) {
    return `"$${variable}"${quote(segment.slice(value.length))}`;
  }
  if (segment === value.slice(0, -1)) {
    return `"\${${variable}%?}"`;
  }
  return undefined;
}

export function encodeAll(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase().replaceAll(/../g, '%$&');
}

/** Percent-decoded; as it is where that cannot be done. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Which of the texts and numbers called `name` in a JSON text is `value`, from 1; 1 where none is. */
function placeOf(name: string, value: unknown, body: string): number {
  const texts = [
    ...body.matchAll(new RegExp(String.raw`"${name}"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)`, 'g')),
  ];
  return Math.max(texts.findIndex(([, text]) => parse(text!) === value) + 1, 1);
}
