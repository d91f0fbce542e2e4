import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { describeWithPostgres } from '../../testing/with-postgres.ts';
import { addType, emptySubscription } from '../../domain/subscription.ts';
import {
  CannotOpenStore,
  DamagedRecord,
  type Store,
  StoreUnavailable,
  type StoreEvents,
} from '../store.ts';
import { describeStore, quiet } from '../store.suite.ts';
import { openPostgresStore } from './open.ts';

const record = (id: string, type = 'a.v0') => ({ id, types: [type] });

async function openAt(url: string, events: Partial<StoreEvents> = {}): Promise<Store> {
  const store = await openPostgresStore(url, 5, { ...quiet, ...events });
  onTestFinished(() => store.close().catch(() => undefined));
  return store;
}

describeWithPostgres('with PostgreSQL', (server) => {
  const it = test.extend('url', () => server().createDatabase());

  describeStore('the PostgreSQL store', { place: () => server().createDatabase(), openAt });

  it('a database gets its tables once, when many servers start at the same moment', async ({
    url,
  }) => {
    const stores = await Promise.all(Array.from({ length: 8 }, () => openAt(url)));
    await stores[0]!.subscriptions.create(record('s'));
    for (const store of stores) {
      expect(await store.subscriptions.get('s')).toBeDefined();
    }
    expect(await server().query(url, 'SELECT version FROM edge_contract.format')).toEqual([
      { version: 2 },
    ]);
  });

  it.for([
    ['CREATE TABLE edge_contract.format AS SELECT 99 AS version', /tables of version 99/],
    ['CREATE TABLE edge_contract.edges ()', /already exists/],
  ] as const)(
    'a database is refused and left as it is after %s',
    async ([sql, message], { url }) => {
      await server().query(url, `CREATE SCHEMA edge_contract; ${sql}`);
      const tables = () =>
        server().query(
          url,
          'SELECT relname FROM pg_class ' +
            "WHERE relnamespace = 'edge_contract'::regnamespace ORDER BY 1",
        );
      const before = await tables();
      await expect(openAt(url)).rejects.toThrow(CannotOpenStore);
      await expect(openAt(url)).rejects.toThrow(message);
      expect(await tables()).toEqual(before);
    },
  );

  it('a database that cannot be used is refused in one line without the password', async ({
    url,
  }) => {
    await server().query(url, "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1'");
    for (const [wrong, message] of [
      [new URL('/latin', url).href, /LATIN1; make one in UTF8/],
      [new URL('/nowhere', url).href, /"nowhere" does not exist/],
      ['postgres://edge:hush@127.0.0.1:1/x', /ECONNREFUSED/],
      [`${url}?sslrootcert=/nowhere/hush`, /ENOENT/],
    ] as const) {
      const error: unknown = await openAt(wrong).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(CannotOpenStore);
      expect(String(error)).toMatch(message);
      expect(String(error)).not.toMatch(/hush|\n/);
    }
  });

  it('a database that takes no changes for a while can be read, and is not ready', async ({
    url,
  }) => {
    await (await openAt(url)).subscriptions.create(record('s'));
    const name = new URL(url).pathname.slice(1);
    await server().query(url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    const store = await openAt(url);
    await expect(store.check()).rejects.toThrow(/read-only/);
    await expect(store.subscriptions.update('s', () => null)).rejects.toThrow(StoreUnavailable);
    expect(await store.subscriptions.get('s')).toBeDefined();
  });

  it('servers that share a database lose no update of each other', async ({ url }) => {
    const stores = await Promise.all(Array.from({ length: 4 }, () => openAt(url)));
    const types = Array.from({ length: 80 }, (_, n) => `t${n}.v0`);
    const add = (type: string, n: number) =>
      stores[n % 4]!.subscriptions.update('s', (now) =>
        addType(now ?? emptySubscription('s'), type),
      );
    await Promise.all(types.map(add));
    expect((await stores[0]!.subscriptions.get('s'))?.types).toEqual(types.toSorted());
  });

  it('a record that was removed and made again has another revision', async ({ url }) => {
    const one = await openAt(url);
    const other = await openAt(url);
    await one.subscriptions.update('s', () => record('s'));
    const revisions = async () =>
      server().query(url, 'SELECT revision FROM edge_contract.subscriptions');
    const before = await revisions();
    await other.subscriptions.update('s', () => null);
    await other.subscriptions.update('s', () => record('s'));
    expect(await revisions()).not.toEqual(before);
  });

  it('a new record takes one statement, and no sequence', async ({ url }) => {
    const store = await openAt(url);
    const query = vi.spyOn(pg.Pool.prototype, 'query');
    onTestFinished(() => query.mockRestore());
    expect(await store.subscriptions.create(record('s'))).toBe(true);
    expect(query.mock.calls.map(([sql]) => sql)).toEqual([expect.stringMatching(/^INSERT INTO/)]);
    expect(await server().query(url, "SELECT 1 FROM pg_class WHERE relkind = 'S'")).toEqual([]);
  });

  it('tables of version 0.3 get random revisions, and lose the private keys', async ({ url }) => {
    const sql = [
      'CREATE SCHEMA edge_contract',
      'CREATE TABLE edge_contract.format AS SELECT 1 AS version',
      'CREATE SEQUENCE edge_contract.revision',
      ...['edges', 'subscriptions'].map(
        (name) =>
          `CREATE TABLE edge_contract.${name} (
            id text COLLATE "C" PRIMARY KEY,
            document text NOT NULL,
            revision bigint NOT NULL DEFAULT nextval('edge_contract.revision'))`,
      ),
    ];
    await server().query(url, sql.join(';'));
    const route = (id: string, key: object) => ({
      id,
      metadata: 'says ,"private_key_pem":"mine"',
      request_headers: { enabled: true, add: { a: 'b', private_key_pem: 'mine' }, remove: [] },
      signing: { certificate_pem: '-----BEGIN\nA\n-----END', ...key },
    });
    const keys = { private_key_pem: '-----BEGIN PRIVATE KEY-----\nhush\n' };
    const edge = {
      id: 'e',
      routes: [route('r', keys), route('s', keys), { ...route('t', {}), signing: null }],
    };
    await server().query(
      url,
      `INSERT INTO edge_contract.edges VALUES ('e', $$${JSON.stringify(edge)}$$)`,
    );
    const store = await openAt(url);
    const expected = {
      id: 'e',
      routes: [route('r', {}), route('s', {}), { ...route('t', {}), signing: null }],
    };
    expect(JSON.stringify(await store.edges.get('e'))).toBe(JSON.stringify(expected));
    const [row] = await server().query(url, 'SELECT document, revision FROM edge_contract.edges');
    expect(row!['document']).toBe(JSON.stringify(expected));
    expect(Number(row!['revision'])).toBeGreaterThan(2 ** 20);
    await store.edges.update('e', (current) => ({ ...current!, description: 'changed' }));
    // The statements of a server of the version before.
    await server().query(url, "INSERT INTO edge_contract.edges (id, document) VALUES ('f', '{}')");
    await server().query(url, "UPDATE edge_contract.edges SET revision = DEFAULT WHERE id = 'f'");
  });

  it('a damaged row makes its own record alone unreadable, and stays as it is', async ({ url }) => {
    const left: string[] = [];
    const store = await openAt(url, { damaged: ({ message }) => left.push(message) });
    for (const id of ['r', 's', 't']) {
      await store.subscriptions.create(record(id));
    }
    await server().query(
      url,
      `UPDATE edge_contract.subscriptions SET document = '{"hush' WHERE id = 's'`,
    );
    await expect(store.subscriptions.get('s')).rejects.toThrow(DamagedRecord);
    await expect(store.subscriptions.update('s', () => null)).rejects.toThrow(DamagedRecord);
    const { records } = await store.subscriptions.list({ limit: 2, before: undefined });
    expect(records).toEqual([record('t'), record('r')]);
    expect(left).toEqual(['the row s of edge_contract.subscriptions is not a JSON document']);
    const rows = await server().query(
      url,
      "SELECT document FROM edge_contract.subscriptions WHERE id = 's'",
    );
    expect(rows).toEqual([{ document: '{"hush' }]);
    await store.subscriptions.replace('s', record('s', 'b.v0'));
    expect(await store.subscriptions.get('s')).toEqual(record('s', 'b.v0'));
  });
});
