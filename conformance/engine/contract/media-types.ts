/**
 * Media types of contracts and of messages (RFC 9110, 8.3.1), and the one of a contract that
 * describes a message.
 */
import { memberOf } from './by-name.ts';
import type { Contract } from './load.ts';
import { isObject, objectAt } from './pointers.ts';

/**
 * The media types of a request body or a response, also those without a schema, which bytes do not
 * need.
 */
export function mediaTypesAt({ document }: Contract, pointer: string): string[] {
  const { content } = objectAt(document, pointer);
  return isObject(content) ? Object.keys(content) : [];
}

/** A media type or a range of them, such as `application/*`, in lower case. */
interface MediaRange {
  type: string;
  subtype: string;
  parameters: ReadonlyMap<string, string>;
}

/** Parameters that describe the form of a text, not its meaning. */
const OF_ENCODING = new Set(['charset', 'boundary', 'q']);

const PARAMETER = /;\s*([^\s;=]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s;]*)/g;

function rangeOf(text: string): MediaRange {
  const [essence = ''] = text.split(';', 1);
  const [type = '', subtype = ''] = essence.trim().toLowerCase().split('/');
  const parameters = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(PARAMETER)) {
    if (!OF_ENCODING.has(name.toLowerCase())) {
      parameters.set(name.toLowerCase(), value.replaceAll('"', '').toLowerCase());
    }
  }
  return { type, subtype, parameters };
}

/**
 * The key of `content` that describes a message of this media type: "if multiple keys match, only
 * the most specific key is applicable" (OpenAPI 3.1, Response Object). Undefined if none matches.
 */
export function mostSpecificKey(keys: readonly string[], mediaType: string): string | undefined {
  // A type without parameters matches no key that has some.
  if (!mediaType.includes(';') && keys.includes(mediaType)) {
    return mediaType;
  }
  const message = rangeOf(mediaType);
  const matching = keys.filter((key) => matches(rangeOf(key), message));
  const [best] = matching.toSorted((one, other) => specificity(other) - specificity(one));
  return best;
}

function matches(range: MediaRange, { type, subtype, parameters }: MediaRange): boolean {
  const isOfType = range.type === '*' || range.type === type;
  const hasParameters = () =>
    [...range.parameters].every(([name, value]) => parameters.get(name) === value);
  return isOfType && matchesSubtype(range.subtype, subtype) && hasParameters();
}

/** A suffix names a family: `*+json` is each subtype that is based on JSON (RFC 6838, 4.2.8). */
function matchesSubtype(range: string, subtype: string): boolean {
  if (range === '*' || range === subtype) {
    return true;
  }
  return range.startsWith('*+') && subtype.endsWith(range.slice(1));
}

/**
 * A type is more specific than a family, a family than `type/*`, and that than any type; then
 * parameters count.
 */
function specificity(key: string): number {
  const { type, subtype, parameters } = rangeOf(key);
  let rank = 3;
  if (type === '*') {
    rank = 0;
  } else if (subtype === '*') {
    rank = 1;
  } else if (subtype.startsWith('*')) {
    rank = 2;
  }
  return rank * 100 + parameters.size;
}

const JSON_TYPE = /^(application\/json|text\/json|[^;]+\+json|\*\/\*|application\/\*)\s*(;|$)/i;
/** Several JSON texts: one a line, or after a record separator (RFC 7464). */
const JSON_SEQUENCE =
  /^(application\/(x-)?(ndjson|jsonl|json-lines|json-seq)|[^;]+\+json-seq)\s*(;|$)/i;

/** Whether a body of this media type, or of a range that contains JSON, is one JSON text. */
export const isJson = (mediaType: string): boolean =>
  JSON_TYPE.test(mediaType) && !JSON_SEQUENCE.test(mediaType);

export const isJsonSequence = (mediaType: string): boolean => JSON_SEQUENCE.test(mediaType);

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

export const isForm = (mediaType: string): boolean => FORM_TYPE.test(mediaType);

const MULTIPART_TYPE = /^multipart\/form-data\s*(;|$)/i;

export const isMultipart = (mediaType: string): boolean => MULTIPART_TYPE.test(mediaType);

const RAW_TYPE = /^(text\/(?!xml|json)|application\/octet-stream\s*(;|$))/i;

/** Types whose bytes have no form that follows from a schema, with those that are texts. */
const STRUCTURED_TYPE = /^(multipart\/|text\/|[^;]+[/+](xml|yaml|x-yaml|cbor)\s*(;|$))/i;

/**
 * Whether a body of this media type is bytes of which a service may know the form, such as those of
 * a PDF: any bytes are sent.
 */
export function isOtherBytes(mediaType: string): boolean {
  const isText = isJson(mediaType) || isForm(mediaType) || isJsonSequence(mediaType);
  const isKnown = RAW_TYPE.test(mediaType) || imageIn(mediaType) !== undefined;
  return mediaType.includes('/') && !isText && !isKnown && !STRUCTURED_TYPE.test(mediaType);
}

/** Whether a body of this media type is bytes, or a text as it stands. */
export function isRaw(mediaType: string): boolean {
  const isKnown = RAW_TYPE.test(mediaType) || imageIn(mediaType) !== undefined;
  return isKnown || isOtherBytes(mediaType);
}

/** Whether a body of this media type is a text as it stands. */
export const isPlainText = (mediaType: string): boolean => /^text\/(?!xml|json)/i.test(mediaType);

/**
 * The media type itself; for a range, a type within it, since a message names one.
 * @param fallback of other ranges
 */
export function namedType(mediaType: string, fallback: string): string {
  const { type, subtype } = rangeOf(mediaType);
  if (!mediaType.includes('*')) {
    return mediaType;
  }
  if (subtype.startsWith('*+') && type !== '*') {
    return `${type}/${subtype.slice(2)}`;
  }
  return REPRESENTATIVES[type] ?? fallback;
}

/** The type that stands for a range, by its first part. */
const REPRESENTATIVES: Readonly<Record<string, string>> = {
  text: 'text/plain',
  image: 'image/png',
  audio: 'audio/mpeg',
  video: 'video/mp4',
  font: 'font/woff2',
};

/** Images of one point, in base64. */
const IMAGES: Readonly<Record<string, string>> = {
  png:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkk' +
    'AAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==',
  gif: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  jpeg:
    `/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP${'/'.repeat(86)}wAALCAABAAEBAREA` +
    '/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z',
};

/** An image of the media type, each byte a character; undefined if none is known. */
export function imageIn(mediaType: string): string | undefined {
  const [, type = ''] = /^image\/([*a-z]+)/i.exec(mediaType) ?? [];
  const base64 = memberOf(IMAGES, type === '*' ? 'png' : type.toLowerCase());
  if (base64 === undefined) {
    return undefined;
  }
  return Buffer.from(base64, 'base64').toString('latin1');
}
