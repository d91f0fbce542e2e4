/**
 * The file system as the store uses it, and nothing more, so that tests can replace it by one that
 * loses power, fails or is full (`testing/simulated-disk.ts`).
 */
import { statSync, writeSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { tryLock } from 'fs-native-extensions';

export interface Files {
  /** Makes one folder in an existing one; fails with EEXIST when it exists. */
  makeFolder(path: string): Promise<void>;
  names(folder: string): Promise<string[]>;
  /**
   * `r` to read, `r+` to write to parts of it, `a` to append to a file that may be new, `wx` to
   * write a new one.
   */
  open(path: string, how: How): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the entries of a folder durable: what was made, renamed or removed in it. */
  flushFolder(path: string): Promise<void>;
  /** The permissions of a file or folder; fails with ENOENT when there is none. */
  mode(path: string): Promise<number>;
  /** Fails if entries of the folder cannot be read and changed. */
  checkAccess(folder: string): Promise<void>;
}

type How = 'r' | 'r+' | 'a' | 'wx';

export interface OpenFile {
  /** @returns how many bytes were read; 0 at the end of the file */
  read(buffer: Buffer, position: number): Promise<number>;
  append(data: string | Buffer): Promise<void>;
  /** Only after `r+`. */
  write(data: Buffer, position: number): Promise<void>;
  truncate(size: number): Promise<void>;
  /** Makes the content and the size of the file durable. */
  flush(): Promise<void>;
  /**
   * Takes the file, opened to write, for this process until it is closed. False if another process
   * has it; all can read it.
   */
  lock(): boolean;
  /** Fails if the path does not name this file any more. */
  checkPath(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Records hold secrets: folders and files are for their owner alone. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * The kernel only copies so few bytes, in less time than a turn of the thread pool takes: they are
 * written at once.
 */
const MOST_AT_ONCE = 64 * 1024;

/**
 * Offset and length. On Windows nobody else can read what is locked: so it is a byte far behind the
 * end.
 */
const LOCKED_PART: [number, number] = process.platform === 'win32' ? [2 ** 40, 1] : [0, 0];

export const nodeFiles: Files = {
  makeFolder: (path) => fs.mkdir(path, FOLDER_MODE),
  names: (folder) => fs.readdir(folder),
  open: async (path, how) => {
    const file = await fs.open(path, how, FILE_MODE);
    const { dev, ino } = await file.stat();
    /**
     * Without a position: at the end of a file that was opened to append, or else behind what was
     * written before.
     */
    const writeAll = async (data: Buffer, position?: number) => {
      for (let at = 0; at < data.length;) {
        const where = position === undefined ? null : position + at;
        const length = data.length - at;
        if (length <= MOST_AT_ONCE) {
          at += writeSync(file.fd, data, at, length, where);
        } else {
          at += (await file.write(data, at, length, where)).bytesWritten;
        }
      }
    };
    return {
      read: async (buffer, position) =>
        (await file.read(buffer, 0, buffer.length, position)).bytesRead,
      append: (data) => writeAll(typeof data === 'string' ? Buffer.from(data) : data),
      write: writeAll,
      truncate: (size) => file.truncate(size),
      flush: () => file.datasync(),
      lock: () => tryLock(file.fd, ...LOCKED_PART),
      checkPath: async (name) => {
        // Synchronous: it comes after each flush, and takes a tenth of what a turn of the thread
        // pool does.
        const found = statSync(name, { throwIfNoEntry: false });
        if (found?.ino !== ino || found.dev !== dev) {
          throw replaced(name);
        }
      },
      close: () => file.close(),
    };
  },
  rename: (from, to) => fs.rename(from, to),
  remove: (path) => fs.unlink(path),
  flushFolder: async (path) => {
    // Windows has no such call and needs none.
    if (process.platform === 'win32') {
      return;
    }
    const folder = await fs.open(path, 'r');
    await folder.sync().finally(() => folder.close());
  },
  mode: async (path) => (await fs.stat(path)).mode,
  checkAccess: (folder) => fs.access(folder, fs.constants.R_OK | fs.constants.W_OK),
};

export function replaced(path: string): Error {
  const what = `${path} was removed or replaced while the server ran`;
  const code = `${what}; put it back, or restart the server`;
  return Object.assign(new Error(code), { code });
}

/** The code of an error of the file system, such as ENOSPC. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) {
    return String(error.code);
  }
  return String(error);
}

/** Whether a code is one of the operating system, and not a text for people. */
export function isSystemCode(code: string): boolean {
  return /^E[A-Z0-9]+$/.test(code);
}

/** Ignores an error with this code. */
export function ignore(code: string): (error: unknown) => undefined {
  return (error) => {
    if (codeOf(error) !== code) {
      throw error;
    }
  };
}

/** Opens a file, and closes it after use. */
export async function withFile<R>(
  files: Files,
  path: string,
  how: How,
  use: (file: OpenFile) => Promise<R>,
) {
  const file = await files.open(path, how);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

export type Content = AsyncIterable<string | Buffer> | Iterable<string | Buffer>;

/** Makes a new file durable, but not its name: a flush of the folder does that. */
export async function writeNew(files: Files, path: string, content: Content): Promise<void> {
  await withFile(files, path, 'wx', async (file) => {
    for await (const part of content) {
      await file.append(part);
    }
    await file.flush();
  });
}

/** Writes a file that exists whole or not at all, whenever the power fails. */
export async function writeWhole(files: Files, path: string, content: Content): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.tmp`);
  await files.remove(temporary).catch(() => undefined);
  try {
    await writeNew(files, temporary, content);
  } catch (error) {
    await files.remove(temporary).catch(() => undefined);
    throw error;
  }
  await files.rename(temporary, path);
  await files.flushFolder(dirname(path));
}

/** The bytes of a file, a part after the other. */
export async function* partsOf(file: OpenFile): AsyncGenerator<Buffer> {
  for (let offset = 0; ;) {
    const part = Buffer.allocUnsafe(64 * 1024);
    const read = await file.read(part, offset);
    if (read === 0) {
      return;
    }
    yield part.subarray(0, read);
    offset += read;
  }
}

export function readWhole(files: Files, path: string): Promise<Buffer> {
  return withFile(files, path, 'r', async (file) => {
    const parts: Buffer[] = [];
    for await (const part of partsOf(file)) {
      parts.push(part);
    }
    return Buffer.concat(parts);
  });
}
