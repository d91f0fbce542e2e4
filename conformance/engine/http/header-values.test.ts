import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { headerValue } from './header-values.ts';

const CONTRACT = parseContract(`
openapi: 3.1.0
info: {title: Headers, version: '1'}
components:
  schemas:
    Tags: {type: array, items: {type: string}}
    Numbers: {type: array, items: {type: integer}}
    Range: {type: object, properties: {from: {type: integer}, to: {type: integer}}}
    Text: {type: string}
    Count: {type: integer}
    Limit: {oneOf: [{type: integer}, {type: string, enum: [none]}]}
`);

test.each([
  ['Tags', false, 'red, blue', ['red', 'blue']],
  ['Numbers', false, '1,2', [1, 2]],
  ['Numbers', false, '1,x', [1, 'x']],
  ['Range', false, 'from,1,to,5', { from: 1, to: 5 }],
  ['Range', true, 'from=1,to=5', { from: 1, to: 5 }],
  ['Range', false, 'from,1,to', 'from,1,to'],
  ['Text', false, 'a,b', 'a,b'],
  ['Count', false, '7', 7],
  ['Limit', false, '7', 7],
  ['Limit', false, 'none', 'none'],
])('a field with the schema %s (exploded: %s) reads %j as %j', (name, explode, text, value) => {
  const schema = `/components/schemas/${name}`;
  expect(headerValue(CONTRACT, schema, { explode, inJson: false }, text)).toEqual(value);
});

test('a field whose content is JSON is parsed, and stays a text if it is not', () => {
  const read = (text: string) =>
    headerValue(CONTRACT, '/components/schemas/Range', { explode: false, inJson: true }, text);
  expect([read('{"from":3}'), read('{')]).toEqual([{ from: 3 }, '{']);
});
