/** References of a contract to other documents, which are read and become part of the contract. */
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, joinPointer, valueAt, walk } from './pointers.ts';

type Json = Record<string, unknown>;

export interface Bundled {
  document: unknown;
  /** One sentence for each reference that could not be followed: what needs it cannot be tried. */
  warnings: string[];
}

/** Members whose contents are values: a `$ref` in an example refers to nothing. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** Whether something in the document refers to another document. */
export function hasExternalReferences(document: unknown): boolean {
  const names = new Set<unknown>();
  const references: string[] = [];
  walk(document, (value, pointer) => {
    if (isInValue(pointer)) {
      return;
    }
    names.add(value['$id']);
    if (typeof value['$ref'] === 'string') {
      references.push(value['$ref']);
    }
  });
  return references.some((reference) => {
    const [base = ''] = reference.split('#', 1);
    // What a schema of the document has for its own name is there already.
    return base !== '' && !names.has(base);
  });
}

function isInValue(pointer: string): boolean {
  const segments = pointer.split('/');
  return segments.some(
    (segment, index) => VALUES.has(segment) && segments[index - 1] !== 'properties',
  );
}

/**
 * The document with everything that it refers to.
 * @param location the path or URL of the document
 * @param also where references may lead, beside the folder or host of the document
 */
export async function bundle(
  location: string,
  document: Json,
  also: readonly string[],
): Promise<Bundled> {
  const isRemote = isUrl(location);
  const home = isRemote ? `${new URL(location).origin}/` : dirname(location) + sep;
  const homes = [home, ...also.map((place) => (isUrl(place) ? place : withSeparator(place)))];
  const canRead = ({ url }: { url: string }) => {
    const place = url.startsWith('file:') ? fileURLToPath(url) : url;
    return homes.some((one) => place.startsWith(one));
  };
  const resolve = {
    file: homes.every(isUrl) ? false : { canRead },
    http: homes.some(isUrl) ? { canRead, safeUrlResolver: false, timeout: 30_000 } : false,
  };
  // It takes a while to load, and most contracts are one file.
  const { $RefParser, JSONParserErrorGroup } = await import('@apidevtools/json-schema-ref-parser');
  const values = takeOutValues(document);
  const parser = new $RefParser();
  const warnings: string[] = [];
  try {
    await parser.bundle(location, document as never, { resolve, continueOnError: true } as never);
  } catch (error) {
    if (!(error instanceof JSONParserErrorGroup)) {
      throw error;
    }
    const where = `${isRemote ? 'at' : 'below'} ${homes.join(' and ')}`;
    for (const { message } of error.errors) {
      const [line] = message.split('\n', 1);
      warnings.push(
        `A reference cannot be followed: ${line} (references are followed ${where} only; ` +
          '--references names others).',
      );
    }
  }
  const bundled: unknown = parser.schema ?? document;
  putBackValues(bundled, values);
  return { document: bundled, warnings: [...new Set(warnings)] };
}

const isUrl = (place: string): boolean => /^https?:/i.test(place);

const withSeparator = (folder: string): string => (folder.endsWith(sep) ? folder : folder + sep);

/** Takes the contents of examples and other values out of the document. @returns them by pointer */
function takeOutValues(document: Json): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const visit = (value: unknown, pointer: string, isMap: boolean): void => {
    if (typeof value !== 'object' || value === null) {
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      const at = joinPointer(pointer, name);
      const isValue = !isMap && VALUES.has(name) && typeof member === 'object';
      if (isValue && JSON.stringify(member).includes('"$ref"') && !isMapOfExamples(name, member)) {
        values.set(at, member);
        (value as Json)[name] = null;
      } else {
        visit(member, at, name === 'properties' || name === 'responses' || name === 'schemas');
      }
    }
  };
  visit(document, '', false);
  return values;
}

/** `examples` of a media type or parameter may refer to components: each of them is an Example Object. */
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
      const name = pointer
        .slice(cut + 1)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~');
      holder[name] = value;
    }
  }
}
