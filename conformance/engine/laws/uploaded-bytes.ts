/**
 * The law of files that a POST of bytes makes: a GET of the new item, or of one segment behind it,
 * returns the bytes that were sent.
 */
import { hash } from 'node:crypto';
import { memberOf } from '../contract/by-name.ts';
import { allLinks } from '../contract/item-links.ts';
import type { Contract } from '../contract/load.ts';
import { isPlainText, isRaw, mediaTypesAt } from '../contract/media-types.ts';
import {
  type Operation,
  operationsOf,
  pathParameters,
  schemaOfSuccess,
  successOf,
} from '../contract/operations.ts';
import { isObject } from '../contract/pointers.ts';
import { type Shape, shapeOf, texts } from '../contract/shape.ts';
import { wordsAt } from '../contract/words.ts';
import type { CallInput } from '../http/call.ts';
import { expectSame, expectThat, NotPossible } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import { evaluate } from '../http/runtime-expressions.ts';
import type { Session } from '../http/session.ts';
import { validCall, withRequired } from '../requirements/calls.ts';
import { once, type Requirement, requirementOf } from '../requirements/requirement.ts';

/** A POST of bytes, and the GET that returns them. */
interface Upload {
  operation: Operation;
  download: Operation;
}

/** The law of an operation, if what it makes can be downloaded; empty if not. */
export function uploadLaws(contract: Contract, operation: Operation): Requirement[] {
  const download = operationsOf(contract).find((one) => isDownload(contract, operation, one));
  if (operation.method !== 'POST' || download === undefined) {
    return [];
  }
  const returned = bytesIn(contract, successOf(download).pointer);
  const types = bytesIn(contract, `${operation.pointer}/requestBody`).filter((type) =>
    mayReturn(returned, type),
  );
  if (types.length === 0) {
    return [];
  }
  const upload: Upload = { operation, download };
  const { operationId } = operation;
  return [
    requirementOf(operation, 'bytes', {
      stated: download,
      sentence: `${download.operationId} returns the bytes that ${operationId} was sent.`,
      properties: () => [
        once('bytes that are no text', (session) => tryUploads(session, upload, types)),
      ],
    }),
  ];
}

/** The media types of bytes that a request body or a response may have. */
function bytesIn(contract: Contract, pointer: string): string[] {
  return mediaTypesAt(contract, pointer).filter((type) => isRaw(type) && !isPlainText(type));
}

/** Whether bytes of a media type come back as such, or as any bytes: others are converted. */
function mayReturn(returned: readonly string[], type: string): boolean {
  const [kind = ''] = type.split('/', 1);
  const alike = [type, `${kind}/*`, '*/*', 'application/octet-stream'];
  return !type.includes('*') && returned.some((one) => alike.includes(one));
}

/** The path of an item, or of its content: a preview has other bytes. */
const BEHIND_COLLECTION = /^\/\{[^{}]+\}(\/(content|raw|file|download|data|body|bytes|blob))?$/i;

/** Whether it reads bytes of what the operation makes. */
function isDownload(contract: Contract, { path }: Operation, one: Operation): boolean {
  const isBehind = one.path.startsWith(path) && BEHIND_COLLECTION.test(one.path.slice(path.length));
  if (one.method !== 'GET' || !isBehind || one.unsupported !== undefined) {
    return false;
  }
  return bytesIn(contract, successOf(one).pointer).length > 0;
}

/** No UTF-8, and what readers of text change: a byte order mark, line breaks, NUL, a high bit. */
const BYTES = Buffer.from('efbbbf0d0a000aff c3 28 80 0d e9 1a 7f'.replaceAll(' ', ''), 'hex');

/** In each media type. @throws NotPossible if the service refuses all of them */
async function tryUploads(
  session: Session,
  upload: Upload,
  types: readonly string[],
): Promise<void> {
  const statuses: number[] = [];
  for (const type of types) {
    const status = await tryUpload(session, upload, type);
    if (status !== undefined) {
      statuses.push(status);
    }
  }
  if (statuses.length === types.length) {
    const why = `refuses bytes, or only accepts them (${statuses.join(', ')})`;
    throw new NotPossible(`${upload.operation.operationId} ${why}`);
  }
}

