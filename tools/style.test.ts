/** Rules of style that neither the formatter nor the linter enforces. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { ROOT } from './build.js';

/** Folders of what is installed, built, generated or released, and hidden ones. */
const EXCLUDED = /(^|\/)(\..*|node_modules|dist|generated|released)$/;

function filesIn(folder: string, names: RegExp): string[] {
  const files: string[] = [];
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !EXCLUDED.test(path)) {
      files.push(...filesIn(path, names));
    } else if (names.test(entry.name)) {
      files.push(path);
    }
  }
  return files;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const sources = filesIn('', /\.(ts|js|mjs)$/).map((path) =>
  ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true),
);

function nodesOf(source: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return nodes;
}

const lineOf = (source: ts.SourceFile, position: number): number =>
  source.getLineAndCharacterOfPosition(position).line + 1;

/** The places of the nodes that break a rule, such as `tools/build.js:12`. */
function placesOf(
  isBroken: (node: ts.Node) => boolean,
  files: readonly ts.SourceFile[] = sources,
): string[] {
  return files.flatMap((source) => {
    const broken = nodesOf(source).filter(isBroken);
    return broken.map((node) => `${source.fileName}:${lineOf(source, node.getStart())}`);
  });
}

/** The expression without parentheses and without `as` and `satisfies`. */
function unwrapped(node: ts.Expression): ts.Expression {
  const isWrapper =
    ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node);
  return isWrapper ? unwrapped(node.expression) : node;
}

it('no literal is spread, as in `...[a, b]` and `...{ a: 1 }`', () => {
  const isSpreadLiteral = (node: ts.Node): boolean => {
    if (ts.isSpreadElement(node)) {
      return ts.isArrayLiteralExpression(unwrapped(node.expression));
    }
    return ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(unwrapped(node.expression));
  };
  expect(placesOf(isSpreadLiteral)).toEqual([]);
});

it('no declaration packs several values, as in `const [a, b] = [x, y]`', () => {
  const isPacked = (node: ts.Node): boolean => {
    if (!ts.isVariableDeclaration(node) || !node.initializer) {
      return false;
    }
    const isPattern = ts.isArrayBindingPattern(node.name);
    return isPattern && ts.isArrayLiteralExpression(unwrapped(node.initializer));
  };
  expect(placesOf(isPacked, sources)).toEqual([]);
});

const COLUMNS = 100;

/** A line with a URL, which cannot be broken. */
const URL_IN_LINE = /https?:\/\/\S/;

interface Line {
  text: string;
  /** From 1. */
  number: number;
}

function longLinesOf(text: string): Line[] {
  const lines = text.split('\n').map((line, index) => ({ text: line, number: index + 1 }));
  return lines.filter((line) => line.text.length > COLUMNS && !URL_IN_LINE.test(line.text));
}

function isPathOfImport(node: ts.Node): boolean {
  if (!ts.isStringLiteral(node)) {
    return false;
  }
  return ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent);
}

/** The lines with the path of an import or a regular expression, which cannot be broken, either. */
function unbreakableLinesOf(source: ts.SourceFile): Set<number> {
  const unbreakable = nodesOf(source).filter(
    (node) => ts.isRegularExpressionLiteral(node) || isPathOfImport(node),
  );
  return new Set(unbreakable.map((node) => lineOf(source, node.getStart())));
}

it(`no line of TypeScript has more than ${COLUMNS} columns`, () => {
  const places = sources.flatMap((source) => {
    const unbreakable = unbreakableLinesOf(source);
    const long = longLinesOf(source.text).filter(({ number }) => !unbreakable.has(number));
    return long.map(({ number }) => `${source.fileName}:${number}`);
  });
  expect(places).toEqual([]);
});

/** A pattern of a schema, or a row of a table in a description. */
const UNBREAKABLE_YAML = /^ *(pattern: |\|)/;

it(`no line of openapi.yaml has more than ${COLUMNS} columns`, () => {
  const long = longLinesOf(read('openapi.yaml'));
  expect(long.filter(({ text }) => !UNBREAKABLE_YAML.test(text))).toEqual([]);
});

/** Pages show the columns of a table by their headers, and readers of a screen hear them. */
it('each column of a table in Markdown has a header', () => {
  const tables = filesIn('', /\.md$/).flatMap((path) => {
    const lines = read(path).split('\n');
    const headers = lines.filter((_, index) => /^\|[-| :]+\|$/.test(lines[index + 1] ?? ''));
    return headers.map((header) => ({ path, header }));
  });
  expect(tables.length).toBeGreaterThan(20);
  expect(tables.filter(({ header }) => /\|\s*\|/.test(header))).toEqual([]);
});
