/**
 * All data as lines of JSON: a head, one line per record, and an end that tells how many there were, so that a file that
 * was cut off is noticed. Records are written as they are kept; they hold secrets.
 */
import { dropPrivateKeys } from '../store/record-text.ts';
import type { CollectionName } from '../store/store.ts';
import { CannotTransfer } from './cannot-transfer.ts';

/** In this order; within each, by descending id. */
export const COLLECTIONS: readonly CollectionName[] = ['edges', 'subscriptions'];

export type Counts = Record<CollectionName, number>;

export type Line =
  | { kind: 'head' }
  | { kind: 'record'; collection: CollectionName; record: { id: string } }
  | { kind: 'end'; counts: Counts };

const HEAD = { format: 'edge-contract-export', version: 1 };

export function headLine(): string {
  return `${JSON.stringify(HEAD)}\n`;
}

export function recordLine(collection: CollectionName, record: { id: string }): string {
  return `${JSON.stringify({ collection, record })}\n`;
}

export function endLine(counts: Counts): string {
  return `${JSON.stringify({ end: counts })}\n`;
}

/**
 * @param number counted from 1, for the message, which never quotes the line: it may hold a secret
 * @throws CannotTransfer
 */
export function readLine(text: string, number: number): Line {
  const value = parse(text);
  if (number === 1) {
    if (value?.['format'] !== HEAD.format) throw new CannotTransfer('line 1: this is no export of edge-server');
    if (value['version'] !== HEAD.version)
      throw new CannotTransfer('line 1: another version of edge-server wrote this export');
    return { kind: 'head' };
  }
  if (isCounts(value?.['end'])) return { kind: 'end', counts: value['end'] };
  const collection = COLLECTIONS.find((name) => name === value?.['collection']);
  const record = value?.['record'] as { id?: unknown } | null | undefined;
  if (collection === undefined || typeof record?.id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(record.id)) {
    throw new CannotTransfer(`line ${number}: this is no record of an export`);
  }
  dropPrivateKeys(record);
  return { kind: 'record', collection, record: record as { id: string } };
}

/**
 * Each with its line feed; a last one that was cut off has none. Not `readline`, which ends lines at U+2028, too, and texts
 * may hold that.
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

function isCounts(value: unknown): value is Counts {
  return (
    typeof value === 'object' &&
    value !== null &&
    COLLECTIONS.every((name) => Number.isInteger((value as Counts)[name]))
  );
}
