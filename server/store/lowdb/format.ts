/**
 * The files of a data folder. Generation N begins with `snapshot-N`, all records at one moment (the
 * first one has none), and goes on with `journal-N`, what has changed since. Until a snapshot is
 * written, the journals before it are needed, too. Each journal begins with a batch of number 0, so
 * that one that was emptied is noticed. `stopped`, a line `commit N BYTES`, says what the last
 * journal had when a server was stopped. Sums are CRC-32, in hexadecimal.
 * - HEADSUM edges/ID BYTES TEXTSUM {"id":"ID",…}      a record as it is now; `null`: it is removed
 * - HEADSUM commit NUMBER BYTES                       the end of a batch; the bytes of its lines
 *   HEADSUM is that of the text up to the record: if it is right, the record that the line belongs
 *   to and the end of the line are known, whatever became of the record. TEXTSUM is that of the
 *   record.
 */
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Change, type Data, readable } from '../memory.ts';
import { type CollectionName, COLLECTIONS } from '../store.ts';
import { type Files, type OpenFile, writeWhole } from './files.ts';

export type Line = { offset: number } &
  /**
   * `text` is null if the record is removed; if the text is not what was written, it is the whole
   * line.
   */
  (
    | { kind: 'record'; collection: CollectionName; id: string; text: string | Buffer | null }
    | { kind: 'commit'; number: number; bytes: number; end: number }
    /** Not even the id of the record can be read, or the file ends within the line. */
    | { kind: 'unreadable'; bytes: Buffer }
  );

export type Commit = Line & { kind: 'commit' };

/** The longest part of a line before its text. */
const MAX_HEAD = 128;
const RECORD =
  /^([0-9a-f]{8}) ((edges|subscriptions)\/([A-Za-z0-9_-]{1,64}) ([0-9]{1,10}) ([0-9a-f]{8})) /;
const COMMIT = /^([0-9a-f]{8}) (commit ([0-9]{1,15}) ([0-9]{1,15}))\n/;
const LINE_FEED = 10;
const CHUNK = 1024 * 1024;

/** Bytes and not a text: each use of a large text would encode it again. */
export function recordLine({ collection, id, text }: Change): Buffer {
  const json = text ?? 'null';
  // One buffer, with room for the head before the record: its sum comes from the bytes.
  const line = Buffer.allocUnsafe(MAX_HEAD + Buffer.byteLength(json) + 1);
  line.write(json, MAX_HEAD);
  line[line.length - 1] = LINE_FEED;
  const written = line.subarray(MAX_HEAD, -1);
  const head = `${collection}/${id} ${written.length} ${sumOf(written)}`;
  const whole = `${sumOf(head)} ${head} `;
  line.write(whole, MAX_HEAD - whole.length, 'latin1');
  return line.subarray(MAX_HEAD - whole.length);
}

/** @param bytes of the lines of the batch, without this line */
export function commitLine(number: number, bytes: number): Buffer {
  const head = `commit ${number} ${bytes}`;
  return Buffer.from(`${sumOf(head)} ${head}\n`);
}

/** The line as it was written. */
export function lineText(line: Line): Buffer {
  if (line.kind === 'commit') {
    return commitLine(line.number, line.bytes);
  }
  if (line.kind === 'unreadable') {
    return line.bytes;
  }
  if (Buffer.isBuffer(line.text)) {
    return line.text;
  }
  return recordLine({ ...line, text: line.text });
}

function sumOf(data: string | Buffer): string {
  const sum = crc32(data);
  // In halves: V8 writes greater numbers digit by digit, in floating point.
  return hex(sum >>> 16) + hex(sum & 0xffff);
}

const hex = (half: number) => half.toString(16).padStart(4, '0');

function isSum(hexadecimal: string, data: string | Buffer): boolean {
  return Number.parseInt(hexadecimal, 16) === crc32(data);
}

export const snapshotName = (generation: number) => `snapshot-${generation}`;
export const journalName = (generation: number) => `journal-${generation}`;
export const STOPPED = 'stopped';
export const FIRST_LINE = commitLine(0, 0);
const TEMPORARY = /^\.(snapshot-\d+|journal-\d+|stopped|store\.json)\.tmp$/;

/** @param names of files; those of other programs are ignored */
export function generationsOf(names: string[]) {
  const numbers = (kind: string) =>
    names
      .map((name) => Number(new RegExp(`^${kind}-([1-9][0-9]{0,14})$`).exec(name)?.[1]))
      .filter((number) => number > 0)
      .toSorted((a, b) => a - b);
  const snapshots = numbers('snapshot');
  const all = numbers('journal');
  const base = snapshots.at(-1) ?? 1;
  const journals = all.filter((one) => one >= base);
  return {
    /** The greatest generation with a snapshot; 1 if no generation has one. */
    base,
    snapshot: snapshots.length > 0,
    /** With a journal, from `base` on, ascending. */
    journals,
    /** The names of those files, in the order in which they are read. */
    names: [...snapshots.slice(-1).map(snapshotName), ...journals.map(journalName)],
    /**
     * Files of generations before `base`, and those that a process was writing when it ended: they
     * are not needed.
     */
    outdated: [
      ...names.filter((name) => TEMPORARY.test(name)),
      ...snapshots.slice(0, -1).map(snapshotName),
      ...all.filter((one) => one < base).map(journalName),
    ],
  };
}

