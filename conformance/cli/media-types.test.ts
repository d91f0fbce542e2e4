/** Bodies of other media types than JSON: forms, texts, images, bytes and files. */
import { expect, it } from 'vitest';
import { parse } from '../engine/http/response.ts';
import type { Service } from '../self-test/service.ts';
import { contractOf } from './testing/contracts.ts';
import { respondWith, resultsBy } from './testing/services.ts';
import { only } from './testing/suite.ts';

const MEMBERS_OF_CARD = ['title', 'count', 'big', 'tags', 'meta', 'logo'];
const BOOLEAN = /^(true|false|1|0|)$/;
/** In bytes: that of the image which the suite sends. */
const SIZE_OF_LOGO = 67;

/** @param isCount whether a service takes a text for a count */
function isCard(form: FormData, tags: readonly unknown[], isCount: (text: string) => boolean) {
  const textOf = (name: string) => String(form.get(name) ?? '');
  const title = textOf('title');
  const meta = parse(textOf('meta') || '{"a":1}');
  const rules = [
    form.has('title') && [...title].length <= 5,
    [...form.keys()].every((name) => MEMBERS_OF_CARD.includes(name)),
    isCount(textOf('count')),
    BOOLEAN.test(textOf('big')),
    tags.length <= 2 && tags.every((tag) => /^[a-z]+$/.test(String(tag))),
    Number.isInteger(Object(meta).a),
    isLogo(form.get('logo')),
  ];
  return rules.every(Boolean);
}

function isLogo(logo: File | string | null): boolean {
  if (logo === null || typeof logo === 'string') {
    return true;
  }
  return logo.type === 'image/png' && logo.size === SIZE_OF_LOGO;
}

/** It reads forms as Node does. */
function media(isCount: (text: string) => boolean): Service {
  return async ({ target, headers, body }) => {
    const type = headers['content-type'] ?? '';
    const read = new Response(body, { headers: { 'content-type': type } }).formData();
    const form = await read.catch(() => new FormData());
    const piped = form.has('tags') ? String(form.get('tags')).split('|') : [];
    const isRight: Record<string, boolean> = {
      '/note': type.startsWith('text/plain') && body.length > 0,
      '/blob': type === 'application/octet-stream' && body.length > 0,
      '/logo': type === 'image/png' && body.toString('latin1').startsWith('\u0089PNG'),
      '/form': isCard(form, piped, isCount),
      '/card': type.startsWith('multipart/') && isCard(form, form.getAll('tags'), isCount),
    };
    return respondWith(isRight[target] ? 201 : 400);
  };
}

it('bodies of each media type are as their schemas say', async () => {
  const service = media((text) => /^[123]?$/.test(text));
  const { requirements, broken } = await resultsBy(service, contractOf('media'));
  expect(broken).toEqual([]);
  const passed = requirements.filter(({ status }) => status === 'pass').map(({ id }) => id);
  const all = ['note.201', 'blob.201', 'logo.201', 'form.201', 'card.201'];
  expect(passed).toEqual(expect.arrayContaining(all));
});

it('a limit of a number in a form is found missing', async () => {
  const service = media((text) => /^\d*$/.test(text));
  const line = only('form.body.count', 'card.body.count');
  const { broken } = await resultsBy(service, contractOf('media'), line);
  const limits = ['form.body.count.minimum', 'card.body.count.maximum'];
  expect(broken).toEqual(expect.arrayContaining(limits));
});

/** @param kept what a GET of the bytes returns @param crash forms with files that give a 500 */
function files(kept: (bytes: Buffer) => Buffer, crash: RegExp): Service {
  const headers = { 'content-type': 'application/octet-stream' };
  let bytes: Buffer | undefined;
  return async ({ method, target, body }) => {
    if (target === '/file') {
      if (crash.test(body.toString('utf8'))) {
        return respondWith(500);
      }
      return respondWith(body.includes('name="file"') ? 201 : 422);
    }
    if (method === 'PUT') {
      bytes = kept(body);
      return respondWith(204);
    }
    if (bytes === undefined) {
      return respondWith(404);
    }
    return { status: 200, headers, body: bytes };
  };
}

const same = (bytes: Buffer) => bytes;
const asText = (bytes: Buffer) => Buffer.from(bytes.toString('utf8'));
const NO_FILE = /no file/;
const PARENT_FOLDER = /filename="\.\./;
const EMPTY_FILE = /\r\n\r\n\r\n--/;

it.each([
  ['a correct service', files(same, NO_FILE), []],
  [
    'changed bytes and a crash by a file name',
    files(asText, PARENT_FOLDER),
    ['put.bytes', 'send.files'],
  ],
  ['a crash by an empty file', files(same, EMPTY_FILE), ['send.files']],
])('%s: what is broken is found', async (_, service, expected) => {
  const line = `--runs 20 --allow put ${only('put.bytes', 'send')}`;
  const { broken } = await resultsBy(service, contractOf('bytes'), line);
  expect(broken).toEqual(expected);
});

/** @param keepsFirst whether a book keeps the first cover that it had */
function covers(keepsFirst: boolean): Service {
  const headers = { 'content-type': 'application/octet-stream' };
  const kept = new Map<string, Buffer | undefined>();
  return async ({ method, target, body }) => {
    if (target === '/books') {
      const { title } = Object(parse(body.toString()));
      if (typeof title !== 'string' || title === '') {
        return respondWith(400);
      }
      const id = `book-${kept.size}`;
      kept.set(id, undefined);
      return respondWith(201, { id });
    }
    const [, , id = ''] = target.split('/');
    const before = kept.get(id);
    if (method === 'PUT' && kept.has(id)) {
      kept.set(id, keepsFirst ? (before ?? body) : body);
      return respondWith(204);
    }
    return before ? { status: 200, headers, body: before } : respondWith(404);
  };
}

it.each([
  [false, []],
  [true, ['put.bytes']],
])('bytes that replace others are read: the first ones stay: %s', async (keepsFirst, expected) => {
  const line = `--runs 20 ${only('put.bytes')}`;
  const { broken } = await resultsBy(covers(keepsFirst), contractOf('covers'), line);
  expect(broken).toEqual(expected);
});
