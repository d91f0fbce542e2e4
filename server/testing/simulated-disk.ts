/**
 * A file system in memory that behaves as disks do: what was not flushed may be lost, whole or in part and in any order.
 *
 * It keeps, for each file and folder, what is durable and what was done since the last flush. `afterPowerCut` gives a disk
 * on which of the latter some has happened, by a seed: of writes, any sectors; of file sizes, any between the two; of
 * changes of a folder, any of them.
 */
import type { Files, OpenFile } from '../store/lowdb/files.ts';

/** Small, so that lines of a few hundred bytes are torn. */
const SECTOR = 64;

export interface Call {
  /** Counted from 1. */
  number: number;
  name: keyof Files | keyof OpenFile;
  path: string;
}

/** What goes wrong at a call: the power fails before it, it fails, or it does half of its work and fails. */
export type Mishap = 'power' | 'EIO' | 'ENOSPC';

export class PowerCut extends Error {}

class Failed extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

type Node = Folder | Document;

class Document {
  content: Buffer<ArrayBufferLike>;
  durable: Buffer<ArrayBufferLike>;
  /** The content at the last flush, also one that failed: as kernels do, the next flush writes what differs from it. */
  clean: Buffer<ArrayBufferLike>;

  constructor(content: Buffer<ArrayBufferLike> = Buffer.alloc(0)) {
    this.content = content;
    this.durable = content;
    this.clean = content;
  }

  /** What is on the disk when those of the sectors that wait are written that `isWritten` says, and it has this size. */
  written(size: number, isWritten: () => boolean): Buffer {
    const result = Buffer.alloc(size);
    for (let at = 0; at < size; at += SECTOR) {
      const end = Math.min(at + SECTOR, size);
      const waits = !this.content.subarray(at, end).equals(this.clean.subarray(at, end));
      result.set((waits && isWritten() ? this.content : this.durable).subarray(at, end), at);
    }
    return result;
  }
}

class Folder {
  readonly entries: Map<string, Node>;
  readonly durable: Map<string, Node>;
  /** What happened to names since the last flush, in order; undefined: the name is gone. */
  changes: [string, Node | undefined][][] = [];

  constructor(entries: Iterable<[string, Node]> = []) {
    this.entries = new Map(entries);
    this.durable = new Map(this.entries);
  }

  change(changes: [string, Node | undefined][]): void {
    this.changes.push(changes);
    apply(this.entries, changes);
  }
}

function apply(entries: Map<string, Node>, changes: [string, Node | undefined][]): void {
  for (const [name, node] of changes) {
    if (node === undefined) entries.delete(name);
    else entries.set(name, node);
  }
}

export class SimulatedDisk {
  readonly #root: Folder;
  readonly #mishap: (call: Call) => Mishap | undefined;
  #calls = 0;
  #dead = false;

  /** @param mishap what happens at a call; nothing when omitted */
  constructor(mishap: (call: Call) => Mishap | undefined = () => undefined, root: Folder = new Folder()) {
    this.#mishap = mishap;
    this.#root = root;
  }

  /** How many calls there were. */
  get calls(): number {
    return this.#calls;
  }

  get hasPower(): boolean {
    return !this.#dead;
  }

