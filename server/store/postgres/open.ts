/** The store that several servers share: PostgreSQL, one row per edge and per subscription. */
import pg from 'pg';
import type { EdgeRecord } from '../../domain/edge.ts';
import type { SubscriptionRecord } from '../../domain/subscription.ts';
import { KeyedQueue } from '../keyed-queue.ts';
import { CannotOpenStore, type Store, StoreUnavailable, type StoreEvents } from '../store.ts';
import { DocumentTable, reasonOf } from './document-table.ts';

/** How long a request waits for a free connection, or for a new one. */
const CONNECT_MS = 3000;
/** How long the database may work on one statement, and how long its response is waited for. */
const STATEMENT_MS = 8000;
const ANSWER_MS = 10_000;

/** Everything is in a separate schema, so that the database may hold other things. */
const SCHEMA = 'edge_contract';

/** Any number, as long as every version of this server uses the same one. */
const LOCK = 7_031_650_210;

/** A random number of 53 bits. */
const RANDOM = '(random() * 9007199254740992)::bigint';

/**
 * One entry a version; released ones stay. jsonb would lose NUL, digits and order; C sorts ids by
 * code units.
 */
const STEPS = [
  `CREATE SEQUENCE ${SCHEMA}.revision;
   CREATE TABLE ${SCHEMA}.edges (
     id text COLLATE "C" PRIMARY KEY,
     document text NOT NULL,
     revision bigint NOT NULL DEFAULT nextval('${SCHEMA}.revision')
   );
   CREATE TABLE ${SCHEMA}.subscriptions (
     id text COLLATE "C" PRIMARY KEY,
     document text NOT NULL,
     revision bigint NOT NULL DEFAULT nextval('${SCHEMA}.revision')
   );`,
  // Random revisions, so that writes need not ask one sequence; a server of the version before
  // works on with them. And without the private keys of certificates, which nothing used; the texts
  // between those quotes hold no quote.
  `ALTER TABLE ${SCHEMA}.edges ALTER COLUMN revision SET DEFAULT ${RANDOM};
   ALTER TABLE ${SCHEMA}.subscriptions ALTER COLUMN revision SET DEFAULT ${RANDOM};
   DROP SEQUENCE ${SCHEMA}.revision;
   UPDATE ${SCHEMA}.edges SET revision = DEFAULT, document = regexp_replace(
     document, '("signing":\\{"certificate_pem":"[^"]*"),"private_key_pem":"[^"]*"', '\\1', 'g'
   ) WHERE document LIKE '%"private_key_pem"%';`,
];

/**
 * @param url may hold a password, which no message repeats
 * @throws CannotOpenStore when it cannot be used
 */
export async function openPostgresStore(
  url: string,
  max: number,
  events: StoreEvents,
): Promise<Store> {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: 'edge-server',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    // A database that acknowledges before it has written would break the promise of the store.
    onConnect: async (client) => {
      await client.query(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE " +
          "current_setting('synchronous_commit') IN ('off', 'local')",
      );
    },
  });
  // A connection that breaks while nobody uses it: the pool makes another when one is needed.
  pool.on('error', (error) =>
    events.warning(`a connection to the database was lost: ${reasonOf(error)}`),
  );
  try {
    const client = await pool.connect();
    await migrate(client).finally(() => client.release());
  } catch (error) {
    await pool.end();
    const reason = error instanceof CannotOpenStore ? error.message : reasonOf(error);
    throw new CannotOpenStore(`the database ${placeOf(url)} cannot be used: ${reason}`);
  }
  const queue = new KeyedQueue();
  return {
    edges: new DocumentTable<EdgeRecord>(`${SCHEMA}.edges`, { pool, queue, events }),
    subscriptions: new DocumentTable<SubscriptionRecord>(`${SCHEMA}.subscriptions`, {
      pool,
      queue,
      events,
    }),
    check: () => check(pool),
    close: async () => {
      await queue.settled();
      await pool.end();
    },
  };
}

/** The address of the database, without user, password and parameters. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

/** @throws StoreUnavailable when the database does not respond, or takes no changes */
async function check(pool: pg.Pool): Promise<void> {
  const answer = await pool
    .query<{ value: string }>("SELECT current_setting('transaction_read_only') AS value")
    .catch((error: unknown) => {
      const reason = 'the database does not answer';
      throw new StoreUnavailable(`${reason}: ${reasonOf(error)}`, { reason });
    });
  if (answer.rows[0]?.value !== 'off') {
    const reason = 'the database is read-only';
    throw new StoreUnavailable(reason, { reason });
  }
}

/**
 * Servers that start at once take turns by a lock, and a start that dies leaves nothing.
 * @throws CannotOpenStore
 */
async function migrate(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8') {
    throw new CannotOpenStore(`the database is in ${encoding}; make one in UTF8`);
  }
  // The usual start writes nothing, so that it works on a database that is read-only for a while.
  if ((await versionOf(client)) === STEPS.length) {
    return;
  }
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await step(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

async function step(client: pg.ClientBase): Promise<void> {
  const version = await versionOf(client);
  if (version === undefined) {
    // A user of a schema that somebody else made need not be allowed to make one.
    const found = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [SCHEMA]);
    if (found.rowCount === 0) {
      await client.query(`CREATE SCHEMA ${SCHEMA}`);
    }
    await client.query(`CREATE TABLE ${SCHEMA}.format (version integer NOT NULL)`);
    await client.query(`INSERT INTO ${SCHEMA}.format VALUES (0)`);
  }
  for (const sql of STEPS.slice(version ?? 0)) {
    await client.query(sql);
  }
  await client.query(`UPDATE ${SCHEMA}.format SET version = $1`, [STEPS.length]);
}

/** Undefined if there are no tables yet. */
async function versionOf(client: pg.ClientBase): Promise<number | undefined> {
  // Not to_regclass: in a transaction that waited for the lock, its result may still be from before
  // the wait.
  const found = await client.query(
    'SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = ' +
      "c.relnamespace WHERE n.nspname = $1 AND c.relname = 'format'",
    [SCHEMA],
  );
  if (found.rowCount === 0) {
    return undefined;
  }
  const format = await client.query<{ version: number }>(`SELECT version FROM ${SCHEMA}.format`);
  const version = format.rows[0]?.version;
  if (version === undefined || version > STEPS.length) {
    throw new CannotOpenStore(
      `it has tables of version ${version}, and this server knows those up to ${STEPS.length}`,
    );
  }
  return version;
}
