/**
 * The store of the peers that are durable: the SQLite of Node itself, which flushes each change
 * before the call returns.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Edge } from './common.ts';

/** The part of node:sqlite that is used here. The types of Node 20 do not have it. */
interface Sqlite {
  DatabaseSync: new (file: string) => Database;
}

interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
}

interface Statement {
  run(...values: string[]): void;
  get(...values: string[]): { document: string } | undefined;
}

export interface Edges {
  add(edge: Edge): void;
  get(id: string): Edge | undefined;
}

/** @throws Error before Node 22.13, which does not have it without a flag */
export async function openEdges(folder: string): Promise<Edges> {
  const { DatabaseSync } = (await import('node:sqlite' as string)) as Sqlite;
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, 'edges.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE IF NOT EXISTS edges (id TEXT PRIMARY KEY, document TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO edges (id, document) VALUES (?, ?)');
  const select = database.prepare('SELECT document FROM edges WHERE id = ?');
  return {
    add: (edge) => insert.run(edge.id, JSON.stringify(edge)),
    get: (id) => {
      const row = select.get(id);
      if (row === undefined) {
        return undefined;
      }
      return JSON.parse(row.document) as Edge;
    },
  };
}
