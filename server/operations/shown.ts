/** What a response shows of a record, as JSON. It is made once for each state of the record, and then sent as it is. */
import type { Links } from '../domain/links.ts';

/** The JSON of a value of this type. */
export class Shown<T> {
  readonly #text: string | undefined;
  #bytes: Buffer | undefined;
  declare readonly type: T;

  constructor(json: string | Buffer) {
    if (typeof json === 'string') {
      this.#text = json;
    } else {
      this.#bytes = json;
    }
  }

  /** To send it: a short text goes out in one piece with the headers, and a long one is encoded once. */
  get content(): string | Buffer {
    if (this.#text !== undefined && this.#text.length < SHORT) {
      return this.#text;
    }
    return this.bytes;
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(this.#text!));
  }
}

const SHORT = 4096;

/** By record, which the store freezes: with one base of URIs, the last that was asked for. */
const kept = new WeakMap<object, { base: string; shown: Shown<unknown> }>();

/** @param show depends on nothing else */
export function shown<R extends object, T>(
  record: R,
  links: Links,
  show: (record: R, links: Links) => T,
): Shown<T> {
  const known = kept.get(record);
  if (known?.base === links.base) {
    return known.shown as Shown<T>;
  }
  const made = new Shown<T>(JSON.stringify(show(record, links)));
  kept.set(record, { base: links.base, shown: made });
  return made;
}

const COMMA = Buffer.from(',');

/** The list that was sent last: others often ask for the same. */
let last: { items: readonly Shown<unknown>[]; around: string; list: Shown<unknown> } | undefined;

/** An object with this list as its first property. */
export function shownList<L extends object, K extends keyof L & string>(
  name: K,
  items: readonly Shown<L[K] extends (infer I)[] ? I : never>[],
  others: Omit<L, K>,
): Shown<L> {
  const around = `{${JSON.stringify(name)}:[],${JSON.stringify(others).slice(1)}`;
  const isSame =
    last?.items.length === items.length &&
    items.every((item, index) => item === last!.items[index]);
  if (!isSame || last!.around !== around) {
    const middle = around.indexOf('[') + 1;
    const parts: Buffer[] = [Buffer.from(around.slice(0, middle))];
    for (const [index, { bytes }] of items.entries()) {
      parts.push(...(index > 0 ? [COMMA] : []), bytes);
    }
    last = {
      items,
      around,
      list: new Shown(Buffer.concat([...parts, Buffer.from(around.slice(middle))])),
    };
  }
  return last!.list as Shown<L>;
}
