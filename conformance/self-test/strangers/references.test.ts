/** Bodies that name what other operations list, and paths with a number beside other members. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: References, version: '1'}
paths:
  /pet-types:
    get: {operationId: petTypes, responses: {'200': {description: All kinds.}}}
  /owners:
    post:
      operationId: addOwner
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [firstName]
              properties: {firstName: {type: string, example: George}}
      responses: {'201': {description: It is there.}}
  /owners/{ownerId}:
    parameters: [{name: ownerId, in: path, required: true, schema: {type: integer}}]
    get: {operationId: owner, responses: {'200': {description: It.}, '404': {description: None.}}}
    delete: {operationId: removeOwner, responses: {'204': {description: It is gone.}}}
  /owners/{ownerId}/pets:
    parameters: [{name: ownerId, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: addPet
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name, type]
              properties:
                name: {type: string}
                type: {$ref: '#/components/schemas/PetType'}
      responses:
        '201': {description: It is there.}
        '404': {description: Neither the owner nor the type may be missing.}
  /tags:
    post:
      operationId: addTag
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [type, value]
              properties: {type: {type: string}, value: {type: string}}
      responses: {'201': {description: It is there.}, '400': {description: There is no such type.}}
  /tag-types:
    get: {operationId: tagTypes, responses: {'200': {description: All kinds.}}}
  /strategies:
    get: {operationId: strategies, responses: {'200': {description: All.}}}
components:
  schemas:
    PetType:
      type: object
      required: [id, name]
      properties: {id: {type: integer}, name: {type: string}}
`;

const KIND = { id: 4711, name: 'cat' };

function references(): Handler {
  const owners = new Set<string>();
  const lists: Record<string, unknown> = {
    '/pet-types': [KIND],
    '/tag-types': { version: 1, kinds: [{ name: 'simple', icon: '#' }] },
    '/strategies': [{ type: 'percentage' }],
  };
  return ({ method, path, json }): Reply => {
    const [, first, id = '', below] = path.split('/');
    if (lists[path] !== undefined && method === 'GET') {
      return [200, lists[path]];
    }
    if (path === '/owners' && method === 'POST') {
      const added = `${100 + owners.size}`;
      owners.add(added);
      return [201, { firstName: 'George', id: Number(added) }];
    }
    if (path === '/tags' && method === 'POST') {
      return json?.type === 'simple' ? [201, json] : [400];
    }
    if (first !== 'owners' || id === '') {
      return [405];
    }
    if (!/^\d+$/.test(id)) {
      return [500];
    }
    if (below === 'pets' && method === 'POST') {
      return owners.has(id) && json?.type?.id === KIND.id ? [201, json] : [404];
    }
    if (method === 'GET') {
      return owners.has(id) ? [200, { id: Number(id) }] : [404];
    }
    return method === 'DELETE' && owners.delete(id) ? [204] : [404];
  };
}

test('a body names items of lists, whole or by key; a path has no text for a number', async () => {
  const { report, requests } = await runOn(references(), CONTRACT);
  const missing = report.survey?.filter(({ outcome }) => outcome !== 'reached');
  expect(missing).toEqual([]);
  expect(requests.filter((one) => one.includes('George'))).toEqual([]);
});

test('a member of a body that refers to nothing costs its operation, and not the run', async () => {
  const { code, report, passed } = await runOn(
    ({ method }) => [method === 'POST' ? 201 : 200, {}],
    `
openapi: 3.1.0
info: {title: Parts, version: '1'}
paths:
  /parts:
    get:
      operationId: parts
      responses: {'200': {description: it, content: {application/json: {schema: {type: object}}}}}
    post:
      operationId: addPart
      requestBody:
        content: {application/json: {schema: {$ref: '#/components/schemas/Part'}}}
      responses: {'201': {description: it, content: {application/json: {schema: {type: object}}}}}
components:
  schemas:
    Part: {type: object, properties: {size: {$ref: '#/components/schemas/None'}}}
`,
  );
  expect([code, report.verdict]).toEqual([2, 'incomplete']);
  expect(passed).toContain('parts.200');
  expect(report.warnings).toContainEqual(
    'References lead nowhere: /components/schemas/Part/properties/size.',
  );
});
