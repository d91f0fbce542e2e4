/** A correct service of a contract that leaves much open: what is not promised is not failed. */
import { expect, it } from 'vitest';
import { serve, type ServiceRequest, type ServiceResponse } from '../self/service.ts';
import { folderWith, suite } from './suite.ts';

const CONTRACT = `
openapi: 3.0.3
info: {title: Stars, version: 1.0.0}
externalDocs: {url: https://stars.example/docs}
servers: [{url: https://stars.example/v1}]
security: [{key: []}]
paths:
  /stars:
    get:
      operationId: list
      parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1}}, {name: big, in: query, schema: {type: boolean}}]
      responses: {'200': {description: some, content: {application/json: {schema: {type: array, items: {type: object}}}}}, '400': {description: no}}
    post:
      operationId: add
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Star'}}}}
      responses: {'201': {description: it, content: {application/json: {schema: {$ref: '#/components/schemas/Star'}}}}, '400': {description: no}}
  /inside:
    get: {operationId: look, security: [{other: []}], responses: {'200': {description: it}, '401': {description: who}}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}, other: {type: apiKey, in: header, name: X-Other}}
  schemas:
    Star: {type: object, additionalProperties: false, required: [id, points], properties: {id: {type: integer, readOnly: true}, points: {type: integer, minimum: 1, maximum: 5}}}
`;

const ITEM = `  /stars/{id}:
    get:
      operationId: look-at
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: it, content: {application/json: {schema: {$ref: '#/components/schemas/Star'}}}}, '404': {description: no}}
  /inside:`;

const respond = (status: number, value?: unknown): ServiceResponse => ({
  status,
  headers: value === undefined ? {} : { 'content-type': 'application/json' },
  body: value === undefined ? '' : JSON.stringify(value),
});

/** It reads numbers and booleans as JavaScript does, and overlooks an id that is sent. */
async function stars({ method, target, headers, body }: ServiceRequest): Promise<ServiceResponse> {
  const { pathname, searchParams } = new URL(target, 'http://stars.example');
  if (pathname === '/inside') return respond(401);
  if (pathname !== '/stars') return respond(404);
  if (headers['x-key'] !== 'key-of-some-length') return respond(401);
  if (method === 'GET') {
    const limit = Number(searchParams.get('limit') || '1');
    const isBoolean = /^(true|false|yes|no|on|off|0|1|)$/i.test(searchParams.get('big') ?? '');
    return Number.isInteger(limit) && limit >= 1 && isBoolean ? respond(200, []) : respond(400);
  }
  // It reads integers by their digits: what has a fraction or an exponent is none.
  const text = body.toString();
  if (/"points":-?\d+(\.|e)/i.test(text)) return respond(400);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return respond(400);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return respond(400);
  const { points, id: _, ...unknown } = json as Record<string, unknown>;
  const isGood = Number.isInteger(points) && Number(points) >= 1 && Number(points) <= 5;
  return isGood && Object.keys(unknown).length === 0 ? respond(201, { id: 0, points }) : respond(400);
}

it('passes, and what it does not let anybody call is skipped', async () => {
  using folder = folderWith({ 'stars.yaml': CONTRACT });
  const served = await serve(stars);
  const args = [served.url, '--contract', folder.file('stars.yaml'), '--token', 'key-of-some-length'];
  // Of schemes that are used as often, the first is taken.
  const { stdout } = await suite([...args, '--format', 'json', '--seed', '1']);
  await served.close();
  const { requirements } = JSON.parse(stdout) as {
    requirements: { id: string; status: string; reason?: string; failure?: { message: string } }[];
  };
  expect(requirements.filter(({ status }) => status === 'fail').map(({ id, failure }) => [id, failure])).toEqual([]);
  expect(requirements.filter(({ status }) => status === 'skip').map(({ id, reason }) => [id, reason])).toEqual([
    ['look.200', 'look asks for credentials (other): give them with --token or --header'],
    [
      'look.401',
      'needs the credentials of the operation, with --token or --header: without them, nothing can be called',
    ],
  ]);
  expect(requirements.length).toBeGreaterThan(10);
});

it('lists what is tried, and the file that states it', async () => {
  const link = "links: {it: {operationId: look-at, parameters: {id: '$response.body#/id'}}}, content";
  const linked = CONTRACT.replace("'201': {description: it, content", `'201': {description: it, ${link}`);
  using folder = folderWith({ 'stars.yaml': linked.replace('  /inside:', ITEM) });
  const { code, stdout } = await suite(['--list', '--format', 'json', '--contract', folder.file('stars.yaml')]);
  expect(code).toBe(0);
  const rows = JSON.parse(stdout) as { id: string; file?: string }[];
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(['look-at.404', 'add.items.read-your-write']));
  expect(rows.filter(({ file: stated = '' }) => !/^engine\/\S+\.ts$/.test(stated))).toEqual([]);
});
