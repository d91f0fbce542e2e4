/**
 * The interface of stores, which keep records. Every implementation passes `store.suite.ts`. Ids
 * have 1 to 64 of `A-Z a-z 0-9 _ -` (D01).
 * - **Atomic**: a change is seen whole or not at all, by readers and after a crash.
 * - **Isolated**: changes of one record run in turn, others at once. Readers see the last complete
 *   state, at once.
 * - **Durable**: when the promise of a change resolves, it has reached the disk. Nobody reads a
 *   change before.
 * - **Faithful**: any Unicode (NUL included), each digit, and the order of lists and keys come
 *   back.
 */
import type { EdgeRecord } from '../domain/edge.ts';
import type { SubscriptionRecord } from '../domain/subscription.ts';

export interface Store {
  readonly edges: Collection<EdgeRecord>;
  readonly subscriptions: Collection<SubscriptionRecord>;
  /**
   * Resolves if the store can read and write. If it knows that it cannot, it rejects at once, and
   * begins to recover.
   * @throws StoreUnavailable with a reason
   */
  check(): Promise<void>;
  /** Waits for changes under way, then releases what the store holds. No call may follow. */
  close(): Promise<void>;
}

export const COLLECTIONS = ['edges', 'subscriptions'] as const;

export type CollectionName = (typeof COLLECTIONS)[number];

/**
 * How much JSON one page of a list holds at most, so that a list of large records is not read into
 * memory at once.
 */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export interface PageRequest {
  limit: number;
  before: string | undefined;
}

export interface Page<T> {
  /** By descending id. */
  records: T[];
  /** The value of `before` for the next page; undefined if no id is left. */
  next: string | undefined;
}

/** All records, page by page, from the one below `before` on. */
export async function* pagesOf<T>(
  collection: Pick<Collection<T>, 'list'>,
  limit: number,
  before?: string,
) {
  for (let position = before; ;) {
    const { records, next } = await collection.list({ limit, before: position });
    yield records;
    if (next === undefined) {
      return;
    }
    position = next;
  }
}

export interface Collection<T> {
  /**
   * Nobody may change what is returned: it may be what the store keeps.
   * @throws DamagedRecord, StoreUnavailable
   */
  get(id: string): Promise<T | undefined>;
  /**
   * By descending UTF-16 code units of ids, below the position `before`, any text. Not a snapshot:
   * a change meanwhile may be seen or not. A page ends after `limit` records, or before more than
   * `MAX_PAGE_BYTES`, but not before its first one. A damaged record is omitted and reported.
   * @throws StoreUnavailable
   */
  list(page: PageRequest): Promise<Page<T>>;
  /**
   * How many there are, readable or not; about as many, while others write.
   * @throws StoreUnavailable
   */
  count(): Promise<number>;
  /** @returns false if its id is taken; then nothing is changed @throws StoreUnavailable */
  create(record: T): Promise<boolean>;
  /**
   * Keeps what `change` returns for the current record, if any: another one, null to remove it, or
   * the same for no change. `change` must be pure and synchronous: a store may call it again after
   * a conflict.
   * @throws DamagedRecord, StoreUnavailable, and whatever `change` throws; then nothing is changed
   */
  update(
    id: string,
    change: (current: T | undefined) => T | null | undefined,
  ): Promise<T | undefined>;
  /**
   * Keeps this record, or none for null, whatever there was, also a damaged one.
   * @throws StoreUnavailable
   */
  replace(id: string, record: T | null): Promise<void>;
}

/**
 * Reports what happens in a store outside of a call. No message holds anything of a record's
 * content.
 */
export interface StoreEvents {
  /** A record was omitted from a list. The message names its place. */
  damaged(error: DamagedRecord): void;
  /** Something that the person who runs the server should know, in one line without a secret. */
  warning(message: string): void;
  /** A flush of one or several changes took so long. A database flushes by itself. */
  flushed?: ((milliseconds: number) => void) | undefined;
}

/**
 * The store cannot be opened; the message is one line that says why. Nothing in it has been
 * changed.
 */
export class CannotOpenStore extends Error {
  override name = 'CannotOpenStore';
}

/** The record of this id cannot be read. It stays as it is until the record is written again. */
export class DamagedRecord extends Error {
  override name = 'DamagedRecord';
}

/**
 * The store does not respond, or cannot write (a full disk, a folder that became read-only). Trying
 * later may help.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
  /** The reason, for clients: without the place that the message may have. */
  readonly reason: string | undefined;

  constructor(message: string, { reason, ...options }: UnavailableOptions = {}) {
    super(message, options);
    this.reason = reason;
  }
}

export interface UnavailableOptions extends ErrorOptions {
  reason?: string;
}
