/**
 * Where records are kept. Every implementation passes `store.suite.ts`.
 *
 * - **Atomic**: a change is seen whole or not at all, by readers and after a crash.
 * - **Isolated**: changes of one record run one after another; readers do not wait for them and see the last complete
 *   state. Changes of different records do not wait for each other.
 * - **Durable**: when the promise of a change resolves, the change has reached the disk. Nobody reads a change before.
 * - **Faithful**: text comes back to the byte (any Unicode, NUL included), numbers to the last digit, lists and keys in
 *   their order.
 *
 * An id has 1 to 64 of the characters `A-Z a-z 0-9 _ -` (D01).
 */
import type { EdgeRecord } from '../domain/edge.ts';
import type { SubscriptionRecord } from '../domain/subscription.ts';

export interface Store {
  readonly edges: Collection<EdgeRecord>;
  readonly subscriptions: Collection<SubscriptionRecord>;
  /**
   * Resolves when the store can read and write. After a failed flush this is where it tries to recover.
   * @throws StoreUnavailable
   */
  check(): Promise<void>;
  /** Waits for changes under way, then releases what the store holds. No call may follow. */
  close(): Promise<void>;
}

export const COLLECTIONS = ['edges', 'subscriptions'] as const;

export type CollectionName = (typeof COLLECTIONS)[number];

/** How much JSON one page of a list holds at most, so that a list of large records is not read into memory at once. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export interface Page<T> {
  /** By descending id. */
  records: T[];
  /** The value of `before` for the next page; undefined where no id is left. */
  next: string | undefined;
}

/** All records, page by page, from the one below `before` on. */
export async function* pagesOf<T>(collection: Pick<Collection<T>, 'list'>, limit: number, before?: string) {
  for (let position = before; ;) {
    const { records, next } = await collection.list({ limit, before: position });
    yield records;
    if (next === undefined) return;
    position = next;
  }
}

export interface Collection<T> {
  /**
   * The record, or undefined. Nobody may change what is returned: it may be what the store keeps.
   * @throws DamagedRecord, StoreUnavailable
   */
  get(id: string): Promise<T | undefined>;
  /**
   * The records with the greatest ids, in descending order of the ids' UTF-16 code units; with `before`, only those whose
   * id is less. Not a snapshot: a record that is changed meanwhile may be seen before or after.
   *
   * A page ends early where its records would have more than `MAX_PAGE_BYTES` of JSON, but not before its first one.
   * A record that cannot be read is omitted and reported to `StoreEvents.damaged`: it must not hide all others.
   * @param page `limit` at least 1; any text is a position
   * @throws StoreUnavailable
   */
  list(page: { limit: number; before: string | undefined }): Promise<Page<T>>;
  /**
   * How many records there are, readable or not; about as many, while others write.
   * @throws StoreUnavailable
   */
  count(): Promise<number>;
  /**
   * Keeps a new record.
   * @returns false where its id is taken; then nothing is changed
   * @throws StoreUnavailable
   */
  create(record: T): Promise<boolean>;
  /**
   * Gives the current record (undefined where there is none) to `change` and keeps what it returns: another record, null
   * to remove it, or the same record for no change. An error that `change` throws is passed on and nothing is changed.
   *
   * `change` must be pure and synchronous: a store may call it again after a conflict.
   * @throws DamagedRecord, StoreUnavailable, and whatever `change` throws
   */
  update(id: string, change: (current: T | undefined) => T | null | undefined): Promise<T | undefined>;
  /**
   * Keeps this record, or none for null, whatever there was: the way to write a damaged one again.
   * @throws StoreUnavailable
   */
  replace(id: string, record: T | null): Promise<void>;
}

/** Where a store reports what happens outside of a call. No message holds anything of a record's content. */
export interface StoreEvents {
  /** A record was omitted from a list. The message says where it is. */
  damaged(error: DamagedRecord): void;
  /** A connection to a database was lost while nobody used it. The reason is one line without a secret. */
  disconnected(reason: string): void;
  /** Something that the person who runs the server should know, in one line. */
  warning(message: string): void;
}

/** The store cannot be opened; the message is one line that says why. Nothing in it has been changed. */
export class CannotOpenStore extends Error {
  override name = 'CannotOpenStore';
}

/** The record of this id cannot be read. It stays as it is until the record is written again. */
export class DamagedRecord extends Error {
  override name = 'DamagedRecord';
}

/** The store does not answer, or cannot write (a full disk, a folder that became read-only). Trying later may help. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}
