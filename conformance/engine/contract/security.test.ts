/** Where credentials go, by the security schemes of a contract. */
import { describe, expect, it } from 'vitest';
import { parseContract } from './load.ts';
import { credentialsOf, mostUsed } from './security.ts';

const contractOf = (security: string) =>
  parseContract(`
openapi: 3.0.3
info: {title: Keys, version: 1.0.0}
security: ${security}
paths:
  /a: {get: {responses: {'200': {description: a}}}}
  /b: {get: {security: [{tls: []}], responses: {'200': {description: b}}}}
components:
  securitySchemes:
    bearer: {type: http, scheme: Bearer}
    basic: {type: http, scheme: basic}
    digest: {type: http, scheme: digest}
    oauth: {type: oauth2, flows: {}}
    header: {type: apiKey, in: header, name: X-Key}
    query: {type: apiKey, in: query, name: apiKey}
    cookie: {type: apiKey, in: cookie, name: sid}
    tls: {type: mutualTLS}
`);

describe('credentials of a scheme', () => {
  it.each([
    ['bearer', { in: 'header', name: 'authorization', scheme: 'Bearer' }],
    ['oauth', { in: 'header', name: 'authorization', scheme: 'Bearer' }],
    ['basic', { in: 'header', name: 'authorization', scheme: 'Basic' }],
    ['header', { in: 'header', name: 'x-key' }],
    ['query', { in: 'query', name: 'apiKey' }],
    ['cookie', { in: 'cookie', name: 'sid' }],
    ['digest', 'the security scheme digest (http digest) takes something else than a token'],
    ['tls', 'the security scheme tls (mutualTLS) takes something else than a token'],
    ['none', 'the contract has no security scheme none'],
  ])('%s', (name, expected) => expect(credentialsOf(contractOf('[]'), name)).toEqual(expected));
});

describe('what the token of the command line is for', () => {
  it('is a scheme that can be used', () => {
    expect(mostUsed(contractOf('[{tls: []}, {query: []}]'))).toEqual({ in: 'query', name: 'apiKey' });
  });

  it('is nothing where no scheme can be used, with the reason', () => {
    expect(mostUsed(contractOf('[{digest: []}]'))).toMatch(/takes something else/);
  });
});
