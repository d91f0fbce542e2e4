/** A service whose items are named by the query: only those of the run are changed and removed. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

const BODY =
  'requestBody: {required: true, content: {application/json: {schema: ' +
  '{type: object, required: [label], properties: {label: {type: string, minLength: 1}}}}}}';
const OBJECT = '{description: It., content: {application/json: {schema: {type: object}}}}';
const LIST = '{description: All., content: {application/json: {schema: {type: array}}}}';
const NONE = '{description: Nothing has this id.}';
const WRONG = '{description: It is wrong.}';

const byQuery = (name: string) =>
  `parameters: [{name: ${name}, in: query, required: true, schema: {type: string}}]`;

const CONTRACT = `
openapi: 3.1.0
info: {title: Tags, version: '1'}
paths:
  /tags:
    get: {operationId: tags, responses: {'200': ${LIST}}}
    post:
      operationId: addTag
      ${BODY}
      responses: {'201': ${OBJECT}, '400': ${WRONG}}
    put:
      operationId: changeTag
      ${byQuery('id')}
      ${BODY}
      responses: {'200': ${OBJECT}, '400': ${WRONG}, '404': ${NONE}}
    delete:
      operationId: removeTag
      ${byQuery('id')}
      responses: {'204': {description: It is gone.}, '400': ${WRONG}, '404': ${NONE}}
  /tags/details:
    get:
      operationId: tag
      ${byQuery('tagId')}
      responses: {'200': ${OBJECT}, '400': ${WRONG}, '404': ${NONE}}
  /users:
    delete:
      operationId: removeUser
      ${byQuery('name')}
      responses: {'204': {description: It is gone.}}
`;

function service() {
  const tags = new Map([['1', 'theirs']]);
  let last = 1;
  const isTag = (json: unknown): json is { label: string } =>
    isObject(json) && typeof json['label'] === 'string' && json['label'] !== '';
  const handler: Handler = ({ method, path, query, json }) => {
    const id = query.get('id') ?? query.get('tagId');
    if (path === '/tags' && method === 'GET') {
      return [200, [...tags].map(([one, label]) => ({ id: one, label }))];
    }
    if (path === '/tags' && method === 'POST') {
      if (!isTag(json)) {
        return [400];
      }
      last++;
      tags.set(`${last}`, json.label);
      return [201, { id: `${last}`, label: json.label }];
    }
    if (id === null) {
      return [400];
    }
    if (!tags.has(id)) {
      return [404];
    }
    if (method === 'DELETE') {
      tags.delete(id);
      return [204];
    }
    if (method === 'PUT') {
      if (!isTag(json)) {
        return [400];
      }
      tags.set(id, json.label);
    }
    return [200, { id, label: tags.get(id) }];
  };
  return { handler, tags };
}

test('an item that the query names is read, changed and removed, if the run made it', async () => {
  const { handler, tags } = service();
  const { report, broken, passed, requests } = await runOn(handler, CONTRACT);
  expect(broken).toEqual([]);
  const outcomes = new Map(report.survey?.map((one) => [one.operation, one.outcome]));
  expect([...outcomes]).toEqual([
    ['tags', 'reached'],
    ['tag', 'reached'],
    ['addTag', 'reached'],
    ['changeTag', 'reached'],
    ['removeTag', 'reached'],
    ['removeUser', 'left out'],
  ]);
  expect(passed).toContain('changeTag.body.label.minLength');
  const changes = requests.filter((one) => /^(PUT|DELETE)/.test(one));
  expect(changes.filter((one) => /[?&]id=1(&|$)/.test(one))).toEqual([]);
  expect(changes.filter((one) => !one.includes('?id='))).toEqual([]);
  // Whatever the run made is gone.
  expect([...tags]).toEqual([['1', 'theirs']]);
});
