/** Loans of books: a body names what must exist. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const ID = '{name: id, in: path, required: true, schema: {type: string}}';
const content = (name: string): string =>
  `{application/json: {schema: {$ref: "#/components/schemas/${name}"}}}`;

const contractWith = (refusal: string, member: string): string => `
openapi: 3.1.0
info: {title: Loans, version: '1'}
paths:
  /books:
    post:
      operationId: addBook
      requestBody: {required: true, content: ${content('Book')}}
      responses:
        '201': {description: It., content: ${content('Book')}}
        '400': {description: It is refused.}
  /books/{id}:
    parameters: [${ID}]
    get:
      operationId: book
      responses:
        '200': {description: It., content: ${content('Book')}}
        '404': {description: There is none.}
  /loans:
    post:
      operationId: lend
      requestBody: {required: true, content: ${content('Loan')}}
      responses:
        '201': {description: It., content: ${content('Loan')}}
        '400': {description: It is refused.}
        '404': {description: ${JSON.stringify(refusal)}}
components:
  schemas:
    Book:
      type: object
      required: [title]
      properties:
        id: {type: string, readOnly: true}
        title: {type: string, minLength: 1, maxLength: 40}
    Loan:
      type: object
      required: [${member}, days]
      properties:
        id: {type: string, readOnly: true}
        ${member}: {type: string, minLength: 1}
        days: {type: integer, minimum: 1, maximum: 30}
`;

/** @param isLentAnyway whether a book is lent that does not exist */
function library(member: string, isLentAnyway: boolean): Handler {
  const books = new Map<string, unknown>();
  let count = 0;
  const newId = (): string => {
    count += 1;
    return `${'0123456789abcdef'.repeat(2)}-${count}`;
  };
  const isText = (value: unknown) => typeof value === 'string' && value !== '';
  const addBook = ({ title }: Record<string, unknown>): Reply => {
    if (!isText(title) || String(title).length > 40) {
      return [400];
    }
    const id = newId();
    books.set(id, { id, title });
    return [201, { id, title }];
  };
  const lend = ({ [member]: name, days }: Record<string, unknown>): Reply => {
    const isNumber = Number.isInteger(days) && Number(days) >= 1 && Number(days) <= 30;
    if (!isText(name) || !isNumber) {
      return [400];
    }
    const isThere = isLentAnyway || books.has(String(name));
    return isThere ? [201, { id: newId(), [member]: name, days }] : [404];
  };
  return ({ method, path, json }): Reply => {
    const [, collection, id] = path.split('/');
    if (method === 'POST' && id === undefined) {
      return collection === 'books' ? addBook(Object(json)) : lend(Object(json));
    }
    const book = books.get(id ?? '');
    return book === undefined ? [404] : [200, book];
  };
}

const THERE_IS_NONE = 'There is no such book.';

/** The status of the requirement; undefined if there is none. */
async function resultOf(
  refusal: string,
  { member = 'book_id', isLentAnyway = false } = {},
): Promise<string | undefined> {
  const options = ['--only', 'lend.body'];
  const handler = library(member, isLentAnyway);
  const { report } = await runOn(handler, contractWith(refusal, member), options);
  return report.requirements.find(({ id }) => id === `lend.body.${member}.unknown`)?.status;
}

test.each([
  THERE_IS_NONE,
  'Unknown book',
  'Book not found.',
  'The reader or the book does not exist.',
  '`book_id` names no book.',
  'It is gone, or the book was not found.',
])('a book that does not exist is not lent: %s', async (refusal) => {
  expect(await resultOf(refusal)).toBe('pass');
  expect(await resultOf(refusal, { isLentAnyway: true })).toBe('fail');
});

test.each([
  'There is none.',
  'Not found',
  'There is no such loan.',
  'The book is lent already.',
  'There is no book of this reader.',
  'Unknown books are bought.',
])('nothing is asked for by other words: %s', async (refusal) => {
  expect(await resultOf(refusal, { isLentAnyway: true })).toBeUndefined();
});

test('a member is no name if it is a text like any other', async () => {
  expect(await resultOf(THERE_IS_NONE, { member: 'book', isLentAnyway: true })).toBeUndefined();
});
