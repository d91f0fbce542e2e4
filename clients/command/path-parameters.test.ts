/** The checks of path parameters that generated clients get, and the patterns that they check. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contract } from '../folders.ts';
import { readDocument } from '../samples/json.ts';
import { PATTERNS } from '../typescript/path-parameters.ts';
import { temporaryFolder } from '../../tools/temporary-folder.ts';
import { checkPathParameters, type PathExpression, pathParametersOf } from './path-parameters.ts';

const parameters = pathParametersOf(readDocument(contract));

it('the TypeScript client has the patterns of the contract', () => {
  const patterns = Object.entries(PATTERNS).map(([name, { source }]) => [name, source]);
  const found = parameters.map(({ name, pattern }) => [name, pattern]);
  expect(Object.fromEntries(patterns)).toEqual(Object.fromEntries(found));
});

/** A contract with one operation, whose path parameter has this schema. */
const withSchema = (schema: object) => ({
  paths: { '/things/{id}': { get: { parameters: [{ in: 'path', name: 'id', schema }] } } },
});

describe('a pattern', () => {
  it('is that of each parameter of each operation', () => {
    expect(pathParametersOf(withSchema({ pattern: '^[a-z]+$' }))).toEqual([
      { name: 'id', pattern: '^[a-z]+$' },
    ]);
    const edgeIds = parameters.filter(({ name }) => name === 'edge_id');
    expect(edgeIds).toHaveLength(7);
  });

  it.each([
    ['is missing', {}, /id needs a pattern/],
    ['has no end', { pattern: '^[a-z]+' }, /id needs a pattern from \^ to \$/],
    ['allows an empty value', { pattern: '^[a-z]*$' }, /id allows ''/],
    ['allows dot segments', { pattern: '^[a-z.]+$' }, /id allows '\.', '\.\.'/],
  ])('that %s is an error', (_, schema, message) => {
    expect(() => pathParametersOf(withSchema(schema))).toThrow(message);
  });
});

describe('the code of a generator', () => {
  const code: PathExpression = {
    folder: 'api',
    files: '.txt',
    expression: /escape\((?<value>(?<name>\w+))\)/g,
    checked: ({ name, pattern }, value) => `checked(${name}, ${value}, ${pattern})`,
    imported: (source) => `import checked\n${source}`,
  };
  const one = [{ name: 'id', pattern: '^a$' }];

  async function generated(source: string): Promise<string> {
    const out = await temporaryFolder();
    mkdirSync(join(out, 'api', 'deep'), { recursive: true });
    writeFileSync(join(out, 'api', 'deep', 'things.txt'), source);
    writeFileSync(join(out, 'api', 'others.txt'), 'nothing');
    return out;
  }

  it('checks each value of a path, and imports the check in each file that uses it', async () => {
    const out = await generated('"/things/" + escape(id)');
    checkPathParameters(out, code, one);
    const file = (...names: string[]) => readFileSync(join(out, 'api', ...names), 'utf8');
    expect(file('deep', 'things.txt')).toBe('import checked\n"/things/" + checked(id, id, ^a$)');
    expect(file('others.txt')).toBe('nothing');
  });

  it.each([
    ['with an expression that is not known', '"/things/" + quote(id)', 'found none'],
    ['with a parameter of another name', 'escape(key)', 'found key 1'],
    ['with a parameter too many', 'escape(id) + escape(id)', 'found id 2'],
  ])('%s is an error', async (_, source, message) => {
    const out = await generated(source);
    const check = () => checkPathParameters(out, code, one);
    expect(check).toThrow(`${message} in place of id 1`);
  });
});