  /** The disk as it may be found when the power is back. @param random evenly spread over [0, 1) */
  afterPowerCut(random: () => number, mishap?: (call: Call) => Mishap | undefined): SimulatedDisk {
    return new SimulatedDisk(mishap, survivor(this.#root, random, new Map()) as Folder);
  }

  readonly files: Files = {
    makeFolder: async (path) => {
      this.#call('makeFolder', path);
      const { folder, name } = this.#parentOf(path);
      if (folder.entries.has(name)) throw new Failed('EEXIST');
      folder.change([[name, new Folder()]]);
    },
    names: async (path) => {
      this.#call('names', path);
      return [...this.#folder(path).entries.keys()];
    },
    open: async (path, how) => {
      this.#call('open', path);
      const { folder, name } = this.#parentOf(path);
      const there = folder.entries.get(name);
      if (there instanceof Folder) throw new Failed('EISDIR');
      if (there && how === 'wx') throw new Failed('EEXIST');
      if (!there && how === 'r') throw new Failed('ENOENT');
      const document = there ?? new Document();
      if (!there) folder.change([[name, document]]);
      return this.#open(path, document);
    },
    rename: async (from, to) => {
      this.#call('rename', from);
      const [source, target] = [this.#parentOf(from), this.#parentOf(to)];
      const node = source.folder.entries.get(source.name);
      if (!node) throw new Failed('ENOENT');
      if (source.folder === target.folder)
        source.folder.change([
          [target.name, node],
          [source.name, undefined],
        ]);
      else {
        target.folder.change([[target.name, node]]);
        source.folder.change([[source.name, undefined]]);
      }
    },
    remove: async (path) => {
      this.#call('remove', path);
      const { folder, name } = this.#parentOf(path);
      if (!folder.entries.has(name)) throw new Failed('ENOENT');
      folder.change([[name, undefined]]);
    },
    flushFolder: async (path) => {
      this.#call('flushFolder', path);
      const folder = this.#folder(path);
      for (const changes of folder.changes) apply(folder.durable, changes);
      folder.changes = [];
    },
    mode: async (path) => {
      this.#call('mode', path);
      const { folder, name } = this.#parentOf(path);
      if (name !== '' && !folder.entries.has(name)) throw new Failed('ENOENT');
      return 0o600;
    },
    checkAccess: async (path) => void this.#call('checkAccess', path),
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
      truncate: async (size) => {
        this.#call('truncate', path);
        document.content = document.content.subarray(0, size);
        document.clean = document.clean.subarray(0, size);
      },
      flush: async () => {
        this.#call('flush', path, () => {
          document.clean = document.content;
        });
        document.durable = document.written(document.content.length, () => true);
        document.clean = document.content;
      },
      close: async () => undefined,
    };
  }

  #call(name: Call['name'], path: string, half: () => void = () => undefined): void {
    if (this.#dead) throw new PowerCut();
    const mishap = this.#mishap({ number: (this.#calls += 1), name, path });
    if (mishap === undefined) return;
    if (mishap === 'power') {
      this.#dead = true;
      throw new PowerCut();
    }
    half();
    throw new Failed(mishap);
  }

  #folder(path: string): Folder {
    let node: Node | undefined = this.#root;
    for (const name of path.split('/').filter(Boolean)) {
      if (node === undefined) break;
      if (!(node instanceof Folder)) throw new Failed('ENOTDIR');
      node = node.entries.get(name);
    }
    if (node === undefined) throw new Failed('ENOENT');
    if (!(node instanceof Folder)) throw new Failed('ENOTDIR');
    return node;
  }

  #parentOf(path: string): { folder: Folder; name: string } {
    const cut = path.lastIndexOf('/');
    return { folder: this.#folder(path.slice(0, cut)), name: path.slice(cut + 1) };
  }
}

/** @param made so that a file with two names stays one */
function survivor(node: Node, random: () => number, made: Map<Node, Node>): Node {
  const before = made.get(node);
  if (before) return before;
  if (node instanceof Document) {
    const document = new Document(tear(node, random));
    made.set(node, document);
    return document;
  }
  const entries = new Map(node.durable);
  // All, none, or some: each is likely enough.
  const share = [0, 1, 0.5][Math.floor(random() * 3)]!;
  for (const changes of node.changes) if (random() < share) apply(entries, changes);
  const folder = new Folder(
    [...entries].map(([name, one]) => [name, survivor(one, random, made)] as const) as [string, Node][],
  );
  made.set(node, folder);
  return folder;
}

function tear(document: Document, random: () => number): Buffer {
  const { content, durable } = document;
  // All, none, most or half: each is likely enough.
  const share = [0, 1, 0.9, 0.5][Math.floor(random() * 4)]!;
  const [least, most] = [Math.min(content.length, durable.length), Math.max(content.length, durable.length)];
  const size =
    share === 0 ? durable.length : share === 1 ? content.length : least + Math.floor(random() * (most - least + 1));
  return document.written(size, () => random() < share);
}

/** Random numbers that a seed decides (mulberry32). */
export function randomBy(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
