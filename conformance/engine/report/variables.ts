/** What a script must not repeat from the run that it comes from: names that the run made up, ids and next pages. */
import type { RecordedExchange } from '../http/session.ts';
import { parse } from '../http/response.ts';
import type { Implementation } from '../http/implementation.ts';
import { quote } from './shell.ts';

const PICK = String.raw`# The text of that name in a JSON response; where several have it, the one of that number.
pick() {
  printf '%s' "$RESPONSE" | tr -d '\r' | sed '1,/^$/d' | tr -d '\n' | grep -o "\"$1\"[[:space:]]*:[[:space:]]*\"[^\"]*\"" |
    sed -n "$2p" | sed 's/^"[^"]*"[^"]*"\(.*\)"$/\1/; s/\\\//\//g; s/\\u0026/\&/g'
}`;

const ENCODE = String.raw`# Every character percent-encoded.
encode() { printf %s "$1" | od -An -tx1 | tr -d '\n' | tr -s ' ' % | sed 's/%$//'; }`;

export class Variables {
  readonly declarations: string[] = [];
  readonly #base: string;
  /** Path segments and their variables. */
  readonly #segments = new Map<string, string>();
  /** Whole URLs and their variables. */
  readonly #urls = new Map<string, string>();
  readonly #captures = new Map<number, string[]>();
  #encodes = false;

  constructor(base: string, exchanges: readonly RecordedExchange[], implementation: Implementation) {
    this.#base = base;
    this.#declareMadeUp(exchanges, implementation);
    exchanges.forEach((exchange, index) => this.#captureFrom(exchange, index, exchanges.slice(index + 1)));
  }

  /** Functions that the words use: to be asked for when all words have been made. */
  get helpers(): string[] {
    return [...(this.#captures.size > 0 ? [PICK] : []), ...(this.#encodes ? [ENCODE] : [])];
  }

  capturesAfter(index: number): string[] {
    return this.#captures.get(index) ?? [];
  }

  /** A URL as a shell word. */
  url(url: string): string {
    const whole = this.#urls.get(url);
    if (whole !== undefined) return `"$${whole}"`;
    if (!url.startsWith(this.#base)) return quote(url);
    const [path = '', ...query] = url.slice(this.#base.length).split('?');
    const parts = path.split('/').map((segment) => this.#segment(segment));
    const search = query.length > 0 ? quote(`?${query.join('?')}`) : '';
    return `"$BASE"${parts.join('/')}${search}`;
  }

  /** A body as a shell word. */
  body(text: string): string {
    let parts: (string | { name: string })[] = [text];
    for (const [value, name] of this.#segments) {
      parts = parts.flatMap((part) => (typeof part === 'string' ? split(part, JSON.stringify(value), name) : [part]));
    }
    return parts.map((part) => (typeof part === 'string' ? quote(part) : `'"'"$${part.name}"'"'`)).join('') || "''";
  }

  #segment(segment: string): string {
    for (const [value, name] of this.#segments) {
      if (segment === value) return `"$${name}"`;
      if (segment === encodeAll(value)) {
        this.#encodes = true;
        return `$(encode "$${name}")`;
      }
      // Almost an id: that is what some cases are about.
      if (value.length >= LONG && segment.startsWith(value)) return `"$${name}"${quote(segment.slice(value.length))}`;
      if (value.length >= LONG && segment === value.slice(0, -1)) return `"\${${name}%?}"`;
    }
    return segment === '' ? '' : quote(segment);
  }

  #declareMadeUp(exchanges: readonly RecordedExchange[], implementation: Implementation): void {
    const paths = exchanges.map(({ request }) => request.url.slice(this.#base.length).split('?', 1)[0]!);
    const segments = new Set(paths.flatMap((path) => path.split('/')));
    for (const encoded of segments) {
      const segment = decode(encoded);
      if (this.#segments.has(segment)) continue;
      const twin = [...this.#segments].find(([other]) => other.toLowerCase() === segment.toLowerCase())?.[1];
      const kind = twin?.replace(/\d+$/, '') ?? implementation.api.variableFor?.(segment, implementation);
      if (kind === undefined) continue;
      const number = this.declarations.length + 1;
      const name = `${kind}${number}`;
      this.declarations.push(
        twin === undefined
          ? `${name}=conformance-$(date +%s)-$$-${number}`
          : `${name}=$(printf %s "$${twin}" | tr a-z A-Z)`,
      );
      this.#segments.set(segment, name);
    }
  }

  /**
   * `id` and `uri` of a response, where a later request repeats them. Of responses that come at once, nothing is taken.
   */
  #captureFrom({ response, group }: RecordedExchange, index: number, later: readonly RecordedExchange[]): void {
    if (!response || group !== undefined) return;
    const { id, uri } = (parse(response.body) ?? {}) as { id?: unknown; uri?: unknown };
    const urls = later.map(({ request }) => request.url);
    if (typeof id === 'string' && id !== '' && !this.#segments.has(id) && urls.some((url) => this.#mentions(url, id))) {
      this.#segments.set(id, `ID${index + 1}`);
      this.#capture(index, `ID${index + 1}=$(pick id ${placeOf('id', id, response.body)})`);
    }
    if (typeof uri !== 'string') return;
    // A path that is made of what is known says more than one that a response has named.
    const followed = urls.find(
      (url) => (url === uri && (url.includes('?') || !this.#isKnown(url))) || this.#isPageOf(url, uri),
    );
    if (followed === undefined || this.#urls.has(followed)) return;
    const name = `URI${index + 1}`;
    this.#urls.set(followed, name);
    this.#capture(index, `${name}=$(pick uri ${placeOf('uri', uri, response.body)})`);
    // Behind a proxy, a service names its public address.
    if (followed !== uri)
      this.#capture(
        index,
        `${name}=$BASE\${${name}#${quote(uri.slice(0, uri.length - followed.length + this.#base.length))}}`,
      );
  }

  #capture(index: number, line: string): void {
    this.#captures.set(index, [...this.capturesAfter(index), line]);
  }

  #mentions(url: string, id: string): boolean {
    const segments = url.slice(this.#base.length).split('?', 1)[0]!.split('/');
    return segments.some(
      (one) =>
        one === id || one === encodeAll(id) || (id.length >= LONG && (one.startsWith(id) || one === id.slice(0, -1))),
    );
  }

  #isKnown(url: string): boolean {
    return [...this.#segments.keys()].some((value) => this.#mentions(url, value));
  }

  #isPageOf(url: string, uri: string): boolean {
    const rest = url.startsWith(this.#base) ? url.slice(this.#base.length) : '';
    return rest.includes('?') && uri.endsWith(rest);
  }
}

/** Shorter texts are parts of others by chance. */
const LONG = 5;

function encodeAll(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Which of the texts called `name` in a JSON text is `value`, from 1. */
function placeOf(name: string, value: string, body: string): number {
  const texts = [...body.matchAll(new RegExp(String.raw`"${name}"\s*:\s*("(?:[^"\\]|\\.)*")`, 'g'))];
  return (
    Math.max(
      texts.findIndex(([, text]) => parse(text!) === value),
      0,
    ) + 1
  );
}

function split(text: string, value: string, name: string): (string | { name: string })[] {
  return text
    .split(value)
    .flatMap((part, index) => (index === 0 ? [part] : [{ name }, part]))
    .filter((part) => part !== '');
}