/** @returns the status if the service does not take such bytes, as where it looks for an image */
async function tryUpload(
  session: Session,
  { operation, download }: Upload,
  mediaType: string,
): Promise<number | undefined> {
  const { operationId } = operation;
  const { json: _, form: __, ...call } = await validCall(session, operationId);
  const headers = { ...call.headers, 'content-type': mediaType };
  const sent: CallInput = { ...call, body: BYTES, headers };
  const made = await session.call(operationId, sent);
  // What is only accepted may not be there yet.
  if (made.status >= 300 || made.status === 202) {
    return made.status;
  }
  const got = await downloaded(session, { operation, download }, { input: sent, response: made });
  const [due, shown] = [BYTES, got.content].map((bytes) => bytes.toString('hex'));
  const what = 'The response has other bytes than were sent.';
  expectThat(shown === due, what, { expected: due, got: shown });
  const { contract } = session.implementation;
  if (keepsMediaType(contract, download)) {
    expectSame('The media type is not the one that was sent', got.mediaType, mediaType);
  }
  expectMeasures(contract, operation, made.json);
  return undefined;
}

/** What the GET returns for the new item. @throws NotPossible if nothing says which one it is */
async function downloaded(
  session: Session,
  { operation, download }: Upload,
  exchange: { input: CallInput; response: HttpResponse },
): Promise<HttpResponse> {
  const { implementation } = session;
  const key = pathParameters(download).at(-1)?.name ?? '';
  const ids = new Set<string>();
  for (const { from, to, parameters } of allLinks(implementation.contract)) {
    if (from === operation && pathParameters(to).at(-1)?.name === key) {
      ids.add(evaluate(parameters[key], exchange) ?? '');
    }
  }
  ids.delete('');
  for (const id of ids) {
    const path = { ...exchange.input.path, [key]: id };
    const input = withRequired(implementation, download, { path });
    const response = await session.call(download.operationId, input);
    if (response.status < 300) {
      return response;
    }
  }
  throw new NotPossible(`nothing is known that ${download.operationId} returns for a new item`);
}

const ABOUT_TYPE = /\b(content-type|media type)\b/i;
const ABOUT_SENT = /\b(was|were|is|are|been) (sent|uploaded|posted)\b|\bof the upload\b/i;

/** Whether the words of a GET promise the media type of the upload. */
function keepsMediaType(contract: Contract, download: Operation): boolean {
  const words = wordsAt(contract, download.pointer, successOf(download).pointer);
  return ABOUT_TYPE.test(words) && ABOUT_SENT.test(words);
}

/** As in `Number of bytes of the content.` */
const COUNTS_BYTES = /^(the )?(number of bytes|size in bytes|length in bytes)\b/i;
const IS_SHA256 = /\bsha-?256\b/i;
const IS_HEX_DIGEST = /^[0-9a-f]{64}$/i;

/** The size and the digest that the response to the upload shows. */
function expectMeasures(contract: Contract, operation: Operation, json: unknown): void {
  const schema = schemaOfSuccess(operation);
  if (schema === undefined || !isObject(json)) {
    return;
  }
  for (const [name, shape] of shapeOf(contract, schema).properties) {
    const shown = memberOf(json, name);
    if (typeof shown === 'number' && says(shape, COUNTS_BYTES)) {
      expectSame(`\`${name}\` is another size than that of the bytes`, shown, BYTES.length);
    }
    const isDigest = IS_SHA256.test(name) || says(shape, IS_SHA256);
    if (typeof shown === 'string' && isDigest && IS_HEX_DIGEST.test(shown)) {
      const due = hash('sha256', BYTES, 'hex');
      expectSame(`\`${name}\` is another digest than that of the bytes`, shown.toLowerCase(), due);
    }
  }
}

const says = (shape: Shape, words: RegExp): boolean =>
  texts(shape, 'description').some((text) => words.test(text.trim()));
