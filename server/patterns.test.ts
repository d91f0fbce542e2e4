/**
 * Every regular expression that checks what clients send takes time in proportion to it: those of the contract, and those
 * that stand in the server. Checked by recheck, in its part that is plain JavaScript.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { readContract } from './contract.ts';

process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = await import('recheck');

interface Expression {
  source: string;
  flags: string;
}

/**
 * Counts to a bound are tried with a smaller one: they cannot make time grow with the text, and the exact method, unlike
 * a search for bad examples, takes too long with `{0,61}` within a loop.
 */
const bounded = (source: string) =>
  source.replaceAll(
    /\{(\d+),(\d+)\}/g,
    (_, least: string, most: string) => `{${Math.min(Number(least), 2)},${Math.min(Number(most), 3)}}`,
  );

const verdict = ({ source, flags }: Expression) => {
  // Look-around is beyond it, and so fails here: it can be written in another way.
  const found = checkSync(bounded(source), flags, { timeout: 60_000, checker: 'automaton' });
  return found.status === 'vulnerable' ? `vulnerable (${found.complexity.type})` : found.status;
};

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'pattern' && typeof inner === 'string' ? [inner] : patternsIn(inner),
  );
}

/** Where one may be met by what a client sends; other folders are for whoever runs the server. */
const FOLDERS = ['http', 'domain', 'openapi', 'operations'];

function literalsIn(file: string): Expression[] {
  const found: Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
  return found;
}

const patterns = [...new Set(patternsIn(readContract().document))].map((source) => ({ source, flags: 'u' }));
const files = [join(import.meta.dirname, 'saml.ts')].concat(
  FOLDERS.flatMap((folder) =>
    readdirSync(join(import.meta.dirname, folder), { recursive: true }).map((name) =>
      join(import.meta.dirname, folder, String(name)),
    ),
  ),
);
const literals = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).flatMap(literalsIn);

describe('linear', () => {
  test('there are some', () => {
    expect([patterns.length >= 8, literals.length >= 15]).toEqual([true, true]);
  });

  test.for(patterns)('$source', (pattern) => {
    expect(verdict(pattern)).toBe('safe');
  });

  test.for(literals)('/$source/$flags', (literal) => {
    expect(verdict(literal)).toBe('safe');
  });
});

test.for([
  ['^(a+)+$', 'vulnerable (exponential)'],
  ['^(a|a)*$', 'vulnerable (exponential)'],
  [String.raw`^\s*x?\s*$`, 'vulnerable (polynomial)'],
  ['^[^,]*,?[^,]*$', 'vulnerable (polynomial)'],
] as const)('%s is found: %s', ([source, expected]) => {
  expect(verdict({ source, flags: 'u' })).toBe(expected);
});
