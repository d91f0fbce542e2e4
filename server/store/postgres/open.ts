/** The store that several servers share: PostgreSQL, one row per edge and per subscription. */
import pg from 'pg';
import type { EdgeRecord } from '../../domain/edge.ts';
import type { SubscriptionRecord } from '../../domain/subscription.ts';
import { KeyedQueue } from '../keyed-queue.ts';
import { CannotOpenStore, type Store, StoreUnavailable, type StoreEvents } from '../store.ts';
import { DocumentTable, reasonOf } from './document-table.ts';
import { migrate, SCHEMA } from './schema.ts';

/** How long a request waits for a free connection, or for a new one. */
const CONNECT_MS = 3000;
/** How long the database may work on one statement, and how long its response is waited for. */
const STATEMENT_MS = 8000;
const ANSWER_MS = 10_000;

export interface PostgresOptions {
  /** `postgres://…`; may hold a password, which no message repeats. */
  url: string;
  /** The most connections that this process opens at once, at least 1. */
  connections: number;
}

/**
 * Connects, and makes or migrates the tables.
 * @throws CannotOpenStore when the database cannot be reached or used
 */
export async function openPostgresStore({ url, connections }: PostgresOptions, events: StoreEvents): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'edge-server',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    // A database that acknowledges before it has written would break the promise of the store.
    onConnect: async (client) => {
      await client.query(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')",
      );
    },
  });
  // A connection that breaks while nobody uses it: the pool makes another when one is needed.
  pool.on('error', (error) => events.disconnected(reasonOf(error)));
  try {
    const client = await pool.connect();
    try {
      await migrate(client);
    } finally {
      client.release();
    }
  } catch (error) {
    await pool.end();
    const reason = error instanceof CannotOpenStore ? error.message : reasonOf(error);
    throw new CannotOpenStore(`the database ${placeOf(url)} cannot be used: ${reason}`);
  }
  const queue = new KeyedQueue();
  return {
    edges: new DocumentTable<EdgeRecord>(`${SCHEMA}.edges`, { pool, queue, events }),
    subscriptions: new DocumentTable<SubscriptionRecord>(`${SCHEMA}.subscriptions`, { pool, queue, events }),
    check: () => check(pool),
    close: async () => {
      await queue.settled();
      await pool.end();
    },
  };
}

/** Where the database is, without user, password and parameters. */
export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'PostgreSQL';
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** @throws StoreUnavailable when the database does not answer, or takes no changes */
async function check(pool: pg.Pool): Promise<void> {
  const answer = await pool
    .query<{ value: string }>("SELECT current_setting('transaction_read_only') AS value")
    .catch((error: unknown) => {
      throw new StoreUnavailable(`the database does not answer: ${reasonOf(error)}`);
    });
  if (answer.rows[0]?.value !== 'off') throw new StoreUnavailable('the database is read-only');
}
