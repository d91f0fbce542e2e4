import { expect, test } from 'vitest';
import { errorsBeyondSchema } from './errors-beyond-schema.ts';

test('lone surrogates, equal names of headers, and metadata are errors beyond the schema', () => {
  const found = errorsBeyondSchema({
    metadata: 'a\ud800',
    'b\udc00': 1,
    saml: { idp_metadata: '<a/>' },
    request_headers: { add: { 'X-A': '', 'X-B': '', 'x-a': '' }, remove: ['a', 'b', 'A'] },
  });
  expect(found.map(({ codes, pointers }) => ({ codes, pointers }))).toEqual([
    { codes: ['unicode'], pointers: ['/metadata'] },
    { codes: ['unicode'], pointers: ['/b\udc00'] },
    {
      codes: ['duplicate'],
      pointers: ['/request_headers/add', '/request_headers/add/X-A', '/request_headers/add/x-a'],
    },
    {
      codes: ['duplicate'],
      pointers: [
        '/request_headers/remove',
        '/request_headers/remove/0',
        '/request_headers/remove/2',
      ],
    },
    { codes: ['format'], pointers: ['/saml/idp_metadata'] },
  ]);
});
