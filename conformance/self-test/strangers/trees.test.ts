/** A tree whose items have paths: an empty path names its root, which shows what no other does. */
import { expect, test } from 'vitest';
import { type Handler, runOn } from './run.ts';

const NODE = '{type: object, properties: {id: {type: string}, color: {type: string}}}';
const PATH = '[{name: path, in: path, required: true, schema: {type: string}}]';

const CONTRACT = `
openapi: 3.1.0
info: {title: Nodes, version: '1'}
paths:
  /search/{path}:
    get:
      operationId: search
      parameters: ${PATH}
      responses:
        '200':
          description: Its children.
          content: {application/json: {schema: {type: array, items: ${NODE}}}}
        '404': {description: Nothing has this path.}
  /nodes/{path}:
    parameters: ${PATH}
    get:
      operationId: read
      responses:
        '200': {description: It., content: {application/json: {schema: ${NODE}}}}
        '404': {description: Nothing has this path.}
    post:
      operationId: add
      requestBody:
        required: true
        content: {application/json: {schema: ${NODE}}}
      responses:
        '200': {description: It., content: {application/json: {schema: ${NODE}}}}
        '404': {description: Nothing has this path.}
        '422': {description: It is wrong.}
    delete:
      operationId: remove
      responses:
        '204': {description: It is gone.}
        '404': {description: Nothing has this path.}
`;

/** @param nodes by their ids; `theirs` was there before */
function tree(nodes: Map<string, unknown>): Handler {
  return ({ method, path, json }) => {
    const [, kind, id = ''] = path.split('/');
    if (kind === 'search') {
      return id === '' ? [200, [...nodes.values()]] : [404];
    }
    if (method === 'POST') {
      const isNode = typeof json?.color === 'string';
      if (id !== '' || !isNode) {
        return [id === '' ? 422 : 404];
      }
      const node = { id: `n${nodes.size}-${Math.random()}`, color: json.color };
      nodes.set(node.id, node);
      return [200, node];
    }
    if (!nodes.has(id)) {
      return [404];
    }
    if (method === 'DELETE') {
      nodes.delete(id);
      return [204];
    }
    return [200, nodes.get(id)];
  };
}

test('what is in the root is found, made and removed; what others have stays', async () => {
  const theirs = { id: 'theirs', color: 'red' };
  const nodes = new Map<string, unknown>([['theirs', theirs]]);
  const { report } = await runOn(tree(nodes), CONTRACT);
  const reached = (report.survey ?? []).filter(({ outcome }) => outcome === 'reached');
  expect(reached.map(({ operation }) => operation).toSorted()).toEqual([
    'add',
    'read',
    'remove',
    'search',
  ]);
  expect([...nodes.values()]).toEqual([theirs]);
});
