/**
 * The command on planted changes: each breaking one is found, each other one is let through. Needs Go, once, for
 * oasdiff.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CORE_SCHEMA, dump, load } from 'js-yaml';
import { installOasdiff } from './oasdiff.ts';

const root = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(root, 'openapi.yaml'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'edge-breaking-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => void installOasdiff(root));

/* The contract, to be edited: what a test names must be there, or the edit throws. */
type Loose = any;

function check(edit: (contract: Loose) => void, version?: string): { code: number | null; output: string } {
  const edited = load(text, { schema: CORE_SCHEMA }) as Loose;
  edit(edited);
  if (version !== undefined) edited.info.version = version;
  const after = join(folder, 'after.yaml');
  writeFileSync(after, dump(edited, { noRefs: true }));
  const run = spawnSync(
    process.execPath,
    [join(root, 'dist', 'docs', 'breaking', 'check.js'), join(root, 'openapi.yaml'), after],
    { encoding: 'utf8' },
  );
  return { code: run.status, output: run.stdout + run.stderr };
}

const schemas = (contract: Loose) => contract.components.schemas;

describe('breaking', () => {
  it.each<[string, (contract: Loose) => void, RegExp]>([
    ['an operation that is gone', (one) => delete one.paths['/edges/https/{id}'].delete, /api-removed/],
    [
      'a property that becomes required',
      (one) => (schemas(one).HTTPSEdgeCreate.required = ['hostports']),
      /became-required/,
    ],
    [
      'a property that cannot be sent any more',
      (one) => delete schemas(one).HTTPSEdgeCreate.properties.metadata,
      /request-property-removed/,
    ],
    [
      'a property that is missing in responses',
      (one) => delete schemas(one).HTTPSEdge.properties.metadata,
      /response-required-property-removed/,
    ],
    [
      'a property that may be missing in responses',
      (one) => schemas(one).HTTPSEdge.required.splice(0, 1),
      /became-optional/,
    ],
    [
      'a property that may be null in responses',
      (one) => (schemas(one).HTTPSEdge.properties.description = { type: ['string', 'null'] }),
      /became-nullable/,
    ],
    ['a shorter text', (one) => (schemas(one).Description['x-max-bytes'] = 200), /max-bytes-decreased/],
    ['a shorter list', (one) => (schemas(one).HostportListOrNull.maxItems = 99), /max-items-decreased/],
    ['a list that must not be empty', (one) => (schemas(one).HostportListOrNull.minItems = 1), /min-items/],
    ['another form', (one) => (schemas(one).Hostport.pattern = '^a+$'), /pattern-changed/],
    ['a value that is gone', (one) => schemas(one).MatchType.enum.pop(), /enum-value-removed/],
    ['another type', (one) => (schemas(one).Seconds.type = 'string'), /type-changed/],
    [
      'null that is refused',
      (one) =>
        (schemas(one).HTTPSEdgeCreate.properties.mutual_tls = { $ref: '#/components/schemas/EndpointMutualTLSMutate' }),
      /became-not-nullable/,
    ],
    [
      'a module that needs another',
      (one) => (schemas(one).HTTPSEdgeRouteCreate.dependentRequired = { oauth: ['backend'] }),
      /dependent-required/,
    ],
    [
      'another status of success',
      (one) => {
        const { responses } = one.paths['/edges/https'].post;
        responses['200'] = responses['201'];
        delete responses['201'];
      },
      /success-status-removed/,
    ],
    ['a smaller page', (one) => (one.components.parameters.Limit.schema.maximum = 50), /max-decreased/],
  ])('is %s', (_, edit, kind) => {
    const { code, output } = check(edit);
    expect(output).toMatch(kind);
    expect(code).toBe(1);
  });

  it('is allowed with a new major version', () => {
    const { code, output } = check((one) => delete one.paths['/edges/https/{id}'].delete, '1.0.0');
    expect(output).toMatch(/api-removed[^]*which the new version allows/);
    expect(code).toBe(0);
  });
});

describe('not breaking', () => {
  it.each<[string, (contract: Loose) => void]>([
    ['nothing', () => {}],
    ['other words', (one) => (one.info.description = 'Other words.')],
    [
      'an operation more',
      (one) => (one.paths['/new'] = { get: { operationId: 'new', responses: { '200': { description: 'New.' } } } }),
    ],
    ['an optional property more', (one) => (schemas(one).HTTPSEdgeCreate.properties.extra = { type: 'string' })],
    ['a property more in responses', (one) => (schemas(one).HTTPSEdge.properties.extra = { type: 'string' })],
    ['a longer text', (one) => (schemas(one).Description['x-max-bytes'] = 300)],
  ])('is %s', (_, edit) => {
    const { code, output } = check(edit);
    expect(output).toMatch(/nothing is broken/);
    expect(code).toBe(0);
  });
});

describe('what cannot be compared', () => {
  it.each<[string, (contract: Loose) => void, string | undefined, RegExp]>([
    ['an older version', () => {}, '0.1.0', /went back from \d/],
    ['a version that is none', () => {}, 'new', /MAJOR\.MINOR\.PATCH/],
    [
      'a reference to nowhere',
      (one) => (schemas(one).HTTPSEdge = { $ref: '#/components/schemas/Gone' }),
      undefined,
      /oasdiff: /,
    ],
  ])('is %s', (_, edit, version, message) => {
    const { code, output } = check(edit, version);
    expect(output).toMatch(message);
    expect(code).toBe(2);
    expect(output.trim().split('\n')).toHaveLength(1);
  });
});
