/** The success is another one than the contract documents: status, media type, or no body. */
import { type Fault, faultsOf } from '../fault.ts';
import { answering, html, json, problem, showing, withoutHeader } from '../plant/answer.ts';
import type { OperationId } from '../plant/operation.ts';
import { done, instead, refusing } from '../plant/plant.ts';
import { ask, sourcesPath } from '../plant/request.ts';

const fault = faultsOf('success');

const EXTENDED: [operation: OperationId, status: number][] = [
  ['listEdges', 200],
  ['updateEdge', 200],
  ['deleteEdge', 204],
  ['createRoute', 201],
  ['getRoute', 200],
  ['updateRoute', 200],
  ['deleteRoute', 204],
];

export const success: Fault[] = [
  fault(
    'create-edge-200',
    'createEdge.201',
    'Creating an edge answers 200 in place of 201.',
    done('createEdge', (answer) => ({ ...answer, status: 200 })),
  ),
  fault(
    'create-edge-202',
    'createEdge.201',
    'Creating an edge answers 202, as if it were done later.',
    done('createEdge', (answer) => ({ ...answer, status: 202 })),
  ),
  fault(
    'create-edge-only-location',
    'createEdge.201',
    'Creating an edge answers with Location and without a body.',
    done('createEdge', (answer) => answering(showing(answer, undefined), { location: '/edges/https/x' })),
  ),
  fault(
    'create-edge-truncated',
    'createEdge.201',
    'The body of a new edge ends before its end.',
    done('createEdge', (answer) => ({ ...answer, body: answer.body.toString().slice(0, -4) })),
  ),
  fault(
    'get-edge-text',
    'getEdge.200',
    'An edge is sent as text/plain.',
    done('getEdge', (answer) => answering(answer, { 'content-type': 'text/plain' })),
  ),
  fault(
    'get-edge-hal',
    'getEdge.200',
    'An edge is sent as application/hal+json.',
    done('getEdge', (answer) => answering(answer, { 'content-type': 'application/hal+json' })),
  ),
  fault(
    'get-edge-bom',
    'getEdge.200',
    'JSON begins with a byte order mark, which RFC 8259 forbids.',
    done('getEdge', (answer) => ({ ...answer, body: `\ufeff${answer.body.toString()}` })),
  ),
  fault(
    'get-edge-206',
    'getEdge.200',
    'Reading an edge answers 206.',
    done('getEdge', (answer) => ({ ...answer, status: 206 })),
  ),
  fault(
    'add-200',
    'createEventSource.201',
    'Adding a source answers 200 in place of 201.',
    done('createEventSource', (answer) => ({ ...answer, status: 200 })),
  ),
  fault(
    'add-204',
    'createEventSource.201',
    'Adding a source answers 204 without a body.',
    done('createEventSource', (answer) => ({ ...showing(answer, undefined), status: 204 })),
  ),
  fault(
    'list-204-when-empty',
    'listEventSources.200',
    'An empty list is answered with 204.',
    done('listEventSources', (answer) =>
      answer.body.toString().includes('"type"') ? answer : { ...showing(answer, undefined), status: 204 },
    ),
  ),
  fault(
    'list-no-media-type',
    'listEventSources.200',
    'A list has no Content-Type.',
    done('listEventSources', (answer) => withoutHeader(answer, 'content-type')),
  ),
  fault(
    'list-as-html',
    'listEventSources.200',
    'A list is sent as a page in HTML.',
    done('listEventSources', () => html(200, 'Sources')),
  ),
  fault(
    'get-source-in-a-text',
    'getEventSource.200',
    'A source is encoded as JSON twice.',
    done('getEventSource', (answer) => showing(answer, answer.body.toString())),
  ),
  fault(
    'get-source-guarded',
    'getEventSource.200',
    'JSON begins with a guard against inclusion as a script.',
    done('getEventSource', (answer) => ({ ...answer, body: `)]}',\n${answer.body.toString()}` })),
  ),
  fault(
    'update-201',
    'updateEventSource.200',
    'An update answers 201.',
    done('updateEventSource', (answer) => ({ ...answer, status: 201 })),
  ),
  fault(
    'update-204',
    'updateEventSource.200',
    'An update answers 204 without the source.',
    done('updateEventSource', (answer) => ({ ...showing(answer, undefined), status: 204 })),
  ),
  fault(
    'delete-200',
    'deleteEventSource.204',
    'A removal answers 200 with an empty object.',
    done('deleteEventSource', () => json(200, {})),
  ),
  fault(
    'delete-202',
    'deleteEventSource.204',
    'A removal answers 202.',
    done('deleteEventSource', (answer) => ({ ...answer, status: 202 })),
  ),
  fault(
    'delete-shows-source',
    'deleteEventSource.204',
    'A removal answers 200 with the source that was removed.',
    instead('deleteEventSource', async (next, request, { path }) => {
      const before = await ask(next, request, 'GET', sourcesPath(path['subscription_id']!, path['type']!));
      const answer = await next(request);
      return answer.status === 204 ? before : answer;
    }),
  ),
  fault(
    'delete-404',
    'deleteEventSource.204',
    'A removal works, but answers 404.',
    done('deleteEventSource', () => problem(404, 'not_found')),
  ),
  fault(
    'update-closes-connection',
    'updateEventSource.200',
    'An update is never answered: the connection is closed.',
    done('updateEventSource', () => Promise.reject(new Error('planted'))),
  ),
  ...EXTENDED.map(([operation, status]) =>
    fault(
      `${operation}-202`,
      `${operation}.${status}`,
      `${operation} answers 202 in place of ${status}.`,
      done(operation, (answer) => ({ ...answer, status: 202 })),
    ),
  ),
  ...EXTENDED.filter(([, status]) => status !== 204).map(([operation, status]) =>
    fault(
      `${operation}-text`,
      `${operation}.${status}`,
      `${operation} answers in text/plain.`,
      done(operation, (answer) => answering(answer, { 'content-type': 'text/plain' })),
    ),
  ),
  ...EXTENDED.filter(([, status]) => status === 204).map(([operation]) =>
    fault(
      `${operation}-200`,
      `${operation}.204`,
      `${operation} answers 200 with an empty object.`,
      done(operation, () => json(200, {})),
    ),
  ),
  fault(
    'errors-200',
    'sources.unknown',
    'Errors are sent with status 200, and only the body tells.',
    refusing('any', (answer) => ({ ...answer, status: 200 })),
  ),
];
