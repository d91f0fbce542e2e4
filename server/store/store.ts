/**
 * Where records are kept. Every implementation is held to `store.suite.ts`.
 *
 * - **Atomic**: a change is seen whole or not at all, by readers and after a crash.
 * - **Isolated**: changes of one record run one after another; readers do not wait for them and see the last complete
 *   state. Changes of different records do not wait for each other.
 * - **Durable**: when the promise of a change resolves, the change has reached the disk.
 * - **Faithful**: text comes back to the byte (any Unicode, NUL included), numbers to the last digit, lists and keys in
 *   their order.
 *
 * Ids are 1–64 of `A-Z a-z 0-9 _ -` (D01).
 */
import type { EdgeRecord } from '../domain/edge.ts';
import type { SubscriptionRecord } from '../domain/subscription.ts';

export interface Store {
  readonly edges: Collection<EdgeRecord>;
  readonly subscriptions: Collection<SubscriptionRecord>;
  /**
   * Resolves when the store can serve.
   * @throws StoreUnavailable
   */
  check(): Promise<void>;
  /** Waits for changes under way, then releases what the store holds. No call may follow. */
  close(): Promise<void>;
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
   * A record that cannot be read is left out and told to `Trouble.damaged`: one of them must not hide all others.
   * @param page `limit` at least 1; any text is a position
   * @throws StoreUnavailable
   */
  list(page: { limit: number; before: string | undefined }): Promise<T[]>;
  /**
   * How many records there are, readable or not; about as many, while others write.
   * @throws StoreUnavailable
   */
  count(): Promise<number>;
  /**
   * Gives the current record (undefined where there is none) to `change` and keeps what it returns: another record, null
   * to remove it, or the same record for no change. What is returned belongs to the store from then on. An error that `change` throws is passed on and nothing is changed.
   *
   * `change` must be pure and synchronous: a store may call it again after a conflict.
   * @throws DamagedRecord, StoreUnavailable, and whatever `change` throws
   */
  update(id: string, change: (current: T | undefined) => T | null | undefined): Promise<T | undefined>;
}

/** Where a store tells what nobody asked for at that moment. */
export interface Trouble {
  /** A record was left out of a list. The message says where it is; it holds nothing of its content. */
  damaged(error: DamagedRecord): void;
  /** A connection to a database was lost while nobody used it. The reason is one line without a secret. */
  disconnected(reason: string): void;
}

/** The store cannot be opened; the message is one line that says why. Nothing in it has been changed. */
export class CannotOpenStore extends Error {
  override name = 'CannotOpenStore';
}

/** What is kept under this id cannot be read. Nothing is overwritten: a person has to look. */
export class DamagedRecord extends Error {
  override name = 'DamagedRecord';
}

/** The store does not answer, or cannot write (a full disk, a folder that became read-only). Trying later may help. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}
