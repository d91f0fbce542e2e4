/** Generic schemas: a page whose items are named by the schema that refers to the page. */
import { expect, test } from 'vitest';
import { isObject } from '../../engine/contract/pointers.ts';
import { type Handler, runOn } from './run.ts';

const CONTRACT = `
openapi: 3.1.0
info: {title: Pages, version: '1'}
paths:
  /names:
    get:
      operationId: listNames
      responses:
        '200':
          description: all
          content: {application/json: {schema: {$ref: '#/components/schemas/NamePage'}}}
  /counts:
    post:
      operationId: addCounts
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: '#/components/schemas/CountPage'}}}
      responses:
        '200':
          description: the first of them
          content: {application/json: {schema: {$ref: '#/components/schemas/CountPage'}}}
        '400': {description: wrong}
components:
  schemas:
    Page:
      $id: https://example.com/page
      $defs: {item: {$dynamicAnchor: item, not: {}}}
      type: object
      required: [items]
      properties: {items: {type: array, items: {$dynamicRef: '#item'}}}
    NamePage:
      $id: https://example.com/names
      $ref: page
      $defs: {item: {$dynamicAnchor: item, type: string, minLength: 1}}
    CountPage:
      $id: https://example.com/counts
      $ref: page
      $defs: {item: {$dynamicAnchor: item, $ref: '#/components/schemas/Count'}}
    Count: {type: integer, minimum: 0, maximum: 9}
`;

interface Errors {
  hasEmptyName?: boolean;
  takesAnyCount?: boolean;
}

function service({ hasEmptyName = false, takesAnyCount = false }: Errors): Handler {
  const isCount = (one: unknown) => Number.isInteger(one) && (takesAnyCount || isDigit(one));
  return ({ method, path, json }) => {
    if (path === '/names') {
      return method === 'GET' ? [200, { items: hasEmptyName ? [''] : ['a'] }] : [405];
    }
    if (path !== '/counts') {
      return [404];
    }
    if (method !== 'POST') {
      return [405];
    }
    const items = isObject(json) ? json['items'] : undefined;
    return Array.isArray(items) && items.every(isCount)
      ? [200, { items: items.slice(0, 1) }]
      : [400];
  };
}

const isDigit = (one: unknown) => Number(one) >= 0 && Number(one) <= 9;

test('each page has the items of the schema that refers to it', async () => {
  const { code, broken, passed } = await runOn(service({}), CONTRACT);
  expect([code, broken]).toEqual([0, []]);
  expect(passed).toEqual(
    expect.arrayContaining(['listNames.200', 'addCounts.200', 'addCounts.body.items.*.maximum']),
  );
});

test.each<[Errors, string]>([
  [{ hasEmptyName: true }, 'listNames.200'],
  [{ takesAnyCount: true }, 'addCounts.body.items.*.maximum'],
])('a service with %o is not conformant', async (errors, id) => {
  const { broken } = await runOn(service(errors), CONTRACT);
  expect(broken).toContain(id);
});
