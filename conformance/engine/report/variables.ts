/**
 * The variables of a script, for values that another run does not have: names that the run made up,
 * ids that the service gave, and addresses of next pages.
 */
import { escapeRegExp } from '../contract/escape-reg-exp.ts';
import { decode } from '../contract/percent-encoding.ts';
import { isObject } from '../contract/pointers.ts';
import type { Implementation } from '../http/implementation.ts';
import { parse } from '../http/response.ts';
import type { RecordedExchange } from '../http/exchange.ts';
import { singular } from '../contract/nouns.ts';
import { quote, quoteInShort, REPEAT, REPEAT_CALL } from './shell.ts';

/** A function of the shell, which a script has if one of its lines calls it. */
interface Helper {
  /** The beginning of a call. */
  call: string;
  source: string;
}

/** Takes the body out of `$RESPONSE`, finds the members of that name, and unescapes one of them. */
const PICK = [
  '# The text or whole number of that name in a JSON response. If several have it: the one of that',
  '# number.',
  'pick() {',
  String.raw`  printf '%s' "$RESPONSE" | tr -d '\r' | sed '1,/^$/d' | tr -d '\n' |`,
  String.raw`    grep -oE "\"$1\"[[:space:]]*:[[:space:]]*(\"[^\"]*\"|[0-9]+)" | sed -n "$2p" |`,
  String.raw`    sed 's/^"[^"]*"[^":0-9]*:[[:space:]]*//; s/^"\(.*\)"$/\1/' |`,
  String.raw`    sed 's/\\\//\//g; s/\\u0026/\&/g'`,
  '}',
];

const ENCODE = [
  '# Every character percent-encoded.',
  String.raw`encode() { printf %s "$1" | od -An -tx1 | tr -d '\n' | tr -s ' ' % | sed 's/%$//'; }`,
];

const HELPERS: readonly Helper[] = [
  { call: '$(pick ', source: PICK.join('\n') },
  { call: '$(encode ', source: ENCODE.join('\n') },
  { call: REPEAT_CALL, source: REPEAT },
];

/** In UTF-16 code units. A shorter text is a part of others by chance. */
const SHORTEST_SEARCHED = 5;

export class Variables {
  /** Lines that make up names. */
  readonly declarations: string[] = [];
  /** For each exchange, lines that take from its response what later requests need. */
  readonly captures: readonly (readonly string[])[];
  readonly #base: string;
  /** The names of variables, by the path segment that each stands for. */
  readonly #segments = new Map<string, string>();
  /** Numbers that bodies name, each as an id of its resource. */
  readonly #numbers: NumberId[] = [];
  /** The names of variables, by the whole URL that each stands for. */
  readonly #urls = new Map<string, string>();

  /** @param base without a slash at its end @param last the URLs of what follows the exchanges */
  constructor(
    base: string,
    exchanges: readonly RecordedExchange[],
    implementation: Implementation,
    last: readonly string[],
  ) {
    this.#base = base;
    const urls = exchanges.map(({ request }) => request.url);
    const segments = new Set(urls.flatMap((url) => this.#segmentsOf(url)));
    for (const segment of segments) {
      this.#declareMadeUp(decode(segment), implementation);
    }
    this.captures = exchanges.map((exchange, index) => {
      const sent = exchanges.slice(0, index + 1).map(({ request }) => request.body ?? '');
      const following = exchanges.slice(index + 1);
      const bodies = following.flatMap(({ request: { body } }) => body ?? []);
      const later = { urls: [...urls.slice(index + 1), ...last], bodies, sent };
      return this.#capturesFrom(exchange, index + 1, later);
    });
  }

  /** The functions that these lines call. */
  helpersFor(lines: readonly string[]): string[] {
    const called = HELPERS.filter(({ call }) => lines.some((line) => line.includes(call)));
    return called.map(({ source }) => source);
  }

  /** A URL as a shell word. */
  url(url: string): string {
    const variable = this.#urls.get(url);
    if (variable !== undefined) {
      return `"$${variable}"`;
    }
    if (!url.startsWith(this.#base)) {
      return quote(url);
    }
    const segments = this.#segmentsOf(url).map((segment) => this.#segmentWord(segment));
    const query = url.indexOf('?');
    const queryWord = query === -1 ? '' : quoteInShort(url.slice(query));
    return `"$BASE"${segments.join('/')}${queryWord}`;
  }

  /** A body as a shell word. JSON texts that are values of variables become these. */
  body(text: string): string {
    let word = quoteInShort(text);
    for (const [value, variable] of this.#segments) {
      word = word.replaceAll(JSON.stringify(value), () => `"'"$${variable}"'"`);
    }
    for (const id of this.#numbers) {
      word = word.replace(memberWith(id), (_, start: string) => `${start}'"$${id.variable}"'`);
    }
    return word;
  }

  /** The path below the base URL, in parts. */
  #segmentsOf(url: string): string[] {
    const [path = ''] = url.slice(this.#base.length).split('?', 1);
    return path.split('/');
  }

  #segmentWord(segment: string): string {
    for (const [value, variable] of this.#segments) {
      const word = wordOf(segment, value, variable);
      if (word !== undefined) {
        return word;
      }
    }
    if (segment === '') {
      return '';
    }
    return quoteInShort(segment);
  }

  /** Whether a segment of the URL can be made of a variable with this value. */
  #mentions(url: string, value: string): boolean {
    return this.#segmentsOf(url).some((segment) => wordOf(segment, value, '') !== undefined);
  }

  /** Declares a variable for a name that the run made up, or for such a name in upper case. */
  #declareMadeUp(segment: string, implementation: Implementation): void {
    if (this.#segments.has(segment)) {
      return;
    }
    const twin = this.#variableInOtherCase(segment);
    const number = this.declarations.length + 1;
    if (twin !== undefined) {
      const kind = twin.replace(/\d+$/, '');
      this.#declare(segment, `${kind}${number}`, `$(printf %s "$${twin}" | tr a-z A-Z)`);
      return;
    }
    const kind = implementation.api.variableFor?.(segment, implementation);
    if (kind !== undefined) {
      this.#declare(segment, `${kind}${number}`, `conformance-$(date +%s)-$$-${number}`);
    }
  }

