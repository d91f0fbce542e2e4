/** How a record is written: as JSON text, which keeps every text, number and order as it is. */
import { DamagedRecord } from './store.ts';

/**
 * The value, when it is a record with this id.
 * @param place where it was found, for the message
 * @throws DamagedRecord
 */
export function checkRecord<T extends { id: string }>(value: unknown, id: string, place: string): T {
  if (typeof value !== 'object' || value === null || (value as { id?: unknown }).id !== id) {
    throw new DamagedRecord(`${place} does not hold the record ${id}`);
  }
  return value as T;
}

/** @throws DamagedRecord; the message says nothing of the content, which may be secret */
export function parseText(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DamagedRecord(`${place} is not a JSON document`);
  }
}
