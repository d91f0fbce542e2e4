/**
 * Rules in words: a regular expression tells a machine, bytes are what counts, and what goes together is said by the
 * description.
 */
import { isData, type Json, mapObjects, withParagraph } from './json.ts';

export function showConstraints(document: Json): Json {
  return mapObjects(document, (object, path) => {
    const { 'x-pattern-description': words, 'x-max-bytes': bytes, if: condition, then: _, else: __, ...rest } = object;
    if (isData(path) || (words === undefined && bytes === undefined && condition === undefined)) return undefined;
    const told: Json = { ...rest };
    if (typeof words === 'string') {
      delete told['pattern'];
      told['description'] = withParagraph(told['description'], `Form: ${words}.`);
    }
    if (typeof bytes === 'number') {
      // The weaker bounds beside it would only raise the question which one counts.
      delete told['maxLength'];
      delete told['format'];
      const limit = `${bytes.toLocaleString('en-US')} bytes of UTF-8`;
      if (!String(told['description']).includes(limit))
        told['description'] = withParagraph(told['description'], `At most ${limit}.`);
    }
    return told;
  }) as Json;
}
