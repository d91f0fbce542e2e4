/**
 * A collection with one row per record. A change writes only if the row still has the revision that
 * was read; else it starts over: no update is lost among servers, and a server that dies leaves no
 * lock behind. Revisions are random: a record that was removed and made again is not taken for the
 * old one, and no write asks a sequence. Many servers that change one record cost attempts.
 * Rejected: SELECT … FOR UPDATE, four round trips and a connection for each writer.
 */
import { DatabaseError, type Pool, type QueryResult, type QueryResultRow } from 'pg';
import type { KeyedQueue } from '../keyed-queue.ts';
import { ParsedRecords, parseRecord, unlessDamaged } from '../record-text.ts';
import {
  type Collection,
  type DamagedRecord,
  MAX_PAGE_BYTES,
  type Page,
  type StoreEvents,
  StoreUnavailable,
} from '../store.ts';

/**
 * A change that lost this often against other servers gives up. Each loss means that another change
 * was made.
 */
const MOST_ATTEMPTS = 200;

/** SQL, and the values of its parameters. */
interface Statement {
  text: string;
  values: unknown[];
}

/**
 * How long a change may wait for the changes of its record before it; after that, the database
 * counts as unavailable.
 */
const MOST_WAIT_MS = 10_000;

interface Row {
  id: string;
  document: string;
  /** A bigint, which pg gives as a text. */
  revision: string;
}

export class DocumentTable<T extends { id: string }> implements Collection<T> {
  readonly #table: string;
  readonly #database: { pool: Pool; queue: KeyedQueue; events: StoreEvents };
  readonly #parsed = new ParsedRecords<T>();

  /** @param table with its schema */
  constructor(table: string, database: { pool: Pool; queue: KeyedQueue; events: StoreEvents }) {
    this.#table = table;
    this.#database = database;
  }

  async get(id: string): Promise<T | undefined> {
    return (await this.#read(id))?.record;
  }

  async list({ limit, before }: { limit: number; before: string | undefined }): Promise<Page<T>> {
    const records: T[] = [];
    const report = (error: DamagedRecord) => this.#database.events.damaged(error);
    let next = before;
    // Reads again if damaged records were omitted.
    while (records.length < limit) {
      const page = await this.#page(limit - records.length, next);
      for (const row of page.rows) {
        const record = unlessDamaged(() => this.#record(row), report);
        if (record !== undefined) {
          records.push(record);
        }
      }
      next = page.rows.at(-1)?.id;
      if (page.last) {
        return { records, next: undefined };
      }
      if (page.full) {
        break;
      }
    }
    return { records, next };
  }

  /**
   * Rows below a position: `last` when no rows follow, `full` when more would be too many bytes.
   */
  async #page(
    limit: number,
    before: string | undefined,
  ): Promise<{ rows: Row[]; last: boolean; full: boolean }> {
    // Sizes are summed up before any document is read; one row more shows whether others follow.
    // Two texts of the statement and not one with `OR`: a plan for both would read the table from
    // its end.
    const below = before === undefined ? '' : 'WHERE id < $3';
    const { rows } = await this.#query<Row & { found: string }>(
      `SELECT id, document, found FROM (
         SELECT
           id,
           document,
           row_number() OVER newest AS number,
           sum(bytes) OVER newest AS bytes,
           count(*) OVER () AS found
         FROM (
           SELECT id, document, octet_length(document) AS bytes
           FROM ${this.#table} ${below}
           ORDER BY id DESC
           LIMIT $1::int + 1
         ) AS rows
         WINDOW newest AS (ORDER BY id DESC)
       ) AS page WHERE number = 1 OR (number <= $1::int AND bytes <= $2) ORDER BY id DESC`,
      [limit, MAX_PAGE_BYTES, ...(before === undefined ? [] : [comparable(before)])],
    );
    const found = Number(rows[0]?.found ?? 0);
    return { rows, last: rows.length === found, full: rows.length < Math.min(limit, found) };
  }

