import { expect, test } from 'vitest';
import { linkTo } from './link-header.ts';

const BASE = 'http://service.example/v1/pages?size=2';
const NEXT = 'http://service.example/v1/pages?after=b';

test.each([
  ['quotes', '</v1/pages?after=b>; rel="next"'],
  ['no quotes', '</v1/pages?after=b>;rel=next'],
  ['a relative reference', '<?after=b>; rel="next"'],
  ['an absolute URI', '<http://service.example/v1/pages?after=b>; rel="next"'],
  ['several links in a field', '</v1/pages>; rel="first", </v1/pages?after=b>; rel="next"'],
  ['several relation types', '</v1/pages?after=b>; rel="last next"'],
  ['parameters before the relation', '<?after=b>; title="a, <b>; rel=prev" ; rel="next"'],
  ['upper case', '<?after=b>; REL="Next"'],
  ['two relations, of which the first counts', '<?after=b>; rel=next; rel=prev'],
  ['a parameter without a value', '<?after=b>; crossorigin; rel=next'],
  ['an escaped quote', '<?after=b>; title="a\\"; rel=prev"; rel=next'],
])('a link is read with %s', (_, field) => {
  expect(linkTo('next', field, BASE)).toBe(NEXT);
});

test.each([
  ['an empty field', ''],
  ['another relation', '<?after=b>; rel="prev"'],
  ['a relation that only contains the word', '<?after=b>; rel="nextish"'],
  ['a relation in the text of another parameter', '<?after=b>; title="rel=next"'],
  ['two relations, of which the second one would count', '<?after=b>; rel=prev; rel=next'],
  ['a link from something else', '<?after=b>; rel=next; anchor="#part"'],
])('%s leads to no next page', (_, field) => {
  expect(linkTo('next', field, BASE)).toBeUndefined();
});
