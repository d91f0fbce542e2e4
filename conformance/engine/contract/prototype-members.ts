/**
 * Properties that are called `__proto__`. A member of JSON may have any name (RFC 8259, 4), and Ajv
 * skips this one in `properties` and `patternProperties`.
 */
import { isObject, joinPointer, walk } from './pointers.ts';

type Json = Record<string, unknown>;

export interface ReadableDocument {
  /** The document itself if it has no such property; else a copy. */
  document: Json;
  /** Schemas that the copy has at two places, with their places in the document. */
  moved: ReadonlyMap<object, string>;
}

const PROTOTYPE = '__proto__';
const KEYWORDS = ['properties', 'patternProperties'] as const;

const hasPrototype = (names: unknown): names is Json =>
  isObject(names) && Object.hasOwn(names, PROTOTYPE);

/** Patterns that say the same, and that Ajv reads. */
const PATTERN_FOR = { properties: `^${PROTOTYPE}$`, patternProperties: `(?:${PROTOTYPE})` };

/** The document with a pattern for each property that Ajv would skip. */
export function readableByAjv(document: Json): ReadableDocument {
  const moved = new Map<object, string>();
  let isFound = false;
  walk(document, (schema) => {
    isFound ||= KEYWORDS.some((keyword) => hasPrototype(schema[keyword]));
  });
  if (!isFound) {
    return { document, moved };
  }
  const copy = structuredClone(document);
  walk(copy, (schema, pointer) => {
    for (const keyword of KEYWORDS) {
      const stated = schema[keyword];
      if (hasPrototype(stated)) {
        const own = stated[PROTOTYPE];
        schema['patternProperties'] = {
          ...Object(schema['patternProperties']),
          [PATTERN_FOR[keyword]]: own,
        };
        moved.set(Object(own) as object, joinPointer(pointer, keyword, PROTOTYPE));
      }
    }
  });
  return { document: copy, moved };
}
