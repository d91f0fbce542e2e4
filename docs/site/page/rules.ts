/** Rules of schemas as people read them: in words, with their limits in bytes and their origins. */
import { referredName } from './examples.ts';
import { isObject, type Json, mapObjects } from './json.ts';

export function rulesInWords(document: Json): Json {
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const shown = mapObjects(document, (object) => showNullable(object, schemas));
  return mapObjects(shown, (object) => showOrigin(showConstraints(object)));
}

/** An object that may be null has its fields, not a choice that hides them. */
function showNullable(object: Json, schemas: Record<string, Json>): Json {
  const { oneOf, ...rest } = object;
  if (!Array.isArray(oneOf) || oneOf.length !== 2 || !oneOf.some((one) => one['type'] === 'null')) {
    return object;
  }
  const other = oneOf.find((one) => one['type'] !== 'null') as Json;
  const name = referredName(other);
  const { examples: _, ...shown } = name === undefined ? other : (schemas[name] ?? {});
  if (typeof shown['type'] !== 'string') {
    return object;
  }
  const titled = name === undefined ? shown : { ...shown, title: name };
  return { ...titled, ...rest, type: [shown['type'], 'null'] };
}

/**
 * A form in words in place of a regular expression, and bytes; the description says which
 * properties need each other.
 */
function showConstraints(object: Json): Json {
  const {
    'x-pattern-description': words,
    'x-max-bytes': bytes,
    if: condition,
    then: _,
    else: __,
    ...shown
  } = object;
  if (words === undefined && bytes === undefined && condition === undefined) {
    return object;
  }
  if (typeof words === 'string') {
    delete shown['pattern'];
    shown['description'] = withParagraph(shown['description'], `Form: ${words}.`);
  }
  if (typeof bytes === 'number') {
    // With the weaker bound in characters, readers would ask which one counts.
    delete shown['maxLength'];
    delete shown['format'];
    const limit = `${bytes.toLocaleString('en-US')} bytes of UTF-8`;
    if (!String(shown['description']).includes(limit)) {
      shown['description'] = withParagraph(shown['description'], `At most ${limit}.`);
    }
  }
  return shown;
}

/**
 * The level, and the section of the source document or the decision, on demand: integrators do not
 * need them.
 */
function showOrigin(object: Json): Json {
  const { 'x-origin': origin, 'x-level': level, ...rest } = object;
  if (origin === undefined && level === undefined) {
    return object;
  }
  const words: string[] = [];
  if (level !== undefined) {
    words.push(`Level: ${String(level)}.`);
  }
  if (origin !== undefined) {
    words.push(`Origin: ${originInWords(origin)}.`);
  }
  return { ...rest, description: withParagraph(object['description'], onDemand(words.join(' '))) };
}

/** Hidden until a reader asks for levels and origins. */
export const onDemand = (text: string): string => `<span class="origin">${text}</span>`;

/** `source §2.5`, or `source §2.1; form: D06`. */
function originInWords(origin: unknown): string {
  if (!isObject(origin)) {
    return String(origin);
  }
  const { '*': rest, ...named } = origin;
  const byOrigin = new Map<string, string[]>();
  for (const [keyword, from] of Object.entries(named)) {
    byOrigin.set(String(from), [...(byOrigin.get(String(from)) ?? []), WORDS[keyword] ?? keyword]);
  }
  const parts = [...byOrigin].map(([from, words]) => `${words.join(', ')}: ${from}`);
  return [...(rest === undefined ? [] : [String(rest)]), ...parts].join('; ');
}

/** Keywords of JSON Schema in words; one without a row is a word already. */
const WORDS: Record<string, string> = {
  additionalProperties: 'no other properties',
  dependentRequired: 'what needs what',
  enum: 'values',
  if: 'what goes together',
  maxItems: 'most items',
  maxLength: 'longest',
  maxProperties: 'most members',
  minItems: 'fewest items',
  minLength: 'shortest',
  minProperties: 'fewest members',
  oneOf: 'null',
  pattern: 'form',
  propertyNames: 'names',
  uniqueItems: 'no repeats',
  'x-max-bytes': 'most bytes',
};

function withParagraph(text: unknown, paragraph: string): string {
  return `${typeof text === 'string' ? text.trimEnd() : ''}\n\n${paragraph}`.trimStart();
}
