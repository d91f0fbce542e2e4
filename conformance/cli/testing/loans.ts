/** A service that lends each book once at a time, as its contract says (contracts/loans.yaml). */
import { randomBytes, randomUUID } from 'node:crypto';
import { isObject } from '../../engine/contract/pointers.ts';
import type { Service, ServiceResponse } from '../../self-test/service.ts';
import { type Json, jsonIn, segmentsOf } from './requests.ts';
import { respondWith } from './services.ts';

export interface LoanErrors {
  /** Changes the list of loans. */
  listed?: (loans: readonly Json[]) => readonly Json[];
}

export function loans({ listed = (all) => all }: LoanErrors = {}): Service {
  const books = new Map<string, Json>();
  const all = new Map<string, Json>();
  /** The ids of the books that are lent. */
  const away = new Set<unknown>();

  const addBook = (body: Json): ServiceResponse => {
    const { title, ...others } = body;
    if (!isTextOf(title, 1, 80) || Object.keys(others).length > 0) {
      return respondWith(400);
    }
    const book = { id: `bk_${randomBytes(4).toString('hex')}`, title };
    books.set(book.id, book);
    return respondWith(201, book);
  };

  const lend = (body: Json): ServiceResponse => {
    const { book_id: book, note = '', ...others } = body;
    const isRight = typeof book === 'string' && /^bk_[a-z0-9]{8}$/.test(book);
    if (!isRight || !isTextOf(note, 0, 40) || Object.keys(others).length > 0) {
      return respondWith(400);
    }
    if (!books.has(book)) {
      return respondWith(404);
    }
    if (away.has(book)) {
      return respondWith(409);
    }
    away.add(book);
    const loan = { ...body, id: randomUUID() };
    all.set(loan.id, loan);
    return respondWith(201, loan);
  };

  return async (request) => {
    const [kind = '', id = '', action] = segmentsOf(request);
    const items = kind === 'books' ? books : all;
    const body = jsonIn(request);
    if (id === '' && request.method === 'GET' && kind === 'loans') {
      return respondWith(200, listed([...all.values()]));
    }
    if (id === '' && request.method === 'POST') {
      const create = kind === 'books' ? addBook : lend;
      if (isObject(body)) {
        return create(body);
      }
      return respondWith(400);
    }
    const item = items.get(id);
    if (item === undefined) {
      return respondWith(404);
    }
    if (action === 'return' && request.method === 'POST') {
      away.delete(item['book_id']);
      return respondWith(204);
    }
    if (request.method === 'GET') {
      return respondWith(200, item);
    }
    return respondWith(405);
  };
}

/** Whether the value is a text of so many characters. */
function isTextOf(value: unknown, least: number, most: number): boolean {
  if (typeof value !== 'string') {
    return false;
  }
  const { length } = [...value];
  return length >= least && length <= most;
}
