/** The rule of a clause, as a sentence without its full stop: `description` has at most 255 characters. */
import { type Clause, dependencyOf } from '../contract/clauses.ts';

type Schema = Record<string, unknown>;

/** @param root what the clause is about where it has no path: `the body`, or a parameter */
export function ruleInWords(clause: Clause, root = 'the body'): string {
  const { keyword, name, path, schema, onNames } = clause;
  const place = path.length === 0 ? root : `\`${path.join('.')}\``;
  const subject = onNames ? `each name in ${place}` : place;
  if (keyword === 'if') {
    return conditional(schema, name === 'else' ? 'else' : 'then', path);
  }
  if (keyword === 'required') {
    return `${place} has \`${name}\``;
  }
  if (keyword === 'dependentRequired') {
    const { trigger, missing } = dependencyOf(clause);
    return `${place} has \`${trigger}\` only together with \`${missing}\``;
  }
  return `${subject} ${predicate(keyword, schema)}`;
}

/** The rule of one keyword, by its value. */
const PREDICATES: Record<string, (value: unknown, schema: Schema) => string> = {
  type: (value) => {
    if (value === 'null') {
      return 'is null';
    }
    return `is of type ${[value].flat().join(' or ')}`;
  },
  const: (value) => `is ${JSON.stringify(value)}`,
  enum: (value) => `is one of ${choicesInWords(value as unknown[])}`,
  format: (value) => `has the format ${String(value)}`,
  pattern: (value, { 'x-pattern-description': words }) => {
    if (typeof words === 'string') {
      return `has the form: ${words.replace(/\.$/, '')}`;
    }
    return `matches ${String(value)}`;
  },
  minLength: (value) => `has at least ${count(value, 'character')}`,
  maxLength: (value) => `has at most ${count(value, 'character')}`,
  'x-max-bytes': (value) => `has at most ${count(value, 'byte')} of UTF-8`,
  minimum: (value) => `is at least ${String(value)}`,
  maximum: (value) => `is at most ${String(value)}`,
  minItems: (value) => `has at least ${count(value, 'item')}`,
  maxItems: (value) => (value === 0 ? 'is empty' : `has at most ${count(value, 'item')}`),
  minProperties: (value) => `has at least ${count(value, 'property', 'properties')}`,
  maxProperties: (value) => `has at most ${count(value, 'property', 'properties')}`,
  uniqueItems: () => 'has no item twice',
  not: (value) => {
    if (JSON.stringify(value) === '{}') {
      return 'is not allowed';
    }
    return `keeps \`not: ${JSON.stringify(value)}\``;
  },
  additionalProperties: () => 'has no unknown property',
};

/** More choices than these are counted. */
const MOST_CHOICES = 50;

function choicesInWords(choices: readonly unknown[]): string {
  const named = choices.slice(0, MOST_CHOICES).map((one) => JSON.stringify(one));
  const more = choices.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} others` : named.join(', ');
}

function predicate(keyword: string, schema: Schema): string {
  const value = schema[keyword];
  return PREDICATES[keyword]?.(value, schema) ?? `keeps \`${keyword}: ${JSON.stringify(value)}\``;
}

/** `when A is set, then B is null`: all conditions and consequences of one `if`. */
function conditional(schema: Schema, branch: 'then' | 'else', path: readonly string[]): string {
  const conditions = statements(schema['if'], path);
  const when = branch === 'then' ? 'when' : 'unless';
  return `${when} ${inOne(conditions)}, ${inOne(statements(schema[branch], path))}`;
}

/** `a` is null, `b` is null -> `a` and `b` are null. */
function inOne(all: readonly string[]): string {
  const end = ' is null';
  const nulls = all.filter((one) => one.endsWith(end)).map((one) => one.slice(0, -end.length));
  if (nulls.length < 2) {
    return all.join(' and ');
  }
  const list = `${nulls.slice(0, -1).join(', ')} and ${nulls.at(-1)!} are null`;
  return [...all.filter((one) => !one.endsWith(end)), list].join(' and ');
}

/** The rules of a small schema, one statement each; places are named from the body on. */
function statements(schema: unknown, path: readonly string[]): string[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  const { properties = {}, required = [], ...rest } = schema as Schema;
  const place = path.length === 0 ? 'the body' : `\`${path.join('.')}\``;
  const inside = Object.entries(properties as Record<string, unknown>);
  const own = Object.keys(rest)
    // That an object is an object is said by what is said of its properties.
    .filter((keyword) => !keyword.startsWith('x-') && keyword !== 'description')
    .filter((keyword) => keyword !== 'type' || inside.length === 0)
    .map((keyword) => {
      if (keyword === 'not') {
        return `not: ${statements(rest['not'], path).join(' and ')}`;
      }
      return `${place} ${predicate(keyword, rest)}`;
    });
  const named = (required as string[])
    .filter((name) => !inside.some(([other]) => other === name))
    .map((name) => `\`${[...path, name].join('.')}\` is given`);
  return [
    ...own,
    ...named,
    ...inside.flatMap(([name, value]) => statements(value, [...path, name])),
  ];
}

export const count = (value: unknown, singular: string, plural = `${singular}s`): string =>
  `${inThousands(Number(value))} ${value === 1 ? singular : plural}`;

/** `1,234,567`. `toLocaleString` would load the tables of all languages first. */
export const inThousands = (value: number): string =>
  String(value).replaceAll(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
