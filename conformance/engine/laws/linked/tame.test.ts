/** Values that no service changes: what a contract leaves open is not compared. */
import { describe, expect, it } from 'vitest';
import { parseContract } from '../../contract/load.ts';
import { shapeOf } from '../../contract/shape.ts';
import { isExact, tame, tameBody } from './values.ts';

const contract = parseContract(`
openapi: 3.1.0
info: {title: a, version: 1.0.0}
paths: {}
components:
  schemas:
    Text: {type: string, minLength: 3, maxLength: 5}
    Code: {type: string, pattern: '^[A-Z]{2}$'}
    Time: {type: object, properties: {at: {type: string, format: date-time}}}
    Own: {type: object, properties: {id: {type: string, readOnly: true}}}
    Tree: {type: object, properties: {name: {type: string}, inside: {$ref: '#/components/schemas/Tree'}}}
    Set: {type: array, uniqueItems: true, items: {type: integer}}
    Body:
      type: object
      required: [text]
      properties: {text: {$ref: '#/components/schemas/Text'}, none: {type: [string, 'null']}, half: {type: number, maximum: 0.5, minimum: 0.25}}
`);
const shape = (name: string) => shapeOf(contract, `/components/schemas/${name}`);

describe('values that stay as they are', () => {
  it('have no format with several spellings, and nothing that only one side has', () => {
    const exact = ['Text', 'Code', 'Time', 'Own', 'Tree', 'Set'].filter((name) => isExact(shape(name)));
    expect(exact).toEqual(['Text', 'Code', 'Tree', 'Set']);
  });

  it('are new words in place of free texts', () => {
    expect(tame(shape('Text'), ' É ')).toMatch(/^[a-z]{5}$/);
    expect(tame(shape('Code'), 'AB')).toBe('AB');
  });

  it('are sets of one', () => expect(tame(shape('Set'), [2, 1])).toEqual([2]));

  it('stay valid, and leave out null', () => {
    const tamed = tameBody(contract, '/components/schemas/Body', { text: 'x y z', none: null, half: 0.5 });
    expect(tamed).toEqual({ text: expect.stringMatching(/^[a-z]{5}$/), half: 0.5 });
  });
});