  async count(): Promise<number> {
    const { rows } = await this.#query<{ count: string }>(
      `SELECT count(*) AS count FROM ${this.#table}`,
      [],
    );
    return Number(rows[0]?.count);
  }

  create(record: T): Promise<boolean> {
    return this.#inTurn(record.id, () => this.#write(record.id, undefined, record));
  }

  update(
    id: string,
    change: (current: T | undefined) => T | null | undefined,
  ): Promise<T | undefined> {
    const asked = performance.now();
    return this.#inTurn(id, async () => {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        if (performance.now() - asked > MOST_WAIT_MS) {
          throw new StoreUnavailable('the database answers too slowly');
        }
        const row = await this.#read(id);
        const current = row?.record;
        const next = change(current);
        if (next === current || (next == null && row === undefined)) {
          return current;
        }
        if (await this.#write(id, row?.revision, next)) {
          return next ?? undefined;
        }
      }
      throw new StoreUnavailable('other servers keep changing this record');
    });
  }

  replace(id: string, record: T | null): Promise<void> {
    return this.#inTurn(id, async () => {
      if (record === null) {
        await this.#query(`DELETE FROM ${this.#table} WHERE id = $1`, [id]);
      } else {
        await this.#query(
          `INSERT INTO ${this.#table} (id, document) VALUES ($1, $2)
           ON CONFLICT (id) DO UPDATE SET document = EXCLUDED.document, revision = DEFAULT`,
          [id, JSON.stringify(record)],
        );
      }
    });
  }

  #inTurn<R>(id: string, job: () => Promise<R>): Promise<R> {
    return this.#database.queue.run(`${this.#table}/${id}`, job);
  }

  /** False when the row is no longer what was read. */
  async #write(
    id: string,
    revision: string | undefined,
    next: T | null | undefined,
  ): Promise<boolean> {
    try {
      const { text, values } = this.#change(id, revision, next);
      const { rowCount } = await this.#database.pool.query(text, values);
      return rowCount === 1;
    } catch (error) {
      // Another transaction was first: a serialization failure or a deadlock. Nothing was changed.
      if (error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01')) {
        return false;
      }
      // The response may be lost after the change was made: the client is asked to try again, and
      // nothing is promised.
      throw this.#unavailable(error);
    }
  }

  /** The statement that removes, inserts or updates the row. */
  #change(id: string, revision: string | undefined, next: T | null | undefined): Statement {
    const table = this.#table;
    if (next === null || next === undefined) {
      const text = `DELETE FROM ${table} WHERE id = $1 AND revision = $2`;
      return { text, values: [id, revision] };
    }
    const document = JSON.stringify(next);
    if (revision === undefined) {
      const text = `INSERT INTO ${table} (id, document) VALUES ($1, $2) ON CONFLICT DO NOTHING`;
      return { text, values: [id, document] };
    }
    const text = `
      UPDATE ${table} SET document = $3, revision = DEFAULT
      WHERE id = $1 AND revision = $2`;
    return { text, values: [id, revision, document] };
  }

  /** A large document is fetched and parsed once for each of its revisions. */
  async #read(id: string): Promise<{ revision: string; record: T } | undefined> {
    const parsed = this.#parsed.get(id);
    const { rows } = await this.#query<Omit<Row, 'document'> & { document: string | null }>(
      'SELECT id, revision, CASE WHEN revision = $2 THEN NULL ELSE document ' +
        `END AS document FROM ${this.#table} WHERE id = $1`,
      [id, parsed?.version],
    );
    if (rows[0] === undefined) {
      return undefined;
    }
    const { revision, document: text } = rows[0];
    if (text === null) {
      return { revision, record: parsed!.record };
    }
    const record = this.#record({ id, document: text });
    return { revision, record: this.#parsed.keep(id, revision, { text, record }) };
  }

  #record({ id, document }: Pick<Row, 'id' | 'document'>): T {
    return parseRecord<T>(document, id, `the row ${id} of ${this.#table}`);
  }

  async #query<R extends QueryResultRow>(sql: string, values: unknown[]): Promise<QueryResult<R>> {
    try {
      return await this.#database.pool.query<R>(sql, values);
    } catch (error) {
      throw this.#unavailable(error);
    }
  }

  #unavailable(error: unknown): StoreUnavailable {
    return new StoreUnavailable(`the database does not serve ${this.#table}: ${reasonOf(error)}`);
  }
}

/**
 * One line of message and code alone: other properties of errors of pg hold rows, or the client
 * with its password.
 */
export function reasonOf(error: unknown): string {
  if (error instanceof DatabaseError) {
    return `${error.message} (${error.code ?? 'no code'})`.replaceAll(/\s+/g, ' ');
  }
  if (!(error instanceof Error)) {
    return 'unknown';
  }
  const { code } = error as NodeJS.ErrnoException;
  return code ?? error.message.replaceAll(/\s+/g, ' ');
}

/**
 * A text to which ids compare as they do to `position`: the database takes no NUL, and sorts other
 * characters than ASCII by UTF-8.
 */
function comparable(position: string): string {
  // Ids hold neither: a space is less than each of their characters, and a tilde greater.
  return position.replace(/[^\x20-\x7e].*$/su, (rest) => (rest < ' ' ? ' ' : '~'));
}
