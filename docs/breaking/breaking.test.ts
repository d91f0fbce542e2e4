import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { Json } from '../page/json.ts';
import { inOneForm } from './oasdiff.ts';
import { changesByOwnRules, mayBreak } from './own-rules.ts';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'openapi.yaml'), 'utf8');

// An edit of a place that the contract does not have throws.
type Edited = any;

/** Kind and place of what the rules find after one edit. */
function after(edit: (contract: Edited) => void): string[] {
  const edited = load(text, { schema: CORE_SCHEMA }) as Edited;
  edit(edited);
  const changes = changesByOwnRules(load(text, { schema: CORE_SCHEMA }) as Json, edited);
  return changes.map(({ kind, place }) => `${kind} ${place}`);
}

const createEdge = ({ paths }: Edited) => paths['/edges/https'].post;
const schemas = ({ components }: Edited) => components.schemas;
const conflict = ({ components }: Edited) => components.responses.Conflict;

describe('own rules', () => {
  it.each<[string, (contract: Edited) => void]>([
    ['max-bytes-decreased /components/schemas/Description', (one) => (schemas(one).Description['x-max-bytes'] = 254)],
    ['max-bytes-decreased /components/schemas/Match', (one) => (schemas(one).Match['x-max-bytes'] = 9999)],
    [
      'problem-code-removed /components/responses/Conflict',
      (one) => (conflict(one)['x-problem-codes'] = ['already_exists']),
    ],
    ['level-raised /paths/~1edges~1https/post', (one) => (createEdge(one)['x-level'] = 'extended')],
    ['operation-id-changed /paths/~1edges~1https/post', (one) => (createEdge(one).operationId = 'makeEdge')],
    ['default-changed /components/schemas/Enabled', (one) => (schemas(one).Enabled.default = false)],
    ['status-removed /paths/~1edges~1https/post/responses/413', (one) => delete createEdge(one).responses['413']],
  ])('find %s', (expected, edit) => {
    expect(after(edit)).toEqual([expected]);
  });

  it('accept higher limits, more codes, and what is new', () => {
    expect(
      after((one) => {
        schemas(one).Description['x-max-bytes'] = 256;
        schemas(one).New = { type: 'string', 'x-max-bytes': 1 };
        conflict(one)['x-problem-codes'].push('busy');
      }),
    ).toEqual([]);
  });
});

it.each([
  ['1.2.3', '1.3.0', false],
  ['1.2.3', '2.0.0', true],
  ['0.2.0', '0.2.1', false],
  ['0.2.0', '0.3.0', true],
  ['0.9.9', '1.0.0', true],
  ['0.2.0', '0.2.0', false],
])('version %s to %s may break: %s', (before, now, allowed) => {
  expect(mayBreak(before, now)).toBe(allowed);
});

it.each([
  [String.raw`^[^\r\n\0]*$`, String.raw`^[^\r\n\x00]*$`],
  [String.raw`^[^\u0000-\u0020\u007F]$`, String.raw`^[^\x00-\x20\x7f]$`],
  [String.raw`\u0100\\0\\u0000`, String.raw`\u0100\\0\\u0000`],
])('the pattern %s is spelled %s', (pattern, spelled) => {
  const rest = { pattern: { description: String.raw`\0` }, list: [{ example: String.raw`\u0000` }] };
  expect(inOneForm({ schema: { pattern }, ...rest })).toEqual({ schema: { pattern: spelled }, ...rest });
});
