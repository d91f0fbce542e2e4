/** The errors that a body has by its schema. */
import { expect, test } from 'vitest';
import { loadContract } from '../../engine/contract/load.ts';
import { fieldErrorTable } from './field-error-table.ts';
import type { RequestError } from './request-error.ts';
import { fieldErrorsOf } from './schema-errors.ts';

const contract = loadContract();

function errorsOf(schema: string, body: unknown): RequestError[] {
  const table = fieldErrorTable(contract);
  if (!table) {
    throw new Error('the contract has no table of field errors');
  }
  return fieldErrorsOf({ contract, table }, `/components/schemas/${schema}`, body);
}

function inShort({ codes = [], pointers = [] }: RequestError): string {
  return `${codes.join('|')} ${pointers.join('|')}`;
}

interface Row {
  schema: string;
  body: unknown;
  /** Codes and places of its errors. */
  due: string[];
}

const ROWS: Row[] = [
  {
    schema: 'HTTPSEdgeCreate',
    body: { hostports: ['a:1', 'b.example', 'c:1'] },
    due: ['format /hostports/1'],
  },
  {
    schema: 'HTTPSEdgeCreate',
    body: { hostports: ['a:1', 'b:1', 'a:1'] },
    due: ['duplicate /hostports|/hostports/2'],
  },
  { schema: 'HTTPSEdgeCreate', body: { 'a/b~ é': 1 }, due: ['unknown /a~1b~0 é'] },
  {
    schema: 'HTTPSEdgeCreate',
    body: { metadata: 'é'.repeat(2049) },
    due: ['too_many_bytes /metadata', 'too_many_bytes /metadata'],
  },
  {
    schema: 'EndpointWebhookValidationMutate',
    body: { provider: 'github', secret: null },
    due: ['required|type /secret'],
  },
  {
    schema: 'EndpointWebhookValidationMutate',
    body: { provider: 'github' },
    due: ['required /secret'],
  },
  {
    schema: 'HTTPSEdgeRouteUpdate',
    body: {
      oauth: { provider: { github: {} } },
      oidc: { issuer: 'https://a.example', client_id: 'a' },
    },
    due: ['not_allowed_here /oidc|/oidc/enabled', 'required /oidc/enabled'],
  },
  {
    schema: 'HTTPSEdgeRouteUpdate',
    body: { oauth: { provider: { github: {} } }, saml: 5, oidc: null },
    due: ['type /saml', 'type /saml', 'not_allowed_here /saml'],
  },
  {
    schema: 'EndpointOAuthMutate',
    body: { provider: { github: { scopes: 'a' } } },
    due: ['type /provider/github/scopes', 'not_allowed_here /provider/github/scopes'],
  },
  {
    schema: 'EndpointRequestHeadersMutate',
    body: { add: { 'a b': '' } },
    due: ['format /add|/add/a b'],
  },
  {
    schema: 'EndpointOAuthMutate',
    body: { provider: { github: { scopes: ['a'] } } },
    due: ['not_allowed_here /provider/github/scopes'],
  },
];

test.each(ROWS)('the errors of a $schema $body', ({ schema, body, due }) => {
  const errors = errorsOf(schema, body);
  expect(errors.filter(({ beside }) => !beside).map(inShort)).toEqual(due);
});

test('beside a wrong value, only a rule that binds it to others may be reported as broken', () => {
  const placesBeside = (schema: string, body: unknown) =>
    errorsOf(schema, body).flatMap(({ beside, pointers = [] }) => (beside ? pointers : []));
  const twoProviders = { provider: { github: 1, gitlab: {} } };
  expect(placesBeside('EndpointOAuthMutate', twoProviders)).toContain('/provider/gitlab');
  const terminatedAtFive = { tls_termination: { terminate_at: 5 } };
  expect(placesBeside('HTTPSEdgeCreate', terminatedAtFive)).toContain('/mutual_tls');
  expect(placesBeside('HTTPSEdgeCreate', { description: 5 })).toEqual([]);
});
