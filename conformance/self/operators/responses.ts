/** Successful responses as a whole: status, headers, media type, body. */
import type { ServiceResponse } from '../service.ts';
import { done } from '../mutate/mutate.ts';
import { answering, jsonOf, showing, withoutHeader } from '../mutate/response.ts';
import { shownBy, successOf } from './api.ts';
import { idOf, type Operator, perOperation } from './operator.ts';

const STATUSES = [200, 201, 202, 204, 206];
const MEDIA_TYPES = ['text/plain', 'text/html', 'application/hal+json', 'application/problem+json', ''];

const shows = (operation: Parameters<typeof shownBy>[0]) => shownBy(operation) !== undefined;

function wrapping(name: string, description: string, change: (response: ServiceResponse) => ServiceResponse): Operator {
  return perOperation(name, description, shows, (operation) => done(idOf(operation), change));
}

export const responses: Operator[] = [
  {
    name: 'other-status',
    description: 'A success has another status.',
    variants: ({ operations }) =>
      operations.flatMap((operation) =>
        STATUSES.filter((status) => String(status) !== successOf(operation).status).map((status) => ({
          at: `${operation.operationId}/${status}`,
          level: operation.level,
          mutate: done(idOf(operation), (response) => ({
            ...response,
            status,
            ...(status === 204 ? { body: '' } : {}),
          })),
        })),
      ),
  },
  {
    name: 'other-media-type',
    description: 'A success has another media type.',
    variants: ({ operations }) =>
      operations.filter(shows).flatMap((operation) =>
        MEDIA_TYPES.map((type) => ({
          at: `${operation.operationId}/${type === '' ? 'none' : type}`,
          level: operation.level,
          mutate: done(idOf(operation), (response) => {
            const bare = withoutHeader(response, 'content-type');
            return type === '' ? bare : answering(bare, { 'content-type': type });
          }),
        })),
      ),
  },
  wrapping('no-body', 'A success has no body.', (response) => showing(response, undefined)),
  wrapping('truncate-body', 'The body of a success ends before its end.', (response) => ({
    ...response,
    body: response.body.toString().trimEnd().slice(0, -1),
  })),
  wrapping('envelope', 'A success has its value inside of `data`.', (response) =>
    showing(response, { data: jsonOf(response) }),
  ),
  wrapping('list-of-one', 'A success has its value in a list.', (response) => showing(response, [jsonOf(response)])),
  wrapping('encode-twice', 'A success has its value as a text of JSON.', (response) =>
    showing(response, JSON.stringify(jsonOf(response))),
  ),
  wrapping('byte-order-mark', 'The body of a success begins with a byte order mark.', (response) => ({
    ...response,
    body: `\uFEFF${response.body.toString()}`,
  })),
  wrapping('unknown-charset', 'The body of a success is in UTF-16.', (response) => ({
    ...response,
    body: Buffer.from(response.body.toString(), 'utf16le'),
  })),
  perOperation(
    'body-without-content',
    'A success that has no body responds with an object and 200.',
    (operation) => !shows(operation),
    (operation) =>
      done(idOf(operation), () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: '{}' })),
  ),
];
