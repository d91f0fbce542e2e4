/** Errors of several operations have one cause if code that they share raises them. */
import { expect, test } from 'vitest';
import { nameOfError, ruleCounted } from './evidence.ts';

test.each([
  ['{"title":"HttpMessageNotReadableException","detail":"no"}', 'HttpMessageNotReadableException'],
  ['sqlalchemy.exc.IntegrityError: (sqlite3) UNIQUE', 'IntegrityError'],
  ['java.lang.RuntimeException: org.hsqldb.HsqlException', 'HsqlException'],
  ['SQLException', 'SQLException'],
])('%s names an error of code that operations share', (body, name) => {
  expect(nameOfError(body)).toBe(name);
});

test.each([
  '{"error":"Internal Server Error"}',
  'InternalServerError',
  'HTTPException',
  'TypeError: Cannot read properties of null',
  'java.lang.NullPointerException at Pets.java:7',
  'an exception, or an Error',
  '',
])('%j names none', (body) => {
  expect(nameOfError(body)).toBeUndefined();
});

test('a length is counted in the same way at each place, and a pattern is not', () => {
  expect(ruleCounted('/a/properties/name/maxLength')).toBe('values that just keep maxLength');
  expect(ruleCounted('/a/properties/name/pattern')).toBeUndefined();
  expect(ruleCounted('')).toBeUndefined();
});
