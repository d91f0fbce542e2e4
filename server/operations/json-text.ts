/**
 * The JSON of a record in responses. It is made once for each state of the record, and
 * then sent as it is.
 */
import type { Links } from '../domain/links.ts';

/** The JSON of a value of this type. */
export class JsonText<T> {
  readonly #json: string | Buffer;
  #encoded: Buffer | undefined;
  /** For the compiler alone. */
  declare readonly type: T;

  constructor(json: string | Buffer) {
    this.#json = json;
  }

  /**
   * To send it: a short text goes out in one piece with the headers, and a long one is encoded
   * once.
   */
  get content(): string | Buffer {
    const isShort = typeof this.#json === 'string' && this.#json.length < SHORT;
    return isShort ? this.#json : this.bytes;
  }

  get bytes(): Buffer {
    if (typeof this.#json !== 'string') {
      return this.#json;
    }
    this.#encoded ??= Buffer.from(this.#json);
    return this.#encoded;
  }
}

/** In UTF-16 code units. */
const SHORT = 4096;

interface KnownText {
  /** The base of the URIs in it. */
  base: string;
  text: JsonText<unknown>;
}

/** The text that was asked for last of each record. Stores freeze records. */
const knownTexts = new WeakMap<object, KnownText>();

/**
 * Keeps the text. Without that, a read takes a fifth more CPU on Node 20 and 26, and a list of 100
 * edges three times as much (Node 20, 24 and 26).
 *
 * @param show depends on nothing else
 */
export function jsonOfRecord<R extends object, T>(
  record: R,
  links: Links,
  show: (record: R, links: Links) => T,
): JsonText<T> {
  const known = knownTexts.get(record);
  if (known?.base === links.base) {
    return known.text as JsonText<T>;
  }
  const text = new JsonText<T>(JSON.stringify(show(record, links)));
  knownTexts.set(record, { base: links.base, text });
  return text;
}

interface KnownList {
  name: string;
  items: readonly JsonText<unknown>[];
  others: string;
  text: JsonText<unknown>;
}

/**
 * The list that was sent last: others often ask for the same. Without it, a list of 100 edges takes
 * a sixth more CPU (Node 20 and 24).
 */
let lastList: KnownList | undefined;

type ItemOf<List> = List extends (infer Item)[] ? Item : never;

/** An object that has the list as its first property. */
export function jsonOfList<L extends object, K extends keyof L & string>(
  name: K,
  items: readonly JsonText<ItemOf<L[K]>>[],
  otherProperties: Omit<L, K>,
): JsonText<L> {
  const others = JSON.stringify(otherProperties);
  if (lastList === undefined || !isList(lastList, name, items, others)) {
    lastList = { name, items, others, text: joined(name, items, others) };
  }
  return lastList.text as JsonText<L>;
}

function isList(
  known: KnownList,
  name: string,
  items: readonly JsonText<unknown>[],
  others: string,
): boolean {
  const isAlike =
    known.name === name && known.others === others && known.items.length === items.length;
  return isAlike && known.items.every((item, index) => item === items[index]);
}

const COMMA = Buffer.from(',');

/** It is made of bytes, which are copied: texts would be encoded again for each list. */
function joined(
  name: string,
  items: readonly JsonText<unknown>[],
  others: string,
): JsonText<unknown> {
  const parts: Buffer[] = [Buffer.from(`{${JSON.stringify(name)}:[`)];
  for (const [index, { bytes }] of items.entries()) {
    if (index > 0) {
      parts.push(COMMA);
    }
    parts.push(bytes);
  }
  // Without its opening bracket.
  parts.push(Buffer.from(`],${others.slice(1)}`));
  return new JsonText(Buffer.concat(parts));
}
