/**
 * Dynamic references as plain ones. A `$dynamicRef` leads to the schema with its anchor in the
 * outermost schema resource on the way to it (JSON Schema 2020-12, 8.2.3.2). The ways are known:
 * where one of them leads to another schema, what it passes is copied, with references that fit.
 */
import { setMember } from './by-name.ts';
import { decode } from './percent-encoding.ts';
import { isObject, joinPointer, parsePointer, valueAt, walk } from './pointers.ts';

type Schema = Record<string, unknown>;

/** Pointers of schemas by their dynamic anchors. */
type Anchors = ReadonlyMap<string, string>;

/** What a document has to do with dynamic references. Pointers are keys. */
export interface DynamicNames {
  /** The dynamic anchors of each schema resource that has some. */
  resources: ReadonlyMap<string, Anchors>;
  /** Schemas with a `$dynamicRef`. */
  dynamic: ReadonlyMap<string, Schema>;
  /** Schemas with a `$ref`, which is a pointer already. */
  plain: ReadonlyMap<string, Schema>;
  /** The pointer of what a URI or a plain anchor names. */
  pointerOf(reference: string): string | undefined;
}

/** So many copies are made: references beyond them stay, and what needs them is skipped. */
const MOST_COPIES = 1_000;

/**
 * Replaces each `$dynamicRef` of the document by a `$ref`.
 * @returns the copies that the document has now, by their pointers
 */
export function bindDynamicReferences(document: Schema, names: DynamicNames): Map<string, Schema> {
  if (names.dynamic.size === 0) {
    return new Map();
  }
  return new Binder(document, names).bind();
}

class Binder {
  readonly #document: Schema;
  readonly #names: DynamicNames;
  /** The pointers of all schemas with a dynamic anchor, by anchor. */
  readonly #anchored = new Map<string, string[]>();
  readonly #anchorsBelow = new Map<string, ReadonlySet<string>>();
  readonly #copies = new Map<string, Schema>();
  /** The pointers of copies, by the original and the schemas to which its anchors lead. */
  readonly #known = new Map<string, string>();
  /** The schema that is bound: copies are put into its `$defs`. */
  #home = '';

  constructor(document: Schema, names: DynamicNames) {
    this.#document = document;
    this.#names = names;
    for (const anchors of names.resources.values()) {
      for (const [anchor, pointer] of anchors) {
        this.#anchored.set(anchor, [...(this.#anchored.get(anchor) ?? []), pointer]);
      }
    }
  }

  bind(): Map<string, Schema> {
    const { dynamic, plain } = this.#names;
    const bound: { schema: Schema; by: Schema }[] = [];
    for (const [pointer, schema] of new Map([...plain, ...dynamic])) {
      this.#home = pointer;
      const anchors = this.#within(pointer, new Map());
      bound.push({ schema, by: this.#boundBy(schema, anchors) });
    }
    // Copies are made of the document as it was.
    for (const { schema, by } of bound) {
      replaceReferences(schema, by);
    }
    for (const [pointer, copy] of this.#copies) {
      this.#place(pointer, copy);
    }
    return this.#copies;
  }

  #place(pointer: string, copy: Schema): void {
    const segments = parsePointer(pointer);
    const name = segments.pop() ?? '';
    const home = valueAt(this.#document, joinPointer('', ...segments.slice(0, -1))) as Schema;
    home['$defs'] ??= {};
    setMember(home['$defs'] as Schema, name, copy);
  }

  /** The keywords that take the place of the references of a schema. */
  #boundBy({ $ref, $dynamicRef, allOf }: Schema, anchors: Anchors): Schema {
    const bound: Schema = {};
    if ($ref !== undefined) {
      const isPointer = typeof $ref === 'string' && $ref.startsWith('#/');
      const plain = isPointer ? this.#referenceTo(decode($ref.slice(1)), anchors) : { $ref };
      Object.assign(bound, plain);
    }
    if (typeof $dynamicRef !== 'string') {
      return bound;
    }
    const dynamic = this.#referenceTo(this.#targetOf($dynamicRef, anchors), anchors);
    if ($ref === undefined) {
      return dynamic;
    }
    const others = Array.isArray(allOf) ? (allOf as unknown[]) : [];
    return { ...bound, allOf: [...others, dynamic] };
  }

  /** Where a dynamic reference leads if these anchors are those of the way to it. */
  #targetOf(reference: string, anchors: Anchors): string | undefined {
    const [uri = '', fragment = ''] = reference.split('#', 2);
    const isAnchor = fragment !== '' && !fragment.startsWith('/');
    const named = this.#names.pointerOf(reference);
    if (!isAnchor) {
      return named;
    }
    const resource = uri === '' ? undefined : this.#names.pointerOf(uri);
    const own = resource === undefined ? undefined : this.#names.resources.get(resource);
    const [only, ...others] = this.#anchored.get(fragment) ?? [];
    const outermost = anchors.get(fragment) ?? own?.get(fragment);
    if (outermost !== undefined || others.length > 0) {
      return outermost;
    }
    // Many authors leave out the schema for the anchor that JSON Schema asks for beside its use.
    return only ?? named;
  }

