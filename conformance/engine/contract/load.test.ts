import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadContract, nearestContract, parseContract } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('loadContract', () => {
  test('finds the file above the sources and above the compiled files', () => {
    writeFileSync(join(folder, 'openapi.yaml'), '');
    for (const layout of ['conformance/engine/contract', 'dist/conformance/engine/contract']) {
      mkdirSync(join(folder, layout), { recursive: true });
      expect(nearestContract(join(folder, layout))).toBe(join(folder, 'openapi.yaml'));
    }
  });

  test('knows the title, the version and the hash', () => {
    const contract = loadContract();
    expect(contract.title).toMatch(/HTTPS Edge/);
    expect(contract.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(contract.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('lineOf gives the line of the key, and of the item in a list', () => {
    const contract = loadContract();
    const lines = readFileSync(contract.path, 'utf8').split('\n');
    const line = (pointer: string): string => lines[contract.lineOf(pointer) - 1]?.trim() ?? '';
    expect(line('')).toBe('openapi: 3.1.0');
    expect(line('/components/schemas/Description/x-max-bytes')).toBe('x-max-bytes: 255');
    expect(line('/components/schemas/Metadata/x-max-bytes')).toBe('x-max-bytes: 4096');
    expect(line('/components/schemas/ProblemCode/enum/2')).toBe('- unauthorized');
    expect(line('/paths/~1edges~1https~1{id}/get')).toBe('get:');
    expect(line('/paths/~1edges~1https/post/responses/201')).toBe("'201':");
    expect(() => contract.lineOf('/components/schemas/Nothing')).toThrow('/components/schemas/Nothing');
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

  test('spells out a schema false, on the line where it stands, and no example', () => {
    const contract = parseContract(
      [
        'openapi: 3.1.0',
        'info: {}',
        'components:',
        '  schemas:',
        '    A:',
        '      example: {items: false}',
        '      additionalProperties: false',
        '      properties:',
        '        items: {items: false}',
        '        gone: false',
      ].join('\n'),
    );
    expect(contract.document['components']).toEqual({
      schemas: {
        A: {
          example: { items: false },
          additionalProperties: false,
          properties: { items: { items: { not: {} } }, gone: { not: {} } },
        },
      },
    });
    expect(contract.lineOf('/components/schemas/A/properties/gone/not')).toBe(10);
    expect(() => contract.lineOf('/components/schemas/A/not/type')).toThrow('nothing at');
  });

  test.each([
    ['a missing file', () => loadContract(join(folder, 'missing.yaml')), /cannot read the contract .*missing\.yaml/],
    ['no file anywhere above', () => nearestContract('/'), /there is no openapi\.yaml/],
    ['text that is not YAML', () => parseContract('a: [', 'x.yaml'), /cannot parse the contract x\.yaml/],
    [
      'a key given twice',
      () => parseContract('openapi: 3.1.0\ninfo: {}\ninfo: {}', 'x.yaml'),
      /cannot parse the contract x\.yaml/,
    ],
    ['YAML that is not OpenAPI', () => parseContract('a: 1', 'x.yaml'), /x\.yaml is not an OpenAPI document/],
    ['an empty file', () => parseContract('', 'x.yaml'), /x\.yaml is not an OpenAPI document/],
  ])('%s is a clear error', (_, load, message) => expect(load).toThrow(message));
});
