/**
 * All data as lines of JSON: a head, one line per record, and an end with the number of records, so that a file that was cut
 * off is noticed. Records are written as they are kept; they hold secrets.
 */
import { dropPrivateKeys } from '../store/record-text.ts';
import { type CollectionName, COLLECTIONS } from '../store/store.ts';

/** An export or import that cannot go on; the message is one line for the person who started it. */
export class CannotTransfer extends Error {
  override name = 'CannotTransfer';
}

export type Counts = Record<CollectionName, number>;

export type Line =
  | { kind: 'head' }
  | { kind: 'record'; collection: CollectionName; record: { id: string } }
  | { kind: 'end'; counts: Counts };

export const HEAD = { format: 'edge-contract-export', version: 1 };

/**
 * @param number counted from 1, for the message, which never quotes the line: it may hold a secret
 * @throws CannotTransfer
 */
export function readLine(text: string, number: number): Line {
  const value = parse(text);
  if (number === 1) {
    if (value?.['format'] !== HEAD.format) throw new CannotTransfer('line 1: this is not an export of edge-server');
    if (value['version'] !== HEAD.version)
      throw new CannotTransfer('line 1: another version of edge-server wrote this export');
    return { kind: 'head' };
  }
  const counts = value?.['end'] as Counts | null | undefined;
  if (counts && COLLECTIONS.every((name) => Number.isInteger(counts[name]))) return { kind: 'end', counts };
  const collection = COLLECTIONS.find((name) => name === value?.['collection']);
  const record = value?.['record'] as { id: string } | null | undefined;
  if (collection === undefined || typeof record?.id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(record.id)) {
    throw new CannotTransfer(`line ${number}: this is not a record of an export`);
  }
  dropPrivateKeys(record);
  return { kind: 'record', collection, record };
}

/**
 * Lines with their line feeds; a last one that was cut off has none. Not `readline`, which ends lines at U+2028, too, and
 * texts may hold that.
 * @param input of texts
 */
export async function* linesOf(input: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of input) {
    const lines = (rest + String(chunk)).split(/(?<=\n)/);
    rest = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '');
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
