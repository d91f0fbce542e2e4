/**
 * Says under each rule where it comes from: the source document with its section, or a decision with a link to its record.
 * Integrators do not need it, so the page shows it on demand alone: what has the class `origin` is hidden until then.
 */
import { isData, isObject, type Json, mapObjects, withParagraph } from './json.ts';

export function showOrigins(document: Json): Json {
  return mapObjects(document, (object, path) => {
    const { 'x-origin': origin, 'x-level': level, ...rest } = object;
    if ((origin === undefined && level === undefined) || isData(path)) return undefined;
    const words = [
      ...(level === undefined ? [] : [`Level: ${String(level)}.`]),
      ...(origin === undefined ? [] : [`Origin: ${inWords(origin)}.`]),
    ];
    return { ...rest, description: withParagraph(object['description'], onDemand(words.join(' '))) };
  }) as Json;
}

export function onDemand(text: string): string {
  return `<span class="origin">${text}</span>`;
}

/** `source §2.5`, or `source §2.1; form: D06`. */
function inWords(origin: unknown): string {
  if (!isObject(origin)) return String(origin);
  const { '*': rest, ...named } = origin;
  const byOrigin = new Map<string, string[]>();
  for (const [keyword, from] of Object.entries(named))
    byOrigin.set(String(from), [...(byOrigin.get(String(from)) ?? []), WORDS[keyword] ?? `\`${keyword}\``]);
  const parts = [...byOrigin].map(([from, words]) => `${words.join(', ')}: ${from}`);
  return [...(rest === undefined ? [] : [String(rest)]), ...parts].join('; ');
}

/** Keywords of JSON Schema as a reader would say them. */
const WORDS: Record<string, string> = {
  additionalProperties: 'no other properties',
  default: 'default',
  dependentRequired: 'what needs what',
  enum: 'values',
  if: 'what goes together',
  maxItems: 'most items',
  maxLength: 'longest',
  maxProperties: 'most members',
  maximum: 'maximum',
  minItems: 'fewest items',
  minLength: 'shortest',
  minProperties: 'fewest members',
  minimum: 'minimum',
  oneOf: 'null',
  pattern: 'form',
  required: 'required',
  type: 'type',
  uniqueItems: 'no repeats',
  'x-max-bytes': 'most bytes',
};
