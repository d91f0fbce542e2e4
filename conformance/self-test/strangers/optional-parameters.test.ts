/** Operations that want a parameter which their contract calls optional, or a usual value. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, type Reply, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Charts, version: '1'}
paths:
  /charts:
    get:
      operationId: charts
      responses:
        '200':
          description: All of them.
          content: {application/json: {schema: {type: array, items: {type: object}}}}
  /data:
    get:
      operationId: data
      parameters:
        - {name: chart, in: query, schema: {type: string}}
        - {name: points, in: query, required: true, schema: {type: integer, default: 20}}
      responses: {'200': {description: They are here.}, '400': {description: What is missing.}}
  /queries:
    get:
      operationId: query
      parameters: [{name: day, in: query, schema: {type: string, example: '2030-01-01'}}]
      responses: {'200': {description: They are here.}, '404': {description: There are none.}}
  /weights:
    get:
      operationId: weigh
      parameters: [{name: method, in: query, schema: {enum: [learned, volume], default: learned}}]
      responses: {'200': {description: They are here.}, '404': {description: Nothing is learned.}}
  /filtered:
    get:
      operationId: filter
      parameters: [{name: filter, in: query, required: true, schema: {type: string}}]
      responses: {'200': {description: They are here.}, '400': {description: It is no JSON.}}
  /lessons:
    get:
      operationId: lessons
      responses: {'200': {description: They are here.}, '404': {description: Nothing is learned.}}
  /health:
    get:
      operationId: health
      responses: {'200': {description: It is well.}, '403': {description: It is not for you.}}
  /labelled:
    get:
      operationId: labelled
      parameters:
        - {name: labels, in: query, required: true, schema: {type: array, items: {type: string}}}
      responses: {'200': {description: They are here.}}
  /tickets:
    post:
      operationId: addTicket
      parameters: [{name: X-Tenant, in: header, schema: {type: string}}]
      requestBody:
        required: true
        content:
          application/json:
            schema: {type: object, required: [title], properties: {title: {type: string}}}
      responses: {'201': {description: It is there.}, '400': {description: What is missing.}}
  /states:
    post:
      operationId: setState
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [state]
              properties:
                state:
                  type: object
                  minProperties: 0
                  additionalProperties: {type: array, items: {type: integer}}
      responses: {'202': {description: It will be.}, '422': {description: A byte is too large.}}
  /icons/{icon}:
    get:
      operationId: icon
      parameters: [{name: icon, in: path, required: true, schema: {type: string, minLength: 2}}]
      responses: {'200': {description: It is here.}, '404': {description: There is none.}}
`;

const isWord = (text: string): boolean => /^[a-z]+$/.test(text);

const isJson = (text: string): boolean => /^(\{.*\}|\d+)$/.test(text);

const isEmpty = (map: unknown): boolean => isObject(map) && Object.keys(map).length === 0;

const service: Handler = ({ method, path, query, headers, json }): Reply => {
  switch (`${method} ${path.split('/')[1]}`) {
    case 'GET charts':
      return [200, [{ id: 'cpu' }]];
    case 'GET data':
      return query.get('chart') === 'cpu' ? [200] : [400, 'No chart is given.'];
    case 'GET queries':
      return query.has('day') ? [200] : [404, 'Nothing is asked for.'];
    case 'GET weights':
      return query.get('method') === 'volume' ? [200] : [404];
    case 'GET filtered':
      return isJson(query.get('filter') ?? '') ? [200] : [400];
    case 'GET health':
      return [403];
    case 'GET labelled':
      return query.getAll('labels').every(isWord) ? [200] : [500];
    case 'POST tickets':
      return headers['x-tenant'] === undefined ? [400, 'X-Tenant is missing.'] : [201];
    case 'POST states':
      return isEmpty(json?.state) ? [202] : [422];
    case 'GET icons':
      return isWord(path.slice('/icons/'.length)) ? [200] : [404];
    default:
      return [404];
  }
};

test('what a refusal names, what the contract shows and plain words reach operations', async () => {
  const { report, requests } = await runOn(service, CONTRACT, ['--survey']);
  const reached = (report.survey ?? []).filter(({ outcome }) => outcome === 'reached');
  const ids = reached.map(({ operation }) => operation);
  const wanted = [
    'charts',
    'data',
    'query',
    'weigh',
    'filter',
    'labelled',
    'addTicket',
    'setState',
    'icon',
  ];
  expect(ids).toEqual(wanted);
  expect(requests).toContain('GET /data?points=20&chart=cpu');
});

test('what reached an operation goes with each call; documented refusals fail none', async () => {
  const names = ['data', 'query', 'weigh', 'lessons', 'health'].flatMap((id) => [
    '--only',
    `${id}.200`,
  ]);
  const { broken, passed, report } = await runOn(service, CONTRACT, names);
  expect(broken).toEqual([]);
  expect(passed).toEqual(['data.200', 'query.200', 'weigh.200']);
  const skipped = report.requirements.filter(({ status }) => status === 'skip');
  expect(skipped.map(({ id }) => id)).toEqual(['lessons.200', 'health.200']);
});

test('a documented 404 for another option is no failure', async () => {
  const { broken, report } = await runOn(service, CONTRACT, ['--only', 'weigh.query.method.enum']);
  expect(broken).toEqual([]);
  const tried = report.requirements.find(({ id }) => id === 'weigh.query.method.enum');
  expect(tried?.reason).toBe('weigh finds nothing by other options, as the contract allows (404)');
});
