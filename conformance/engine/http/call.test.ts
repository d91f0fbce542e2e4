/** The examples of OpenAPI for each style, and what a style cannot write. */
import { expect, it } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import { isReadInOneWay, requestTargetOf, withoutParameter, withParameter } from './call.ts';

const COLOURS = ['blue', 'black', 'brown'];
const RGB = { R: 100, G: 200, B: 150 };

it.each([
  [
    'path',
    'simple',
    false,
    ['/a/blue', '/a/blue%2Cblack%2Cbrown', '/a/R%2C100%2CG%2C200%2CB%2C150'],
  ],
  [
    'path',
    'simple',
    true,
    ['/a/blue', '/a/blue%2Cblack%2Cbrown', '/a/R%3D100%2CG%3D200%2CB%3D150'],
  ],
  ['path', 'label', false, ['/a/.blue', '/a/.blue,black,brown', '/a/.R,100,G,200,B,150']],
  ['path', 'label', true, ['/a/.blue', '/a/.blue.black.brown', '/a/.R=100.G=200.B=150']],
  ['path', 'matrix', false, ['/a/;c=blue', '/a/;c=blue,black,brown', '/a/;c=R,100,G,200,B,150']],
  ['path', 'matrix', true, ['/a/;c=blue', '/a/;c=blue;c=black;c=brown', undefined]],
  [
    'query',
    'form',
    false,
    ['?c=blue', '?c=blue%2Cblack%2Cbrown', '?c=R%2C100%2CG%2C200%2CB%2C150'],
  ],
  ['query', 'form', true, ['?c=blue', '?c=blue&c=black&c=brown', '?R=100&G=200&B=150']],
  [
    'query',
    'spaceDelimited',
    false,
    ['?c=blue', '?c=blue%20black%20brown', '?c=R%20100%20G%20200%20B%20150'],
  ],
  [
    'query',
    'pipeDelimited',
    false,
    ['?c=blue', '?c=blue%7Cblack%7Cbrown', '?c=R%7C100%7CG%7C200%7CB%7C150'],
  ],
  [
    'query',
    'deepObject',
    true,
    ['?c=blue', '?c=blue&c=black&c=brown', '?c%5BR%5D=100&c%5BG%5D=200&c%5BB%5D=150'],
  ],
])('%s parameters of style %s, exploded: %s', (place, style, explode, expected) => {
  const schema = '{properties: {R: {}, G: {}, B: {}}}';
  const written = `style: ${style}, explode: ${explode}`;
  const parameter = `{name: c, in: ${place}, ${written}, schema: ${schema}}`;
  const path = place === 'path' ? '/a/{c}' : '/a';
  const contract = parseContract(`
openapi: 3.1.0
info: {title: a, version: 1.0.0}
paths: {'${path}': {get: {parameters: [${parameter}], responses: {}}}}`);
  const [operation] = operationsOf(contract);
  const [declared] = operation!.parameters;
  const calls = ['blue', COLOURS, RGB].map((value) => withParameter({}, declared!, value));
  const targets = calls.map(
    (call) => call && requestTargetOf(operation!, call).replace(/^\/a\?/, '?'),
  );
  expect(targets).toEqual(expected);
  expect(withParameter({}, declared!, [[]])).toBeUndefined();
  if (place === 'query') {
    expect(withoutParameter(calls[2]!, declared!).query).toEqual([]);
  }
});

/** The first operation of a contract with this path. */
function operationAtPath(path: string, ...names: string[]) {
  const parameters = names.map((name) => ({ name, in: 'path', schema: {} }));
  const paths = { [path]: { parameters, get: { responses: {} } } };
  return operationsOf(parseContract(JSON.stringify({ openapi: '3.1.0', info: {}, paths })))[0]!;
}

it.each([
  ['/find?type=a', {}, '/find?type=a'],
  ['/find?type=a', { b: 'c d' }, '/find?type=a&b=c%20d'],
  ['/find#new', { b: 'c' }, '/find?b=c'],
])('the target of %s is a query, and no fragment', (path, query, target) => {
  expect(requestTargetOf(operationAtPath(path), { query })).toBe(target);
});

it.each([
  ['/a/{x}-{y}', { x: '1', y: '2' }, true],
  ['/a/{x}-{y}', { x: '1', y: '-2' }, false],
  ['/a/{x}-{y}', { x: '1-', y: '2' }, false],
  ['/a/{x}.json/{y}', { x: '.json', y: '/' }, true],
  ['/a/{x}{y}', { x: '1', y: '2' }, false],
])('%s is read in one way with %j: %s', (path, values, isOne) => {
  expect(isReadInOneWay(operationAtPath(path, 'x', 'y'), { path: values })).toBe(isOne);
});
