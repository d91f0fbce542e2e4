/** How `--only`, `--skip` and `--allow` choose ids: by their beginning, or by a glob. */

const SPECIAL = /[.+?^${}()|[\]\\]/g;

/**
 * Whether an id is one of the pattern: with `*`, which stands for any text, the pattern is that of
 * the whole id; without it, the id begins like this.
 */
export function matches(pattern: string, id: string): boolean {
  if (!pattern.includes('*')) {
    return id.startsWith(pattern);
  }
  return expressionOf(pattern).test(id);
}

/** Whether one of the globs is that of the whole text. */
export const matchesGlob = (globs: readonly string[], text: string): boolean =>
  globs.some((glob) => expressionOf(glob).test(text));

/** How each id of the pattern begins. */
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
  const parts = pattern.split(/\*+/).map((part) => part.replaceAll(SPECIAL, String.raw`\$&`));
  const expression = new RegExp(`^${parts.join('.*')}$`, 's');
  expressions.set(pattern, expression);
  return expression;
}
