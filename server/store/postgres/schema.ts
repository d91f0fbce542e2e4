/**
 * The tables, and how they come to be. Servers that start at once take turns by an advisory lock; all steps of a start
 * happen in one transaction, so that one that dies on the way leaves nothing half-made.
 */
import type { ClientBase } from 'pg';
import { CannotOpenStore } from '../store.ts';

/** Everything is in a schema of its own, so that the database may hold other things. */
export const SCHEMA = 'edge_contract';

/** Any number, as long as every version of this server uses the same one. */
const LOCK = 7_031_650_210;

/** A random number of 53 bits. */
const RANDOM = '(random() * 9007199254740992)::bigint';

/**
 * One entry a version; an entry that was released is never changed. Documents are text and not jsonb, which would lose
 * NUL, the order of keys and digits. The collation C sorts ids, which are ASCII, by their code units.
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
  // Random revisions, so that writes need not ask one sequence; a server of the version before works on with them. And
  // without the private keys of certificates, which nothing used; the texts between those quotes hold no quote.
  `ALTER TABLE ${SCHEMA}.edges ALTER COLUMN revision SET DEFAULT ${RANDOM};
   ALTER TABLE ${SCHEMA}.subscriptions ALTER COLUMN revision SET DEFAULT ${RANDOM};
   DROP SEQUENCE ${SCHEMA}.revision;
   UPDATE ${SCHEMA}.edges SET revision = DEFAULT, document = regexp_replace(
     document, '("signing":\\{"certificate_pem":"[^"]*"),"private_key_pem":"[^"]*"', '\\1', 'g'
   ) WHERE document LIKE '%"private_key_pem"%';`,
];

/** @throws CannotOpenStore when a newer version made the tables, or the database is not in UTF-8; errors of pg */
export async function migrate(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8') throw new CannotOpenStore(`the database is in ${encoding}; make one in UTF8`);
  // The usual start writes nothing, so that it works on a database that is read-only for a while.
  if ((await versionOf(client)) === STEPS.length) return;
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

async function step(client: ClientBase): Promise<void> {
  const version = await versionOf(client);
  if (version === undefined) {
    // A user of a schema that somebody else made need not be allowed to make one.
    const found = await client.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [SCHEMA]);
    if (found.rowCount === 0) await client.query(`CREATE SCHEMA ${SCHEMA}`);
    await client.query(`CREATE TABLE ${SCHEMA}.format (version integer NOT NULL)`);
    await client.query(`INSERT INTO ${SCHEMA}.format VALUES (0)`);
  }
  for (const sql of STEPS.slice(version ?? 0)) await client.query(sql);
  await client.query(`UPDATE ${SCHEMA}.format SET version = $1`, [STEPS.length]);
}

/** Undefined where there are no tables yet. */
async function versionOf(client: ClientBase): Promise<number | undefined> {
  // Not to_regclass: in a transaction that waited for the lock it may still answer from before the wait.
  const found = await client.query(
    "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = 'format'",
    [SCHEMA],
  );
  if (found.rowCount === 0) return undefined;
  const format = await client.query<{ version: number }>(`SELECT version FROM ${SCHEMA}.format`);
  const version = format.rows[0]?.version;
  if (version === undefined || version > STEPS.length) {
    throw new CannotOpenStore(
      `it has tables of version ${version}, and this server knows versions up to ${STEPS.length}`,
    );
  }
  return version;
}
