/** Patterns with lookaround and references, and patterns in the words of other languages. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

const CONTRACT = String.raw`
openapi: 3.0.3
info: {title: Accounts, version: '1'}
paths:
  /accounts:
    post:
      operationId: addAccount
      parameters:
        - {name: code, in: query, schema: {type: string, pattern: '^(\w)\1{2}$'}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [password]
              properties:
                password: {type: string, pattern: '^(?=.*\d)(?!.*admin).{4,}$'}
                triple: {type: string, pattern: '^(\w)\1{2}$'}
                tag: {type: string, pattern: '(?i)\A(?P<kind>ab|cd)-(?P=kind)\Z'}
                word: {type: string, pattern: '\A[[:alpha:]]{2,6}\z'}
                number: {type: string, pattern: '^(?>\d{1,3})x++$'}
                recursive: {type: string, pattern: '^(?P>word)(?(1)a|b)\G$'}
      responses: {'201': {description: kept}, '400': {description: refused}}
`;

/** What each member means, by the hand of a person. */
const RULES: Readonly<Record<string, RegExp>> = {
  password: /^(?=.*\d)(?!.*admin).{4,}$/u,
  triple: /^(\w)\1{2}$/u,
  tag: /^(?:ab-ab|cd-cd)$/i,
  word: /^[A-Za-z]{2,6}$/,
  number: /^\d{1,3}x+$/,
  recursive: /^/,
};

/** @param ignored rules that are replaced by these */
function accounts(ignored: Readonly<Record<string, RegExp>> = {}): Handler {
  const rules = { ...RULES, ...ignored };
  return ({ json, query }) => {
    const isCode = query
      .getAll('code')
      .every((one) => (ignored['code'] ?? RULES['triple']!).test(one));
    if (!isObject(json) || !isCode || query.getAll('code').length > 1) {
      return [400];
    }
    const members = Object.entries(json);
    const isRight = members.every(([name, value]) => {
      const rule = rules[name] ?? /^/;
      const isKnown = Object.hasOwn(RULES, name);
      return !isKnown || (typeof value === 'string' && rule.test(value));
    });
    return [isRight && 'password' in json ? 201 : 400];
  };
}

test('a service that keeps its patterns has no failure, and each is tried', async () => {
  const { code, broken, passed, report } = await runOn(accounts(), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  const tried = ['password', 'triple', 'tag', 'word', 'number'];
  expect(passed).toEqual(
    expect.arrayContaining(tried.map((name) => `addAccount.body.${name}.pattern`)),
  );
  expect(passed).toContain('addAccount.query.code.pattern');
  const unread = report.requirements.find(({ id }) => id === 'addAccount.body.recursive.pattern');
  expect(unread).toMatchObject({ status: 'skip' });
});

test.each([
  ['password', /^.{4,}$/u, 'body.password'],
  ['password', /^(?=.*\d).{4,}$/u, 'body.password'],
  ['password', /^(?!.*admin).{4,}$/u, 'body.password'],
  ['triple', /^(\w)\w{2}$/u, 'body.triple'],
  ['tag', /^(?:ab|cd)-(?:ab|cd)$/i, 'body.tag'],
  ['word', /^.{2,7}$/, 'body.word'],
  ['number', /^\d*x*/, 'body.number'],
  ['code', /^\w{3}$/, 'query.code'],
])('a service that has %s as %s is not conformant', async (name, ignoring, place) => {
  const { code, broken } = await runOn(accounts({ [name]: ignoring }), CONTRACT, [
    '--only',
    `addAccount.${place}.pattern`,
  ]);
  expect([code, broken]).toEqual([1, [`addAccount.${place}.pattern`]]);
});
