/** Rules of schemas as people read them: in words, with their limits in bytes, and with where they come from. */
import { isObject, type Json, mapObjects } from './json.ts';

export function rulesInWords(document: Json): Json {
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const shown = mapObjects(document, (object) => showNullable(object, schemas));
  return mapObjects(mapObjects(shown, showConstraints), showOrigin);
}

/** An object that may be null has its fields, not a choice that hides them. */
function showNullable({ oneOf, ...rest }: Json, schemas: Record<string, Json>): Json | undefined {
  if (!Array.isArray(oneOf) || oneOf.length !== 2) return undefined;
  const other = oneOf.find((one) => isObject(one) && one['type'] !== 'null') as Json | undefined;
  if (other === undefined || !oneOf.some((one) => isObject(one) && one['type'] === 'null')) return undefined;
  const name = typeof other['$ref'] === 'string' ? other['$ref'].split('/').at(-1)! : undefined;
  const shown = name === undefined ? other : schemas[name]!;
  if (typeof shown['type'] !== 'string') return undefined;
  const { examples: _, ...fields } = shown;
  return { ...fields, ...(name === undefined ? {} : { title: name }), ...rest, type: [shown['type'], 'null'] };
}

/** A form in words in place of a regular expression, and bytes; the description says which properties need each other. */
function showConstraints(object: Json): Json | undefined {
  const { 'x-pattern-description': words, 'x-max-bytes': bytes, if: condition, then: _, else: __, ...rest } = object;
  if (words === undefined && bytes === undefined && condition === undefined) return undefined;
  const shown: Json = { ...rest };
  if (typeof words === 'string') {
    delete shown['pattern'];
    shown['description'] = withParagraph(shown['description'], `Form: ${words}.`);
  }
  if (typeof bytes === 'number') {
    // With the weaker bound in characters, readers would ask which one counts.
    delete shown['maxLength'];
    delete shown['format'];
    const limit = `${bytes.toLocaleString('en-US')} bytes of UTF-8`;
    if (!String(shown['description']).includes(limit))
      shown['description'] = withParagraph(shown['description'], `At most ${limit}.`);
  }
  return shown;
}

/** The level, and the section of the source document or the decision, on demand: integrators do not need them. */
function showOrigin(object: Json): Json | undefined {
  const { 'x-origin': origin, 'x-level': level, ...rest } = object;
  if (origin === undefined && level === undefined) return undefined;
  const words = [
    ...(level === undefined ? [] : [`Level: ${String(level)}.`]),
    ...(origin === undefined ? [] : [`Origin: ${originInWords(origin)}.`]),
  ];
  return { ...rest, description: withParagraph(object['description'], onDemand(words.join(' '))) };
}

/** Hidden until a reader asks for levels and origins. */
export function onDemand(text: string): string {
  return `<span class="origin">${text}</span>`;
}

/** `source §2.5`, or `source §2.1; form: D06`. */
function originInWords(origin: unknown): string {
  if (!isObject(origin)) return String(origin);
  const { '*': rest, ...named } = origin;
  const byOrigin = new Map<string, string[]>();
  for (const [keyword, from] of Object.entries(named))
    byOrigin.set(String(from), [...(byOrigin.get(String(from)) ?? []), WORDS[keyword] ?? keyword]);
  const parts = [...byOrigin].map(([from, words]) => `${words.join(', ')}: ${from}`);
  return [...(rest === undefined ? [] : [String(rest)]), ...parts].join('; ');
}

/** Keywords of JSON Schema in words; one without a row is a word already. */
const WORDS: Record<string, string> = {
  ...{ additionalProperties: 'no other properties', dependentRequired: 'what needs what', enum: 'values' },
  ...{ if: 'what goes together', maxItems: 'most items', maxLength: 'longest', maxProperties: 'most members' },
  ...{ minItems: 'fewest items', minLength: 'shortest', minProperties: 'fewest members', oneOf: 'null' },
  ...{ pattern: 'form', propertyNames: 'names', uniqueItems: 'no repeats', 'x-max-bytes': 'most bytes' },
};

function withParagraph(text: unknown, paragraph: string): string {
  const before = typeof text === 'string' ? text.trimEnd() : '';
  return before === '' ? paragraph : `${before}\n\n${paragraph}`;
}
