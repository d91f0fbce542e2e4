/** What a response shows of a record, as JSON in UTF-8. It is made once for each state of the record, and then sent as it is. */
import type { Links } from '../domain/links.ts';

/** The JSON of a value of this type. */
export class Shown<T> {
  readonly bytes: Buffer;
  declare readonly type: T;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/** By record, which the store freezes: with one base of URIs, the last that was asked for. */
const kept = new WeakMap<object, { base: string; shown: Shown<unknown> }>();

/** @param show depends on nothing else */
export function shown<R extends object, T>(record: R, links: Links, show: (record: R, links: Links) => T): Shown<T> {
  const known = kept.get(record);
  if (known?.base === links.base) return known.shown as Shown<T>;
  const made = new Shown<T>(Buffer.from(JSON.stringify(show(record, links))));
  kept.set(record, { base: links.base, shown: made });
  return made;
}

const COMMA = Buffer.from(',');

/** An object with this list as its first property. */
export function shownList<L extends object, K extends keyof L & string>(
  name: K,
  items: readonly Shown<L[K] extends (infer I)[] ? I : never>[],
  others: Omit<L, K>,
): Shown<L> {
  const parts: Buffer[] = [Buffer.from(`{${JSON.stringify(name)}:[`)];
  for (const [index, { bytes }] of items.entries()) parts.push(...(index > 0 ? [COMMA] : []), bytes);
  return new Shown(Buffer.concat([...parts, Buffer.from(`],${JSON.stringify(others).slice(1)}`)]));
}
