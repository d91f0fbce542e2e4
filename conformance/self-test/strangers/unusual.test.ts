/** Unusual values of required parameters, where no value that works is known; and long lists. */
import { expect, test } from 'vitest';
import { runOn } from './run.ts';

const WORDS = Array.from({ length: 60 }, (_, index) => `color-${index}`);

const CONTRACT = `
openapi: 3.1.0
info: {title: Tiles, version: '1'}
paths:
  /tiles:
    get:
      operationId: tiles
      parameters:
        - {name: url, in: query, required: true, schema: {type: string}}
      responses:
        '200': {description: Them.}
        '400': {description: No such file.}
  /maps:
    get:
      operationId: maps
      parameters:
        - {name: color, in: query, schema: {enum: [${WORDS.join(', ')}]}}
      responses:
        '200': {description: It.}
        '400': {description: It is wrong.}
`;

test('an empty text for a required parameter is tried, though nothing is accepted', async () => {
  const { broken } = await runOn(({ path, query }) => {
    return path === '/tiles' && query.get('url') === '' ? [500] : [400];
  }, CONTRACT);
  expect(broken).toContain('tiles.parameters.unusual');
});

test('all values of a long list are tried, and some of each kind that it lacks', async () => {
  const { requests, passed } = await runOn(
    ({ query }) => [WORDS.includes(query.get('color') ?? 'color-0') ? 200 : 400],
    CONTRACT,
    ['--only', 'maps.query.color.enum'],
  );
  expect(passed).toEqual(['maps.query.color.enum']);
  const colors = requests.flatMap((one) => /color=([^&]*)/.exec(one)?.[1] ?? []);
  expect(new Set(colors.filter((one) => WORDS.includes(one))).size).toBe(WORDS.length);
  expect(colors.filter((one) => !WORDS.includes(one)).length).toBeLessThan(100);
});
