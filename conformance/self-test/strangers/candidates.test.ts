/** Values that reach an operation of a service, each of another kind. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, type Reply, runOn } from './run.ts';

const OBJECT = '{content: {application/json: {schema: {type: object}}}, description: It.}';
const NONE = '{description: Nothing has this name.}';

const parameter = (name: string, schema = 'type: string') =>
  `parameters: [{name: ${name}, in: path, required: true, schema: {${schema}}}]`;

const bodyOf = (schema: string) =>
  `requestBody: {required: true, content: {application/json: {schema: ${schema}}}}`;

const NAMED = '{type: object, required: [name], properties: {name: {type: string}}}';

const CONTRACT = `
openapi: 3.1.0
info: {title: Candidates, version: '1'}
paths:
  /alerts:
    post:
      operationId: postAlerts
      ${bodyOf('{type: array, items: {$ref: "#/components/schemas/Alert"}}')}
      responses: {'200': {description: They are there.}, '400': {description: A label is missing.}}
  /variables:
    post:
      operationId: addVariable
      ${bodyOf(NAMED)}
      responses: {'201': ${OBJECT}, '400': {description: It is wrong.}}
  /variables/{id}:
    ${parameter('id')}
    get: {operationId: variable, responses: {'200': ${OBJECT}, '404': ${NONE}}}
  /variables/name/{name}:
    ${parameter('name')}
    get: {operationId: variableByName, responses: {'200': ${OBJECT}, '404': ${NONE}}}
    delete: {operationId: removeByName, responses: {'204': {description: Gone.}, '404': ${NONE}}}
  /events/count-by/{unit}:
    ${parameter('unit', 'type: string, enum: [day, week]')}
    post: {operationId: countBy, responses: {'200': ${OBJECT}}}
  /power/{state}:
    ${parameter('state', 'type: string, enum: [on, shutdown]')}
    post: {operationId: setPower, responses: {'200': ${OBJECT}}}
  /rules/owned-by/{owner}:
    ${parameter('owner')}
    delete: {operationId: removeOwned, responses: {'204': {description: Gone, if there were any.}}}
  /robots/{robot}/wave:
    ${parameter('robot')}
    post: {operationId: wave, responses: {'202': {description: It may wave.}}}
  /zones/{zone}:
    ${parameter('zone')}
    put: {operationId: setZone, responses: {'204': {description: It is there.}}}
    patch:
      operationId: changeZone
      ${bodyOf('{type: object, properties: {sets: {type: array, items: {type: object}}}}')}
      responses: {'204': {description: It is changed.}, '422': {description: No such set.}}
  /searches:
    put:
      operationId: createSearch
      ${bodyOf(NAMED)}
      responses: {'200': ${OBJECT}, '400': {description: It is wrong.}}
  /searches/{search}:
    ${parameter('search')}
    get: {operationId: search, responses: {'200': ${OBJECT}, '404': ${NONE}}}
  /changes:
    post:
      operationId: addChange
      requestBody:
        required: true
        content:
          application/json: {schema: {type: object}}
          application/vnd.change+json: {schema: {type: object}}
      responses: {'204': {description: It is made.}, '415': {description: It is of another type.}}
  /uploads:
    post:
      operationId: addUpload
      requestBody:
        required: true
        content:
          application/json: {schema: ${NAMED}}
          application/x-www-form-urlencoded: {schema: ${NAMED}}
      responses: {'204': {description: It is made.}, '400': {description: It is wrong.}}
  /feeds:
    post:
      operationId: addFeed
      requestBody:
        required: true
        content:
          application/json: {schema: ${NAMED}}
          application/xml: {schema: ${NAMED}, example: '<feed><name>news</name></feed>'}
      responses: {'204': {description: It is made.}, '400': {description: It is wrong.}}
  /variables/by-id/{variable_id}:
    ${parameter('variable_id')}
    get: {operationId: variableById, responses: {'200': ${OBJECT}, '404': ${NONE}}}
  /vectors:
    post:
      operationId: addVectors
      ${bodyOf('{$ref: "#/components/schemas/Vectors"}')}
      responses: {'201': {description: They are there.}, '400': {description: They are wrong.}}
  /shapes:
    post:
      operationId: addShape
      ${bodyOf('{$ref: "#/components/schemas/Shape"}')}
      responses: {'201': {description: It is made.}, '400': {description: It is wrong.}}
  /kinds:
    get: {operationId: kinds, responses: {'200': ${OBJECT}}}
  /kinds/{kind}:
    ${parameter('kind')}
    get: {operationId: kind, responses: {'200': ${OBJECT}, '404': ${NONE}}}
  /others:
    put: {operationId: replaceOthers, responses: {'204': {description: All are others.}}}
  /others/{other}:
    ${parameter('other')}
    get: {operationId: other, responses: {'200': ${OBJECT}, '404': ${NONE}}}
components:
  schemas:
    Shape:
      oneOf:
        - {type: object, properties: {radius: {type: number}}}
        - {type: object, properties: {side: {type: number}}}
    Alert:
      type: object
      required: [labels]
      properties: {labels: {type: object, additionalProperties: {type: string}}}
    Vectors:
      type: object
      required: [ids, vectors]
      properties:
        ids: {type: array, items: {type: string}}
        vectors:
          oneOf:
            - {type: array, items: {type: string}}
            - {type: array, items: {type: array, items: {type: number}}}
`;

const NOTHING: Reply = [404];

function service(): Handler {
  const variables = new Map<string, string>();
  const searches = new Set<string>();
  const zones = new Set<string>();
  let count = 0;
  return ({ method, path, headers, json }) => {
    const [, kind = '', one = '', two = ''] = path.split('/').map(decodeURIComponent);
    const call = `${method} ${kind}`;
    const name: unknown = isObject(json) ? json['name'] : undefined;
    const isItem = one !== '';
    if (call === 'POST alerts') {
      const isRight = (item: unknown) =>
        isObject(item) && isObject(item['labels']) && Object.keys(item['labels']).length > 0;
      if (Array.isArray(json) && json.length > 0 && json.every(isRight)) {
        return [200];
      }
      return [400];
    }
    if (call === 'POST variables' || call === 'PUT searches') {
      if (typeof name !== 'string') {
        return [400];
      }
      count++;
      const id = `${kind}-${count}`;
      variables.set(id, name);
      searches.add(id);
      return [method === 'POST' ? 201 : 200, { id, name }];
    }
    if (call === 'GET kinds') {
      if (one === '') {
        return [200, { data: { known: ['info', 'tasks', 'notes'] } }];
      }
      return one === 'notes' ? [200, {}] : NOTHING;
    }
    if (call === 'POST uploads') {
      return headers['content-type']?.includes('form') ? [204] : [415];
    }
    if (call === 'POST feeds') {
      if (headers['content-type']?.includes('xml') && json === undefined) {
        return [204];
      }
      return [415];
    }
    if (call === 'POST vectors') {
      const { ids, vectors } = json;
      const isVector = (vector: unknown) =>
        Array.isArray(vector) && vector.length > 0 && vector.every((item) => !isObject(item));
      const areVectors = Array.isArray(vectors) && vectors.every(isVector);
      if (areVectors && vectors.length > 0 && vectors.length === ids.length) {
        return [201];
      }
      return [400];
    }
    if (call === 'POST shapes') {
      const sizes = isObject(json) ? Object.values(json) : ['none'];
      return sizes.every((size) => typeof size === 'number') ? [201] : [400];
    }
    if (kind === 'variables' && one === 'by-id') {
      return variables.has(two) ? [200, { id: two }] : NOTHING;
    }
    if (kind === 'variables' && one === 'name') {
      const found = [...variables].find(([, named]) => named === two);
      if (found && method === 'DELETE') {
        variables.delete(found[0]);
        return [204];
      }
      return found ? [200, { id: found[0] }] : NOTHING;
    }
    if (call === 'GET variables' || call === 'GET searches') {
      return variables.has(one) ? [200, { id: one }] : NOTHING;
    }
    if (call === 'POST events' || call === 'POST power') {
      return [200, {}];
    }
    if (call === 'POST changes') {
      if (headers['content-type'] === 'application/vnd.change+json') {
        return [204];
      }
      return [415];
    }
    if (call === 'POST robots') {
      return [202];
    }
    if (call === 'PUT zones') {
      zones.add(one);
      return [204];
    }
    if (call === 'PATCH zones' && zones.has(one)) {
      const { sets } = isObject(json) ? json : {};
      return Array.isArray(sets) && sets.length === 0 ? [204] : [422];
    }
    return isItem && call !== 'DELETE rules' ? NOTHING : [204];
  };
}

test('maps, lists, names, choices, media types and random names reach operations', async () => {
  const { report, requests } = await runOn(service(), CONTRACT, ['--survey']);
  const outcomes = (report.survey ?? []).map((one) => `${one.operation}: ${one.outcome}`);
  expect(outcomes.filter((one) => !one.endsWith(': reached')).toSorted()).toEqual([
    'other: not reached',
    'replaceOthers: left out',
    'setPower: not reached',
  ]);
  expect(requests.filter((one) => /power|PUT .others/.test(one))).toEqual([]);
});
