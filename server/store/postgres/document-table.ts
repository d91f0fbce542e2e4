/**
 * A collection with one row per record.
 *
 * A change reads the row, and writes only if the row still has the revision that was read; else it starts over. So no
 * update is lost among any number of servers, and none holds a lock or a transaction open while it thinks: whichever dies
 * leaves nothing behind. Revisions come from one sequence, so that a record that was removed and made again is not taken
 * for the old one. The price is that a record that many servers change at once costs attempts; within one server, changes
 * of one record queue up before they reach the database.
 *
 * Rejected: SELECT … FOR UPDATE, which needs a transaction of four round trips, a connection for each waiting writer, and
 * another lock for records that do not exist yet.
 */
import type { Pool, QueryResult, QueryResultRow } from 'pg';
import { KeyedQueue } from '../keyed-queue.ts';
import { checkRecord, parseText } from '../record-text.ts';
import { type Collection, DamagedRecord, StoreUnavailable, type Trouble } from '../store.ts';
import { isConflict, reasonOf } from './failure.ts';
import { SCHEMA } from './schema.ts';

/** A change that lost this often against other servers gives up. Each loss means that another one got through. */
const MOST_ATTEMPTS = 200;

/** How long a change may wait for the changes of its record before it; longer, and the database is not answering. */
const MOST_WAIT_MS = 10_000;

interface Row {
  id: string;
  document: string;
  /** A bigint: a text, for pg. */
  revision: string;
}

export class DocumentTable<T extends { id: string }> implements Collection<T> {
  readonly #pool: Pool;
  readonly #table: string;
  readonly #trouble: Trouble;
  readonly #writes = new KeyedQueue();

  constructor(pool: Pool, table: 'edges' | 'subscriptions', trouble: Trouble) {
    this.#pool = pool;
    this.#table = `${SCHEMA}.${table}`;
    this.#trouble = trouble;
  }

  async get(id: string): Promise<T | undefined> {
    const row = await this.#row(id);
    return row && this.#record(row);
  }

  async list({ limit, before }: { limit: number; before: string | undefined }): Promise<T[]> {
    const records: T[] = [];
    for (let position = before; records.length < limit;) {
      const wanted = limit - records.length;
      const { rows } = await this.#query<Row>(
        `SELECT id, document FROM ${this.#table} WHERE $2::text IS NULL OR id < $2 ORDER BY id DESC LIMIT $1`,
        [wanted, position === undefined ? null : comparable(position)],
      );
      records.push(...rows.map((row) => this.#readable(row)).filter((one) => one !== undefined));
      position = rows.at(-1)?.id;
      if (rows.length < wanted) break;
    }
    return records;
  }

  async count(): Promise<number> {
    const { rows } = await this.#query<{ count: string }>(`SELECT count(*) AS count FROM ${this.#table}`, []);
    return Number(rows[0]?.count);
  }

  update(id: string, change: (current: T | undefined) => T | null | undefined): Promise<T | undefined> {
    const asked = performance.now();
    return this.#writes.run(id, async () => {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        if (performance.now() - asked > MOST_WAIT_MS) throw new StoreUnavailable('the database answers too slowly');
        const row = await this.#row(id);
        const current = row && this.#record(row);
        const next = change(current);
        if (next === current || (next == null && row === undefined)) return current;
        if (await this.#write(id, row?.revision, next)) return next ?? undefined;
      }
      throw new StoreUnavailable('other servers keep changing this record');
    });
  }

  /** Waits for the changes that are under way. */
  settled(): Promise<void> {
    return this.#writes.settled();
  }

  /** False when the row is no longer what was read. */
  async #write(id: string, revision: string | undefined, next: T | null | undefined): Promise<boolean> {
    const statement =
      next == null
        ? ([`DELETE FROM ${this.#table} WHERE id = $1 AND revision = $2`, [id, revision]] as const)
        : revision === undefined
          ? ([
              `INSERT INTO ${this.#table} (id, document) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
              [id, JSON.stringify(next)],
            ] as const)
          : ([
              `UPDATE ${this.#table} SET document = $3, revision = DEFAULT WHERE id = $1 AND revision = $2`,
              [id, revision, JSON.stringify(next)],
            ] as const);
    try {
      return (await this.#pool.query(statement[0], [...statement[1]])).rowCount === 1;
    } catch (error) {
      if (isConflict(error)) return false;
      // The answer may be lost after the change was made: the client is told to try again, and nothing is promised.
      throw this.#unavailable(error);
    }
  }

  async #row(id: string): Promise<Row | undefined> {
    const { rows } = await this.#query<Row>(`SELECT id, document, revision FROM ${this.#table} WHERE id = $1`, [id]);
    return rows[0];
  }

  #record({ id, document }: Row): T {
    const place = `the row ${id} of ${this.#table}`;
    return checkRecord(parseText(document, place), id, place);
  }

  #readable(row: Row): T | undefined {
    try {
      return this.#record(row);
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      this.#trouble.damaged(error);
      return undefined;
    }
  }

  async #query<R extends QueryResultRow>(sql: string, values: unknown[]): Promise<QueryResult<R>> {
    try {
      return await this.#pool.query<R>(sql, values);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  #unavailable(error: unknown): StoreUnavailable {
    return new StoreUnavailable(`the database does not serve ${this.#table}: ${reasonOf(error)}`);
  }
}

/**
 * A text that ids compare to as they do to `position`. The database takes no NUL, and sorts what is not ASCII by UTF-8 and
 * not by UTF-16; ids hold neither. So the text ends at the first such character: a space is less than every character of
 * an id, and a tilde greater.
 */
function comparable(position: string): string {
  return position.replace(/[^\x20-\x7e].*$/su, (rest) => (rest < ' ' ? ' ' : '~'));
}
