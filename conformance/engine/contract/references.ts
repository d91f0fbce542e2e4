/** References of a contract to other documents, which are read and become part of the contract. */
import { setMember } from './by-name.ts';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringifyJson } from './json-numbers.ts';
import { isObject, joinPointer, parsePointer, valueAt, walk } from './pointers.ts';
import { parseYaml, textOf } from './yaml.ts';

type Json = Record<string, unknown>;

export interface Bundled {
  document: unknown;
  /**
   * One sentence for each reference that could not be followed: operations that need it cannot be
   * tried.
   */
  warnings: string[];
}

/** Members whose contents are values: a `$ref` in an example is not a reference. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Whether something in the document refers to another document. */
export function hasExternalReferences(document: unknown): boolean {
  const names = new Set<unknown>();
  const bases = new Set<string>();
  walk(document, (value, pointer) => {
    const { $id, $ref } = value;
    const isLocal = typeof $ref !== 'string' || $ref.startsWith('#');
    // Nearly all objects end here: to look at their places takes longer than all else.
    if ((isLocal && $id === undefined) || isInValue(pointer)) {
      return;
    }
    names.add($id);
    const [base = ''] = isLocal ? [] : $ref.split('#', 1);
    bases.add(base);
  });
  // A schema of the document may have this name.
  return [...bases].some((base) => base !== '' && !names.has(base));
}

/**
 * References by the address that the document states of itself lead into it (OpenAPI 3.2, `$self`
 * of the OpenAPI Object).
 */
export function resolveSelf(document: Json): void {
  const { $self } = document;
  if (typeof $self !== 'string' || !URL.canParse($self)) {
    return;
  }
  walk(document, (value, pointer) => {
    const { $ref } = value;
    if (typeof $ref !== 'string' || $ref.startsWith('#') || isInValue(pointer)) {
      return;
    }
    const target = URL.canParse($ref, $self) ? new URL($ref, $self) : undefined;
    const fragment = target?.hash ?? '';
    if (target?.href === new URL($self).href + fragment) {
      value['$ref'] = fragment || '#';
    }
  });
}

/** Whether a place is within a value, such as an example or a choice of an `enum`. */
export function isInValue(pointer: string): boolean {
  const segments = pointer.split('/');
  return segments.some(
    (segment, index) => VALUES.has(segment) && segments[index - 1] !== 'properties',
  );
}

/**
 * The document with everything that it refers to.
 * @param location the path or URL of the document
 * @param also folders and URLs to which references may lead, beside the folder or host of the
 * document
 */
export async function bundle(
  location: string,
  document: Json,
  also: readonly string[],
): Promise<Bundled> {
  const homes = [homeOf(location), ...also.map(asHome)];
  // It takes a while to load, and most contracts are one file.
  const { $RefParser, JSONParserErrorGroup } = await import('@apidevtools/json-schema-ref-parser');
  const values = takeOutValues(document);
  hideUnreadable(document);
  const parser = new $RefParser();
  const options = { resolve: resolversFor(homes), parse: PARSERS, continueOnError: true };
  const warnings = new Set<string>();
  try {
    await parser.bundle(location, document as never, options as never);
  } catch (error) {
    if (!(error instanceof JSONParserErrorGroup)) {
      throw error;
    }
    const where = `${isUrl(location) ? 'at' : 'below'} ${homes.join(' and ')}`;
    for (const { message } of error.errors) {
      const [reason = ''] = message.split('\n', 1);
      warnings.add(warningOf(asWritten(reason), where));
    }
  }
  const bundled: unknown = parser.schema ?? document;
  showUnreadable(bundled);
  putBackValues(bundled, values);
  return { document: bundled, warnings: [...warnings] };
}

/**
 * Other files are read as the contract itself is: with merge keys, and with every digit. The
 * parsers of the library remain for files with other endings.
 */
const PARSERS = {
  contract: {
    order: 1,
    canParse: /\.(ya?ml|json)$/i,
    parse: ({ data }: { data: unknown }) => {
      const { document } = parseYaml(writtenIn(data));
      hideUnreadable(document);
      return document;
    },
  },
};

/** The scheme of URLs that lead nowhere. */
const NOWHERE = 'nowhere:';

