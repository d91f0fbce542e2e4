/**
 * Regular expressions that check what clients send take linear time, by the part of recheck in
 * plain JavaScript.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { schemasOf } from './openapi/document.ts';
import { COSTLY } from './openapi/formats.ts';
import { contract } from './testing/serve.ts';

process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

/**
 * With smaller bounds: time does not grow with the text by them, and the exact method takes too
 * long with `{0,61}`.
 */
const bounded = (source: string) =>
  source.replaceAll(
    /\{(\d+),(\d+)\}/g,
    (_, least: string, most: string) =>
      `{${Math.min(Number(least), 2)},${Math.min(Number(most), 3)}}`,
  );

function verdict(source: string, flags: string): string {
  // It does not support look-around, which fails here: it can be written in another way.
  const found = checkSync(bounded(source), flags, { timeout: 200_000, checker: 'automaton' });
  if (found.status === 'vulnerable') {
    return `vulnerable (${found.complexity.type})`;
  }
  return found.status;
}

/** The files that may process what a client sends; others process what the operator gives. */
function serverFiles(): string[] {
  const folders = ['http', 'domain', 'openapi', 'operations'].flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true }).map((name) =>
      join(folder, String(name)),
    ),
  );
  return ['saml.ts', ...folders].filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  );
}

function literalsIn(file: string): [source: string, flags: string][] {
  const found: [string, string][] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push([node.text.slice(1, end), node.text.slice(end + 1)]);
    }
    ts.forEachChild(node, visit);
  };
  visit(
    ts.createSourceFile(
      file,
      readFileSync(join(import.meta.dirname, file), 'utf8'),
      ts.ScriptTarget.Latest,
    ),
  );
  return found;
}

const inContract = [...schemasOf(contract.document)].flatMap(
  ({ schema }) => schema['pattern'] ?? [],
) as string[];
const patterns = [...new Set(inContract)].map((source) => [source, 'u'] as const);

/** It is put together of others, and in no literal. */
const composed = [COSTLY.source, COSTLY.flags] as const;

test.for([...patterns, ...serverFiles().flatMap(literalsIn), composed])(
  '/%s/%s is linear',
  ([source, flags]) => {
    expect(verdict(source, flags)).toBe('safe');
  },
);

test.for([
  ['^(a+)+$', 'vulnerable (exponential)'],
  [String.raw`^\s*x?\s*$`, 'vulnerable (polynomial)'],
] as const)('%s is found: %s', ([source, expected]) => {
  expect(verdict(source, 'u')).toBe(expected);
});
