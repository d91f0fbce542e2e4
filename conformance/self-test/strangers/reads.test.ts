/**
 * GET, HEAD and DELETE with a body: OpenAPI 3.1 lets a contract describe one, and RFC 9110 (9.3.1,
 * 9.3.2, 9.3.5) gives it no meaning.
 */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

const SCHEMA = '{type: object, properties: {limit: {type: integer, minimum: 1}}}';
const BODY = `{content: {application/json: {schema: ${SCHEMA}}}}`;
const CONTRACT = `
openapi: 3.1.0
info: {title: Searches, version: '1'}
paths:
  /searches:
    get:
      operationId: search
      requestBody: ${BODY}
      responses:
        '200': {description: found, content: {application/json: {schema: {type: array}}}}
        '400': {description: refused}
    head:
      operationId: look
      requestBody: ${BODY}
      responses: {'200': {description: found}, '400': {description: refused}}
    delete:
      operationId: forget
      requestBody: ${BODY}
      responses: {'204': {description: done}, '400': {description: refused}}
`;

const SUCCESSES: Readonly<Record<string, number>> = { GET: 200, HEAD: 200, DELETE: 204 };

/** @param isRefused whether the service refuses a call, by the text of its body */
const searches = (isRefused: (text: string) => boolean): Handler => {
  return ({ method, text }) => {
    const status = SUCCESSES[method];
    if (status === undefined) {
      return [405];
    }
    if (isRefused(text)) {
      return [400];
    }
    return method === 'GET' ? [status, []] : [status];
  };
};

function isWrong(text: string): boolean {
  if (text === '') {
    return false;
  }
  try {
    const json: unknown = JSON.parse(text);
    const limit = isObject(json) ? (json['limit'] ?? 1) : 0;
    return !(Number.isInteger(limit) && Number(limit) >= 1);
  } catch {
    return true;
  }
}

test.each([
  ['ignores bodies', () => false],
  ['refuses each body', (text: string) => text !== ''],
  ['checks bodies', isWrong],
])('a service that %s has no failure', async (_, isRefused) => {
  const { code, broken } = await runOn(searches(isRefused), CONTRACT, ['--allow', 'forget']);
  expect([code, broken]).toEqual([0, []]);
});

test('a body that the contract requires is sent, and nothing is due for a wrong one', async () => {
  const required = CONTRACT.replaceAll('requestBody: {', 'requestBody: {required: true, ');
  const isRefused = (text: string) => text === '';
  const options = ['--allow', 'forget'];
  const { code, broken, passed } = await runOn(searches(isRefused), required, options);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(expect.arrayContaining(['search.200', 'look.200', 'forget.204']));
});
