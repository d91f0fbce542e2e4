/** The bodies of requests: of the media types that a body may have, the one that is sent. */
import { supported, Unsupported } from './keywords.ts';
import type { Contract } from './load.ts';
import { isForm, isJson, isMultipart, isRaw, namedType } from './media-types.ts';
import { dereference, isObject, joinPointer, objectAt, schemasByMediaType } from './pointers.ts';
import { type Shape, shapeOf, texts, withoutNull } from './shape.ts';

export interface RequestBody {
  /** JSON Pointer of its schema, or of its component. */
  pointer: string;
  required: boolean;
  mediaType: string;
  /** Other media types of JSON, of which a service may take one only. */
  otherTypes: readonly string[];
  /** How a form has a property, by the name of the property. */
  fields: Readonly<Record<string, Field>>;
  examples: Record<string, unknown>;
}

export interface Field {
  contentType?: string;
  /** Sent with the name of a file. */
  isFile?: boolean;
  style?: string;
  explode?: boolean;
}

/** @throws Unsupported if no body of its media types can be made */
export function requestBodyAt(contract: Contract, at: string): RequestBody {
  const pointer = dereference(contract.document, at);
  const { required } = objectAt(contract.document, pointer);
  const schemas = schemasByMediaType(contract.document, pointer);
  const type = preferredType(Object.keys(schemas));
  const schema = type === undefined ? undefined : schemas[type];
  if (type === undefined || schema === undefined) {
    const names = Object.keys(schemas).join(', ') || 'none';
    throw new Unsupported(`no body is made of the media types at ${pointer}: ${names}`);
  }
  const mediaType = joinPointer(pointer, 'content', type);
  const hasFields = isForm(type) || isMultipart(type);
  return {
    pointer: schema,
    required: required === true,
    mediaType: namedType(type, 'application/json'),
    otherTypes: Object.keys(schemas).filter((one) => one !== type && isJsonAlone(one)),
    fields: hasFields ? fieldsOf(contract, schema, mediaType) : {},
    examples: examplesOf(contract, mediaType),
  };
}

/** A media type of JSON that is no range of several. */
const isJsonAlone = (type: string): boolean => isJson(type) && !type.includes('*');

function preferredType(types: readonly string[]): string | undefined {
  for (const isPreferred of [isJson, isForm, isMultipart, isRaw]) {
    const found = types.find((type) => isPreferred(type));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/**
 * The form in which properties are sent, by the `encoding` at the pointer of a media type and by
 * the schemas of the properties.
 */
function fieldsOf(contract: Contract, schema: string, pointer: string): Record<string, Field> {
  const encodings = Object(objectAt(contract.document, pointer)['encoding']) as Schema;
  const fields: [string, Field][] = [];
  for (const [name, shape] of shapeOf(contract, schema).properties) {
    const encoding = Object(encodings[name]) as Field;
    fields.push([name, fieldOf(encoding, isOfBytes(contract, shape))]);
  }
  return Object.fromEntries(fields);
}

type Schema = Record<string, unknown>;

const FILE_TYPE = /^(image\/|application\/octet-stream)/;

function fieldOf({ contentType, style, explode }: Field, hasBytes: boolean): Field {
  // A list of several types states the allowed ones, and a part names one.
  const [first = ''] = String(contentType ?? '').split(/\s*,/);
  const type = namedType(first, 'application/octet-stream');
  const isFile = hasBytes || FILE_TYPE.test(type);
  const field: Field = { isFile };
  if (type !== '' || isFile) {
    field.contentType = type || 'application/octet-stream';
  }
  if (style !== undefined) {
    field.style = style;
  }
  if (style !== undefined && explode !== undefined) {
    field.explode = explode;
  }
  return field;
}

/** Whether the value, or each item of a list, is bytes. */
function isOfBytes(contract: Contract, shape: Shape): boolean {
  const own = withoutNull(contract, shape);
  return hasBytes(own) || (own.items !== undefined && hasBytes(own.items));
}

const hasBytes = (shape: Shape): boolean =>
  texts(shape, 'format').includes('binary') || texts(shape, 'contentMediaType').length > 0;

function examplesOf({ document }: Contract, pointer: string): Record<string, unknown> {
  const { examples, example } = objectAt(document, pointer);
  if (!isObject(examples)) {
    if (example === undefined) {
      return {};
    }
    return { example };
  }
  const holder = joinPointer(pointer, 'examples');
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(examples)) {
    const value = supported(
      () => objectAt(document, dereference(document, joinPointer(holder, name)))['value'],
      () => undefined,
    );
    if (value !== undefined) {
      found[name] = value;
    }
  }
  return found;
}
