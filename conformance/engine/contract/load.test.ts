import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { folderWith } from '../../cli/testing/folder.ts';
import { serve } from '../../self-test/service.ts';
import { NULL_IS_OPEN } from './keywords.ts';
import { lineOfWords, loadAnyContract, loadContract, nearest, parseContract } from './load.ts';
import { operationsOf } from './operations.ts';
import { joinPointer, walk } from './pointers.ts';

const FILES = {
  'root/api.yaml': [
    'openapi: 3.1.0',
    "info: {title: T, version: '1'}",
    'paths:',
    "  /a: {$ref: 'paths/a.yaml'}",
    '',
  ].join('\n'),
  'root/paths/a.yaml': `get: {responses: {'200': {$ref: '../ok.json#/ok'}}}\n`,
  'root/ok.json': '{"ok": {"description": "fine"}}',
  'root/out.yaml': `openapi: 3.1.0\ninfo: {}\npaths:\n  /a: {$ref: '../outside.yaml'}\n`,
  'outside.yaml': 'get: {}\n',
};
const folder = folderWith(FILES);
afterAll(() => folder[Symbol.dispose]());

test('gives the same object for the same text, and another one once the file has changed', () => {
  const path = folder.file('changing.yaml');
  const text = 'openapi: 3.1.0\ninfo: { version: 1.0.0 }\n';
  writeFileSync(path, text);
  const first = loadContract(path);
  expect(loadContract(path)).toBe(first);
  expect(first.sha256).toMatch(/^[0-9a-f]{64}$/);
  writeFileSync(path, text.replace('1.0.0', '2.0.0'));
  expect(loadContract(path)).toMatchObject({ version: '2.0.0' });
  expect(first.version).toBe('1.0.0');
});

