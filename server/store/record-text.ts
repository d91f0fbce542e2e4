/** Records are written as JSON text, which keeps every text, number and order as it is. */
import { DamagedRecord } from './store.ts';

/** Undefined if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param place for the message
 * @throws DamagedRecord, whose message has nothing of the content: it may be secret
 */
export function parseRecord<T extends { id: string }>(text: string, id: string, place: string): T {
  const value = jsonOf(text);
  if (value === undefined) {
    throw new DamagedRecord(`${place} is not a JSON document`);
  }
  if (typeof value !== 'object' || value === null || (value as { id?: unknown }).id !== id) {
    throw new DamagedRecord(`${place} does not hold the record ${id}`);
  }
  if (hasPrivateKey(text)) {
    dropPrivateKeys(value);
  }
  return value as T;
}

/**
 * The JSON text of the records that are kept as objects, in UTF-16 code units. Objects take three
 * times as much.
 */
const MOST_KEPT_TEXT = 16 * 1024 * 1024;

/** The records that were used last, as objects. They are frozen: all readers get the same. */
export class ParsedRecords<T extends object> {
  /** The one that was used last is at the end. */
  readonly #kept = new Map<string, { version: string; record: T; length: number }>();
  #length = 0;

  /**
   * @param version the record is returned only if it was kept with this one; if omitted, with any
   */
  get(id: string, version?: string): { version: string; record: T } | undefined {
    const found = this.#kept.get(id);
    if (found === undefined || (version !== undefined && found.version !== version)) {
      return undefined;
    }
    this.#kept.delete(id);
    this.#kept.set(id, found);
    return found;
  }

  /** @param version differs from that of any other text of this record */
  keep(id: string, version: string, { text, record }: { text: string; record: T }): T {
    freeze(record);
    this.drop(id);
    this.#kept.set(id, { version, record, length: text.length });
    this.#length += text.length;
    while (this.#length > MOST_KEPT_TEXT) {
      this.drop(this.#kept.keys().next().value!);
    }
    return record;
  }

  drop(id: string): void {
    this.#length -= this.#kept.get(id)?.length ?? 0;
    this.#kept.delete(id);
  }
}

function freeze(value: unknown): void {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.values(Object.freeze(value)).forEach(freeze);
  }
}

export const hasPrivateKey = (text: string): boolean => text.includes('"private_key_pem"');

/** The result of `read`; undefined, and a report, if the record is damaged. */
export function unlessDamaged<T>(
  read: () => T,
  report: (error: DamagedRecord) => void,
): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DamagedRecord)) {
      throw error;
    }
    report(error);
    return undefined;
  }
}

/**
 * Version 0.3 kept private keys of SAML certificates. A record is read without them: they go with
 * the next change.
 */
export function dropPrivateKeys(record: object): void {
  const { routes } = record as { routes?: unknown };
  if (!Array.isArray(routes)) {
    return;
  }
  for (const route of routes as ({ signing?: { private_key_pem?: string } } | null)[]) {
    delete route?.signing?.private_key_pem;
  }
}
