/** How a record is written: as JSON text, which keeps every text, number and order as it is. */
import { DamagedRecord } from './store.ts';

/**
 * The record with this id that a text holds.
 * @param place where it was found, for the message
 * @throws DamagedRecord; the message says nothing of the content, which may be secret
 */
export function parseRecord<T extends { id: string }>(text: string, id: string, place: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DamagedRecord(`${place} is not a JSON document`);
  }
  if (typeof value !== 'object' || value === null || (value as { id?: unknown }).id !== id) {
    throw new DamagedRecord(`${place} does not hold the record ${id}`);
  }
  if (text.includes('"private_key_pem"')) dropPrivateKeys(value);
  return value as T;
}

/** Shorter texts are parsed again faster than anybody notices. */
const LARGE = 64 * 1024;
const MOST_PARSED = 8;

/**
 * Large records as they were parsed last, for anybody who may read one without a token. They are frozen: all readers
 * get the same.
 */
export class ParsedRecords<T extends object> {
  readonly #parsed = new Map<string, { version: string; record: T }>();

  get(id: string): { version: string; record: T } | undefined {
    return this.#parsed.get(id);
  }

  /** @param version differs from that of any other text of this record */
  keep(id: string, version: string, { text, record }: { text: string; record: T }): T {
    this.#parsed.delete(id);
    if (text.length < LARGE) return record;
    freeze(record);
    this.#parsed.set(id, { version, record });
    if (this.#parsed.size > MOST_PARSED) this.#parsed.delete(this.#parsed.keys().next().value!);
    return record;
  }
}

function freeze(value: unknown): void {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(freeze);
}

/** The result of `read`; undefined, and a report, where the record is damaged. */
export function unlessDamaged<T>(read: () => T, report: (error: DamagedRecord) => void): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
    report(error);
    return undefined;
  }
}

/**
 * Version 0.3 kept the private key of each SAML certificate, and nothing used it. A record that still has one is read
 * without it, so that it is gone with the next change.
 */
export function dropPrivateKeys(record: object): void {
  const { routes } = record as { routes?: unknown };
  if (!Array.isArray(routes)) return;
  for (const route of routes as ({ signing?: { private_key_pem?: string } } | null)[])
    delete route?.signing?.private_key_pem;
}
