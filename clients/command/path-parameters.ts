/**
 * Makes a generated client check path parameters before it sends a request.
 *
 * A generator puts a value into the path as it is. An HTTP library then removes dot segments, so
 * that the deletion of the route `..` is sent as the deletion of its edge. So each expression that
 * puts a value into a path becomes a call of a function in clients/LANGUAGE/beside/, which has the
 * pattern of the contract and throws before anything is sent.
 *
 * The alternative is a copy of a generator's template, hundreds of lines for one expression. Here
 * the expressions are counted: a generator that writes another one makes no client at all.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, resolve } from '../samples/json.ts';
import { CommandError } from '../../tools/shell.ts';

export interface PathParameter {
  name: string;
  /** The pattern of the contract, from `^` to `$`. */
  pattern: string;
}

/** The expressions that put path parameters into a path, in the code of one generator. */
export interface PathExpression {
  /** The folder of the generated code that has them, and how the names of its files end. */
  folder: string;
  files: string;
  /** Global; the group `name` is the name of the parameter, the group `value` the expression. */
  expression: RegExp;
  /** The code that takes its place. */
  checked(parameter: PathParameter, value: string): string;
  /** Adds the imports that the new expressions need. Default: the file stays as it is. */
  imported?(source: string): string;
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const NAME_IN_PATH = /\{([^{}]+)\}/g;
/** Segments that must never be in a path: the empty one, and those that a URL parser removes. */
const DANGEROUS = ['', '.', '..'];

/**
 * The path parameters of all operations, in the order of the contract: a name occurs once for each
 * operation that has it.
 * @throws Error for a parameter that has no pattern, or one that does not keep a request in its
 * place
 */
export function pathParametersOf(document: Json): PathParameter[] {
  const found: PathParameter[] = [];
  for (const [path, item] of Object.entries(resolve(document, document['paths']))) {
    const pathItem = resolve(document, item);
    for (const method of METHODS.filter((one) => one in pathItem)) {
      const operation = resolve(document, pathItem[method]);
      const declared = [pathItem['parameters'], operation['parameters']].flat().filter(isObject);
      const parameters = declared.map((one) => resolve(document, one));
      for (const [, name = ''] of path.matchAll(NAME_IN_PATH)) {
        const parameter = parameters.find((one) => one['in'] === 'path' && one['name'] === name);
        const { pattern } = resolve(document, parameter?.['schema'] ?? {});
        found.push({ name, pattern: safePattern(name, pattern) });
      }
    }
  }
  return found;
}

function safePattern(name: string, pattern: unknown): string {
  const isWhole = typeof pattern === 'string' && /^\^.*\$$/.test(pattern);
  if (!isWhole) {
    throw new Error(`the path parameter ${name} needs a pattern from ^ to $`);
  }
  const allowed = DANGEROUS.filter((value) => new RegExp(pattern, 'u').test(value));
  if (allowed.length > 0) {
    throw new Error(`the pattern of the path parameter ${name} allows '${allowed.join("', '")}'`);
  }
  return pattern;
}

/**
 * Replaces the expressions in the client that is in `out`.
 * @throws {CommandError} unless there is exactly one for each path parameter of each operation
 */
export function checkPathParameters(
  out: string,
  code: PathExpression,
  parameters: readonly PathParameter[],
): void {
  const patterns = new Map(parameters.map(({ name, pattern }) => [name, pattern]));
  const replaced: string[] = [];
  const folder = join(out, code.folder);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const file of names.filter((name) => name.endsWith(code.files))) {
    const path = join(folder, file);
    const source = readFileSync(path, 'utf8');
    const checked = source.replaceAll(code.expression, (...match) => {
      const { name, value } = match.at(-1) as { name: string; value: string };
      replaced.push(name);
      return code.checked({ name, pattern: patterns.get(name) ?? '' }, value);
    });
    if (checked !== source) {
      writeFileSync(path, code.imported?.(checked) ?? checked);
    }
  }
  const expected = countOf(parameters.map(({ name }) => name));
  if (countOf(replaced) !== expected) {
    const found = `found ${countOf(replaced)} in place of ${expected}`;
    throw new CommandError(`the generator writes path parameters in another way: ${found}`);
  }
}

/** `edge_id 7, route_id 3` */
function countOf(names: readonly string[]): string {
  const counts = [...new Set(names)].toSorted().map((name) => {
    const same = names.filter((one) => one === name);
    return `${name} ${same.length}`;
  });
  return counts.join(', ') || 'none';
}
