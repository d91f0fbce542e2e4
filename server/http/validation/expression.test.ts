import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { serveForFile } from '../../testing/serve.ts';
import { isRe2Syntax } from './formats.ts';

function compiles(expression: string): boolean {
  try {
    RE2JS.compile(expression);
    return true;
  } catch {
    return false;
  }
}

const TOKENS = [
  'a',
  'b',
  'é',
  '(',
  ')',
  '[',
  ']',
  '[^',
  '{',
  '}',
  '{2}',
  '{2,}',
  '{2,3}',
  '{3,2}',
  '{01}',
  '{0}',
  '{1001}',
  '{,2}',
  '*',
  '+',
  '?',
  '|',
  '\\',
  '\\d',
  '\\pL',
  '\\p{Greek}',
  '\\p{Foo}',
  '\\PN',
  '\\Q',
  '\\E',
  '(?i)',
  '(?:',
  '(?is-m:',
  '(?P<n>',
  '(?=',
  '-',
  '^',
  '$',
  '\\x{41}',
  '\\x{110000}',
  '\\1',
  '\\b',
  '.',
  '[:alpha:]',
  'i',
  '1',
  ',',
  '\\p',
  '\\P{^Han}',
  '(?i',
  '(?s-i)',
];

test('the cheap judgement is that of RE2', () => {
  let valid = 0;
  const expressions = fc
    .array(fc.constantFrom(...TOKENS), { minLength: 1, maxLength: 8 })
    .map((tokens) => tokens.join(''));
  fc.assert(
    fc.property(expressions, (expression) => {
      const expected = compiles(expression);
      valid += expected ? 1 : 0;
      expect(isRe2Syntax(expression)).toBe(expected);
    }),
    // Counts within counts, which may grow too large, need more tokens than these.
    { numRuns: 5000 },
  );
  expect(valid).toBeGreaterThan(300);
});

describe('over HTTP', () => {
  const { send } = serveForFile();
  const create = async (user_agent_filter: object) => {
    const { id } = (await send({ method: 'POST', path: '/edges/https', body: {} })).json;
    return send({
      method: 'POST',
      path: `/edges/https/${id}/routes`,
      body: { match_type: 'exact_path', match: '/', user_agent_filter },
    });
  };

  test('what RE2 cannot read is refused, each with its place', async () => {
    const { status, json } = await create({ allow: ['a', '(', '(?=a)'], deny: [String.raw`(a)\1`, 'b'] });
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    const detail = 'must be a regular expression in RE2 syntax';
    expect(json.errors).toEqual(
      ['/user_agent_filter/allow/1', '/user_agent_filter/allow/2', '/user_agent_filter/deny/0'].map((pointer) => ({
        pointer,
        code: 'format',
        detail,
      })),
    );
  });

  test('the others are read back as sent', async () => {
    const sent = {
      enabled: true,
      allow: ['(?i)bot/[0-9]+', '(?P<name>x)|y', 'a{1000}'.repeat(100)],
      deny: [String.raw`\pL\p{Greek}\Q(\E`],
    };
    const answer = await create(sent);
    expect([answer.status, answer.json.user_agent_filter]).toEqual([201, sent]);
  });
});
