/**
 * The lines of journals and snapshots:
 *
 *     HEADSUM edges/ID BYTES TEXTSUM {"id":"ID",…}      a record as it is now; `null`: it is removed
 *     HEADSUM commit NUMBER BYTES                       the end of a batch; how many bytes its lines have
 *
 * Sums are CRC-32, in hexadecimal. HEADSUM is of what stands between it and the text: where it is right, it is known which
 * record the line belongs to and where the line ends, whatever became of its text. TEXTSUM is of the text.
 */
import { crc32 } from 'node:zlib';
import type { Change } from '../record-collection.ts';
import type { CollectionName } from '../store.ts';
import type { OpenFile } from './files.ts';

export type Line = { offset: number } & (
  | { kind: 'record'; collection: CollectionName; id: string; text: string | null }
  /** The text is not what was written; `line` is all of it, as it was found. */
  | { kind: 'damaged'; collection: CollectionName; id: string; line: Buffer }
  | { kind: 'commit'; number: number; bytes: number; end: number }
  /** Not even the record's name can be read, or the file ends within the line. */
  | { kind: 'unreadable'; bytes: Buffer }
);

/** The longest part of a line before its text. */
const MAX_HEAD = 128;
const RECORD = /^([0-9a-f]{8}) ((edges|subscriptions)\/([A-Za-z0-9_-]{1,64}) ([0-9]{1,10}) ([0-9a-f]{8})) /;
const COMMIT = /^([0-9a-f]{8}) (commit ([0-9]{1,15}) ([0-9]{1,15}))\n/;
const LINE_FEED = 10;
const CHUNK = 1024 * 1024;

export function recordLine({ collection, id, text }: Change): string {
  const written = text ?? 'null';
  const head = `${collection}/${id} ${Buffer.byteLength(written)} ${sumOf(written)}`;
  return `${sumOf(head)} ${head} ${written}\n`;
}

/** @param bytes of the lines of the batch, without this one */
export function commitLine(number: number, bytes: number): string {
  const head = `commit ${number} ${bytes}`;
  return `${sumOf(head)} ${head}\n`;
}

function sumOf(data: string | Buffer): string {
  return crc32(data).toString(16).padStart(8, '0');
}

function isSum(hexadecimal: string, data: string | Buffer): boolean {
  return Number.parseInt(hexadecimal, 16) === crc32(data);
}

/** Every byte of a file, as lines; a file that grows meanwhile is read up to where it ended at some moment. */
export async function* readLines(file: OpenFile): AsyncGenerator<Line[]> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let rest: Buffer = Buffer.alloc(0);
  /** Of `rest` in the file. */
  let offset = 0;
  for (let read = -1; read !== 0;) {
    read = await file.read(chunk, offset + rest.length);
    rest = Buffer.concat([rest, chunk.subarray(0, read)]);
    const lines: Line[] = [];
    let place = 0;
    while (place < rest.length) {
      const found = lineAt(rest, place, offset, read === 0);
      if (found === undefined) break;
      lines.push(found.line);
      place = found.end;
    }
    yield lines;
    rest = rest.subarray(place);
    offset += place;
  }
}

/** Undefined where more bytes are needed, of which there are none when `last`. */
function lineAt(buffer: Buffer, start: number, base: number, last: boolean): { line: Line; end: number } | undefined {
  const head = buffer.toString('latin1', start, Math.min(start + MAX_HEAD, buffer.length));
  if (head.length < MAX_HEAD && !last) return undefined;
  const record = RECORD.exec(head);
  if (!record || !isSum(record[1]!, record[2]!))
    return commitAt(head, start, base) ?? unreadableAt(buffer, start, base, last);
  const textStart = start + record[0].length;
  const textEnd = textStart + Number(record[5]);
  if (textEnd + 1 > buffer.length) return last ? unreadableAt(buffer, start, base, last) : undefined;
  const [offset, end] = [base + start, textEnd + 1];
  const collection = record[3] as CollectionName;
  // A text of its own: what an expression finds holds all of the text that was searched.
  const idStart = start + record[1]!.length + 1 + collection.length + 1;
  const id = buffer.toString('latin1', idStart, idStart + record[4]!.length);
  const written = buffer.subarray(textStart, textEnd);
  if (!isSum(record[6]!, written)) {
    const line = Buffer.from(buffer.subarray(start, end));
    return { line: { kind: 'damaged', offset, collection, id, line }, end };
  }
  const text = buffer.toString('utf8', textStart, textEnd);
  return { line: { kind: 'record', offset, collection, id, text: text === 'null' ? null : text }, end };
}

function commitAt(head: string, start: number, base: number): { line: Line; end: number } | undefined {
  const commit = COMMIT.exec(head);
  if (!commit || !isSum(commit[1]!, commit[2]!)) return undefined;
  const end = start + commit[0].length;
  const [number, bytes] = [Number(commit[3]), Number(commit[4])];
  return { line: { kind: 'commit', offset: base + start, number, bytes, end: base + end }, end };
}

/** What cannot be read ends with the next line feed: a line may begin behind it. */
function unreadableAt(buffer: Buffer, start: number, base: number, last: boolean) {
  const feed = buffer.indexOf(LINE_FEED, start);
  if (feed < 0 && !last && buffer.length - start < CHUNK) return undefined;
  const end = feed < 0 ? buffer.length : feed + 1;
  const bytes = Buffer.from(buffer.subarray(start, end));
  return { line: { kind: 'unreadable' as const, offset: base + start, bytes }, end };
}
