/** Files that a POST of bytes makes, and a GET returns. */
import { hash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { runAgainst } from './run.ts';

const BINARY = '{schema: {type: string, format: binary}}';
const TAKEN = `application/octet-stream: ${BINARY}, image/png: ${BINARY}`;

/**
 * @param behind what the path of the content has behind the item
 * @param returned the media types of the content
 */
const contractWith = (behind: string, returned = TAKEN) => `
openapi: 3.1.0
info: {title: Files, version: '1'}
paths:
  /files:
    post:
      operationId: upload
      requestBody:
        required: true
        content: {${TAKEN}}
      responses:
        '201':
          description: Made.
          content:
            application/json:
              schema:
                type: object
                required: [id, size, sha256]
                properties:
                  id: {type: string}
                  size: {type: integer, description: Number of bytes of the content.}
                  sha256: {type: string, pattern: '^[0-9a-f]{64}$'}
        '415': {description: It is no file of this type.}
  /files/{file_id}${behind}:
    get:
      operationId: download
      description: The content, with the media type with which it was uploaded.
      parameters: [{name: file_id, in: path, required: true, schema: {type: string}}]
      responses:
        '200':
          description: It.
          content: {${returned}}
        '404': {description: None.}
`;

interface Options {
  /** What is kept of the bytes. */
  kept?: (bytes: Buffer) => Buffer;
  /** The media type of the content. */
  typeOf?: (sent: string) => string;
  sizeOf?: (bytes: Buffer) => number;
  digestOf?: (bytes: Buffer) => string;
  /** Whether only images are taken as images. */
  isStrict?: boolean;
}

const PNG = Buffer.from('89504e47', 'hex');

interface File {
  type: string;
  bytes: Buffer;
}

function files({
  kept = (bytes) => bytes,
  typeOf = (sent) => sent,
  sizeOf = (bytes) => bytes.length,
  digestOf = (bytes) => hash('sha256', bytes, 'hex'),
  isStrict = false,
}: Options) {
  const all: File[] = [];
  const add = async (request: IncomingMessage) => {
    const bytes = await buffer(request);
    const type = request.headers['content-type'] ?? '';
    const isKnown = type === 'application/octet-stream' || type === 'image/png';
    const isImage = bytes.subarray(0, PNG.length).equals(PNG);
    if (!isKnown || (isStrict && type === 'image/png' && !isImage)) {
      return { status: 415 };
    }
    all.push({ type: typeOf(type), bytes: kept(bytes) });
    const json = { id: `f${all.length}`, size: sizeOf(bytes), sha256: digestOf(bytes) };
    return { status: 201, type: 'application/json', bytes: Buffer.from(JSON.stringify(json)) };
  };
  return createServer(async (request, response) => {
    const [, kind, id = ''] = (request.url ?? '').split('/');
    let reply: Partial<File> & { status: number } = { status: 404 };
    if (kind === 'files' && id === '' && request.method === 'POST') {
      reply = await add(request);
    }
    const found = all[Number(id.slice(1)) - 1];
    if (kind === 'files' && found !== undefined && request.method === 'GET') {
      reply = { status: 200, ...found };
    }
    const { status, type, bytes } = reply;
    response.writeHead(status, type === undefined ? {} : { 'content-type': type });
    response.end(bytes);
  });
}

const ONLY = ['--runs', '2', '--only', 'upload.bytes'];

test.each<[string, string, Options]>([
  ['has the content behind the item', '/content', {}],
  ['has the content as the item', '', {}],
  ['takes images alone as images', '/content', { isStrict: true }],
])('a service that %s is right', async (_, behind, options) => {
  const { broken, passed } = await runAgainst(files(options), contractWith(behind), ONLY);
  expect([broken, passed]).toEqual([[], ['upload.bytes']]);
});

test.each<[string, Options]>([
  ['reads bytes as text', { kept: (bytes) => Buffer.from(bytes.toString()) }],
  ['drops a byte order mark', { kept: (bytes) => bytes.subarray(3) }],
  ['forgets the media type', { typeOf: () => 'application/octet-stream' }],
  ['counts characters', { sizeOf: (bytes) => bytes.toString().length }],
  ['has the digest of a text', { digestOf: (bytes) => hash('sha256', bytes.toString(), 'hex') }],
])('a service that %s is found', async (_, options) => {
  const { broken } = await runAgainst(files(options), contractWith('/content'), ONLY);
  expect(broken).toEqual(['upload.bytes']);
});

test.each([
  ['a preview', contractWith('/preview')],
  ['what is converted', contractWith('/content', `application/pdf: ${BINARY}`)],
])('%s is no download', async (_, contract) => {
  const service = files({ typeOf: () => 'application/pdf' });
  const { passed, report } = await runAgainst(service, contract, []);
  expect(passed).toContain('upload.201');
  expect(report.requirements.map(({ id }) => id)).not.toContain('upload.bytes');
});
