/** The success is another one than the contract documents: status, media type, or no body. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { answering, html, json, problem, showing, withoutHeader } from '../mutate/response.ts';
import type { OperationId } from '../mutate/operation.ts';
import { done, instead, refusing } from '../mutate/mutate.ts';
import { ask, sourcesPath } from '../mutate/request.ts';

const mutant = mutantsOf('success');

const EXTENDED: [operation: OperationId, status: number][] = [
  ['listEdges', 200],
  ['updateEdge', 200],
  ['deleteEdge', 204],
  ['createRoute', 201],
  ['getRoute', 200],
  ['updateRoute', 200],
  ['deleteRoute', 204],
];

export const success: Mutant[] = [
  mutant(
    'create-edge-200',
    'createEdge.201',
    'Creating an edge answers 200 in place of 201.',
    done('createEdge', (response) => ({ ...response, status: 200 })),
  ),
  mutant(
    'create-edge-202',
    'createEdge.201',
    'Creating an edge answers 202, as if it were done later.',
    done('createEdge', (response) => ({ ...response, status: 202 })),
  ),
  mutant(
    'create-edge-only-location',
    'createEdge.201',
    'Creating an edge answers with Location and without a body.',
    done('createEdge', (response) => answering(showing(response, undefined), { location: '/edges/https/x' })),
  ),
  mutant(
    'create-edge-truncated',
    'createEdge.201',
    'The body of a new edge ends before its end.',
    done('createEdge', (response) => ({ ...response, body: response.body.toString().slice(0, -4) })),
  ),
  mutant(
    'get-edge-text',
    'getEdge.200',
    'An edge is sent as text/plain.',
    done('getEdge', (response) => answering(response, { 'content-type': 'text/plain' })),
  ),
  mutant(
    'get-edge-hal',
    'getEdge.200',
    'An edge is sent as application/hal+json.',
    done('getEdge', (response) => answering(response, { 'content-type': 'application/hal+json' })),
  ),
  mutant(
    'get-edge-bom',
    'getEdge.200',
    'JSON begins with a byte order mark, which RFC 8259 forbids.',
    done('getEdge', (response) => ({ ...response, body: `\ufeff${response.body.toString()}` })),
  ),
  mutant(
    'get-edge-206',
    'getEdge.200',
    'Reading an edge answers 206.',
    done('getEdge', (response) => ({ ...response, status: 206 })),
  ),
  mutant(
    'add-200',
    'createEventSource.201',
    'Adding a source answers 200 in place of 201.',
    done('createEventSource', (response) => ({ ...response, status: 200 })),
  ),
  mutant(
    'add-204',
    'createEventSource.201',
    'Adding a source answers 204 without a body.',
    done('createEventSource', (response) => ({ ...showing(response, undefined), status: 204 })),
  ),
  mutant(
    'list-204-when-empty',
    'listEventSources.200',
    'An empty list is answered with 204.',
    done('listEventSources', (response) =>
      response.body.toString().includes('"type"') ? response : { ...showing(response, undefined), status: 204 },
    ),
  ),
  mutant(
    'list-no-media-type',
    'listEventSources.200',
    'A list has no Content-Type.',
    done('listEventSources', (response) => withoutHeader(response, 'content-type')),
  ),
  mutant(
    'list-as-html',
    'listEventSources.200',
    'A list is sent as a page in HTML.',
    done('listEventSources', () => html(200, 'Sources')),
  ),
  mutant(
    'get-source-in-a-text',
    'getEventSource.200',
    'A source is encoded as JSON twice.',
    done('getEventSource', (response) => showing(response, response.body.toString())),
  ),
  mutant(
    'get-source-guarded',
    'getEventSource.200',
    'JSON begins with a guard against inclusion as a script.',
    done('getEventSource', (response) => ({ ...response, body: `)]}',\n${response.body.toString()}` })),
  ),
  mutant(
    'update-201',
    'updateEventSource.200',
    'An update answers 201.',
    done('updateEventSource', (response) => ({ ...response, status: 201 })),
  ),
  mutant(
    'update-204',
    'updateEventSource.200',
    'An update answers 204 without the source.',
    done('updateEventSource', (response) => ({ ...showing(response, undefined), status: 204 })),
  ),
  mutant(
    'delete-200',
    'deleteEventSource.204',
    'A removal answers 200 with an empty object.',
    done('deleteEventSource', () => json(200, {})),
  ),
  mutant(
    'delete-202',
    'deleteEventSource.204',
    'A removal answers 202.',
    done('deleteEventSource', (response) => ({ ...response, status: 202 })),
  ),
  mutant(
    'delete-shows-source',
    'deleteEventSource.204',
    'A removal answers 200 with the source that was removed.',
    instead('deleteEventSource', async (next, request, { path }) => {
      const before = await ask(next, request, 'GET', sourcesPath(path['subscription_id']!, path['type']!));
      const response = await next(request);
      return response.status === 204 ? before : response;
    }),
  ),
  mutant(
    'delete-404',
    'deleteEventSource.204',
    'A removal works, but answers 404.',
    done('deleteEventSource', () => problem(404, 'not_found')),
  ),
  mutant(
    'update-closes-connection',
    'updateEventSource.200',
    'An update is never answered: the connection is closed.',
    done('updateEventSource', () => Promise.reject(new Error('mutant'))),
  ),
  ...EXTENDED.map(([operation, status]) =>
    mutant(
      `${operation}-202`,
      `${operation}.${status}`,
      `${operation} answers 202 in place of ${status}.`,
      done(operation, (response) => ({ ...response, status: 202 })),
    ),
  ),
  ...EXTENDED.filter(([, status]) => status !== 204).map(([operation, status]) =>
    mutant(
      `${operation}-text`,
      `${operation}.${status}`,
      `${operation} answers in text/plain.`,
      done(operation, (response) => answering(response, { 'content-type': 'text/plain' })),
    ),
  ),
  ...EXTENDED.filter(([, status]) => status === 204).map(([operation]) =>
    mutant(
      `${operation}-200`,
      `${operation}.204`,
      `${operation} answers 200 with an empty object.`,
      done(operation, () => json(200, {})),
    ),
  ),
  mutant(
    'errors-200',
    'sources.unknown',
    'Errors are sent with status 200, and only the body tells.',
    refusing('any', (response) => ({ ...response, status: 200 })),
  ),
];
