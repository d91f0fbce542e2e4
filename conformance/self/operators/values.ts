/** Values with a meaning of their own: times and addresses. */
import { texts } from '../../engine/contract/shape.ts';
import { all, idOf, type Operator, type Variant } from './operator.ts';
import { done, remembering, showingAs } from '../mutate/mutate.ts';
import { answering, baseOf, jsonOf } from '../mutate/response.ts';
import type { ServiceRequest } from '../service.ts';
import type { Field } from './api.ts';
import { editAt } from './edit.ts';

/** @param change gets the value and the time of the response */
function perFormat(
  format: string,
  name: string,
  description: string,
  change: (value: string, request: ServiceRequest) => unknown,
  of: (field: Field) => boolean = () => true,
): Operator {
  return {
    name,
    description,
    variants: (api) =>
      api.shown
        .filter(([, field]) => texts(field.shape, 'format').includes(format) && of(field))
        .map(([operation, field]): Variant => ({
          at: `${operation.operationId}/${field.name}`,
          level: field.level,
          mutate: showingAs(idOf(operation), (shown, request) =>
            editAt(shown, field.path, (value) => (typeof value === 'string' ? change(value, request) : value)),
          ),
        })),
  };
}

const time = (name: string, description: string, change: (value: string) => unknown) =>
  perFormat('date-time', name, description, change);

const MINUTE = 60_000;
const moved = (value: string, ms: number) => new Date(Date.parse(value) + ms).toISOString();

/** Of what has an address here: what is referred to elsewhere has the address that its own service gives it. */
const uri = (name: string, description: string, change: (value: string, base: string) => string) =>
  perFormat(
    'uri',
    name,
    description,
    (value, request) => change(value, baseOf(request)),
    ({ path, isEmbedded }) => path.at(-1) === 'uri' && (path.length === 1 || isEmbedded),
  );

const LOCATIONS: Record<string, (uri: string) => string> = {
  relative: (value) => new URL(value).pathname,
  parent: (value) => value.slice(0, value.lastIndexOf('/')),
  'other-host': (value) => value.replace(/\/\/[^/]+/, '//other.example.com'),
  'other-resource': (value) => `${value}x`,
  empty: () => '',
};

export const values: Operator[] = [
  time('time-of-response', 'A time is that of the response.', () => new Date().toISOString()),
  time('time-zero', 'A time is the beginning of 1970.', () => new Date(0).toISOString()),
  time('time-ahead', 'A time is five minutes ahead.', (value) => moved(value, 5 * MINUTE)),
  time('time-behind', 'A time is five minutes behind.', (value) => moved(value, -5 * MINUTE)),
  time('time-other-zone', 'A time has the offset of another zone, and is not moved by it.', (value) =>
    value.replace(/(Z|[+-]\d\d:\d\d)$/, '+02:00'),
  ),
  time('time-jitter', 'A time is another one in each response, by up to some seconds.', (value) =>
    moved(value, 1000 * Math.floor(Math.random() * 4)),
  ),
  time('time-no-offset', 'A time has no offset.', (value) => value.replace(/(Z|[+-]\d\d:\d\d)$/, '')),
  time('time-as-day', 'A time is a day.', (value) => value.slice(0, 10)),
  time('time-with-space', 'A time has a space in place of the T.', (value) => value.replace('T', ' ')),
  time('time-as-number', 'A time is a number of seconds.', (value) => Math.floor(Date.parse(value) / 1000)),
  time('time-as-http', 'A time has the form of HTTP headers.', (value) => new Date(value).toUTCString()),
  uri('uri-relative', 'A `uri` is a path.', (value) => new URL(value).pathname),
  uri('uri-other-host', 'A `uri` has another host.', (value) => value.replace(/\/\/[^/]+/, '//other.example.com')),
  uri('uri-other-port', 'A `uri` has another port.', (value) => value.replace(/(\/\/[^/:]+)(:\d+)?/, '$1:1')),
  uri('uri-other-scheme', 'A `uri` has the scheme https.', (value) => value.replace(/^http:/, 'https:')),
  uri('uri-of-collection', 'A `uri` is that of the collection.', (value) => value.slice(0, value.lastIndexOf('/'))),
  uri('uri-of-service', 'A `uri` is that of the service.', (_, base) => base),
  uri('uri-with-suffix', 'A `uri` leads to nothing.', (value) => `${value}x`),
  uri('uri-with-slash', 'A `uri` ends with a slash.', (value) => `${value}/`),
  {
    name: 'uri-of-first',
    description: 'A `uri` is that of the first resource that was shown.',
    variants: (api) =>
      api.resources.flatMap(({ create, read, update, level }) => ({
        at: read.operationId,
        level,
        mutate: remembering(() => {
          let first: string | undefined;
          return all(
            ...[create, read, update].map((operation) =>
              showingAs(idOf(operation), (shown) => editAt(shown, ['uri'], (value) => (first ??= String(value)))),
            ),
          );
        }),
      })),
  },
  {
    name: 'location',
    description: 'The header Location of a creation is not the `uri` of what was created.',
    variants: ({ resources }) =>
      resources.flatMap(({ create }) =>
        Object.entries(LOCATIONS).map(([name, change]) => ({
          at: `${create.operationId}/${name}`,
          level: create.level,
          mutate: done(idOf(create), (response) => answering(response, { location: change(jsonOf(response).uri) })),
        })),
      ),
  },
];
