/** `nullable` beside references, which OpenAPI 3.0.3 and its writers read in two ways. */
import { describe, expect, test } from 'vitest';
import { type Handler, runOn } from './run.ts';

const contractWith = (kinds: object): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Pens', version: '1' },
    paths: {
      '/pens': {
        post: {
          operationId: 'add',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pen' } } },
          },
          responses: {
            200: {
              description: 'as it was sent',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pen' } } },
            },
            400: { description: 'refused' },
          },
        },
      },
    },
    components: {
      schemas: {
        Ink: { type: 'string', enum: ['blue', 'red'] },
        Lead: { type: 'string', enum: ['soft', 'hard'] },
        Pen: { type: 'object', properties: { kind: { nullable: true, ...kinds } } },
      },
    },
  });

const INK = { $ref: '#/components/schemas/Ink' };
const LEAD = { $ref: '#/components/schemas/Lead' };

/** Takes pens of these kinds; it shows no kind as null if it takes null. */
const pens =
  (kinds: readonly unknown[]): Handler =>
  ({ json }) => {
    const isPen = typeof json === 'object' && json !== null && !Array.isArray(json);
    if (!isPen || ('kind' in json && !kinds.includes(json.kind))) {
      return [400];
    }
    const absent = kinds.includes(null) ? null : undefined;
    return [200, { kind: json.kind ?? absent }];
  };

describe.each([
  ['one kind of kinds', contractWith({ allOf: [INK] }), ['blue', 'red']],
  [
    'one of two kinds of kinds',
    contractWith({ oneOf: [INK, LEAD] }),
    ['blue', 'red', 'soft', 'hard'],
  ],
])('%s', (_, contract, kinds) => {
  test.each([
    ['refuses null', kinds],
    ['takes and shows null', [...kinds, null]],
  ])('is right if the service %s', async (_reading, known) => {
    const { code, broken, passed } = await runOn(pens(known), contract);
    expect([code, broken]).toEqual([0, []]);
    expect(passed).toContain('add.200');
  });

  test('is wrong if the service takes other kinds', async () => {
    const takesAll: Handler = ({ json }) =>
      typeof json === 'object' && json !== null && !Array.isArray(json) ? [200, {}] : [400];
    const { code, broken } = await runOn(takesAll, contract);
    expect(code).toBe(1);
    expect(broken).toContainEqual(expect.stringMatching(/^add\.body\.kind\.(enum|oneOf)$/));
  });
});
