/** A body as bytes, by its media type: JSON, a form, a form of several parts, or bytes alone. */
import { isForm, isJson, isMultipart, isRaw, type RequestBody } from '../contract/operations.ts';
import { pairsOf } from './style.ts';

type Form = Pick<RequestBody, 'mediaType' | 'fields'>;

/** @returns the Content-Type and the bytes */
export function contentFor(value: unknown, { mediaType, fields }: Form): [type: string, content: string | Buffer] {
  if (isForm(mediaType)) return [mediaType, formOf(value, fields)];
  if (isMultipart(mediaType)) return [`${mediaType}; boundary=${BOUNDARY}`, partsOf(value, fields)];
  if (!isRaw(mediaType)) return [mediaType, JSON.stringify(value)];
  const isText = mediaType.startsWith('text/');
  const type = isText && !mediaType.includes(';') ? `${mediaType}; charset=utf-8` : mediaType;
  return [type, isText ? String(value) : bytesOf(value)];
}

function entriesOf(value: unknown): [name: string, value: unknown][] {
  return Object.entries((value ?? {}) as object);
}

/** As OpenAPI writes forms by default: a list repeats its name, an object within is JSON. */
function formOf(value: unknown, fields: Form['fields']): string {
  const pairs = entriesOf(value).flatMap(([name, one]) => {
    const { style, explode = style === 'form' } = fields[name] ?? {};
    const styled = style === undefined ? undefined : pairsOf({ name, style, explode, in: 'query' }, one);
    return styled ?? [one].flat().map((item) => [name, textOf(item)]);
  });
  return new URLSearchParams(pairs as [string, string][]).toString();
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const BOUNDARY = 'conformance-1f0c52e9a84b36d7';

function partsOf(value: unknown, fields: Form['fields']): Buffer {
  const parts = entriesOf(value).flatMap(([name, one]) =>
    [one].flat().map((item) => {
      const { contentType = typeof item === 'object' ? 'application/json' : undefined, isFile } = fields[name] ?? {};
      const safe = name.replaceAll(/["\r\n]/g, encodeURIComponent);
      const head = [
        `--${BOUNDARY}`,
        `Content-Disposition: form-data; name="${safe}"${isFile ? '; filename="conformance.bin"' : ''}`,
        ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
      ];
      const isText = contentType === undefined || !isJson(contentType);
      const content = isFile ? bytesOf(item) : Buffer.from(isText ? textOf(item) : JSON.stringify(item));
      return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n')]);
    }),
  );
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** Each character is a byte, unless there are others: then the text is UTF-8. */
function bytesOf(value: unknown): Buffer {
  const text = textOf(value);
  return Buffer.from(text, /[^\0-\u00ff]/.test(text) ? 'utf8' : 'latin1');
}
