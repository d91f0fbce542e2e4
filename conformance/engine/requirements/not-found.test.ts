/** Which operations are asked for what does not exist, and why others are not. */
import { expect, it } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { notFoundRequirements } from './not-found.ts';

/** Reads of `/a/{id}`, and what else there is. */
const contractOf = ({ get = "'404'", id = '{type: string}', more = '', post = '' }) =>
  parseContract(`
openapi: 3.1.0
info: {title: a, version: 1.0.0}
paths:
  /a:
    get: {operationId: list, responses: {'200': {description: all}, '404': {description: none}}}
${post}
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: ${id}}]
    get: {operationId: read, responses: {'200': {description: one}, ${get}: {description: none}}}
${more}
`);
const POST = `    post:
      operationId: make
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses: {'201': {description: one, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}`;
const removal = (status: string) => `    delete: {operationId: remove, responses: {${status}: {description: gone}}}`;
const RANDOM = 'a long random one';
const REMOVED = 'one that was removed';

it.each([
  ['a documented 404', {}, [RANDOM]],
  ['a DELETE', { more: removal("'204'") }, [REMOVED, RANDOM]],
  ['a DELETE that may be done later', { more: removal("'202'") }, [RANDOM]],
  ['no refusal', { get: "'301'" }, undefined],
  ['another refusal', { get: "'403'" }, undefined],
  ['a default alone, for ids that anybody may choose', { get: 'default' }, 'nothing says'],
  ['a default alone, for ids that the service gives', { get: 'default', post: POST }, [RANDOM]],
  ['a default alone, and a DELETE that shows something', { get: 'default', more: removal("'200'") }, 'nothing says'],
  ['short ids', { id: '{type: string, maxLength: 4}' }, 'nothing says'],
  ['ids of a form that is met', { id: '{type: string, format: uuid}' }, [RANDOM]],
  ['small whole numbers', { id: '{type: integer, maximum: 99}' }, 'nothing says'],
])('%s', (_, parts, expected) => {
  const requirement = notFoundRequirements(contractOf(parts)).find(({ id }) => id === 'read.404');
  const reason = requirement?.skip?.({} as never);
  if (typeof expected === 'string') expect(reason).toContain(expected);
  else expect(requirement?.properties({} as never).map(({ label }) => label)).toEqual(expected);
});

it('asks no DELETE that does not document it, and no PUT that may make it', () => {
  const more = `${removal("'204'")}
    put: {operationId: put, responses: {'201': {description: made}, '404': {description: none}}}`;
  expect(notFoundRequirements(contractOf({ more })).map(({ id }) => id)).toEqual(['read.404']);
});
