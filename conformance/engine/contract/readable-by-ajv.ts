/**
 * What Ajv does not read. It skips a property that is called `__proto__`, though a member of JSON
 * may have any name (RFC 8259, 4). A reference that leads nowhere ends the compilation of the whole
 * schema: its rule is unknown, and those beside it are not.
 */
import { isDead } from './dead-references.ts';
import { isObject, joinPointer, walk } from './pointers.ts';
import { isInValue } from './references.ts';

type Json = Record<string, unknown>;

export interface ReadableDocument {
  /** The document itself if Ajv reads all of it; else a copy. */
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

/** The document with a pattern for each such property, and without such references. */
export function readableByAjv(document: Json): ReadableDocument {
  const moved = new Map<object, string>();
  const dead = new Set<string>();
  let isFound = false;
  walk(document, (schema, pointer) => {
    const { $ref } = schema;
    isFound ||= KEYWORDS.some((keyword) => hasPrototype(schema[keyword]));
    if (typeof $ref === 'string' && isDead(document, $ref) && !isInValue(pointer)) {
      dead.add(pointer);
    }
  });
  if (!isFound && dead.size === 0) {
    return { document, moved };
  }
  const copy = structuredClone(document);
  walk(copy, (schema, pointer) => {
    if (dead.has(pointer)) {
      delete schema['$ref'];
    }
    for (const [own, place] of withPatterns(schema, pointer)) {
      moved.set(own, place);
    }
  });
  return { document: copy, moved };
}

/** @returns the schemas that have a pattern now, with their places in the document */
function withPatterns(schema: Json, pointer: string): Map<object, string> {
  const moved = new Map<object, string>();
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
  return moved;
}
