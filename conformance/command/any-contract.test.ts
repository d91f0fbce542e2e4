/** A correct service of a contract that leaves much open: what is not promised is not failed. */
import { expect, it } from 'vitest';
import { parse } from '../engine/http/response.ts';
import type { Service, ServiceRequest } from '../self/service.ts';
import { implementation } from './services.ts';
import { folderWith, reportOf, suite } from './suite.ts';

const TOKEN = 'reader:token-of-some-length';
const STAR = "content: {application/json: {schema: {$ref: '#/components/schemas/Star'}}}";

/** @param key the security scheme of its operations */
const contractOf = (key: string) => `
openapi: 3.0.3
info: {title: Stars, version: 1.0.0}
servers: [{url: https://stars.example/v1}]
security: [{key: []}]
paths:
  /stars:
    get:
      operationId: list
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1}}
        - {name: big, in: query, schema: {type: boolean}}
        - {name: lang, in: cookie, schema: {type: string, enum: [en, de]}}
      responses: {'200': {description: some, content: {application/json: {schema: {type: array}}}}, '400': {description: no}, '401': {description: who}}
    post:
      operationId: add
      requestBody: {required: true, ${STAR}}
      responses: {'201': {description: it, ${STAR}}, '400': {description: no}}
  /inside:
    get: {operationId: look, security: [{other: []}], responses: {'200': {description: it}, '401': {description: who}}}
components:
  securitySchemes: {key: ${key}, other: {type: apiKey, in: header, name: X-Other}}
  schemas:
    Star: {type: object, additionalProperties: false, required: [id, points], properties: {id: {type: integer, readOnly: true}, points: {type: integer, minimum: 1, maximum: 5}}}
`;

const cookies = ({ headers }: ServiceRequest) => (headers['cookie'] ?? '').split('; ');
const queryOf = ({ target }: ServiceRequest) => new URL(target, 'http://a').searchParams;

/** It reads numbers and booleans of a URL as JavaScript does, and overlooks an id that is sent. */
function stars(isAllowed: (request: ServiceRequest) => boolean): Service {
  const respond = (status: number, value?: unknown) => {
    const headers: Record<string, string> = value === undefined ? {} : { 'content-type': 'application/json' };
    return Promise.resolve({ status, headers, body: JSON.stringify(value) ?? '' });
  };
  return (request) => {
    const [, name] = new URL(request.target, 'http://a').pathname.split('/');
    if (name === 'inside') return respond(401);
    if (name !== 'stars') return respond(404);
    if (!isAllowed(request)) return respond(401);
    if (request.method === 'GET') {
      const limit = Number(queryOf(request).get('limit') || '1');
      const isBoolean = /^(true|false|yes|no|on|off|0|1|)$/i.test(queryOf(request).get('big') ?? '');
      const isKnown = cookies(request).every((pair) => !/^lang=(?!(en|de)$)/.test(pair));
      return Number.isInteger(limit) && limit >= 1 && isBoolean && isKnown ? respond(200, []) : respond(400);
    }
    const { id = 0, points, ...others } = Object(parse(String(request.body))) as Record<string, unknown>;
    const isStar = Number.isInteger(id) && [1, 2, 3, 4, 5].includes(points as number);
    return isStar && Object.keys(others).length === 0 ? respond(201, { id: 0, points }) : respond(400);
  };
}

const BASIC = `Basic ${Buffer.from(TOKEN).toString('base64')}`;

it.each<[string, string, (request: ServiceRequest) => boolean]>([
  ['query', '{type: apiKey, in: query, name: api key}', (request) => queryOf(request).get('api key') === TOKEN],
  ['cookie', '{type: apiKey, in: cookie, name: sid}', (request) => cookies(request).includes(`sid=${TOKEN}`)],
  ['header', '{type: apiKey, in: header, name: X-Key}', ({ headers }) => headers['x-key'] === TOKEN],
  ['basic', '{type: http, scheme: basic}', ({ headers }) => headers['authorization'] === BASIC],
])('passes with its token in: %s', async (_, scheme, isAllowed) => {
  using folder = folderWith({ 'stars.yaml': contractOf(scheme) });
  const run = async (check: typeof isAllowed) => {
    await using served = await implementation(stars(check));
    // The first of the schemes that are used as often is taken.
    const line = `${served.url} --contract ${folder.file('stars.yaml')} --runs 3 --seed 1`;
    const { stdout, report } = await reportOf(line, { env: { CONFORMANCE_TOKEN: TOKEN } });
    expect(stdout).not.toContain(TOKEN);
    return report.requirements;
  };
  const found = await run(isAllowed);
  expect(found.filter(({ status }) => status === 'fail').map(({ id, failure }) => [id, failure?.message])).toEqual([]);
  const reason = 'look asks for credentials (other): give them with --token or --header';
  for (const [id, result] of [
    ['list.401', { status: 'pass' }],
    ['add.body.points.maximum', { status: 'pass' }],
    ['look.200', { status: 'skip', reason }],
  ] as const)
    expect(found.find((one) => one.id === id)).toMatchObject(result);
  // Some credentials will do, whichever they are; then none at all.
  const present = (request: ServiceRequest) => /api%20key=.|sid=.|"x-key":".|Basic ./.test(JSON.stringify(request));
  for (const check of [present, () => true])
    expect((await run(check)).find(({ id }) => id === 'list.401')).toMatchObject({ status: 'fail' });
});

it.each([
  ['--token a', /--token cannot be used: the security scheme key \(mutualTLS\) takes something else than a token/],
  ['--event-type a.v0', /--event-type has a meaning for the contract of this package only/],
])('refuses %s', async (line, message) => {
  using folder = folderWith({ 'stars.yaml': contractOf('{type: mutualTLS}').replace('{other: []}', '{key: []}') });
  const { code, stderr } = await suite(`http://127.0.0.1:9 --contract ${folder.file('stars.yaml')} ${line}`);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});