  /** A reference to the schema, or to a copy of it; one that stays if there are too many copies. */
  #referenceTo(target: string | undefined, anchors: Anchors): Schema {
    const pointer = target === undefined ? undefined : this.#copyFor(target, anchors);
    if (pointer === undefined) {
      return UNBOUND;
    }
    return { $ref: `#${encodeURI(pointer)}` };
  }

  /** The pointer of the schema with references that fit these anchors. */
  #copyFor(target: string, outer: Anchors): string | undefined {
    const original = valueAt(this.#document, target);
    const needed = this.#anchorsNeeded(target);
    const usual = this.#within(target, new Map());
    const anchors = this.#within(target, outer);
    const different = [...needed].filter((one) => anchors.get(one) !== usual.get(one));
    if (different.length === 0 || !isObject(original)) {
      return target;
    }
    const key = JSON.stringify([target, [...needed].map((one) => [one, anchors.get(one)])]);
    const known = this.#known.get(key);
    if (known !== undefined || this.#copies.size >= MOST_COPIES) {
      return known;
    }
    const name = `${parsePointer(target).at(-1)}-${this.#copies.size + 1}`;
    const pointer = joinPointer(this.#home, '$defs', name);
    const copy = structuredClone(original);
    this.#known.set(key, pointer);
    this.#copies.set(pointer, copy);
    this.#bindWithin(copy, target, anchors);
    return pointer;
  }

  #bindWithin(copy: Schema, target: string, anchors: Anchors): void {
    const { dynamic, plain } = this.#names;
    for (const [pointer, schema] of new Map([...plain, ...dynamic])) {
      const isWithin = pointer === target || pointer.startsWith(`${target}/`);
      const holder = isWithin ? valueAt(copy, pointer.slice(target.length)) : undefined;
      if (isObject(holder)) {
        replaceReferences(holder, this.#boundBy(schema, this.#within(pointer, anchors)));
      }
    }
  }

  /** The anchors at a place: those on the way to its schema resource, and then its own. */
  #within(pointer: string, outer: Anchors): Anchors {
    let own: Anchors = new Map();
    let longest = -1;
    for (const [resource, anchors] of this.#names.resources) {
      const holds = pointer === resource || pointer.startsWith(`${resource}/`);
      if (holds && resource.length > longest) {
        own = anchors;
        longest = resource.length;
      }
    }
    return new Map([...own, ...outer]);
  }

  /** The anchors that dynamic references in the schema, or behind its references, have. */
  #anchorsNeeded(target: string): ReadonlySet<string> {
    const known = this.#anchorsBelow.get(target);
    if (known !== undefined) {
      return known;
    }
    const needed = new Set<string>();
    const places = new Set([target]);
    for (const place of places) {
      walk(valueAt(this.#document, place), ({ $ref, $dynamicRef }) => {
        if (typeof $ref === 'string' && $ref.startsWith('#/')) {
          places.add(decode($ref.slice(1)));
        }
        if (typeof $dynamicRef === 'string') {
          const [, anchor = ''] = $dynamicRef.split('#', 2);
          needed.add(anchor);
          for (const one of this.#anchored.get(anchor) ?? []) {
            places.add(one);
          }
        }
      });
    }
    this.#anchorsBelow.set(target, needed);
    return needed;
  }
}

/** A reference that no requirement can follow. */
const UNBOUND: Schema = { $dynamicRef: '#' };

function replaceReferences(schema: Schema, references: Schema): void {
  delete schema['$ref'];
  delete schema['$dynamicRef'];
  Object.assign(schema, references);
}