/** A journal that exists has its first line. */
export function beginJournal(files: Files, folder: string, generation: number): Promise<void> {
  return writeWhole(files, join(folder, journalName(generation)), [FIRST_LINE]);
}

/** How much of a snapshot is made and written at once, so that requests do not wait long for it. */
const PART = 256 * 1024;

/** @param number of the last batch that the snapshot includes @returns its bytes */
export async function writeSnapshot(
  files: Files,
  folder: string,
  generation: number,
  { data, number }: { data: Data; number: number },
): Promise<number> {
  let bytes = 0;
  function* parts(): Generator<Buffer> {
    for (const part of recordParts(data)) {
      bytes += part.length;
      yield part;
    }
    yield commitLine(number, bytes);
  }
  await writeWhole(files, join(folder, snapshotName(generation)), parts());
  return bytes;
}

function* recordParts(data: Data): Generator<Buffer> {
  let part: Buffer[] = [];
  let bytes = 0;
  for (const collection of COLLECTIONS) {
    for (const [id, text] of data[collection].entries()) {
      const whole = readable(text);
      if (whole !== undefined) {
        part.push(recordLine({ collection, id, text: whole }));
      }
      if (typeof text !== 'string') {
        part.push(text.line);
      }
      bytes += part.at(-1)!.length;
      if (bytes < PART) {
        continue;
      }
      yield Buffer.concat(part);
      part = [];
      bytes = 0;
    }
  }
  yield Buffer.concat(part);
}

/**
 * Every byte of a file, as lines; a file that grows meanwhile is read up to its end at some moment.
 */
export async function* readLines(file: OpenFile): AsyncGenerator<Line[]> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let rest: Buffer = Buffer.alloc(0);
  /** The position of `rest` in the file. */
  let offset = 0;
  for (let read = -1; read !== 0;) {
    read = await file.read(chunk, offset + rest.length);
    rest = Buffer.concat([rest, chunk.subarray(0, read)]);
    const lines: Line[] = [];
    let place = 0;
    while (place < rest.length) {
      const found = lineAt(rest, place, offset, read === 0);
      if (found === undefined) {
        break;
      }
      lines.push(found.line);
      place = found.end;
    }
    yield lines;
    rest = rest.subarray(place);
    offset += place;
  }
}

/** Undefined if more bytes are needed. If `last`, there are no more. */
function lineAt(
  buffer: Buffer,
  start: number,
  base: number,
  last: boolean,
): { line: Line; end: number } | undefined {
  const head = buffer.toString('latin1', start, Math.min(start + MAX_HEAD, buffer.length));
  if (head.length < MAX_HEAD && !last) {
    return undefined;
  }
  const record = RECORD.exec(head);
  if (!record || !isSum(record[1]!, record[2]!)) {
    return commitAt(head, start, base) ?? unreadableAt(buffer, start, base, last);
  }
  const textStart = start + record[0].length;
  const textEnd = textStart + Number(record[5]);
  if (textEnd + 1 > buffer.length) {
    if (!last) {
      return undefined;
    }
    return unreadableAt(buffer, start, base, last);
  }
  const offset = base + start;
  const end = textEnd + 1;
  const collection = record[3] as CollectionName;
  // A new text: a match of the expression would keep the whole searched text in memory.
  const idStart = start + record[1]!.length + 1 + collection.length + 1;
  const id = buffer.toString('latin1', idStart, idStart + record[4]!.length);
  const written = buffer.subarray(textStart, textEnd);
  const text = isSum(record[6]!, written)
    ? written.toString()
    : Buffer.from(buffer.subarray(start, end));
  return {
    line: { kind: 'record', offset, collection, id, text: text === 'null' ? null : text },
    end,
  };
}

export function commitAt(
  head: string,
  start: number,
  base: number,
): { line: Commit; end: number } | undefined {
  const commit = COMMIT.exec(head);
  if (!commit || !isSum(commit[1]!, commit[2]!)) {
    return undefined;
  }
  const end = start + commit[0].length;
  const number = Number(commit[3]);
  const bytes = Number(commit[4]);
  return { line: { kind: 'commit', offset: base + start, number, bytes, end: base + end }, end };
}

/** Unreadable bytes end with the next line feed: a line may begin after it. */
function unreadableAt(buffer: Buffer, start: number, base: number, last: boolean) {
  const feed = buffer.indexOf(LINE_FEED, start);
  if (feed < 0 && !last && buffer.length - start < CHUNK) {
    return undefined;
  }
  const end = feed < 0 ? buffer.length : feed + 1;
  const bytes = Buffer.from(buffer.subarray(start, end));
  return { line: { kind: 'unreadable' as const, offset: base + start, bytes }, end };
}
