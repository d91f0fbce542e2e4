/**
 * References within schemas that have an `$id`: it is the base of the references below it (JSON
 * Schema 2020-12, 8.2.1 and 9.1.2). They become pointers from the root of the document.
 */
import { isObject, joinPointer, valueAt } from './pointers.ts';
import { decode } from './percent-encoding.ts';

type Json = Record<string, unknown>;

/** The base of a document that has no address of its own. */
const ROOT = 'contract:///';

/** Members that have any names in them. */
const MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
  'schemas',
]);

/** Members that are values, in which nothing is a name. */
const VALUES: ReadonlySet<string> = new Set([
  'const',
  'default',
  'enum',
  'example',
  'examples',
  'value',
]);

interface Found {
  holder: Json;
  pointer: string;
  /** The URI against which its references are resolved. */
  base: string;
}

/** Replaces references by pointers if they lead to schemas with an `$id`, or start in one. */
export function resolveIds(document: Json): void {
  const found = objectsIn(document);
  const resources = new Map<string, string>([[ROOT, '']]);
  for (const { holder, pointer, base } of found) {
    if (typeof holder['$id'] === 'string') {
      resources.set(base, pointer);
    }
  }
  for (const { holder, base } of found) {
    const pointer = pointerOf(document, String(holder['$ref'] ?? ''), base, resources);
    if (pointer !== undefined) {
      holder['$ref'] = `#${encodeURI(pointer)}`;
    }
  }
}

/** The objects with an `$id` or a `$ref`, outer ones first. */
function objectsIn(document: Json): Found[] {
  const found: Found[] = [];
  const visit = (value: unknown, pointer: string, outer: string, isMap: boolean): void => {
    if (typeof value !== 'object' || value === null) {
      return;
    }
    const holder = value as Json;
    const { $id, $ref } = holder;
    const base = typeof $id === 'string' && !isMap ? resolved($id, outer) : outer;
    if (!isMap && (typeof $id === 'string' || typeof $ref === 'string')) {
      found.push({ holder, pointer, base });
    }
    for (const [name, member] of Object.entries(holder)) {
      if (isMap || !VALUES.has(name)) {
        visit(member, joinPointer(pointer, name), base, !isMap && MAPS.has(name));
      }
    }
  };
  visit(document, '', ROOT, false);
  return found;
}

/** The URI without a fragment. */
function resolved(reference: string, base: string): string {
  const uri = URL.canParse(reference, base) ? new URL(reference, base).href : base;
  const [absolute = ''] = uri.split('#', 1);
  return absolute;
}

/** The pointer for a reference; undefined for one that stays as it is. */
function pointerOf(
  document: Json,
  reference: string,
  base: string,
  resources: ReadonlyMap<string, string>,
): string | undefined {
  const [path = '', fragment = ''] = reference.split('#', 2);
  const isPlain = base === ROOT && path === '';
  const resource = resources.get(resolved(reference, base));
  const isAnchor = fragment !== '' && !fragment.startsWith('/');
  if (reference === '' || isPlain || isAnchor || resource === undefined) {
    return undefined;
  }
  const pointer = resource + decode(fragment);
  const isThere = isObject(valueAt(document, pointer));
  // Many authors mean the document by `#/components/schemas/…`, also below an `$id`.
  if (isThere) {
    return pointer;
  }
  return undefined;
}