  #declare(segment: string, variable: string, value: string): void {
    this.declarations.push(`${variable}=${value}`);
    this.#segments.set(segment, variable);
  }

  #variableInOtherCase(segment: string): string | undefined {
    for (const [other, variable] of this.#segments) {
      if (other.toLowerCase() === segment.toLowerCase()) {
        return variable;
      }
    }
    return undefined;
  }

  /** @param number of the exchange, from 1 */
  #capturesFrom(exchange: RecordedExchange, number: number, later: Later): string[] {
    const { response, group } = exchange;
    // Responses that come at once cannot be told apart.
    if (response === null || group !== undefined) {
      return [];
    }
    const { body } = response;
    const json = parse(body);
    if (!isObject(json)) {
      return [];
    }
    return [
      ...this.#captureId(exchange, json, number, later),
      ...this.#captureUri(json, body, number, later.urls),
    ];
  }

  /** Takes an id of the response that a later request names. */
  #captureId(
    { request, response }: RecordedExchange,
    json: Record<string, unknown>,
    number: number,
    later: Later,
  ): string[] {
    const variable = `ID${number}`;
    for (const [name, value] of Object.entries(json)) {
      if (!mayBeId(name, value) || isSent(value, later.sent)) {
        continue;
      }
      const id = String(value);
      const resource = resourceAt(this.#segmentsOf(request.url));
      const isInBody = this.#noteInBodies({ value: id, variable, resource }, value, later.bodies);
      const isNew = !this.#segments.has(id);
      const isInUrl = isNew && later.urls.some((url) => this.#mentions(url, id));
      const isText = typeof value === 'string';
      if (isInUrl || (isNew && isText && isInBody)) {
        this.#segments.set(id, variable);
      }
      if (isInUrl || isInBody) {
        return [`${variable}=${pickCommand(name, value, response?.body ?? '')}`];
      }
    }
    return [];
  }

  /** Whether a later body names what has the id. */
  #noteInBodies(id: NumberId, value: unknown, bodies: readonly string[]): boolean {
    if (id.resource === '') {
      return false;
    }
    if (typeof value === 'string') {
      const isNamed = memberWith({ ...id, value: JSON.stringify(value) });
      return !this.#segments.has(value) && bodies.some((body) => isNamed.test(body));
    }
    const member = memberWith(id);
    const isThere = bodies.some((body) => member.test(body));
    if (isThere) {
      this.#numbers.push(id);
    }
    return isThere;
  }

  /** Takes the `uri` of the response if a later request goes there. */
  #captureUri(
    { uri }: Record<string, unknown>,
    body: string,
    number: number,
    later: readonly string[],
  ): string[] {
    if (typeof uri !== 'string') {
      return [];
    }
    const followed = later.find((url) => this.#follows(url, uri));
    if (followed === undefined || this.#urls.has(followed)) {
      return [];
    }
    const variable = `URI${number}`;
    this.#urls.set(followed, variable);
    const captures = [`${variable}=${pickCommand('uri', uri, body)}`];
    if (followed !== uri) {
      // Behind a proxy, a service names its public address: that is exchanged for the one under
      // test.
      const path = followed.slice(this.#base.length);
      const publicBase = uri.slice(0, uri.length - path.length);
      captures.push(`${variable}=$BASE\${${variable}#${quote(publicBase)}}`);
    }
    return captures;
  }

  /**
   * Whether a request to this URL follows the `uri` of a response, at its own address or at the one
   * under test.
   */
  #follows(url: string, uri: string): boolean {
    if (url === uri) {
      // A path that is made of known variables says more than one that a response has named.
      return url.includes('?') || !this.#isMadeOfVariables(url);
    }
    const path = url.slice(this.#base.length);
    return url.startsWith(this.#base) && path.includes('?') && uri.endsWith(path);
  }

  #isMadeOfVariables(url: string): boolean {
    return [...this.#segments.keys()].some((value) => this.#mentions(url, value));
  }
}

/** What follows an exchange. */
interface Later {
  urls: readonly string[];
  bodies: readonly string[];
  /** The bodies up to this exchange. */
  sent: readonly string[];
}

/** Whether the client has chosen the text: a script that sends it needs no variable for it. */
function isSent(value: unknown, bodies: readonly string[]): boolean {
  const isText = typeof value === 'string';
  return isText && bodies.some((body) => body.includes(JSON.stringify(value)));
}

/** An id that a response gives, and that bodies name as a number. */
interface NumberId {
  /** As JSON has it. */
  value: string;
  variable: string;
  /** The singular of the collection that gives it, such as `member`. */
  resource: string;
}

/** The member of a JSON text that names an item of a resource, such as `"member_id":7`. */
function memberWith({ resource, value }: NumberId): RegExp {
  const name = [...resource].join('[-_]?');
  const literal = escapeRegExp(value);
  return new RegExp(String.raw`("${name}[-_]?(?:id|uuid|key)"\s*:\s*)${literal}(?![\w.])`, 'i');
}

/** The resource whose items a path gives; empty if the path names one. */
function resourceAt(segments: readonly string[]): string {
  const last = singular(segments.at(-1) ?? '');
  if (/^[a-z]+$/.test(last)) {
    return last;
  }
  return '';
}

const WORD = /^\w+$/;
const NAME_OF_NUMBER = /id$|^(number|key|code)$/i;

/**
 * Whether a member of a response may be a path segment: a number by its name, a text if it is long.
 */
function mayBeId(name: string, value: unknown): boolean {
  if (!WORD.test(name) || value === '') {
    return false;
  }
  if (typeof value !== 'string') {
    return Number.isSafeInteger(value) && NAME_OF_NUMBER.test(name);
  }
  return name === 'id' || value.length >= SHORTEST_SEARCHED;
}

/**
 * The segment as a shell word with the variable of that value; undefined if it has nothing of the
 * value.
 */
function wordOf(segment: string, value: string, variable: string): string | undefined {
  if (segment === value) {
    return `"$${variable}"`;
  }
  // Most segments are not encoded, and a script may have hundreds of each.
  if (segment.startsWith('%') && segment === encodeAll(value)) {
    return `$(encode "$${variable}")`;
  }
  if (value.length < SHORTEST_SEARCHED) {
    return undefined;
  }
  // Some cases send an id that is almost the right one.
  if (segment.startsWith(value)) {
    return `"$${variable}"${quote(segment.slice(value.length))}`;
  }
  if (segment === value.slice(0, -1)) {
    return `"\${${variable}%?}"`;
  }
  return undefined;
}

/** Every byte percent-encoded. */
export function encodeAll(text: string): string {
  const hex = Buffer.from(text).toString('hex').toUpperCase();
  return hex.replaceAll(/../g, '%$&');
}

function pickCommand(name: string, value: unknown, body: string): string {
  return `$(pick ${name} ${placeOf(name, value, body)})`;
}

/**
 * The number, from 1, of `value` among the texts and numbers called `name` in a JSON text; 1 if it
 * is not among them.
 */
function placeOf(name: string, value: unknown, body: string): number {
  const member = new RegExp(String.raw`"${name}"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)`, 'g');
  const values = [...body.matchAll(member)].map(([, text = '']) => parse(text));
  const index = values.indexOf(value);
  return Math.max(index + 1, 1);
}
