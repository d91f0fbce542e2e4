/**
 * Whether a text is a regular expression in RE2 syntax (D22), by a port of RE2, which is asked for nothing else: how user
 * agents are matched is outside of this API.
 *
 * RE2 matches in linear time, but an expression of 1,024 characters may take a second to compile: each `x{1000}` stands for a
 * thousand `x`, each `\pL` for hundreds of ranges, and without regard to case each letter of a range is looked up.
 * None of that has to do with syntax. So what is compiled is a text with the same syntax and without those costs.
 */
import { RE2JS } from 're2js';

export function isRe2Syntax(expression: string): boolean {
  if (!expression.isWellFormed()) return false;
  let named = true;
  const cheap = expression.replaceAll(
    COSTLY,
    (token, from?: string, comma?: string, to?: string, flags?: string, after?: string) => {
      if (from !== undefined) return isCount(from, comma, to) ? '{1}' : token;
      if (flags !== undefined) return `(?${flags.replaceAll('i', 's')}${after}`;
      if (/^\\p/i.test(token)) {
        named &&= isClass(token);
        return '\\d';
      }
      return token;
    },
  );
  return named && compiles(cheap);
}

/**
 * What costs, and escapes and literal texts, in which nothing does: a count; flags with `i` among them; a named class. In
 * brackets a count or flags stand for their own characters, of which any are as right as others. Numbers and
 * names that are longer are none.
 */
const COSTLY =
  /\\Q[^]*?(?:\\E|$)|\\[pP](?:\{[^}]{0,60}\}|[^{])|\\[^]|\{(0|[1-9]\d{0,3})(?:(,)(0|[1-9]\d{0,3}|))?\}|\(\?([imsU]+)([-:)])/g;

/** RE2 repeats at most 1,000 times. */
const MOST_REPEATS = 1000;

function isCount(from: string, comma: string | undefined, to: string | undefined): boolean {
  const least = Number(from);
  const most = comma === undefined || to === '' ? least : Number(to);
  return least <= most && most <= MOST_REPEATS;
}

/** Names of classes of Unicode that were asked for, of which there are a few hundred; wrong ones are not kept. */
const classes = new Set<string>();

function isClass(token: string): boolean {
  if (classes.has(token)) return true;
  if (!compiles(token)) return false;
  classes.add(token);
  return true;
}

function compiles(expression: string): boolean {
  try {
    RE2JS.compile(expression);
    return true;
  } catch {
    return false;
  }
}
