/** Bodies that repeat what the path names, and must not name anything else. */
import { expect, test } from 'vitest';
import { type Handler, type Reply, runOn } from './run.ts';

const ID = '{name: shelf_id, in: path, required: true, schema: {type: integer}}';
const SENT = (schema: string) =>
  `{required: true, content: {application/json: {schema: ${schema}}}}`;

const CONTRACT = `
openapi: 3.1.0
info: {title: Shelves, version: '1'}
paths:
  /shelves:
    post:
      operationId: addShelf
      requestBody: ${SENT('{type: object, required: [name], properties: {name: {type: string}}}')}
      responses:
        '201':
          description: It is there.
          content: {application/json: {schema: {type: object, required: [id, name]}}}
  /shelves/{shelf_id}:
    parameters: [${ID}]
    get:
      operationId: shelf
      responses:
        '200': {description: It., content: {application/json: {schema: {type: object}}}}
        '404': {description: There is none.}
    put:
      operationId: setShelf
      requestBody: ${SENT('{$ref: "#/components/schemas/Shelf"}')}
      responses:
        '200': {description: It., content: {application/json: {schema: {type: object}}}}
        '400': {description: It names another one.}
        '404': {description: There is none.}
    delete:
      operationId: removeShelf
      responses: {'204': {description: It is gone.}, '404': {description: There is none.}}
  /shelves/{shelf_id}/labels:
    post:
      operationId: addLabel
      parameters: [${ID}]
      requestBody: ${SENT('{$ref: "#/components/schemas/Label"}')}
      responses:
        '201': {description: It is there.}
        '400': {description: It names another shelf.}
        '404': {description: There is none.}
components:
  schemas:
    Shelf:
      type: object
      required: [id, name]
      properties: {id: {type: integer}, name: {type: string, maxLength: 40}}
    Label:
      type: object
      required: [shelf_id, text]
      properties: {shelf_id: {type: integer}, text: {type: string, maxLength: 9}}
`;

const hasText = (value: unknown, most: number): boolean =>
  typeof value === 'string' && [...value].length <= most;

function service(): Handler {
  const shelves = new Map<number, unknown>();
  let last = 1000;
  const onShelf = (id: number, method: string, json: any): Reply => {
    if (method === 'GET') {
      return [200, { id, name: shelves.get(id) }];
    }
    if (method === 'DELETE') {
      shelves.delete(id);
      return [204];
    }
    if (json?.id !== id || !hasText(json.name, 40)) {
      return [400];
    }
    shelves.set(id, json.name);
    return [200, { id, name: json.name }];
  };
  return ({ method, path, json }) => {
    const [, , text, part] = path.split('/');
    if (text === undefined) {
      if (typeof json?.name !== 'string') {
        return [400];
      }
      last++;
      const id = last;
      shelves.set(id, json.name);
      return [201, { id, name: json.name }];
    }
    const id = Number(text);
    if (!shelves.has(id)) {
      return [404];
    }
    if (part === undefined) {
      return onShelf(id, method, json);
    }
    const isLabel = json?.shelf_id === id && hasText(json.text, 9);
    return [isLabel ? 201 : 400];
  };
}

test('a body names the resource of its path, beside each other value', async () => {
  const only = ['setShelf.200', 'setShelf.body', 'addLabel.201', 'addLabel.body'];
  const chosen = only.flatMap((id) => ['--only', id]);
  const { broken, passed, report } = await runOn(service(), CONTRACT, chosen);
  const outcomes = (report.survey ?? []).map(({ operation, outcome }) => `${operation} ${outcome}`);
  expect(outcomes).toContain('setShelf reached');
  expect(outcomes).toContain('addLabel reached');
  expect(broken).toEqual([]);
  expect(passed).toEqual(
    expect.arrayContaining(['setShelf.body.name.maxLength', 'addLabel.body.text.maxLength']),
  );
});
