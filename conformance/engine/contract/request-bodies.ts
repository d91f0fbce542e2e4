/** The bodies of requests: of the media types that a body may have, the one that is sent. */
import { isDeepStrictEqual } from 'node:util';
import { memberOf, setMember } from './by-name.ts';
import { supported, Unsupported } from './keywords.ts';
import type { Contract } from './load.ts';
import {
  isForm,
  isJson,
  isJsonSequence,
  isMultipart,
  isOtherBytes,
  isRaw,
  namedType,
} from './media-types.ts';
import {
  dereference,
  isObject,
  joinPointer,
  objectAt,
  schemasByMediaType,
  valueAt,
} from './pointers.ts';
import { type Shape, shapeOf, texts, withoutNull } from './shape.ts';

export interface RequestBody {
  /** JSON Pointer of its schema, or of its component. */
  pointer: string;
  required: boolean;
  mediaType: string;
  /** Other media types of JSON, of which a service may take one only. */
  otherTypes: readonly string[];
  /** Bodies of other kinds, such as a form, for a service that refuses this one. */
  others: readonly RequestBody[];
  /** The bodies of all other media types that can be made. */
  alternatives?: readonly RequestBody[];
  /** The media types with another schema, of which no requirement is made. */
  untried?: readonly string[];
  /** How a form has a property, by the name of the property. */
  fields: Readonly<Record<string, FormField>>;
  examples: Record<string, unknown>;
}

export interface FormField {
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
  const types = Object.keys(schemas).filter((one) => isMade(contract, one, schemas[one] ?? ''));
  const type = preferredType(types);
  if (type === undefined) {
    const names = Object.keys(schemas).join(', ') || 'none';
    throw new Unsupported(`no body is made of the media types at ${pointer}: ${names}`);
  }
  const bodyOf = (one: string): RequestBody =>
    bodyOfType(contract, {
      type: one,
      schema: schemas[one] ?? '',
      at: joinPointer(pointer, 'content', one),
      isRequired: required === true,
    });
  const preferred = bodyOf(type);
  const otherTypes = types.filter((one) => one !== type && isJsonAlone(one));
  const others = types.filter((one) => one !== type && !isJson(one)).map(bodyOf);
  const untried = Object.keys(schemas).filter((one) =>
    isOtherSchema(contract, schemas[one] ?? '', preferred.pointer),
  );
  const alternatives = [...otherTypes.map(bodyOf), ...others].filter(canBeMade);
  return { ...preferred, otherTypes, others: others.filter(isUsable), alternatives, untried };
}

/** Whether the schemas differ, and the first one has rules. */
function isOtherSchema({ document }: Contract, pointer: string, sent: string): boolean {
  if (pointer === sent) {
    return false;
  }
  const schema = valueAt(document, pointer);
  const hasRules = Object.keys(Object(schema) as object).length > 0;
  return hasRules && !isDeepStrictEqual(schema, valueAt(document, sent));
}

/** Whether the bytes of a body can be made up: of a value with members, nobody knows how. */
function isMade(contract: Contract, type: string, schema: string): boolean {
  if (!isOtherBytes(type)) {
    return true;
  }
  return supported(
    () => shapeOf(contract, schema).types.has('string'),
    () => false,
  );
}

interface StatedType {
  type: string;
  schema: string;
  at: string;
  isRequired: boolean;
}

function bodyOfType(contract: Contract, { type, schema, at, isRequired }: StatedType): RequestBody {
  const hasFields = isForm(type) || isMultipart(type);
  const isAnyBytes = supported(
    () => hasBytes(shapeOf(contract, schema)),
    () => false,
  );
  return {
    pointer: schema,
    required: isRequired,
    mediaType: namedType(type, isAnyBytes ? 'application/octet-stream' : 'application/json'),
    otherTypes: [],
    others: [],
    fields: hasFields ? fieldsOf(contract, schema, at) : {},
    examples: examplesOf(contract, at),
  };
}

/** Whether bodies of the media type follow from a schema. */
export const canBeMade = ({ mediaType }: RequestBody): boolean =>
  preferredType([mediaType]) !== undefined;

/** Whether a body can be made, or is shown as a text, such as one of XML. */
const isUsable = (body: RequestBody): boolean =>
  canBeMade(body) || Object.values(body.examples).some((one) => typeof one === 'string');

/** A media type of JSON that is no range of several. */
const isJsonAlone = (type: string): boolean => isJson(type) && !type.includes('*');

function preferredType(types: readonly string[]): string | undefined {
  for (const isPreferred of [isJson, isForm, isMultipart, isRaw, isJsonSequence]) {
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
function fieldsOf(contract: Contract, schema: string, pointer: string): Record<string, FormField> {
  const encodings = Object(objectAt(contract.document, pointer)['encoding']) as Schema;
  const fields: [string, FormField][] = [];
  for (const [name, shape] of shapeOf(contract, schema).properties) {
    const encoding = Object(memberOf(encodings, name)) as FormField;
    fields.push([name, fieldOf(encoding, isOfBytes(contract, shape))]);
  }
  return Object.fromEntries(fields);
}

type Schema = Record<string, unknown>;

const FILE_TYPE = /^(image\/|application\/octet-stream)/;

function fieldOf({ contentType, style, explode }: FormField, hasBytes: boolean): FormField {
  // A list of several types states the allowed ones, and a part names one.
  const [first = ''] = String(contentType ?? '').split(/\s*,/);
  const type = namedType(first, 'application/octet-stream');
  const isFile = hasBytes || FILE_TYPE.test(type);
  const field: FormField = { isFile };
  if (type !== '' || isFile) {
    field.contentType = type || 'application/octet-stream';
  }
  const isStated = style !== undefined || explode !== undefined;
  if (isStated) {
    // The default is `form` (OpenAPI 3.1, Encoding Object).
    field.style = style ?? 'form';
  }
  if (explode !== undefined) {
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
      setMember(found, name, value);
    }
  }
  return found;
}
