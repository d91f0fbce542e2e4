/** Successes and media types of responses that few contracts have. */
import { expect, test } from 'vitest';
import { type Handler, runOn } from './run.ts';

const documentOf = (paths: object, version = '3.0.3'): string =>
  JSON.stringify({ openapi: version, info: { title: 'Responses', version: '1' }, paths });

const body = (schema: object) => ({
  required: true,
  content: { 'application/json': { schema } },
});

/** A form that leads to the page of what it has made, as web applications have it. */
const REDIRECTS = documentOf({
  '/letters': {
    post: {
      operationId: 'write',
      requestBody: body({ type: 'object', required: ['to'], properties: { to: { minLength: 1 } } }),
      responses: { 303: { description: 'see the letter' }, 400: { description: 'refused' } },
    },
  },
  '/old': { get: { operationId: 'old', responses: { 308: { description: 'moved' } } } },
});

/** @param accepts whether it takes letters to nobody */
const redirecting =
  (accepts = false): Handler =>
  ({ path, json }) => {
    if (path === '/old') {
      return [308, undefined, { location: '/letters' }];
    }
    const isAddressed = json?.to !== undefined && json.to !== '';
    const isLetter = typeof json === 'object' && json !== null && !Array.isArray(json);
    return isLetter && (accepts || isAddressed)
      ? [303, undefined, { location: 'http://elsewhere.invalid/%E0%A4%A' }]
      : [400];
  };

test('a redirect is the success of an operation that documents no 2xx', async () => {
  const { code, broken, passed } = await runOn(redirecting(), REDIRECTS);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(expect.arrayContaining(['write.303', 'old.308']));
});

test('a redirect for a body that must be refused is found', async () => {
  const { code, broken } = await runOn(redirecting(true), REDIRECTS);
  expect(code).toBe(1);
  expect(broken).toContain('write.body.required.to');
});
