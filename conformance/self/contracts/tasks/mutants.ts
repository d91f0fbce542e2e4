/** Services that break the contract beside them in one respect each. They know nothing of the suite. */
import type { Service } from '../../service.ts';
import { changed, withBody, withErrors, withHeader, without, withStatus } from '../mutants.ts';
import { createTasks, RULES } from './service.ts';

export const MUTANTS: Record<string, () => Service> = {
  ...Object.fromEntries(RULES.map((rule) => [`does not check ${rule}`, () => createTasks([rule])])),
  'responses without an id': () => withBody(createTasks(), without('id')),
  'responses with the id as a text': () => withBody(createTasks(), (task) => ({ ...task, id: String(task['id']) })),
  'responses without notes': () => withBody(createTasks(), without('notes')),
  'responses with another state': () => withBody(createTasks(), (task) => ({ ...task, state: 'new' })),
  'responses with an empty title': () => withBody(createTasks(), (task) => ({ ...task, title: '' })),
  'responses with a priority of 0': () => withBody(createTasks(), (task) => ({ ...task, priority: 0 })),
  'responses with a child that is no task': () =>
    withBody(createTasks(), (task) => ({ ...task, children: [{ id: 1 }] })),
  'responses with null in place of labels': () => withBody(createTasks(), (task) => ({ ...task, labels: null })),
  'responses without a media type': () => withHeader(createTasks(), 'content-type', undefined),
  'responses of another media type': () => withHeader(createTasks(), 'content-type', 'text/plain'),
  'a new task without its Location': () => withHeader(createTasks(), 'location', undefined),
  'a new task with status 302': () => withStatus(createTasks(), 201, 302),
  'a read task with status 206': () => withStatus(createTasks(), 200, 206),
  'a removal with status 200': () => withStatus(createTasks(), 204, 200),
  'ids that nothing has with status 409': () => withStatus(createTasks(), 404, 409),
  'ids that nothing has with status 204': () => withStatus(createTasks(), 404, 204),
  'refusals with status 500': () => withStatus(createTasks(), 400, 500),
  'wrong keys with status 403': () => withStatus(createTasks(), 401, 403),
  'errors without a message': () => withErrors(createTasks(), '{}'),
  'errors that are no JSON': () => withErrors(createTasks(), 'wrong'),
  'a list in an object': () =>
    changed(createTasks(), (response) =>
      response.body.toString().startsWith('[')
        ? { ...response, body: `{"tasks":${response.body.toString()}}` }
        : response,
    ),
};
