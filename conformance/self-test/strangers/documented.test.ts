/** What a contract documents is no finding, even if few contracts have it. */
import { expect, test } from 'vitest';
import { type Handler, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Structures, version: '1'}
paths:
  /structures:
    get:
      operationId: list
      parameters:
        - {name: version, in: query, schema: {type: string, pattern: '^v[0-9]+$'}}
        - {name: after, in: query, schema: {type: string}}
      responses:
        '200': {description: All.}
        '400': {description: It is wrong.}
        '501': {description: It is not implemented.}
        '553': {description: The version is not supported.}
  /structures/{id}:
    get:
      operationId: read
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}, example: one}
      responses:
        '200':
          description: It.
          content:
            application/json:
              schema:
                type: object
                required: [data]
                properties:
                  data: {anyOf: [{type: object}, {type: 'null'}]}
                  meta: {type: object}
        '404': {description: The path is wrong.}
`;

/** @param ofNothing what an unknown id gets */
function structures(ofNothing: unknown): Handler {
  return ({ path, query }) => {
    if (path !== '/structures') {
      return [200, path === '/structures/one' ? { data: { id: 'one' } } : ofNothing];
    }
    const version = query.get('version');
    if (query.has('after')) {
      return [501];
    }
    if (version === null || version === 'v1') {
      return [200];
    }
    return [/^v[0-9]+$/.test(version) ? 553 : 400];
  };
}

test('a documented 501 or 553, and null for an unknown id, are no findings', async () => {
  const { report } = await runOn(structures({ data: null, meta: {} }), CONTRACT);
  expect(report.findings.map(({ id }) => id)).toEqual([]);
});

test('an item for an unknown id is a finding', async () => {
  const { broken } = await runOn(structures({ data: { id: 'one' } }), CONTRACT);
  expect(broken).toContain('read.404');
});
