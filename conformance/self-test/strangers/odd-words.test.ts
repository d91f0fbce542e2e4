/** Schemas with words that no validator takes: what is wrong costs nothing else. */
import { expect, test } from 'vitest';
import { type Handler, runOn } from './run.ts';

const COLOURS = ['red', 'green', 'blue'];

const CONTRACT = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Odd words', version: '1' },
  paths: {
    '/flags': {
      post: {
        operationId: 'hoist',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Flag' } } },
        },
        responses: {
          200: { description: 'up', content: { 'application/json': null } },
          400: { description: 'refused' },
        },
      },
    },
  },
  components: {
    schemas: {
      Flag: {
        type: 'object',
        required: ['colours'],
        properties: {
          colours: {
            type: 'array',
            minItems: 3,
            uniqueItems: true,
            items: { type: 'string', enum: COLOURS },
          },
          // No value at all is allowed.
          never: { enum: [] },
          four: { type: 'array', minItems: 4, uniqueItems: true, items: { type: 'boolean' } },
          // A tuple in the words of older drafts.
          size: { type: 'array', items: [{ type: 'integer' }], additionalItems: false },
          round: { $ref: '#/components/schemas/Round' },
        },
      },
      Round: { $ref: '#/components/schemas/About' },
      About: { $ref: '#/components/schemas/Round' },
    },
  },
});

function isFlag(json: any, mayRepeat: boolean): boolean {
  const { colours, size = [] } = Object(json);
  const isList = Array.isArray(colours) && colours.every((one) => COLOURS.includes(one));
  const isUnique = isList && new Set(colours).size === colours.length;
  const isSize = Array.isArray(size) && size.length < 2 && size.every(Number.isInteger);
  const isClosed = !('never' in Object(json)) && !('four' in Object(json));
  const isLong = isList && colours.length >= 3;
  return isLong && (isUnique || mayRepeat) && isSize && isClosed;
}

const flags =
  (mayRepeat = false): Handler =>
  ({ json }) => [isFlag(json, mayRepeat) ? 200 : 400, { any: 'thing' }];

test('choices of nothing, circles and tuples of older drafts cost nothing else', async () => {
  const { code, broken, passed, report } = await runOn(flags(), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  const due = ['hoist.200', 'hoist.body.colours.uniqueItems', 'hoist.body.colours.*.enum'];
  expect(passed).toEqual(expect.arrayContaining([...due, 'hoist.body.size.0.type']));
  expect(report.warnings.join()).toContain('/components/schemas/Round/$ref');
});

test('a list of three choices that repeats one is found', async () => {
  const { code, broken } = await runOn(flags(true), CONTRACT);
  expect([code, broken]).toEqual([1, ['hoist.body.colours.uniqueItems']]);
});
