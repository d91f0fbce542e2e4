/**
 * What the store asks of a file system, and nothing more, so that tests can put another one in its place that loses
 * power, fails or is full (`testing/simulated-disk.ts`).
 */
import * as fs from 'node:fs/promises';

export interface Files {
  /** Of one folder whose parent is there; fails with EEXIST where it is there already. */
  makeFolder(path: string): Promise<void>;
  names(folder: string): Promise<string[]>;
  /** `r` to read, `a` to append to a file that may be new, `wx` to write a new one. */
  open(path: string, how: 'r' | 'a' | 'wx'): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Makes the entries of a folder durable: what was made, renamed or removed in it. */
  flushFolder(path: string): Promise<void>;
  /** The permissions of a file or folder; fails with ENOENT where there is none. */
  mode(path: string): Promise<number>;
  /** Fails where entries of the folder cannot be read and changed. */
  checkAccess(folder: string): Promise<void>;
}

export interface OpenFile {
  /** @returns how many bytes were read; 0 at the end of the file */
  read(buffer: Buffer, position: number): Promise<number>;
  append(data: string | Buffer): Promise<void>;
  truncate(size: number): Promise<void>;
  /** Makes the content and the size of the file durable. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Records hold secrets: folders and files are for their owner alone. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export const nodeFiles: Files = {
  makeFolder: (path) => fs.mkdir(path, FOLDER_MODE),
  names: (folder) => fs.readdir(folder),
  open: async (path, how) => {
    const file = await fs.open(path, how, FILE_MODE);
    return {
      read: async (buffer, position) => (await file.read(buffer, 0, buffer.length, position)).bytesRead,
      append: (data) => file.appendFile(data),
      truncate: (size) => file.truncate(size),
      flush: () => file.datasync(),
      close: () => file.close(),
    };
  },
  rename: (from, to) => fs.rename(from, to),
  remove: (path) => fs.unlink(path),
  flushFolder: async (path) => {
    // Windows has no such call and needs none.
    if (process.platform === 'win32') return;
    const folder = await fs.open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  },
  mode: async (path) => (await fs.stat(path)).mode,
  checkAccess: (folder) => fs.access(folder, fs.constants.R_OK | fs.constants.W_OK),
};

/** What an error of the file system says in one word, such as ENOSPC. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Writes a file that is there whole or not at all, whenever the power fails. */
export async function writeWhole(files: Files, folder: string, name: string, content: AsyncIterable<string | Buffer>) {
  const temporary = `${folder}/.${name}.tmp`;
  await files.remove(temporary).catch(() => undefined);
  const file = await files.open(temporary, 'wx');
  try {
    for await (const part of content) await file.append(part);
    await file.flush();
  } catch (error) {
    await files.remove(temporary).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  await files.rename(temporary, `${folder}/${name}`);
  await files.flushFolder(folder);
}

export async function readWhole(files: Files, path: string): Promise<Buffer> {
  const file = await files.open(path, 'r');
  try {
    const parts: Buffer[] = [];
    for (let offset = 0; ;) {
      const part = Buffer.allocUnsafe(64 * 1024);
      const read = await file.read(part, offset);
      if (read === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, read));
      offset += read;
    }
  } finally {
    await file.close();
  }
}
