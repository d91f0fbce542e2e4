import { expect, test } from 'vitest';
import { responseOf, serviceOf } from '../http/service.test.fixture.ts';
import { Seen } from './seen.ts';

const { implementation } = serviceOf(
  `
  /projects:
    post: {operationId: addProject, responses: {'201': {description: Its id.}}}
`,
  () => ({ status: 201 }),
);

test.each([
  ['01a21e9a-c3b4-758d-a964-73a112528b3c', '$response.body#'],
  ['created', '$request.body#/id'],
])('of a response that is %s and an id that was sent, %s is the likelier id', (json, first) => {
  const operation = implementation.operations.get('addProject')!;
  const seen = new Seen();
  const call = {
    operation,
    input: { json: { id: 'd424e42a', name: 'a' } },
    response: responseOf({ status: 201, json }),
  };
  seen.note(call);
  const found = seen.findingsIn(call, '/projects/{project_id}', 'project_id', true);
  expect(found[0]).toBe(first);
});

test('the id of a resource is a parameter that has its name, below any path', () => {
  const operation = implementation.operations.get('addProject')!;
  const seen = new Seen();
  const response = responseOf({ status: 201, json: { id: 'p1' } });
  const call = { operation, input: {}, response };
  seen.note(call);
  const found = (path: string, name: string) => seen.findingsIn(call, path, name, false);
  expect(found('/snapshots/{project_id}', 'project_id')).toEqual(['$response.body#/id']);
  expect(found('/snapshots/{snapshot_id}', 'snapshot_id')).toEqual([]);
});
