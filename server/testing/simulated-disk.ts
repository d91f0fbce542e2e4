/**
 * A file system in memory that behaves as disks do: what was not flushed may be lost, whole or in
 * part and in any order. Of what was done since the last flush, some has happened on the disk that
 * `afterPowerCut` gives, by a seed: of writes, any sectors; of file sizes, any between the two; of
 * changes of a folder, any of them.
 */
import { type Files, type OpenFile, replaced } from '../store/lowdb/files.ts';

/** Small, so that lines of a few hundred bytes are torn. */
const SECTOR = 64;

export interface Call {
  /** Counted from 1. */
  number: number;
  name: keyof Files | keyof OpenFile;
  path: string;
}

/** The mishap at a call: the power fails before it, or it does half of its work and fails. */
export type Mishap = 'power' | 'EIO' | 'ENOSPC';

/** Evenly spread over [0, 1). */
export type Random = () => number;

type Node = Folder | Document;
type Bytes = Buffer<ArrayBufferLike>;

class Document {
  content: Bytes;
  durable: Bytes;
  /**
   * The content at the last flush, also one that failed: as kernels do, the next flush writes what
   * differs from it. Sizes and names are different: file systems have their own journals for them.
   */
  clean: Bytes;

  constructor(content: Bytes = Buffer.alloc(0)) {
    this.content = content;
    this.durable = content;
    this.clean = content;
  }

  /**
   * The bytes on the disk, of this size, when of the sectors that wait those are written for which
   * `isWritten` is true.
   */
  written(size: number, isWritten: () => boolean): Bytes {
    const result = Buffer.alloc(size);
    for (let at = 0; at < size; at += SECTOR) {
      const end = Math.min(at + SECTOR, size);
      const waits = !this.content.subarray(at, end).equals(this.clean.subarray(at, end));
      result.set((waits && isWritten() ? this.content : this.durable).subarray(at, end), at);
    }
    return result;
  }

  survivor(random: Random): Document {
    const { content, durable } = this;
    // All, none, most or half: each is likely enough.
    const share = [0, 1, 0.9, 0.5][Math.floor(random() * 4)]!;
    const [least, most] = [content.length, durable.length].toSorted((a, b) => a - b) as [
      number,
      number,
    ];
    let size = content.length;
    if (share === 0) {
      size = durable.length;
    } else if (share < 1) {
      size = least + Math.floor(random() * (most - least + 1));
    }
    return new Document(this.written(size, () => random() < share));
  }
}

/** New nodes of names; undefined if the name is removed. */
type Changes = [string, Node | undefined][];

class Folder {
  readonly entries: Map<string, Node>;
  readonly durable: Map<string, Node>;
  /** Changes of names since the last flush, in order. */
  changes: Changes[] = [];

  constructor(entries: Iterable<[string, Node]> = []) {
    this.entries = new Map(entries);
    this.durable = new Map(this.entries);
  }

  change(...changes: Changes): void {
    this.changes.push(changes);
    apply(this.entries, changes);
  }

  survivor(random: Random): Folder {
    const entries = new Map(this.durable);
    // All, none, or some: each is likely enough.
    const share = [0, 1, 0.5][Math.floor(random() * 3)]!;
    for (const changes of this.changes) {
      if (random() < share) {
        apply(entries, changes);
      }
    }
    return new Folder([...entries].map(([name, node]) => [name, node.survivor(random)]));
  }
}

function apply(entries: Map<string, Node>, changes: Changes): void {
  for (const [name, node] of changes) {
    if (node === undefined) {
      entries.delete(name);
    } else {
      entries.set(name, node);
    }
  }
}

const failed = (code: string): Error => Object.assign(new Error(code), { code });

export class SimulatedDisk {
  readonly #root: Folder;
  readonly #mishap: (call: Call) => Mishap | undefined;
  calls = 0;
  hasPower = true;

  /** @param mishap what happens at a call; nothing when omitted */
  constructor(
    mishap: (call: Call) => Mishap | undefined = () => undefined,
    root: Folder = new Folder(),
  ) {
    this.#mishap = mishap;
    this.#root = root;
  }

