import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lineOfWords, loadContract, nearestContract, parseContract } from './load.ts';
import { joinPointer } from './pointers.ts';

const folder = mkdtempSync(join(tmpdir(), 'contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('finds the file above the sources and above the compiled files', () => {
  writeFileSync(join(folder, 'openapi.yaml'), '');
  for (const layout of ['conformance/engine/contract', 'dist/conformance/engine/contract']) {
    mkdirSync(join(folder, layout), { recursive: true });
    expect(nearestContract(join(folder, layout))).toBe(join(folder, 'openapi.yaml'));
  }
});

test('knows the title, the version and the hash', () => {
  expect(loadContract()).toMatchObject({
    title: expect.stringMatching(/HTTPS Edge/) as string,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
});

test('gives the same object for the same text, and another one once the file has changed', () => {
  const path = join(folder, 'changing.yaml');
  const text = 'openapi: 3.1.0\ninfo: { version: 1.0.0 }\n';
  writeFileSync(path, text);
  const first = loadContract(path);
  expect(loadContract(path)).toBe(first);
  writeFileSync(path, text.replace('1.0.0', '2.0.0'));
  expect(loadContract(path)).toMatchObject({ version: '2.0.0' });
  expect(first.version).toBe('1.0.0');
});

test.each([
  ['a missing file', () => loadContract(join(folder, 'missing.yaml')), /cannot read the contract .*missing\.yaml/],
  ['no file anywhere above', () => nearestContract('/'), /there is no openapi\.yaml/],
  ['text that is not YAML', () => parseContract('a: [', 'x.yaml'), /cannot parse the contract x\.yaml/],
  ['a key given twice', () => parseContract('openapi: 3.1.0\ninfo: {}\ninfo: {}'), /cannot parse the contract/],
  ['YAML that is not OpenAPI', () => parseContract('a: 1', 'x.yaml'), /x\.yaml is not an OpenAPI document/],
  ['an empty file', () => parseContract('', 'x.yaml'), /x\.yaml is not an OpenAPI document/],
  ['another version of OpenAPI', () => parseContract('{openapi: 2.0.0, info: {}}'), /only 3\.0 and 3\.1 are known/],
])('%s is a clear error', (_, load, message) => expect(load).toThrow(message));

/** The pointer of every place below `value`. */
function* places(value: unknown, pointer = ''): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield joinPointer(pointer, key);
    yield* places(inner, joinPointer(pointer, key));
  }
}

test('every place of the contract is on a line that shows it', () => {
  const { document, path, lineOf } = loadContract();
  const lines = readFileSync(path, 'utf8').split('\n');
  const wrong = [...places(document)].filter((pointer) => {
    const line = lines[lineOf(pointer) - 1]!;
    const key = pointer.slice(pointer.lastIndexOf('/') + 1).replaceAll('~1', '/');
    // A member begins with its key, and an item of a list with a dash, or is in brackets.
    const isItem = /^\d+$/.test(key) && /^ *- |\[/.test(line);
    return !(line.includes(`${key}:`) || line.includes(`'${key}':`) || isItem);
  });
  expect(wrong).toEqual([]);
});

const FORMS = parseContract(`# a comment
openapi: 3.1.0 # another

info: {title: A, tags: [x, y], none: {}}
"quoted key":
  - 1
  # between
  -
    deep: >
      folded
      text
    empty:
    last: true
  - [[a],
     [b]]
200: number
shared: &shared
  inner: 1
again: *shared
end: '#'
`);

test.each([
  ['', 2],
  ['/openapi', 2],
  ['/info/title', 4],
  ['/info/tags/1', 4],
  ['/info/none', 4],
  ['/quoted key', 5],
  ['/quoted key/0', 6],
  ['/quoted key/1/deep', 9],
  ['/quoted key/1/empty', 12],
  ['/quoted key/1/last', 13],
  ['/quoted key/2/0/0', 14],
  ['/quoted key/2/1/0', 15],
  ['/200', 16],
  ['/shared/inner', 18],
  ['/again', 19],
  ['/again/inner', 18],
  ['/end', 20],
])('the line of %j is %i', (pointer, line) => expect(FORMS.lineOf(pointer)).toBe(line));

test.each(['/nothing', '/openapi/0', '/quoted key/3', '/info/toString'])('%j has no line', (pointer) =>
  expect(() => FORMS.lineOf(pointer)).toThrow(`nothing at "${pointer}"`),
);

test('finds the line of words in a long text, across line breaks', () => {
  const description = 'One sentence (of two). The second\n    goes on here.\n\n    A third.';
  const contract = parseContract(`openapi: 3.1.0\ninfo:\n  description: |\n    ${description}\n`);
  const lineOf = (words: string) => lineOfWords(contract, '/info/description', words);
  expect(['One sentence (of two).', 'The second goes on', 'goes on here.', 'A third'].map(lineOf)).toEqual([
    4, 4, 5, 7,
  ]);
  expect(() => lineOf('A fourth')).toThrow('has no "A fourth"');
});

test('writes a schema false as a rule, on the line of that schema, and leaves examples as they are', () => {
  const schema =
    '{example: {items: false}, additionalProperties: false, properties: {items: {items: false}, gone: false}}';
  const contract = parseContract(`openapi: 3.1.0\ninfo: {}\ncomponents:\n  schemas:\n    A: ${schema}\n`);
  expect(contract.document['components']).toEqual({
    schemas: {
      A: {
        example: { items: false },
        additionalProperties: false,
        properties: { items: { items: { not: {} } }, gone: { not: {} } },
      },
    },
  });
  expect(contract.lineOf('/components/schemas/A/properties/gone/not')).toBe(5);
  expect(() => contract.lineOf('/components/schemas/A/not/type')).toThrow('nothing at');
});

test.each([
  ['{type: string, nullable: true}', { type: ['string', 'null'] }],
  ['{type: string, nullable: false}', { type: 'string' }],
  ['{minimum: 1, exclusiveMinimum: true}', { exclusiveMinimum: 1 }],
  ['{maximum: 1, exclusiveMaximum: false}', { maximum: 1 }],
  ['{$ref: "#/components/schemas/B", nullable: true}', { $ref: '#/components/schemas/B' }],
  ['{properties: {nullable: {type: string}}}', { properties: { nullable: { type: 'string' } } }],
])('reads %s of OpenAPI 3.0', (schema, expected) => {
  const { document } = parseContract(`openapi: 3.0.3\ninfo: {}\ncomponents: {schemas: {A: ${schema}}}`);
  expect(document['components']).toEqual({ schemas: { A: expected } });
});