test.each([
  ['utf-16le', [0xff, 0xfe], (text: string) => Buffer.from(text, 'utf16le')],
  ['utf-16be', [0xfe, 0xff], (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ['utf-8', [0xef, 0xbb, 0xbf], (text: string) => Buffer.from(text)],
])('reads a contract in %s that has a byte order mark', (_, mark, encoded) => {
  const path = folder.file('encoded.yaml');
  const text = "openapi: 3.1.0\ninfo: {title: Größe ✓, version: '1'}\n";
  writeFileSync(path, Buffer.concat([Buffer.from(mark), encoded(text)]));
  expect(loadContract(path).title).toBe('Größe ✓');
});

test.each([
  [
    'a missing file',
    () => loadContract(folder.file('missing.yaml')),
    /cannot read the contract .*missing\.yaml/,
  ],
  ['no file anywhere above', () => nearest('openapi.yaml', '/'), /there is no openapi\.yaml/],
  [
    'text that is not YAML',
    () => parseContract('a: [', 'x.yaml'),
    /cannot parse the contract x\.yaml/,
  ],
  [
    'YAML that is not OpenAPI',
    () => parseContract('a: 1', 'x.yaml'),
    /x\.yaml is not an OpenAPI document/,
  ],
  ['an empty file', () => parseContract('', 'x.yaml'), /x\.yaml is not an OpenAPI document/],
  [
    'another version',
    () => parseContract('{openapi: 2.0.0, info: {}}'),
    /only 2\.0 and 3\.0 to 3\.2 are known/,
  ],
])('%s is a clear error', (_, load, message) => expect(load).toThrow(message));

test('a contract without `info` has the name of its file, and a warning', () => {
  const { title, version, warnings } = parseContract('{openapi: 3.1.0, paths: {}}', 'a/shop.yaml');
  expect({ title, version }).toEqual({ title: 'shop.yaml', version: 'without a version' });
  expect(warnings).toEqual([expect.stringContaining('no `info`')]);
});

test('each use of a YAML anchor has its own objects', () => {
  const { document } = parseContract(
    '{openapi: 3.0.0, info: {}, a: &a {b: {nullable: true, type: string}}, c: [*a, *a]}',
  );
  const found: unknown[] = [];
  walk(document, (value) => found.push(value));
  expect([document['c'], new Set(found).size]).toEqual([
    [document['a'], document['a']],
    found.length,
  ]);
});

/** Its name does not end in `.yaml`: a formatter would change it. */
const FORMS = readFileSync(join(import.meta.dirname, 'forms.txt'), 'utf8');

test('every member and every short item is on a line that shows it', () => {
  const { path } = loadContract();
  for (const text of [readFileSync(path, 'utf8'), FORMS]) {
    const { document, lineOf } = parseContract(text);
    const lines = text.split('\n');
    walk(document, (found, pointer) => {
      for (const [key, value] of Object.entries(found)) {
        const line = lines[lineOf(joinPointer(pointer, key)) - 1]!;
        const isMember = [`${key}:`, `'${key}':`, `"${key}":`].some((one) => line.includes(one));
        const isLong = typeof value === 'object' || String(value).length > 60;
        const isItem = /^\d+$/.test(key) && (isLong || line.includes(String(value)));
        expect(isMember || isItem, `${pointer} ${key}: ${line}`).toBe(true);
      }
    });
  }
});

test('a place that does not exist has the line of what leads there', () => {
  const { lineOf } = parseContract(FORMS);
  expect(['', '/quoted key/1', '/again/inner'].map(lineOf)).toEqual([2, 9, 18]);
  expect(['/nothing', '/openapi/0', '/quoted key/3', '/info/toString'].map(lineOf)).toEqual([
    2, 2, 5, 4,
  ]);
});

test('finds the line of words in a long text, across line breaks', () => {
  const description = 'One sentence (of two). The second\n    goes on here.\n\n    A third.';
  const contract = parseContract(`openapi: 3.1.0\ninfo:\n  description: |\n    ${description}\n`);
  const lineOf = (words: string) => lineOfWords(contract, '/info/description', words);
  expect(
    ['One sentence (of two).', 'The second goes on', 'on here.', 'A third'].map(lineOf),
  ).toEqual([4, 4, 5, 7]);
  expect(() => lineOf('A fourth')).toThrow('has no "A fourth"');
});

test('a schema false becomes a rule on its line, and examples stay as they are', () => {
  const schema =
    '{example: {items: false}, additionalProperties: false, ' +
    'properties: {items: {items: false}, gone: false}}';
  const contract = parseContract(
    `openapi: 3.1.0\ninfo: {}\ncomponents:\n  schemas:\n    A: ${schema}\n`,
  );
  const properties = { items: { items: { not: {} } }, gone: { not: {} } };
  const A = { example: { items: false }, additionalProperties: false, properties };
  expect(contract.document['components']).toEqual({ schemas: { A } });
  expect(contract.lineOf('/components/schemas/A/properties/gone/not')).toBe(5);
});

test.each([
  ['{type: string, nullable: true}', { type: ['string', 'null'] }],
  ['{type: string, nullable: false}', { type: 'string' }],
  ['{minimum: 1, exclusiveMinimum: true}', { exclusiveMinimum: 1 }],
  ['{maximum: 1, exclusiveMaximum: false}', { maximum: 1 }],
  ['{$ref: "#/components/schemas/B", nullable: true}', { $ref: '#/components/schemas/B' }],
  ['{properties: {nullable: {type: string}}}', { properties: { nullable: { type: 'string' } } }],
  [
    '{nullable: true, allOf: [{type: string}]}',
    { oneOf: [{ type: 'string' }, { type: 'null' }], [NULL_IS_OPEN]: true },
  ],
  [
    '{nullable: true, allOf: [{type: string}]}',
    { oneOf: [{ type: 'string' }, { type: 'null' }] },
    '3.0.2',
  ],
  ['{nullable: true, allOf: {type: string}}', {}, '3.0.2'],
  ['{nullable: true, type: string, enum: [a]}', { type: ['string', 'null'], enum: ['a'] }],
  [
    '{nullable: true, type: string, enum: [a]}',
    { type: ['string', 'null'], enum: ['a', null] },
    '3.0.0',
  ],
  [
    '{nullable: true, anyOf: [{type: string}]}',
    { anyOf: [{ type: 'string' }, { type: 'null' }], [NULL_IS_OPEN]: true },
  ],
  [
    '{$id: a, properties: {b: {$ref: a}}}',
    { properties: { b: { $ref: '#/components/schemas/A' } } },
    '3.1.0',
  ],
  [
    '{items: {$anchor: b, type: string}, not: {$ref: "#b"}}',
    { items: { type: 'string' }, not: { $ref: '#/components/schemas/A/items' } },
    '3.1.0',
  ],
])('reads %s', (schema, expected, version = '3.0.3') => {
  const { document } = parseContract(
    `openapi: ${version}\ninfo: {}\ncomponents: {schemas: {A: ${schema}}}`,
  );
  expect(document['components']).toEqual({ schemas: { A: expected } });
});

test.each([
  ['type: [string, null]', { type: ['string', 'null'] }, 'type'],
  ['type: null', { type: 'null' }, 'type'],
  ['pattern: "/^[a-z]+$/"', { pattern: '^[a-z]+$' }, 'pattern'],
  ['pattern: "/(?=.*a).{8}/"', { pattern: '(?=.*a).{8}' }, 'pattern'],
  ['pattern: "/[a-z]+$/gi"', { pattern: '(?i)[a-z]+$' }, 'pattern'],
])('reads %s as it is meant, with a warning', (rule, meant, keyword) => {
  const { document, warnings } = parseContract(
    `openapi: 3.1.0\ninfo: {}\ncomponents: {schemas: {A: {${rule}}}}`,
  );
  expect(document['components']).toEqual({ schemas: { A: meant } });
  expect(warnings).toEqual([expect.stringContaining(`: /components/schemas/A/${keyword}.`)]);
});

test.each(['/a/', '^/a/$', '/(a)/', '/^a$/x'])('a pattern %s stays as it is', (pattern) => {
  const { document, warnings } = parseContract(
    `openapi: 3.1.0\ninfo: {}\ncomponents: {schemas: {A: {pattern: '${pattern}'}}}`,
  );
  expect(document['components']).toEqual({ schemas: { A: { pattern } } });
  expect(warnings).toEqual([]);
});

describe('a contract of several files', () => {
  test('is one document, with the lines of its first file', async () => {
    const textAt = (target: string) => FILES[`root${target}` as keyof typeof FILES];
    const { url, close } = await serve(async ({ target }) => ({
      status: 200,
      headers: {},
      body: textAt(target),
    }));
    onTestFinished(close);
    for (const home of [folder.file('root'), url]) {
      const contract = await loadAnyContract(`${home}/api.yaml`);
      const { responses } = operationsOf(contract)[0]!;
      expect(responses['200']!.status).toBe('200');
      expect(JSON.stringify(contract.document['paths'])).toContain('fine');
      expect(contract.lineOf('/paths/~1a/get/responses/200')).toBe(4);
    }
  });

  test('follows references also below a folder that is named', async () => {
    const { document } = await loadAnyContract(folder.file('root/out.yaml'), [folder.file('')]);
    expect(JSON.stringify(document)).not.toContain('outside');
  });

  test('needs no file for a schema that has the name of one', async () => {
    const schemas = '{A: {$ref: b.json}, B: {$id: b.json, type: string}}';
    const one = folderWith({
      'api.yaml': `openapi: 3.1.0\ninfo: {}\ncomponents: {schemas: ${schemas}}`,
    });
    const { document } = await loadAnyContract(one.file('api.yaml'));
    expect(document['components']).toMatchObject({
      schemas: { A: { $ref: '#/components/schemas/B' } },
    });
  });

  test('a reference out of the folder is a warning, and its path has no operations', async () => {
    const contract = await loadAnyContract(folder.file('root/out.yaml'));
    expect(contract.warnings).toEqual([
      expect.stringMatching(
        /outside\.yaml.*\(references are followed below .*root\/ only; --references names others\)/,
      ),
    ]);
    expect(operationsOf(contract)).toEqual([]);
  });

  test('a reference that is not a URL is a warning, and stays as it is written', async () => {
    const broken = '{$ref: "http://localhost:${port}/schemas.json#/A"}';
    using own = folderWith({
      'api.yaml': `openapi: 3.1.0\ninfo: {}\npaths: {/a: ${broken}}\nx: {$ref: other.yaml}`,
      'other.yaml': `a: ${broken}\nb: {fine: true}`,
    });
    const { document, warnings } = await loadAnyContract(own.file('api.yaml'));
    expect(warnings).toEqual([expect.stringContaining('http://localhost:${port}/schemas.json')]);
    const $ref = 'http://localhost:${port}/schemas.json#/A';
    expect(document['paths']).toEqual({ '/a': { $ref } });
    expect(document['x']).toEqual({ a: { $ref }, b: { fine: true } });
  });

  test('a missing file is refused', async () => {
    const missing = loadAnyContract(folder.file('root/missing.yaml'));
    await expect(missing).rejects.toThrow(/cannot read the contract/);
  });
});

test('references by the address of the document itself lead into it', async () => {
  using own = folderWith({
    'api.yaml': `
      openapi: 3.2.0
      $self: https://example.com/v1/api.yaml
      info: {}
      paths:
        /a: {$ref: 'https://example.com/v1/api.yaml#/components/pathItems/A'}
        /b: {$ref: 'api.yaml#/components/pathItems/A'}
        /c: {get: {operationId: c, responses: {'200': {description: '', content: {application/json:
          {schema: {}, example: {$ref: 'api.yaml#/a'}}}}}}}
      components: {pathItems: {A: {get: {responses: {'200': {description: ok}}}}}}
    `,
  });
  const contract = await loadAnyContract(own.file('api.yaml'));
  expect(contract.warnings).toEqual([]);
  expect(operationsOf(contract).map(({ path }) => path)).toEqual(['/a', '/b', '/c']);
  expect(JSON.stringify(contract.document)).not.toContain('"$ref":"api');
});
