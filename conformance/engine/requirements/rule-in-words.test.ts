import { describe, expect, it } from 'vitest';
import type { Clause } from '../contract/clauses.ts';
import { ruleInWords } from './rule-in-words.ts';

const clause = (keyword: string, schema: Record<string, unknown>, rest: Partial<Clause> = {}): Clause =>
  ({ id: '', pointer: '', origin: '', path: ['a', 'b'], keyword, schema, ...rest }) as Clause;

describe('a rule in words', () => {
  it.each<[Clause, string]>([
    [clause('maxLength', { maxLength: 1024 }), '`a.b` has at most 1,024 characters'],
    [clause('minItems', { minItems: 1 }), '`a.b` has at least 1 item'],
    [clause('x-max-bytes', { 'x-max-bytes': 255 }), '`a.b` has at most 255 bytes of UTF-8'],
    [clause('type', { type: ['string', 'null'] }), '`a.b` is of type string or null'],
    [clause('enum', { enum: ['x', null] }), '`a.b` is one of "x", null'],
    [clause('required', {}, { name: 'c', path: [] }), 'the body has `c`'],
    [clause('dependentRequired', {}, { name: 'c.d' }), '`a.b` has `c` only together with `d`'],
    [clause('pattern', { pattern: '^x$' }), '`a.b` matches ^x$'],
    [clause('pattern', { pattern: '^x$', 'x-pattern-description': 'one x.' }), '`a.b` has the form: one x'],
    [clause('minLength', { minLength: 2 }, { onNames: true }), 'each name in `a.b` has at least 2 characters'],
    [clause('multipleOf', { multipleOf: 3 }), '`a.b` keeps `multipleOf: 3`'],
  ])('%#', (given, words) => expect(ruleInWords(given)).toBe(words));

  it('names conditions and consequences of both branches', () => {
    const schema = {
      if: { required: ['c'], properties: { c: { type: 'object', properties: { kind: { const: 'x' } } } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { properties: { d: { type: 'null' }, e: { type: 'null' }, f: { maxItems: 0 } } },
      else: { required: ['d'] },
    };
    expect(ruleInWords(clause('if', schema, { name: 'then', path: [] }))).toBe(
      'when `c.kind` is "x", `f` is empty and `d` and `e` are null',
    );
    expect(ruleInWords(clause('if', schema, { name: 'else' }))).toBe('unless `a.b.c.kind` is "x", `a.b.d` is given');
  });
});
