/** A contract that refers to a standard on another host, which cannot be read. */
import { expect, test } from 'vitest';
import { type Handler, runOn } from './run.ts';

const STANDARD = 'http://127.0.0.1:9/features.yaml#';

const CONTRACT = `
openapi: 3.0.3
info: {title: Features, version: '1'}
paths:
  /items:
    get:
      operationId: list
      responses: {'200': {$ref: '${STANDARD}/components/responses/Features'}}
  /items/{featureId}:
    get:
      operationId: read
      parameters: [{$ref: '${STANDARD}/components/parameters/featureId'}]
      responses:
        '200':
          description: It.
          content:
            application/json: {schema: {$ref: '${STANDARD}/components/schemas/feature'}}
  /lists:
    get:
      operationId: lists
      responses:
        '200':
          description: Them.
          content:
            application/json:
              schema: {type: array, items: {$ref: '${STANDARD}/components/schemas/list'}}
  /lists/{id}:
    get:
      operationId: readList
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: It.}}
`;

const features: Handler = ({ path }) => {
  const all = [{ id: 'lake-1', kind: 'lake' }];
  if (path === '/items' || path === '/lists') {
    return [200, path === '/items' ? { features: all } : all];
  }
  return path.endsWith('/lake-1') ? [200, all[0]] : [404];
};

test('what a list shows is read, though nothing says what the list is', async () => {
  const { report } = await runOn(features, CONTRACT);
  const reached = (report.survey ?? []).filter(({ outcome }) => outcome === 'reached');
  const names = reached.map(({ operation }) => operation);
  expect(names.toSorted()).toEqual(['list', 'lists', 'read', 'readList']);
});