  /** The disk as it may be found when the power is back. */
  afterPowerCut(random: Random, mishap?: (call: Call) => Mishap | undefined): SimulatedDisk {
    return new SimulatedDisk(mishap, this.#root.survivor(random));
  }

  /** The same, after the process has ended: what it wrote is there, flushed or not. */
  afterKill(mishap: (call: Call) => Mishap | undefined): SimulatedDisk {
    this.hasPower = false;
    return new SimulatedDisk(mishap, this.#root);
  }

  readonly files: Files = {
    makeFolder: async (path) => {
      const { folder, name, node } = this.#at('makeFolder', path);
      if (node) {
        throw failed('EEXIST');
      }
      folder.change([name, new Folder()]);
    },
    names: async (path) => {
      this.#call('names', path);
      return [...this.#folder(path).entries.keys()];
    },
    open: async (path, how) => {
      const { folder, name, node } = this.#at('open', path);
      if (node && how === 'wx') {
        throw failed('EEXIST');
      }
      if (!node && how.startsWith('r')) {
        throw failed('ENOENT');
      }
      const document = (node ?? new Document()) as Document;
      if (!node) {
        folder.change([name, document]);
      }
      return this.#open(path, document);
    },
    // Within one folder: a file has one name at any time.
    rename: async (from, to) => {
      const { folder, name, node } = this.#at('rename', from);
      if (!node) {
        throw failed('ENOENT');
      }
      folder.change([to.slice(to.lastIndexOf('/') + 1), node], [name, undefined]);
    },
    remove: async (path) => {
      const { folder, name, node } = this.#at('remove', path);
      if (!node) {
        throw failed('ENOENT');
      }
      folder.change([name, undefined]);
    },
    flushFolder: async (path) => {
      this.#call('flushFolder', path);
      const folder = this.#folder(path);
      for (const changes of folder.changes) {
        apply(folder.durable, changes);
      }
      folder.changes = [];
    },
    mode: async (path) => {
      const { name, node } = this.#at('mode', path);
      if (name !== '' && !node) {
        throw failed('ENOENT');
      }
      return 0o600;
    },
    checkAccess: async (path) => this.#call('checkAccess', path),
  };

  #open(path: string, document: Document): OpenFile {
    return {
      read: async (buffer, position) => {
        this.#call('read', path);
        return document.content.subarray(position).copy(buffer);
      },
      append: async (data) => {
        const bytes = Buffer.from(data);
        const write = (size: number) => {
          document.content = Buffer.concat([document.content, bytes.subarray(0, size)]);
        };
        this.#call('append', path, () => write(bytes.length >> 1));
        write(bytes.length);
      },
      write: async (data, position) => {
        this.#call('write', path);
        const put = (into: Bytes, bytes: Bytes) =>
          Buffer.concat([
            into.subarray(0, position),
            bytes,
            into.subarray(position + bytes.length),
          ]);
        // Written data waits for a flush, even if it equals the data before it.
        document.clean = put(document.clean, Buffer.from(data.map((byte) => ~byte)));
        document.content = put(document.content, data);
      },
      truncate: async (size) => {
        this.#call('truncate', path);
        document.content = document.content.subarray(0, size);
        document.clean = document.clean.subarray(0, size);
      },
      flush: async () => {
        const markClean = () => {
          document.clean = document.content;
        };
        this.#call('flush', path, markClean);
        document.durable = document.written(document.content.length, () => true);
        markClean();
      },
      // One process uses the disk at a time.
      lock: () => true,
      checkPath: async (at) => {
        if (this.#at('checkPath', at).node !== document) {
          throw replaced(at);
        }
      },
      close: async () => undefined,
    };
  }

  #call(name: Call['name'], path: string, half: () => unknown = () => undefined): void {
    if (!this.hasPower) {
      throw new Error('the power is off');
    }
    const mishap = this.#mishap({ number: (this.calls += 1), name, path });
    if (mishap === undefined) {
      return;
    }
    if (mishap !== 'power') {
      half();
    }
    this.hasPower = mishap !== 'power';
    throw failed(mishap);
  }

  #at(call: Call['name'], path: string): { folder: Folder; name: string; node: Node | undefined } {
    this.#call(call, path);
    const cut = path.lastIndexOf('/');
    const folder = this.#folder(path.slice(0, cut));
    const name = path.slice(cut + 1);
    return { folder, name, node: folder.entries.get(name) };
  }

  #folder(path: string): Folder {
    let node: Node | undefined = this.#root;
    for (const name of path.split('/').filter(Boolean)) {
      node = (node as Folder | undefined)?.entries.get(name);
    }
    if (node === undefined) {
      throw failed('ENOENT');
    }
    return node as Folder;
  }
}

/** Random numbers that a seed decides (mulberry32). */
export function randomBy(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
