/** What a clause asks for, as a sentence without its full stop: `description` has at most 255 characters. */
import type { Clause } from '../contract/clauses.ts';

type Schema = Record<string, unknown>;

/** @param root what the clause is about where it has no path: `the body`, or a parameter */
export function ruleInWords({ keyword, name, path, schema, onNames }: Clause, root = 'the body'): string {
  const place = path.length === 0 ? root : `\`${path.join('.')}\``;
  const subject = onNames ? `each name in ${place}` : place;
  if (keyword === 'if') return conditional(schema, name === 'else' ? 'else' : 'then', path);
  if (keyword === 'required') return `${place} has \`${name}\``;
  if (keyword === 'dependentRequired') {
    const [trigger, missing] = (name ?? '').split('.');
    return `${place} has \`${trigger}\` only together with \`${missing}\``;
  }
  return `${subject} ${predicate(keyword, schema)}`;
}

/** What one keyword asks of a value. */
function predicate(keyword: string, schema: Schema): string {
  const value = schema[keyword];
  switch (keyword) {
    case 'type':
      return isNull(schema) ? 'is null' : `is of type ${[value].flat().join(' or ')}`;
    case 'const':
      return `is ${JSON.stringify(value)}`;
    case 'enum':
      return `is one of ${(value as unknown[]).map((one) => JSON.stringify(one)).join(', ')}`;
    case 'format':
      return `has the format ${String(value)}`;
    case 'pattern': {
      const words = schema['x-pattern-description'];
      return typeof words === 'string' ? `has the form: ${words.replace(/\.$/, '')}` : `matches ${String(value)}`;
    }
    case 'minLength':
      return `has at least ${count(value, 'character')}`;
    case 'maxLength':
      return `has at most ${count(value, 'character')}`;
    case 'x-max-bytes':
      return `has at most ${count(value, 'byte')} of UTF-8`;
    case 'minimum':
      return `is at least ${String(value)}`;
    case 'maximum':
      return `is at most ${String(value)}`;
    case 'minItems':
      return `has at least ${count(value, 'item')}`;
    case 'maxItems':
      return value === 0 ? 'is empty' : `has at most ${count(value, 'item')}`;
    case 'minProperties':
      return `has at least ${count(value, 'property', 'properties')}`;
    case 'maxProperties':
      return `has at most ${count(value, 'property', 'properties')}`;
    case 'uniqueItems':
      return 'has no item twice';
    case 'not':
      return JSON.stringify(value) === '{}' ? 'is not allowed' : `keeps \`not: ${JSON.stringify(value)}\``;
    case 'additionalProperties':
      return 'has no unknown property';
    default:
      return `keeps \`${keyword}: ${JSON.stringify(value)}\``;
  }
}

/** `when A is set, then B is null`: all conditions and consequences of one `if`. */
function conditional(schema: Schema, branch: 'then' | 'else', path: readonly string[]): string {
  const conditions = statements(schema['if'], path);
  const consequences = statements(schema[branch], path);
  const when = branch === 'then' ? 'when' : 'unless';
  return `${when} ${inOne(conditions)}, ${inOne(consequences)}`;
}

/** `a` is null, `b` is null -> `a` and `b` are null. */
function inOne(all: readonly string[]): string {
  const end = ' is null';
  const nulls = all.filter((one) => one.endsWith(end)).map((one) => one.slice(0, -end.length));
  if (nulls.length < 2) return all.join(' and ');
  const list = `${nulls.slice(0, -1).join(', ')} and ${nulls.at(-1)!} are null`;
  return [...all.filter((one) => !one.endsWith(end)), list].join(' and ');
}

/** What a small schema says, a statement each; places are named from the body on. */
function statements(schema: unknown, path: readonly string[]): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, required = [], ...rest } = schema as Schema;
  const place = path.length === 0 ? 'the body' : `\`${path.join('.')}\``;
  const inside = Object.entries(properties as Record<string, unknown>);
  const own = Object.keys(rest)
    // That an object is an object is said by what is said of its properties.
    .filter((keyword) => !keyword.startsWith('x-') && keyword !== 'description')
    .filter((keyword) => keyword !== 'type' || inside.length === 0)
    .map((keyword) =>
      keyword === 'not'
        ? `not: ${statements(rest['not'], path).join(' and ')}`
        : `${place} ${predicate(keyword, rest)}`,
    );
  const named = (required as string[])
    .filter((name) => !inside.some(([other]) => other === name))
    .map((name) => `\`${[...path, name].join('.')}\` is given`);
  return [...own, ...named, ...inside.flatMap(([name, value]) => statements(value, [...path, name]))];
}

function isNull({ type }: Schema): boolean {
  return type === 'null';
}

function count(value: unknown, singular: string, plural = `${singular}s`): string {
  return `${inThousands(Number(value))} ${value === 1 ? singular : plural}`;
}

/** `1,234,567`. `toLocaleString` would load the tables of all languages first. */
export function inThousands(value: number): string {
  return String(value).replaceAll(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
}