const FROM_NOWHERE = /nowhere:([^ "]*)/g;

/**
 * A reference that is not a URL, such as one to `http://localhost:${port}/`, would end the library:
 * it becomes a URL that leads nowhere.
 */
function hideUnreadable(document: unknown): void {
  walk(document, (value) => {
    const { $ref } = value;
    if (typeof $ref === 'string' && !URL.canParse($ref, 'file:///')) {
      value['$ref'] = NOWHERE + encodeURIComponent($ref);
    }
  });
}

/** Such references are again as they are written. */
function showUnreadable(document: unknown): void {
  walk(document, (value) => {
    const { $ref } = value;
    if (typeof $ref === 'string' && $ref.startsWith(NOWHERE)) {
      value['$ref'] = asWritten($ref);
    }
  });
}

const asWritten = (text: string): string =>
  text.replaceAll(FROM_NOWHERE, (_, encoded: string) => decodeURIComponent(encoded));

const writtenIn = (data: unknown): string =>
  data instanceof Uint8Array ? textOf(data) : String(data);

const isUrl = (place: string): boolean => /^https?:/i.test(place);

/** The folder or the host of a document: references lead to places that begin with it. */
function homeOf(location: string): string {
  if (isUrl(location)) {
    return `${new URL(location).origin}/`;
  }
  return dirname(location) + sep;
}

/** A folder ends with a separator, so that no other folder begins with its name. */
function asHome(place: string): string {
  if (isUrl(place) || place.endsWith(sep)) {
    return place;
  }
  return place + sep;
}

/** Options of the parser by which it reads only files and URLs that begin with one of the homes. */
function resolversFor(homes: readonly string[]) {
  const canRead = ({ url }: { url: string }) => {
    const place = url.startsWith('file:') ? fileURLToPath(url) : url;
    return homes.some((home) => place.startsWith(home));
  };
  return {
    file: !homes.every(isUrl) && { canRead },
    http: homes.some(isUrl) && { canRead, safeUrlResolver: false, timeout: 30_000 },
  };
}

const warningOf = (reason: string, where: string): string =>
  `A reference cannot be followed: ${reason} (references are followed ${where} only; ` +
  '--references names others).';

/** Takes the contents of examples and other values out of the document. @returns them by pointer */
function takeOutValues(document: Json): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const visit = (value: unknown, pointer: string, isMap: boolean): void => {
    if (typeof value !== 'object' || value === null) {
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      const at = joinPointer(pointer, name);
      if (!isMap && isValueWithReferences(name, member)) {
        values.set(at, member);
        setMember(value as Json, name, null);
      } else {
        visit(member, at, MAPS.has(name));
      }
    }
  };
  visit(document, '', false);
  return values;
}

/** Members that have any names in them, also names of values. */
const MAPS = new Set(['properties', 'responses', 'schemas']);

function isValueWithReferences(name: string, member: unknown): boolean {
  if (!VALUES.has(name) || typeof member !== 'object') {
    return false;
  }
  return stringifyJson(member).includes('"$ref"') && !isMapOfExamples(name, member);
}

/**
 * `examples` of a media type or parameter may refer to components: each of them is an Example
 * Object.
 */
function isMapOfExamples(name: string, member: unknown): boolean {
  return name === 'examples' && isObject(member) && Object.values(member).every(isExample);
}

const isExample = (one: unknown): boolean =>
  isObject(one) && (typeof one['$ref'] === 'string' || 'value' in one || 'externalValue' in one);

function putBackValues(document: unknown, values: ReadonlyMap<string, unknown>): void {
  for (const [pointer, value] of values) {
    const cut = pointer.lastIndexOf('/');
    const holder = valueAt(document, pointer.slice(0, cut));
    if (isObject(holder)) {
      const [name = ''] = parsePointer(pointer.slice(cut));
      setMember(holder, name, value);
    }
  }
}

/**
 * Parameters that are described in a document which cannot be read: one whose name is in a path is
 * a text there. The others stay as they are.
 */
export function describePathParameters(document: Json): void {
  const templates = Object.keys(Object(document['paths']) as Json);
  const names = new Set(templates.flatMap((path) => Array.from(path.matchAll(NAMES), String)));
  const { parameters } = Object(document['components']) as Json;
  const declared: unknown[] = Object.values(Object(parameters) as Json);
  walk(document['paths'], (value) => {
    if (Array.isArray(value['parameters'])) {
      declared.push(...(value['parameters'] as unknown[]));
    }
  });
  for (const one of declared) {
    const name = nameElsewhere(one);
    if (isObject(one) && name !== undefined && names.has(name)) {
      delete one['$ref'];
      Object.assign(one, { name, in: 'path', required: true, schema: { type: 'string' } });
    }
  }
}

/** The names in the braces of a path. */
const NAMES = /(?<=\{)[^{}]+(?=\})/g;

/** The last segment of a reference to another document. */
function nameElsewhere(declared: unknown): string | undefined {
  const { $ref } = Object(declared) as { $ref?: unknown };
  if (typeof $ref !== 'string' || $ref.startsWith('#')) {
    return undefined;
  }
  return $ref.slice($ref.lastIndexOf('/') + 1);
}
