import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serveForFile } from '../../testing/serve.ts';
import { repeatedName } from './json-checks.ts';

const find = (json: string) => repeatedName(json)?.pointer;

describe('a name that stands twice', () => {
  test.for([
    ['{"a":1,"a":1}', '/a'],
    ['{"a":1,"b":{"c":[0,{"d":1,"d":2}]}}', '/b/c/1/d'],
    [String.raw`{"a":1,"\u0061":2}`, '/a'],
    ['{"a" \n\t\r:1,"a":2}', '/a'],
    ['{"__proto__":1,"__proto__":2}', '/__proto__'],
    ['{"":1,"":2}', '/'],
    ['{"a/b~":1,"a/b~":2}', '/a~1b~0'],
    [String.raw`{"x":"\\\"","a":1,"a":2}`, '/a'],
    [String.raw`{"\ud800":1,"\ud800":2}`, '/\ufffd'],
    [String.raw`{"x":"\":","a":{},"a":[]}`, '/a'],
    [String.raw`{"x\\":1,"x\\":2}`, '/x\\'],
    [String.raw`{"\"":1,"\u0022":2}`, '/"'],
    [String.raw`{"x":"\\", "a":"\"b\":", "a":1}`, '/a'],
  ] as const)('%s: %s', ([json, pointer]) => {
    expect(find(json)).toBe(pointer);
  });

  test.for([
    '{}',
    '[]',
    '1',
    '"a:b"',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    String.raw`{"a":"{\"a\":1,\"a\":2}"}`,
    String.raw`{"a":"\\","b":"\":"}`,
    '{"a":"x\\"","b":": \\":"}',
  ])('%s: none', (json) => {
    expect(find(json)).toBeUndefined();
  });

  /** Pairs instead of an object, so that names may repeat. */
  interface Pairs {
    pairs: [string, Tree][];
  }
  type Tree = string | number | Tree[] | Pairs;
  const name = fc.constantFrom('a', 'b', 'c', ':', '"', '\\', '": ', '__proto__');
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: fc.constantFrom('"', ':', '\\', '{', '}', ',', ' ', 'a') }),
      fc.integer(),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.record({ pairs: fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }) }),
    ),
  }));
  const isPairs = (value: Tree): value is Pairs => typeof value === 'object' && !Array.isArray(value);
  const write = (value: Tree): string => {
    if (Array.isArray(value)) return `[${value.map(write).join(' , ')}]`;
    return isPairs(value)
      ? `{${value.pairs.map(([one, inner]) => `${JSON.stringify(one)} :${write(inner)}`).join(',')}}`
      : JSON.stringify(value);
  };
  const repeats = (value: Tree): boolean => {
    if (Array.isArray(value)) return value.some(repeats);
    return (
      isPairs(value) &&
      (new Set(value.pairs.map(([one]) => one)).size < value.pairs.length ||
        value.pairs.some(([, inner]) => repeats(inner)))
    );
  };

  test('is found in every body that has one, and in no other', () => {
    fc.assert(
      fc.property(tree, (value) => (find(write(value)) !== undefined) === repeats(value)),
      { numRuns: 2000 },
    );
  });
});

describe('over HTTP', () => {
  const { send } = serveForFile();
  const post = (body: string) =>
    send({ method: 'POST', path: '/edges/https', headers: { 'content-type': 'application/json' }, body });

  test('it is refused, with its place, and nothing is made', async () => {
    const { status, json } = await post('{"tls_termination":{"enabled":true,"enabled":false}}');
    expect([status, json.code]).toEqual([400, 'malformed_request']);
    expect(json.errors).toMatchObject([{ pointer: '/tls_termination/enabled', code: 'repeated' }]);
    expect((await send({ path: '/edges/https' })).json.https_edges).toEqual([]);
  });

  test('JSON in a text may have one', async () => {
    expect((await post(JSON.stringify({ metadata: '{"a":1,"a":2}' }))).status).toBe(201);
  });
});
