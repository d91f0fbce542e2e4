import { describe, expect, test } from 'vitest';
import { fieldErrorsOf, fieldErrorTable, parseFieldErrorTable } from './body-errors.ts';
import { loadContract } from '../../engine/contract/load.ts';
import { SYNTHETIC } from '../../engine/contract/synthetic.test.fixture.ts';

const contract = loadContract();
const { description } = contract.document['info'] as { description: string };

describe('the table of field errors', () => {
  test('is read from the contract', () => {
    const table = fieldErrorTable(contract)!;
    expect(Object.fromEntries([...table.byKeyword].map(([keyword, { code }]) => [keyword, code]))).toEqual({
      type: 'type',
      enum: 'value',
      const: 'value',
      pattern: 'format',
      format: 'format',
      minLength: 'too_short',
      maxLength: 'too_long',
      'x-max-bytes': 'too_many_bytes',
      minimum: 'too_small',
      maximum: 'too_large',
      minItems: 'too_few',
      maxItems: 'too_many',
      minProperties: 'too_few',
      maxProperties: 'too_many',
      uniqueItems: 'duplicate',
      required: 'required',
      additionalProperties: 'unknown',
    });
    expect(table).toMatchObject({
      missing: ['required'],
      null: ['required', 'type'],
      notAllowed: ['not_allowed_here'],
    });
  });

  test('is not needed: a contract without the heading has none', () => {
    expect(fieldErrorTable(SYNTHETIC)).toBeUndefined();
    expect(fieldErrorsOf(SYNTHETIC, '/components/schemas/Name', 5)).toBeUndefined();
  });

  test.each([
    ['another place', ['| the value |', '| somewhere |']],
    ['a keyword without its quotes', ['| `required` | `required` |', '| required | `required` |']],
    ['a code too many', ['| `format` | the value |', '| `format`, `value`, `type` | the value |']],
    ['no row for `then`', ['`then`, `else`: a property is missing or null', '`required`']],
    ['another head', ['| keyword | code | place |', '| keyword | code |']],
  ] as const)('with %s is an error', (_, [from, to]) => {
    expect(description).toContain(from);
    expect(() => parseFieldErrorTable(description.replace(from, to))).toThrow(/Field errors/);
  });
});

describe('the errors of a body', () => {
  const of = (schema: string, body: unknown) =>
    fieldErrorsOf(contract, `/components/schemas/${schema}`, body)!
      .filter(({ beside }) => !beside)
      .map(({ codes, pointers }) => `${codes?.join('|')} ${pointers.join('|')}`);

  test.each<[string, unknown, string[]]>([
    ['HTTPSEdgeCreate', { hostports: ['a:1', 'b.example', 'c:1'] }, ['format /hostports/1']],
    ['HTTPSEdgeCreate', { hostports: ['a:1', 'b:1', 'a:1'] }, ['duplicate /hostports|/hostports/2']],
    ['HTTPSEdgeCreate', { 'a/b~ é': 1 }, ['unknown /a~1b~0 é']],
    [
      'HTTPSEdgeCreate',
      { description: 'é'.repeat(128) },
      ['too_many_bytes /description', 'too_many_bytes /description'],
    ],
    ['HTTPSEdgeCreate', { mutual_tls: 5 }, ['type /mutual_tls']],
    [
      'HTTPSEdgeCreate',
      { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } },
      ['not_allowed_here /tls_termination/min_version'],
    ],
    ['HTTPSEdgeRouteCreate', { match: '/' }, ['required /match_type']],
    ['EndpointWebhookValidationMutate', { provider: 'github', secret: null }, ['required|type /secret']],
    ['EndpointWebhookValidationMutate', { provider: 'github' }, ['required /secret']],
    [
      'HTTPSEdgeRouteUpdate',
      { oauth: { provider: { github: {} } }, oidc: { issuer: 'https://a.example', client_id: 'a' } },
      ['not_allowed_here /oidc|/oidc/enabled'],
    ],
    ['EndpointRequestHeadersMutate', { add: { 'a b': '' } }, ['format /add|/add/a b']],
    ['EndpointOAuthMutate', { provider: {} }, ['too_few /provider']],
    ['EndpointOAuthMutate', { provider: { github: { scopes: ['a'] } } }, ['not_allowed_here /provider/github/scopes']],
  ])('%s %j', (schema, body, errors) => {
    expect(of(schema, body)).toEqual(errors);
  });

  test('beside a wrong value, a rule that binds it to others may be seen as broken; other places stay right', () => {
    const beside = (schema: string, body: unknown) =>
      fieldErrorsOf(contract, `/components/schemas/${schema}`, body)!
        .filter((one) => one.beside)
        .flatMap(({ pointers }) => pointers);
    expect(beside('EndpointOAuthMutate', { provider: { github: 1, gitlab: {} } })).toContain('/provider/gitlab');
    expect(beside('HTTPSEdgeCreate', { tls_termination: { terminate_at: 5 } })).toContain('/mutual_tls');
    expect(beside('HTTPSEdgeCreate', { description: 5 })).toEqual([]);
  });
});
