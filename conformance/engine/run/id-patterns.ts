/**
 * The patterns by which `--only`, `--skip` and `--allow` choose ids: their beginning, or a glob.
 */
import { escapeRegExp } from '../contract/escape-reg-exp.ts';

/**
 * Whether an id is one of the pattern: with `*`, which matches any text, the pattern matches the
 * whole id; without it, the beginning of the id.
 */
export function matches(pattern: string, id: string): boolean {
  if (!pattern.includes('*')) {
    return id.startsWith(pattern);
  }
  return expressionOf(pattern).test(id);
}

/** Whether one of the globs matches the whole text. */
export const matchesGlob = (globs: readonly string[], text: string): boolean =>
  globs.some((glob) => expressionOf(glob).test(text));

/** The beginning of each id that the pattern matches. */
export function beginningOf(pattern: string): string {
  const [beginning = ''] = pattern.split('*', 1);
  return beginning;
}

const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern);
  if (known !== undefined) {
    return known;
  }
  const parts = pattern.split(/\*+/).map(escapeRegExp);
  const expression = new RegExp(`^${parts.join('.*')}$`, 's');
  expressions.set(pattern, expression);
  return expression;
}
